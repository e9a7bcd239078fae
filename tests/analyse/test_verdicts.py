"""The tool that measures verdicts (bench/verdicts.py): it finds games, counts, and says what holds."""

import pytest
import verdicts
from support.sample_games import OPERA

from cythera import Engine
from cythera.games import parse_games

FENS = ["8/8/8/8/8/8/8/K6k w - - 0 1", "8/8/8/8/8/8/8/K5k1 w - - 0 1", "8/8/8/8/8/8/8/K4k2 w - - 0 1"]


@pytest.fixture
def store(tmp_path):
    return verdicts.Store(tmp_path / "kept.jsonl")


def flag(fen, word):
    return {"fen": fen, "move": "a1a2", "word": word}


def opening_move(fen, word, key="1 e2e4"):
    return {"key": key, "fen": fen, "move": "a1a2", "word": word, "label": "1. e4"}


def test_games_from_the_start_position_that_are_long_enough_are_found(tmp_path):
    path = tmp_path / "games.pgn"
    other = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n' + "1. e4 Ke7 " + "*\n"
    path.write_text(OPERA + "\n" + other + '\n[White "short"]\n\n1. e4 e5 *\n', encoding="utf-8")
    (game,) = verdicts.games_of(path)
    assert game.white == "Morphy" and len(game) >= 2 * verdicts.BOOK_PLIES


def test_moves_that_many_games_have_played_are_popular():
    games = parse_games("\n\n".join(['[White "a"]\n\n1. e4 e5 2. Nf3 *'] * 5 + ['[White "b"]\n\n1. e4 c5 *'] * 4))
    popular = verdicts.popular_moves(games)
    moves = sorted(key.split()[1] for key in popular)
    assert moves == ["e2e4", "e7e5", "g1f3"], "four games are too few"


def test_an_analysed_game_is_kept_with_its_errors_and_opening_moves():
    (game,) = parse_games(OPERA)
    with Engine(hash_mib=1) as engine:
        row = verdicts.analysed(engine, game, nodes=4000, workers=1)
    assert row["moves"] == len(game) and len(row["opening"]) == verdicts.BOOK_PLIES
    assert row["flags"] and all(one["word"] and one["best"] != one["move"] for one in row["flags"])


@pytest.mark.parametrize(
    "words, losses, is_good",
    [
        (["mistake", "blunder", "inaccuracy"], [0.06, 0.11, 0.03], True),  # each one level below
        (["mistake", "blunder", "inaccuracy"], [0.04, 0.11, 0.03], False),  # half of the mistakes and blunders
        (["mistake", "blunder", "inaccuracy"], [0.06, 0.11, 0.02], False),
    ],
)
def test_a_word_holds_at_its_level_or_one_below(store, capsys, words, losses, is_good):
    store.add({"kind": "game", "flags": [flag(*pair) for pair in zip(FENS, words, strict=True)], "opening": [],
               "moves": 60})  # fmt: skip
    for fen, loss in zip(FENS, losses, strict=True):
        store.add({"kind": "check", "fen": fen, "move": "a1a2", "loss": loss})
    assert verdicts.report(store, set()) == is_good
    assert "2 checked" in capsys.readouterr().out


def test_a_sound_book_move_with_a_word_counts_against_us(store, capsys):
    moves = [opening_move(FENS[0], "inaccuracy"), *(opening_move(FENS[1], "") for _ in range(50))]
    store.add({"kind": "game", "flags": [flag(FENS[0], "inaccuracy")], "opening": moves, "moves": 60})
    store.add({"kind": "check", "fen": FENS[0], "move": "a1a2", "loss": 0.04})
    assert not verdicts.report(store, {"1 e2e4"})
    assert "51 sound, 1 of them with a word: 2.0%" in capsys.readouterr().out
    assert verdicts.report(store, set()), "a move that few play is no book move"


def test_flags_of_one_game_make_the_interval_wider():
    one_by_one = verdicts.interval([[held] for held in [True] * 60 + [False] * 20])
    assert one_by_one[0] < 0.75 < one_by_one[1] and one_by_one[1] - one_by_one[0] < 0.25
    alike = verdicts.interval([[True] * 20] * 3 + [[False] * 20])
    assert alike[1] - alike[0] > 2 * (one_by_one[1] - one_by_one[0])


class Checker:
    """An engine that finds every move as good as the best one."""

    def __init__(self):
        self.asked = []

    def analyse(self, board, limit, game, root_moves=None):
        import chess.engine

        self.asked.append((board.fen(), root_moves))
        return {"score": chess.engine.PovScore(chess.engine.Cp(0), board.turn), "pv": []}


def test_errors_are_checked_game_by_game_and_a_second_run_asks_nothing_again(store, monkeypatch):
    from argparse import Namespace
    from pathlib import Path

    rows = iter([{"flags": [flag(FENS[at], "mistake")], "opening": [], "moves": 60} for at in range(3)])
    monkeypatch.setattr(verdicts, "analysed", lambda *_: next(rows))
    queue = [(Path("games.pgn"), Namespace(number=number)) for number in range(3)]
    args = Namespace(flags=2, nodes=1000, workers=1, depth=8)
    other = Checker()
    verdicts.measure(store, queue, set(), None, other, args)
    assert [row["kind"] for row in store.rows] == ["game", "check", "game", "check"], "two flags are enough"
    assert [fen for fen, _ in other.asked] == [FENS[0]] * 2 + [FENS[1]] * 2
    verdicts.measure(verdicts.Store(store.path), queue, set(), None, other, args)
    assert len(other.asked) == 4


def test_what_is_kept_is_read_again(store):
    store.add({"kind": "check", "fen": FENS[0], "move": "a1a2", "loss": 0.5})
    assert verdicts.Store(store.path).of("check") == store.rows
