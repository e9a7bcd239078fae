"""Endgame tables in the search: what they know is played, and never less."""

import random
import shutil
import threading
from pathlib import Path

import pytest
from support.endings import play_out, random_position

from cythera import Position
from cythera.board.scores import MATE, MATE_FOUND, TABLEBASE_FOUND, TABLEBASE_WIN
from cythera.core import Searcher
from cythera.net.load import new_searcher
from cythera.tables import PACKAGE_TABLES, Tables, package_tables

NAMES = package_tables().names()
WON = [name for name in NAMES if name not in ("KBvK", "KNvK", "KNNvK", "KBvKB", "KBvKN", "KNvKN")]  # now and then


@pytest.fixture
def tables():
    return package_tables()


@pytest.fixture
def searcher(tables):
    searcher = Searcher(1)
    searcher.set_tables(tables.core)
    return searcher


def best(searcher, fen, moves="", **limits):
    """Move and score of a search of a position, after moves from it."""
    position = Position(fen)
    for move in moves.split():
        position.push(move)
    (first, *_), score, *_ = searcher.go(position, **limits or {"nodes": 500})[0]
    return first, score


def won_positions(name, count, tables, seed=0):
    rng = random.Random(f"{name} {seed}")
    found = []
    while len(found) < count:
        position = Position(random_position(rng, name).fen())
        if tables.probe_wdl(position) == 2:
            found.append(position)
    return found


def result_after(position, move, tables):
    """The result of a move for the side that makes it, by a table and the fifty-move counter."""
    after = position.copy()
    after.push(move)
    if after.outcome() is not None:
        return 2 if after.is_checkmate() else 0
    wdl, dtz = tables.probe_wdl(after), tables.probe_dtz(after)
    if abs(wdl) == 2 and abs(dtz) + after.halfmove_clock > 100:
        wdl //= 2
    return -wdl


@pytest.mark.parametrize("name", WON)
def test_a_won_ending_is_won_within_the_distance_of_its_table(name, tables, searcher):
    for position in won_positions(name, 12 if len(name) == 4 else 4, tables):
        fen = position.fen()
        searcher.clear()
        game = play_out(searcher, tables, position, nodes=120)
        assert game.result == "won" and game.late <= 1, fen


@pytest.mark.parametrize("name", NAMES)
def test_no_move_gives_a_result_away(name, tables, searcher):
    rng = random.Random(name)
    for _ in range(40):
        board = random_position(rng, name)
        board.halfmove_clock = rng.choice((0, 0, 40, 80, 95, 99))
        position = Position(board.fen())
        moves = position.legal_moves()
        if not moves:
            continue
        most = max(result_after(position, move, tables) for move in moves)
        played, score = best(searcher, position.fen(), nodes=60)
        got = result_after(position, played, tables)
        # On the last half-move a distance that is rounded can be the one or the other.
        assert got == most or (tables.probe_dtz(position) or 0) + position.halfmove_clock >= 99, position.fen()
        if abs(score) < MATE_FOUND:
            assert (score >= TABLEBASE_FOUND) == (got == 2) and (score <= -TABLEBASE_FOUND) == (got == -2)
            assert abs(score) <= 1 or abs(got) == 2


def test_a_table_win_is_between_evaluations_and_mates(searcher):
    rook = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
    _, score = best(searcher, rook, nodes=50)
    assert TABLEBASE_FOUND <= score <= TABLEBASE_WIN - 1 and score < MATE_FOUND
    assert best(Searcher(1), rook, nodes=50)[1] < TABLEBASE_FOUND


def test_what_tables_know_needs_no_node(searcher):
    (line,) = searcher.go(Position("8/8/8/8/8/8/K1pp4/7k w - - 0 1"), nodes=1)
    assert line.bound == "none" or line.score <= -TABLEBASE_FOUND  # by four-piece tables, if there are
    (line,) = searcher.go(Position("8/8/8/8/8/8/K2p4/7k w - - 0 1"), nodes=1)
    assert line.bound == "exact" and line.score <= -TABLEBASE_FOUND


def test_a_mate_that_is_found_is_better_than_a_table_win(searcher):
    # Every promotion but that to a knight or bishop wins; two of them mate.
    move, score = best(searcher, "k7/2P5/1K6/8/8/8/8/8 w - - 0 1")
    assert move in ("c7c8q", "c7c8r") and score == MATE - 1
    assert best(searcher, "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1") == ("g1g8", MATE - 1)
    # A mate in two, while tables need as long for their next zeroing move.
    assert best(searcher, "8/8/8/8/8/1k6/7r/K7 b - - 0 1", nodes=2000) == ("h2h1", MATE - 1)


def test_results_are_found_behind_captures(searcher):
    # The last pawns are exchanged, and what is left is in three-piece tables. King takes pawn wins, the pawn's capture
    # does not.
    searcher.clear()
    position = Position("8/8/8/8/1p1k4/8/1KP5/8 b - - 0 1")
    lines = searcher.go(position, depth=8)
    assert searcher.table_hits > 0 and abs(lines[0][1]) < TABLEBASE_FOUND


def test_tables_decide_nodes_of_the_tree_and_never_against_the_table_of_the_root(tables):
    """With three-piece tables only, so that the root is in none."""
    searcher = Searcher(1)
    searcher.set_tables(tables.core, limit=3)
    assert best(searcher, "8/8/4k3/8/2Kp4/8/4P3/8 w - - 0 1", depth=4) == ("c4d4", TABLEBASE_WIN - 1)
    rng = random.Random(5)
    decided = 0
    for name in ("KPvKP", "KRvKP", "KRvKR", "KQvKR", "KPPvK"):
        for _ in range(30):
            position = Position(random_position(rng, name).fen())
            if position.outcome() is not None:
                continue
            searcher.clear()
            score = searcher.go(position, depth=5)[0].score
            assert abs(score) <= MATE
            if abs(score) >= TABLEBASE_FOUND:
                decided += 1
                assert tables.probe_wdl(position) == (2 if score > 0 else -2), position.fen()
    assert decided > 30


def test_probes_obey_their_limits(tables):
    fen = "8/8/4k3/8/2p5/8/3P4/3K4 w - - 0 1"
    hits = {}
    for key, options in {
        "all": {}, "none": {"limit": 0}, "too few": {"limit": 2}, "three": {"limit": 3},
        "deep": {"limit": 3, "depth": 100},
    }.items():  # fmt: skip
        searcher = Searcher(1)
        searcher.set_tables(tables.core, **options)
        searcher.go(Position(fen), depth=7)
        hits[key] = searcher.table_hits
    assert hits["all"] > 0 and hits["three"] > 0 and hits["none"] == hits["too few"] == hits["deep"] == 0


@pytest.mark.parametrize("options", [{"limit": -1}, {"limit": 8}, {"depth": 0}, {"depth": 101}])
def test_limits_out_of_range_are_refused(tables, options):
    with pytest.raises(ValueError, match="must be between"):
        Searcher(1).set_tables(tables.core, **options)


def test_a_search_without_tables_has_no_hits(tables):
    searcher = new_searcher(1)
    fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
    assert searcher.go(Position(fen), nodes=1000) and searcher.table_hits == 0
    searcher.set_tables(tables.core)
    assert searcher.go(Position(fen), nodes=1000) and searcher.table_hits > 0
    searcher.set_tables(None)
    assert searcher.go(Position(fen), nodes=1000) and searcher.table_hits == 0


def test_hits_are_those_of_the_root_moves_and_at_most_one_for_each_node(tables):
    position = Position("8/8/8/3k4/8/8/8/K6R w - - 0 1")
    for threads in (1, 2):
        searcher = Searcher(1, threads)
        searcher.set_tables(tables.core)
        searcher.go(position, nodes=1000)
        moves = len(position.legal_moves())
        assert moves <= searcher.table_hits <= moves + searcher.nodes


def test_a_search_for_a_mate_is_not_cut_short_by_tables(searcher):
    lines = searcher.go(Position("8/8/8/8/8/2k5/7r/K7 b - - 0 1"), mate=3, nodes=200_000)
    assert lines[0][1] >= MATE_FOUND and searcher.table_hits == 0


def test_a_win_that_comes_too_late_is_a_cursed_one(tables, searcher):
    fen = "8/8/8/8/3k4/8/8/K6R b - - {} 1"
    distance = -tables.probe_dtz(Position(fen.format(0)))
    assert distance > 20
    assert best(searcher, fen.format(0))[1] <= -TABLEBASE_FOUND
    assert best(searcher, fen.format(100 - distance + 1))[1] == -1
    searcher.set_tables(tables.core, fifty_move_rule=False)
    assert best(searcher, fen.format(100 - distance + 1))[1] <= -TABLEBASE_FOUND


def test_the_loser_plays_for_the_fifty_move_rule(tables, searcher):
    """With the counter high, the longest defence is chosen; it is not the only move."""
    rng = random.Random(8)
    seen = 0
    while seen < 20:
        board = random_position(rng, "KRvK")
        position = Position(board.fen())
        dtz = tables.probe_dtz(position)
        if dtz is None or dtz > -10:
            continue
        board.halfmove_clock = 100 + dtz
        position = Position(board.fen())
        distances = {}
        for move in position.legal_moves():
            after = position.copy()
            after.push(move)
            distances[str(move)] = tables.probe_dtz(after)
        if len(set(distances.values())) == 1:
            continue
        seen += 1
        assert distances[best(searcher, position.fen())[0]] == max(distances.values()), position.fen()


def test_a_win_is_not_repeated_away(tables, searcher):
    """The shortest way leads through positions that occurred twice: another one is taken."""
    for position in won_positions("KQvK", 10, tables, "repetition"):
        fen = position.fen()
        first, score = best(searcher, fen)
        if score >= MATE - 2:
            continue
        # There and back twice, by any moves that allow it: afterwards `first` would be the third occurrence.
        for reply in (str(move) for move in after_move(position, first).legal_moves()):
            history = f"{first} {reply} {back(first)} {back(reply)} " * 2
            if is_playable(fen, history):
                played, _ = best(searcher, fen, history)
                after = after_moves(fen, history)
                assert result_after(after, played, tables) == 2
                assert played != first or after_moves(fen, history + played).outcome() is not None
                break


def after_move(position, move):
    after = position.copy()
    after.push(move)
    return after


def after_moves(fen, moves):
    position = Position(fen)
    for move in moves.split():
        position.push(move)
    return position


def back(move):
    return move[2:4] + move[:2]


def is_playable(fen, moves):
    position = Position(fen)
    for move in moves.split():
        if move not in {str(legal) for legal in position.legal_moves()}:
            return False
        position.push(move)
    return not position.is_draw()


def test_a_reply_that_repeats_for_the_third_time_is_a_draw_too(searcher):
    """After Ra1-a8 the king goes where it has been twice: so the rook plays elsewhere."""
    fen = "8/8/8/8/8/5k2/8/R6K w - - 0 1"
    shuffle = "a1a8 f3e3 a8a1 e3f3 " * 2
    position = after_moves(fen, shuffle)
    move, score = best(searcher, fen, shuffle)
    after = after_move(position, move)
    assert score >= TABLEBASE_FOUND
    for reply in after.legal_moves():
        assert after_move(after, reply).outcome() is None or len(after.legal_moves()) == 0


@pytest.mark.parametrize("name", ["KQvK", "KRvK", "KPvK"])
def test_results_alone_are_enough_to_keep_a_win(name, tmp_path, tables):
    for path in Path(PACKAGE_TABLES).glob("*.rtbw"):
        shutil.copy(path, tmp_path)
    results = Tables(tmp_path)
    searcher = new_searcher(1)
    searcher.set_tables(results.core)
    assert results.probe_dtz(Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1")) is None
    for position in won_positions(name, 6, tables, "results"):
        move, score = best(searcher, position.fen(), nodes=300)
        assert result_after(position, move, tables) == 2 and score >= TABLEBASE_FOUND


def test_lines_are_in_the_order_of_the_tables(tables, searcher):
    position = Position("2k5/8/4P3/8/3K4/8/8/8 w - - 0 1")
    lines = searcher.go(position, depth=6, multipv=20)
    assert len(lines) == len(position.legal_moves())
    results = [result_after(position, line[0][0], tables) for line in lines]
    assert results == sorted(results, reverse=True) and len(set(results)) == 2
    scores = [line[1] for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_restricted_root_moves_are_ranked_among_themselves(tables, searcher):
    position = Position("2k5/8/4P3/8/3K4/8/8/8 w - - 0 1")
    results = {str(move): result_after(position, move, tables) for move in position.legal_moves()}
    drawn = [move for move, result in results.items() if result == 0]
    assert drawn
    lines = searcher.go(position, depth=6, searchmoves=drawn)
    assert lines[0][0][0] in drawn and lines[0][1] == 0


def test_threads_share_tables_that_are_opened_meanwhile():
    for _ in range(5):
        tables = Tables(PACKAGE_TABLES)
        searcher = Searcher(1, 4)
        searcher.set_tables(tables.core)
        found = {}

        def probe(number, tables=tables, found=found):
            found[number] = tables.probe_wdl(Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1"))

        others = [threading.Thread(target=probe, args=(i,)) for i in range(4)]
        for other in others:
            other.start()
        lines = searcher.go(Position("8/8/4k3/8/2p5/8/3P4/3K4 w - - 0 1"), nodes=20_000)
        for other in others:
            other.join()
        assert lines and searcher.table_hits > 0 and set(found.values()) == {2}


def test_the_same_search_is_the_same_tree(tables):
    counts = set()
    for _ in range(2):
        searcher = Searcher(1)
        searcher.set_tables(tables.core)
        lines = searcher.go(Position("8/8/4k3/8/2p5/8/3P4/3K4 w - - 0 1"), depth=9)
        counts.add((searcher.nodes, searcher.table_hits, lines[0][1], tuple(lines[0][0])))
    assert len(counts) == 1


def test_tables_cannot_be_changed_during_a_search(searcher, tables):
    def listener(core, lines):
        with pytest.raises(RuntimeError, match="running"):
            core.set_tables(None)
        return True

    searcher.go(Position(), depth=3, listener=listener)
