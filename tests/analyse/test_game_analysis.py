"""Games judged through the Python API, annotated, and given back as text, data and pictures."""

import io
import json

import chess
import chess.pgn
import pytest
from support.sample_games import CHESS960, FEN_START, FOOLS_MATE, GOOD, HANGING, OPERA, game_of

from cythera import Engine, GameAnalysis, Limit, Line, MoveAnalysis, Score
from cythera.analyse.annotate import annotated_game

LIMIT = Limit(nodes=3000)


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=2) as one:
        yield one


@pytest.fixture(scope="module")
def opera(engine):
    return engine.analyse_game(OPERA, LIMIT, workers=1)


@pytest.fixture(scope="module")
def hanging(engine):
    return engine.analyse_game(HANGING, LIMIT, workers=1)


@pytest.mark.parametrize("name", GOOD)
def test_every_move_of_every_kind_of_game_is_judged(engine, name):
    analysis = engine.analyse_game(GOOD[name], LIMIT, workers=1)
    board = analysis.start()
    assert isinstance(analysis, GameAnalysis)
    for move in analysis.moves:
        assert isinstance(move, MoveAnalysis)
        assert move.turn == ("w" if board.turn else "b") and move.move_number == board.fullmove_number
        played = board.parse_san(move.san)
        assert board.uci(played) == move.uci
        assert 0 <= move.loss <= 1 and 0 < move.accuracy <= 100 and move.loss_cp >= 0
        assert list(move.best_san) == move.best.san(board)
        if move.is_best:
            assert (move.loss, move.word) == (0, "")
        board.push(played)
    assert len(analysis.white_scores()) == len(analysis.moves) + 1


def without_times(analysis):
    """An analysis as data, less what the clock decides."""

    def bare(data):
        if isinstance(data, dict):
            return {key: bare(value) for key, value in data.items() if key not in ("time_s", "nps")}
        return [bare(value) for value in data] if isinstance(data, list) else data

    return bare(analysis.as_json())


def test_the_results_do_not_depend_on_the_workers(engine, opera):
    for workers in (2, 3):
        assert without_times(engine.analyse_game(OPERA, LIMIT, workers=workers)) == without_times(opera)


def test_a_blunder_into_mate_is_called_one(engine):
    analysis = engine.analyse_game(FOOLS_MATE, LIMIT, workers=1)
    blunder = analysis.moves[2]
    assert (blunder.san, blunder.word, blunder.score) == ("g4", "blunder", Score(mate=-1))
    assert analysis.final[0].score == Score(mate=0) and not analysis.final[0].moves
    assert analysis.white.blunders == 1 and analysis.black.blunders == 0
    assert analysis.moves[3].accuracy == 100, "mate is as good as it gets"
    assert analysis.white.accuracy < analysis.black.accuracy
    text = " ".join(analysis.pgn().split())
    assert "2. g4 $4 { [%eval #-1" in text and "Blunder. Allows mate in 1 (Qh4#). Best was" in text


def test_a_missed_mate_is_called_one(engine):
    text = '[FEN "6k1/5ppp/8/8/8/8/1Q3PPP/R5K1 w - - 0 1"]\n[SetUp "1"]\n\n1. h3 h6 *\n'
    analysis = engine.analyse_game(text, LIMIT, workers=1)
    assert analysis.moves[0].word == "missed mate" and analysis.white.missed_mates == 1
    text = " ".join(analysis.pgn().split())
    assert "1. h3 $6" in text and "Missed mate. Misses a back-rank mate (Ra8#). Best was Ra8#" in text


def test_book_moves_are_marked_and_not_judged(engine):
    text = "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nf3 Nxe4 *"
    analysis = engine.analyse_game(text, LIMIT, workers=1)
    assert all(move.is_book and not move.word and move.accuracy == 100 for move in analysis.moves[:6])
    assert f"Last book move: {analysis.opening}." in " ".join(analysis.pgn().split())
    assert "book" in analysis.html() and analysis.as_json()["moves"][0]["is_book"]


def test_a_book_move_that_loses_the_game_is_still_a_blunder(engine, monkeypatch):
    from cythera.analyse import confirm, game_analysis

    for module in (confirm, game_analysis):
        monkeypatch.setattr(module, "book_plies", lambda board, moves: set(range(len(moves))))
    analysis = engine.analyse_game(FOOLS_MATE, LIMIT, workers=1)
    assert [(move.word, move.is_book) for move in analysis.moves] == [
        ("", True), ("", True), ("blunder", False), ("", True),
    ]  # fmt: skip


def test_an_error_that_the_deeper_searches_do_not_find_is_not_one(engine, hanging):
    from cythera.analyse.confirm import candidates_of, confirmations_of
    from cythera.analyse.game_analysis import judge_game

    lines = [list(found) for found in engine.analyse_many(positions_of(HANGING), LIMIT, 1, workers=1)]
    candidates = candidates_of(hanging.game, lines)
    assert candidates
    level = Line.from_json({**lines[0][0].as_json(), "score": {"cp": 0}, "moves": ""})
    same = confirmations_of(candidates, [level] * (2 * len(candidates)))
    assert not judge_game(hanging.game, lines, same).key_moments()
    assert not judge_game(hanging.game, lines, {}).key_moments()


def rounds_of(game, lines, scores):
    """Runs the confirmation with searches that find one score after each played move, a round each."""
    from cythera.analyse.confirm import confirming

    rounds = confirming(game, lines, LIMIT)
    boards, limit = next(rounds)
    asked = []
    for cp in scores:
        asked.append((len(boards), limit.nodes))
        level, bad = (Line.from_json({**lines[0][0].as_json(), "score": {"cp": one}, "moves": ""}) for one in (0, cp))
        try:
            boards, limit = rounds.send([level, bad] * (len(boards) // 2))
        except StopIteration as end:
            return asked, end.value
    return asked, None


def test_an_error_is_confirmed_twice_and_the_mildest_judgement_counts(engine, hanging):
    from cythera.analyse.game_analysis import judge_game

    lines = [list(found) for found in engine.analyse_many(positions_of(HANGING), LIMIT, 1, workers=1)]
    asked, denied = rounds_of(hanging.game, lines, [300, 0])
    assert [nodes for _, nodes in asked] == [4 * LIMIT.nodes, 16 * LIMIT.nodes] and asked[0][0] == asked[1][0] > 0
    assert not judge_game(hanging.game, lines, denied).key_moments()
    asked, mild = rounds_of(hanging.game, lines, [70, 900])
    assert {move.word for move in judge_game(hanging.game, lines, mild).key_moments()} == {"inaccuracy"}
    asked, none = rounds_of(hanging.game, lines, [0, 900])
    assert len(asked) == 1, "what the first round does not find is not searched again"
    assert not judge_game(hanging.game, lines, none).key_moments()


def positions_of(text):
    board = game_of(text).board()
    yield board.copy()
    for move in game_of(text).mainline_moves():
        board.push(move)
        yield board.copy()


@pytest.mark.parametrize("sign, said, not_said", [
    ("!", "The engine prefers", "Blunder"), ("?", "Better was", "Blunder"), ("??", "Blunder. ", "Better was"),
])  # fmt: skip
def test_the_annotators_sign_is_not_contradicted(engine, sign, said, not_said):
    analysis = engine.analyse_game(FOOLS_MATE.replace("g4 ", f"g4{sign} "), LIMIT, workers=1)
    assert analysis.moves[2].word == "blunder"
    node = list(annotated_game(analysis).mainline())[2]
    assert said in node.comment and not_said not in node.comment
    assert node.nags == {{"!": 1, "?": 2, "??": 4}[sign]}


def test_annotations_keep_what_the_game_brings(opera):
    before = str(opera.game)
    game = annotated_game(opera)
    assert str(opera.game) == before, "the game itself was changed"
    for tag, value in opera.game.headers.items():
        assert game.headers[tag] == value
    assert game.headers["Opening"] == "Philidor Defence"
    for old, new in zip(opera.game.mainline(), game.mainline(), strict=True):
        assert old.move == new.move and old.nags <= new.nags
        for word in old.comment.split():
            assert word in new.comment
        kept = [str(variation) for variation in old.parent.variations[1:]]
        assert [str(variation) for variation in new.parent.variations[1 : 1 + len(kept)]] == kept
    nags = list(game.mainline())[5].nags
    assert nags == {2}, "the annotator's own sign stands"


def test_long_games_are_annotated_like_short_ones(engine):
    game = chess.pgn.Game()
    node = game
    for number in range(300):  # as long as a tree that is copied by recursion cannot be
        node = node.add_main_variation(chess.Move.from_uci(("g1f3", "g8f6", "f3g1", "f6g8")[number % 4]))
    node.add_variation(chess.Move.from_uci("e2e4"), comment="a variation", nags=[1])
    analysis = engine.analyse_game(game, Limit(depth=1), workers=1)
    again = chess.pgn.read_game(io.StringIO(analysis.pgn()))
    assert not again.errors and len(list(again.mainline())) == len(analysis.moves) == 301
    assert len(analysis.html()) and len(analysis.as_json()["moves"]) == 301


def test_annotated_games_are_read_back_with_evaluations_everywhere(opera):
    game = chess.pgn.read_game(io.StringIO(opera.pgn()))
    assert not game.errors
    nodes = list(game.mainline())
    assert [node.move.uci() for node in nodes] == [move.uci for move in opera.moves]
    for node, move in zip(nodes[:-1], opera.moves[:-1], strict=True):
        assert node.eval().white() == move.white_score.to_chess()
        assert node.eval_depth() == (move.depth if move.score.mate is None else None)
    assert nodes[-1].eval() is None, "mate on the board needs no score"


def test_better_lines_are_variations_that_begin_with_the_best_move(hanging):
    game = annotated_game(hanging)
    moments = hanging.key_moments()
    assert moments
    for move in moments:
        parent = list(game.mainline())[move.ply].parent
        best = parent.board().parse_uci(move.best.moves[0])
        assert parent.has_variation(best)
        assert move.word.capitalize() in list(game.mainline())[move.ply].comment


def test_better_lines_are_long_enough_to_be_understood(hanging):
    for move in hanging.key_moments():
        board = chess.Board()
        for earlier in hanging.moves[: move.ply]:
            board.push_uci(earlier.uci)
        for text in move.best.moves:
            board.push_uci(text)
        assert len(move.best.moves) >= 6 or board.is_game_over(claim_draw=True)
        assert len(move.best_san) == len(move.best.moves)


def test_annotating_what_was_annotated_says_nothing_twice(engine, hanging):
    again = engine.analyse_game(hanging.pgn(), LIMIT, workers=1)
    assert again.pgn() == hanging.pgn()


def test_several_lines_become_several_variations(engine):
    analysis = engine.analyse_game(FOOLS_MATE, LIMIT, multipv=3, workers=1)
    assert all(len(move.lines) == 3 for move in analysis.moves[:3])
    parent = list(annotated_game(analysis).mainline())[2].parent
    shown = {variation.move.uci() for variation in parent.variations}
    assert {line.moves[0] for line in analysis.moves[2].lines} <= shown


def test_chess960_keeps_its_castling(engine):
    analysis = engine.analyse_game(CHESS960, LIMIT, workers=1)
    game = chess.pgn.read_game(io.StringIO(analysis.pgn()))
    assert not game.errors and game.board().chess960
    assert [node.san() for node in game.mainline()][-1] == "O-O"
    assert analysis.moves[-1].uci == "e8f8"


def test_a_game_that_begins_with_black_counts_from_there(engine):
    analysis = engine.analyse_game(FEN_START, LIMIT, workers=1)
    assert [move.label for move in analysis.moves] == ["40... Ke4", "41. Kf2", "41... Kd4"]
    assert analysis.opening == "" and "Opening" not in analysis.pgn()


def test_a_game_without_moves_is_only_a_position(engine):
    analysis = engine.analyse_game('[Event "x"]\n\n*\n', LIMIT, workers=1)
    assert analysis.moves == () and len(analysis.final) == 1
    assert analysis.white.accuracy is None and "Accuracy" not in analysis.pgn()
    assert "<svg" in analysis._repr_html_() and "<html" in analysis.html()


def test_a_game_of_python_chess_is_taken_as_it_is(engine):
    game = chess.pgn.read_game(io.StringIO(FOOLS_MATE))
    assert [move.san for move in engine.analyse_game(game, LIMIT, workers=1).moves] == ["f3", "e5", "g4", "Qh4#"]


def test_lines_survive_json(opera):
    data = json.loads(json.dumps(opera.as_json()))
    for move, stored in zip(opera.moves, data["moves"], strict=True):
        line = Line.from_json(stored["lines"][0])
        assert line.as_json() == move.best.as_json() == stored["lines"][0]
        assert (line.moves, line.score, line.white_score) == (move.best.moves, move.best.score, move.best.white_score)
    assert set(stored) >= {"san", "uci", "score", "loss", "loss_cp", "accuracy", "word", "best_san"}


def test_the_graph_has_a_point_for_every_position_and_a_mark_for_every_word(hanging):
    graph = hanging.graph()
    assert graph.count("<circle") == len(hanging.key_moments())
    assert graph.count("L") >= len(hanging.moves)
    assert all(0 <= value <= 1 for value in hanging.white_expectations())


def test_key_moments_can_be_the_worst_few(hanging):
    every = hanging.key_moments()
    few = hanging.key_moments(1)
    assert len(few) == 1 < len(every) and [move for move in every if move in few] == few
    assert min(move.loss for move in few) >= max(move.loss for move in every if move not in few)


# In a notebook


def test_a_game_shows_board_graph_and_moments_in_a_notebook(hanging):
    html = hanging._repr_html_()
    assert "<script" not in html and html.count("<svg") == 2
    assert all(move.word in html for move in hanging.key_moments())


def test_names_in_headers_are_text_and_not_markup(engine):
    analysis = engine.analyse_game(game_of(FOOLS_MATE.replace('"A"', '"<b>A</b>"')), LIMIT, workers=1)
    assert "<b>A</b>" not in analysis._repr_html_() and "&lt;b&gt;A" in analysis._repr_html_()


def test_an_analysis_shows_board_lines_and_graph_in_a_notebook(engine):
    with engine.analysis(chess.Board(), Limit(depth=5), multipv=2) as analysis:
        analysis.wait()
    html = analysis._repr_html_()
    assert html.count("<svg") == 2 and len(analysis.scores) >= 5
    assert all(line.san(chess.Board())[0] in html for line in analysis.lines)


def test_an_analysis_without_a_move_still_shows_its_board(engine):
    with engine.analysis("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", Limit(depth=5)) as analysis:
        analysis.wait()
    assert "<svg" in analysis._repr_html_()
