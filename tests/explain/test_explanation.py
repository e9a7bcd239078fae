"""Explanations: what they say is what the searches found."""

import io
import json

import chess
import pytest

from cythera import Engine, Explanation, GameOverError, IllegalMoveError, Limit, Score
from cythera.__main__ import main
from cythera.board.position import Position
from cythera.core import evaluation_terms

SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
CHECK = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3"
LIMIT = Limit(nodes=20_000)


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=4) as one:
        yield one


@pytest.fixture(scope="module")
def scholar(engine):
    return engine.explain(SCHOLAR, "Nf6", LIMIT)


def test_a_blunder_is_refuted_by_the_move_that_mates(scholar):
    assert isinstance(scholar, Explanation)
    assert scholar.asked == scholar.move.san == "Nf6"
    assert scholar.move.line_san[:2] == ("Nf6", "Qxf7#")
    assert scholar.move.score == Score(mate=-1) and scholar.move.word == "blunder"
    said = " ".join(scholar.sentences)
    assert "Nf6 allows mate in 1 (Qxf7#). Qxf7# refutes Nf6: 3... Nf6 4. Qxf7#." in said


def test_threats_are_what_a_pass_would_allow(scholar):
    theirs = scholar.threats[0]
    assert (theirs.side, theirs.after, theirs.line_san) == ("w", "", ("Qxf7#",))
    assert theirs.is_real and theirs.score == Score(mate=1)
    assert "White threatens Qxf7# (mate in 1)." in " ".join(scholar.sentences)
    assert [threat.side for threat in scholar.threats] == ["w", "b"]


def test_the_best_move_stops_the_mate(scholar):
    assert scholar.best.score.mate is None
    board = chess.Board(SCHOLAR)
    board.push_uci(scholar.best.line.moves[0])
    assert not any(is_mate(board, move) for move in board.legal_moves)


def is_mate(board, move):
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def test_terms_are_those_of_the_evaluation_and_add_up(scholar):
    score = evaluation_terms(Position(SCHOLAR)).score
    assert sum(term.start for term in scholar.terms) == pytest.approx(-score, abs=8)  # rounding, small terms
    names = [term.name for term in scholar.terms]
    assert len(names) == len(set(names)) and "king danger" in names
    assert all(term.end_of_move is not None for term in scholar.terms)


def test_asking_about_the_best_move_itself_is_answered(engine):
    answer = engine.explain(MATE_IN_ONE, "Ra8#", LIMIT)
    assert answer.move is None and answer.asked == "Ra8#"
    assert "Ra8# is the engine's own choice." in answer.sentences
    assert "White mates in 1" in answer.sentences[0]


def test_without_a_move_there_is_only_the_choice(engine):
    answer = engine.explain(MATE_IN_ONE, limit=LIMIT)
    assert answer.asked == "" and answer.move is None and all(term.end_of_move is None for term in answer.terms)
    assert not any("passing" in sentence for sentence in answer.sentences)


def test_in_check_nobody_passes(engine):
    answer = engine.explain(CHECK, limit=LIMIT)
    assert all(threat.after for threat in answer.threats)
    assert "White is in check, so there is no passing to see what Black threatens." in answer.sentences


def test_an_only_move_is_said_to_be_one(engine):
    answer = engine.explain("7k/8/8/8/8/8/6q1/7K w - - 0 1", limit=LIMIT)
    assert answer.others == () and f"{answer.best.san} is the only legal move." in answer.sentences


def test_moves_are_understood_as_san_uci_and_objects(engine):
    for move in ("Nf6", "g8f6", chess.Move.from_uci("g8f6")):
        assert engine.explain(SCHOLAR, move, Limit(nodes=500)).asked == "Nf6"
    for move in ("Nf7", "e2e4", "rubbish"):
        with pytest.raises(IllegalMoveError, match="is not a legal move here"):
            engine.explain(SCHOLAR, move, LIMIT)


def test_a_finished_game_has_no_why(engine):
    with pytest.raises(GameOverError, match="checkmate"):
        engine.explain("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")


def test_chess960_is_explained_as_such(engine):
    start = Position("bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1", chess960=True)
    answer = engine.explain(start, "d4", Limit(nodes=1000))
    assert answer.position() == start and answer.chess960


def test_an_exchange_is_played_out_before_terms_are_compared(engine):
    # The line of a shallow search ends in mid-exchange: material must still be even in the end.
    answer = engine.explain("3rk3/pp3pp1/3p3p/4n3/8/3N3P/PP3PP1/4K2R w - - 0 1", "Nxe5", Limit(depth=1))
    lost = answer.material["best" if answer.move is None else "move"]
    assert lost.get("N", 0) == lost.get("n", 0) == -1


def test_explanations_are_data_text_and_html(scholar):
    data = json.loads(json.dumps(scholar.as_json()))
    assert data["best"]["san"] == scholar.best.san and data["sentences"] == list(scholar.sentences)
    text = str(scholar)
    assert all(sentence in text for sentence in scholar.sentences) and "worth to the net" in text
    assert "king danger" not in text and "king danger" in scholar.text(classical=True)
    html = scholar._repr_html_()
    assert "<svg" in html and "<script" not in html and "worth to the net" in html


def test_pieces_are_worth_what_the_net_loses_without_them(scholar):
    from cythera.net.load import net_for

    net = net_for("<default>")
    position = scholar.position()
    values = {chess.square_name(square): value for square, value in net.piece_values(position).items()}
    assert {worth.square: worth.start for worth in scholar.worths} == values
    assert scholar.net_cp[0] == -net.with_endgames(position), "for White, with Black to move"
    assert len(scholar.net_cp) == 3 and all(len(worth.ends) == 2 for worth in scholar.worths)
    queen = next(worth for worth in scholar.worths if worth.piece == "Q")
    assert queen.square == "h5" and queen.ends[0][0] != "h5", "the piece is followed along the line"


def test_pieces_are_followed_through_castling_and_en_passant():
    from cythera.explain.worth import followed

    places = followed(chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ["e1g1", "e8c8"])
    assert (places[chess.E1], places[chess.H1], places[chess.A8]) == (chess.G1, chess.F1, chess.D8)
    places = followed(chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), ["e5d6"])
    assert places[chess.D5] is None and places[chess.E5] == chess.D6
    places = followed(chess.Board("1k6/8/8/8/8/8/8/1RK4R w HB - 0 1", chess960=True), ["c1h1"])
    assert (places[chess.C1], places[chess.H1], places[chess.B1]) == (chess.G1, chess.F1, chess.B1)


def test_a_mate_has_no_table_and_no_talk_of_the_evaluation(engine):
    answer = engine.explain(MATE_IN_ONE, limit=LIMIT)
    assert answer.text() == "\n".join(answer.sentences)
    assert not any("net" in sentence or "In that line" in sentence for sentence in answer.sentences)


def test_without_a_net_the_classical_terms_are_the_evaluation_that_plays():
    with Engine(hash_mib=1, eval_file="<classical>") as engine:
        answer = engine.explain(SCHOLAR, limit=Limit(nodes=1000))
    assert answer.worths == () and "classical term" in answer.text() and "worth to the net" not in answer.text()


# The command


def run(*words):
    return main(["explain", *map(str, words)])


def test_the_command_prints_sentences_and_the_table_and_writes_files(tmp_path, capsys):
    names = [tmp_path / name for name in ("tree.html", "tree.json", "tree.svg")]
    for name in names:
        out = tmp_path / "why.json"
        assert run(SCHOLAR, "Nf6", "--nodes", 3000, "--tree", name, "--json", out) == 0
        said = capsys.readouterr().out
        assert "Qxf7# refutes Nf6" in said and "after Nf6" in said and str(name) in said
        assert json.loads(out.read_text())["asked"] == "Nf6"
    tree = json.loads(names[1].read_text())
    assert tree["format"] == "cythera-tree" and tree["roots"][0]["children"]
    assert "<html" in names[0].read_text() and names[2].read_text().startswith("<svg")


def test_the_command_complains_in_sentences(tmp_path, capsys):
    assert run("nonsense") == 2
    assert run(SCHOLAR, "Qh4xx", "--nodes", 100) == 2
    assert run(SCHOLAR, "--tree", tmp_path / "tree.png") == 2
    assert run("startpos", "--nodes", 100, "--tree", tmp_path / "no" / "tree.json") == 2
    assert run("startpos", "--nodes", 100, "--tree-plies", 9, "--tree", tmp_path / "tree.json") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5 and all(line.startswith("cythera explain: ") for line in lines)
    assert not list(tmp_path.iterdir())


def test_a_dash_is_standard_input_and_output_here_too(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(SCHOLAR + "\n"))
    assert run("-", "Nf6", "--nodes", 500, "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["asked"] == "Nf6" and data["fen"] == SCHOLAR


def test_a_won_ending_is_no_threat_of_a_far_mate_and_its_score_is_a_word(engine):
    said = " ".join(engine.explain(Position("4k3/8/8/3q4/8/8/3R4/3K4 w - - 0 1"), limit=Limit(nodes=20_000)).sentences)
    assert "Rxd5 (+TB: White is winning)" in said and "Rxd5 makes no direct threat" in said
    assert "mate in" not in said and "199" not in said
