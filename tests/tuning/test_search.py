"""`cythera tune search` and `cythera openings` with a scripted engine."""

import json
import lzma
import sys

import chess
import pytest

from cythera.cli import openings as openings_cli
from cythera.cli import tune_search as tune_cli
from cythera.errors import CytheraError
from cythera.match.match_errors import MatchError
from cythera.match.openings.maker import Criteria, candidate, find, make_openings
from cythera.match.openings.opening_files import load_book

PARAMS = "[params.Strength]\ndefault = 0\nmin = -1000\nmax = 1000\nstep = 50\n"


@pytest.fixture
def params(tmp_path):
    path = tmp_path / "params.toml"
    path.write_text(PARAMS)
    return path


def test_tuning_plays_games_saves_itself_and_is_resumed(command, book, params, tmp_path, capsys):
    state, picture, log = tmp_path / "tuning.json", tmp_path / "tuning.svg", tmp_path / "log"
    engine = command("A", "--score", "0", "--log", str(log))
    book.write_text("4k3/8/8/8/8/8/8/R3K3 w - - 0 60\n")  # so late that draws are adjudicated soon
    words = ["--engine", engine, "--params", str(params), "--nodes", "5", "--openings", str(book)]
    words += ["--iterations", "3", "--workers", "1", "--json", str(state), "--plot", str(picture)]
    assert tune_cli.main(words) == 0
    document = json.loads(state.read_text())
    assert document["spsa"]["done"] == 3
    assert len(document["history"]) == 4
    assert "<polyline" in picture.read_text()
    assert "Strength" in capsys.readouterr().out
    tried = [line.split()[-1] for line in log.read_text().splitlines() if line.startswith("setoption name Strength")]
    assert len(tried) == 13  # a check, then three pairs of games, two sides
    assert len(set(tried)) > 2
    document["spsa"]["iterations"] = 4
    state.write_text(json.dumps(document))
    assert tune_cli.main(["--resume", str(state), "--workers", "1"]) == 0
    assert json.loads(state.read_text())["spsa"]["done"] == 4


@pytest.mark.parametrize(
    ("results", "points"),
    [
        (("1-0", "0-1"), 2),  # the side that has White first wins both
        (("0-1", "1-0"), -2),
        (("1-0", "1-0"), 0),  # White wins both: nothing is learned
        (("1/2-1/2", "0-1"), 1),
    ],
)
def test_the_points_of_an_iteration_are_those_of_its_plus_side(monkeypatch, engine, task, results, points):
    from cythera.match.game_data import GameRecord
    from cythera.tuning import search as tune
    from cythera.tuning.spsa import Trial

    spec = engine("A")  # one engine plays both sides, as it does in tuning
    games = (task(spec, spec), task(spec, spec))
    ended = [GameRecord(0, spec.name, spec.name, games[0].opening, result, "normal", "") for result in results]
    monkeypatch.setattr(tune, "play_game", lambda _: ended.pop(0))
    assert tune.play_unit(tune.GameUnit(Trial(0, (1,), (1,), (-1,)), games)) == (points, "")


def test_the_engine_is_asked_for_what_can_be_tuned(tmp_path, engine):
    from cythera.match.uci.engines import EngineSpec
    from cythera.tuning.search import ask_for_parameters

    script = tmp_path / "lists.py"
    script.write_text(
        "import json, sys\n"
        "assert sys.argv[1:] == ['tunables']\n"
        "print(json.dumps([dict(name='margin', default=10, min=0, max=40, step=2)]))\n"
    )
    (found,) = ask_for_parameters(EngineSpec("lister", (sys.executable, str(script))))
    assert (found.name, found.default, found.low, found.high, found.step) == ("margin", 10, 0, 40, 2)
    with pytest.raises(MatchError, match="does not list what can be tuned"):
        ask_for_parameters(engine("A"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "--json"),
        (["--json", "NEW"], "--tc or --nodes"),
        (["--json", "NEW", "--nodes", "5", "--tc", "1+1"], "--tc or --nodes"),
        (["--json", "OLD", "--nodes", "5"], "exists"),
        (["--json", "NEW", "--nodes", "5", "--params", "/no/such/file"], "cannot read"),
        (["--json", "NEW", "--nodes", "5", "--params", "PARAMS", "--only", "Speed"], "unknown parameter 'Speed'"),
        (["--resume", "OLD"], "not a tuning file"),
    ],
)
def test_bad_input_of_tuning_is_one_clear_sentence(params, tmp_path, words, sentence):
    (tmp_path / "old.json").write_text("{}")
    places = {"NEW": tmp_path / "new.json", "OLD": tmp_path / "old.json", "PARAMS": params}
    with pytest.raises(CytheraError, match=sentence):
        tune_cli.main([str(places.get(word, word)) for word in words])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ('{"format": "cythera-tuning"}', "damaged: 'tuning' is missing"),
        ('{"format": "cythera-tuning", "tuning": 3}', "is damaged"),
        ('{"format": "cythera-tuning", "tuning": {"engine": {"name": "A"}}}', "damaged: 'tc' is missing"),
    ],
)
def test_a_damaged_tuning_file_is_refused_with_a_sentence(tmp_path, text, sentence):
    path = tmp_path / "tuning.json"
    path.write_text(text)
    with pytest.raises(MatchError, match=sentence):
        tune_cli.main(["--resume", str(path)])


def test_a_parameter_the_engine_does_not_know_is_found_out_before_any_game(command, params, book, tmp_path):
    params.write_text(PARAMS.replace("Strength", "Strenght"))
    words = ["--engine", command("A"), "--params", str(params), "--nodes", "5", "--openings", str(book)]
    with pytest.raises(MatchError, match="do you mean Strength"):
        tune_cli.main([*words, "--json", str(tmp_path / "tuning.json")])


# ---------------------------------------------------------------- openings


def material(fen, nodes):
    """A judge that counts pieces, for the side to move."""
    board = chess.Board(fen)
    values = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
    white = sum(values[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())
    return white if board.turn else -white


def test_candidates_depend_on_seed_and_number_alone():
    criteria = Criteria(plies=8, spread_plies=1)
    boards = [candidate(criteria, 1, number) for number in range(40)]
    assert [board and board.fen() for board in boards] == [
        board and board.fen() for board in (candidate(criteria, 1, number) for number in range(40))
    ]
    assert candidate(criteria, 2, 0).fen() != boards[0].fen()
    assert {board.ply() for board in boards if board} == {8, 9}
    assert not any(board.is_check() for board in boards if board)


def test_only_openings_with_the_wanted_balance_are_kept():
    even = find(Criteria(low_cp=0, high_cp=50), 3, range(100), material)
    assert even
    assert {found.score_cp for found in even} == {0}
    uneven = find(Criteria(low_cp=100, high_cp=300), 3, range(100), material)
    assert uneven
    assert {abs(found.score_cp) for found in uneven} <= {100, 200, 300}
    white = find(Criteria(low_cp=100, high_cp=300, signed=True), 3, range(100), material)
    assert {found.number for found in white} < {found.number for found in uneven}
    for found in white:
        board = chess.Board(found.epd + " 0 1")
        assert material(board.fen(), 1) * (1 if board.turn else -1) == found.score_cp > 0


def test_the_file_does_not_depend_on_the_number_of_workers(engine):
    criteria = Criteria(plies=2, nodes=5)  # few plies, so that the same position comes up more than once
    supplies = [make_openings(engine("A"), criteria, 1, concurrency=workers) for workers in (1, 2)]
    one, two = ([next(supply) for _ in range(40)] for supply in supplies)
    for supply in supplies:
        supply.close()
    assert one == two
    assert len({found.epd for found in one}) == 40


def test_an_opening_file_is_made_and_can_be_read(command, tmp_path, capsys):
    path = tmp_path / "openings.epd.xz"
    words = ["10", "-o", str(path), "--engine", command("A", "--score", "20"), "--workers", "1", "--scores"]
    assert openings_cli.main(words) == 0
    assert "10 openings in" in capsys.readouterr().out
    book, _ = load_book(str(path))
    assert len(book) == 10
    assert all(book[number].fen for number in range(10))
    assert b" ce 20;" in lzma.decompress(path.read_bytes())
    first = path.read_bytes()
    openings_cli.main(words)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["0", "-o", "FILE"], "number of openings must be at least 1, got 0"),
        (["5", "-o", "FILE", "--window", "wide"], "LOW:HIGH"),
        (["5", "-o", "FILE", "--window", "50:10"], "the window of scores must be LOW:HIGH from 0 up, got 50:10"),
        (["5", "-o", "FILE", "--plies", "0"], "plies must be at least 1"),
        (["5", "-o", "FILE", "--engine", "nosuchengine"], "unknown engine"),
        (["5", "-o", "/no/such/folder/x.epd", "--engine", "ENGINE"], "cannot write"),
    ],
)
def test_bad_input_of_openings_is_one_clear_sentence(command, tmp_path, words, sentence):
    places = {"FILE": str(tmp_path / "x.epd"), "ENGINE": command("A")}
    with pytest.raises(CytheraError, match=sentence):
        openings_cli.main([places.get(word, word) for word in words])
