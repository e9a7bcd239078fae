"""The recorded tree is the real one: recording changes nothing, and what is recorded adds up."""

import json
import re
import threading
import xml.etree.ElementTree as ET

import chess
import pytest

from cythera import CytheraError, Engine, Limit, SearchTree
from cythera.board.position import Position
from cythera.core import EXIT_REASONS, NODE_TYPES, Searcher
from cythera.engine.bench import POSITIONS as BENCH
from cythera.explain.tree import ALL_BUT
from cythera.explain.tree_html import MOST_NODES
from cythera.lab.view.svg import draw_svg
from cythera.lab.view.trace import Trace
from cythera.tables import PACKAGE_TABLES, Tables

POSITIONS = {
    "middlegame": ("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8", False),
    "promotions": ("8/2P3k1/8/8/8/8/1p4K1/8 w - - 0 1", False),
    "chess960": ("bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1", True),
    "in check": ("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3", False),
    "castling": ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8", False),
}


def tree_of(name, depth=8, plies=2, **limits):
    fen, chess960 = POSITIONS[name]
    with Engine(hash_mib=2) as engine:
        limit = Limit(**limits) if limits else Limit(depth=depth)
        return engine.search_tree(Position(fen, chess960=chess960), limit, plies)


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("multipv", [1, 2])
def test_recording_does_not_change_the_search(name, multipv):
    fen, chess960 = POSITIONS[name]
    position = Position(fen, chess960=chess960)
    plain, recording = Searcher(2), Searcher(2)
    recording.record(4)
    for limits in ({"depth": 9}, {"nodes": 5000}):
        results = []
        for searcher in (plain, recording):
            searcher.clear()
            lines = searcher.go(position, multipv=multipv, **limits)
            results.append((lines, searcher.nodes))
        assert results[0] == results[1]
    assert recording.recorded()[0] and plain.recorded() == ([], 0)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_moves_of_the_tree_are_legal_and_its_numbers_add_up(name):
    tree = tree_of(name, plies=3)
    fen, chess960 = POSITIONS[name]
    seen = [0]

    def check(node, board):
        assert node.order == seen[0], "nodes are in the order they were entered"
        seen[0] += 1
        assert node.kind in NODE_TYPES and node.verdict in EXIT_REASONS
        assert node.alpha < node.beta and (node.kind == "pv" or node.beta == node.alpha + 1)
        assert node.bound == ("lower" if node.score >= node.beta else "upper" if node.score <= node.alpha else "exact")
        assert sum(child.nodes for child in node.children) <= node.nodes
        assert node.legal_moves == board.legal_moves.count()
        if node.verdict in ("tt cutoff", "draw", "quiescence", "reverse futility pruning", "mate distance pruning"):
            assert not node.children
        for child in node.children:
            below = board.copy()
            if child.ply == node.ply:
                assert child.move.startswith(ALL_BUT) or child.move == "again"
            elif child.move == "pass":
                below.push(chess.Move.null())
                assert child.reduction > 0
            else:
                move = below.parse_uci(child.uci)
                assert below.san(move) == child.move
                below.push(move)
            if child.ply != node.ply:
                assert child.ply == node.ply + 1 and child.depth == node.depth - 1 - child.reduction
            check(child, below)

    for root in tree.roots:
        assert root.ply == 0 and root.kind == "pv"
        check(root, chess.Board(fen, chess960=chess960))


def test_the_last_window_of_the_root_holds_the_score_and_the_first_move_is_the_principal_one():
    tree = tree_of("middlegame", depth=9)
    last = tree.roots[-1]
    assert last.alpha < last.score < last.beta and last.bound == "exact"
    best = max((child for child in last.children if child.kind == "pv"), key=lambda child: -child.score)
    assert best.uci == tree.principal[0] and -best.score == last.score


def test_cutoffs_reductions_and_every_kind_of_node_are_there():
    nodes = list(tree_of("castling", depth=11, plies=3).walk())
    assert {node.kind for node in nodes} == set(NODE_TYPES)
    assert any(node.is_cut for node in nodes) and any(node.reduction > 0 for node in nodes)
    assert {"moves", "tt cutoff", "null-move pruning"} <= {node.verdict for node in nodes}


def test_every_reason_for_which_a_node_can_end_is_recorded():
    mate_in_two = "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 0"
    rook_endings = "8/8/4k3/8/8/1r2K3/4P3/1R6 w - - 0 1"  # an exchange of rooks leads to three pieces
    searcher = Searcher(4)
    searcher.set_tables(Tables(PACKAGE_TABLES).core)
    searcher.record(30, 200_000)
    found = set()
    for fen in (BENCH[2], mate_in_two, rook_endings):
        searcher.clear()
        searcher.go(Position(fen), depth=10)
        records, left_out = searcher.recorded()
        assert left_out == 0
        found |= {record.exit_reason for record in records}
    assert found == set(EXIT_REASONS)


def test_a_search_cut_short_gives_the_last_whole_iteration():
    whole = tree_of("middlegame", nodes=3000)
    same = tree_of("middlegame", depth=whole.iteration)
    assert whole.as_json()["roots"] == same.as_json()["roots"]


def test_a_deeper_record_contains_the_shallower_one():
    def top(node):
        return (node.move, node.score, node.alpha, node.beta, node.nodes,
                [top(child) for child in node.children if child.ply <= 1])  # fmt: skip

    shallow, deep = tree_of("middlegame", plies=1), tree_of("middlegame", plies=3)
    assert [top(root) for root in shallow.roots] == [top(root) for root in deep.roots]


def test_what_has_no_room_is_counted():
    searcher = Searcher(1)
    searcher.record(3, 50)
    searcher.go(Position(POSITIONS["middlegame"][0]), depth=7)
    records, left_out = searcher.recorded()
    assert len(records) == 50 and left_out > 0


def test_records_that_cannot_be_are_refused():
    searcher = Searcher(1)
    for plies, capacity, sentence in ((-2, 10, "plies"), (10_000, 10, "plies"), (2, 0, "capacity")):
        with pytest.raises(ValueError, match=f"{sentence} must be between"):
            searcher.record(plies, capacity)
    with Engine(hash_mib=1) as engine:
        with pytest.raises(CytheraError, match="plies must be between 0 and 6, got 7"):
            engine.search_tree(chess.Board(), Limit(depth=3), plies=7)
        with pytest.raises(CytheraError, match="there is no tree"):
            engine.search_tree("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", Limit(depth=3))
        assert engine.analyse(chess.Board(), Limit(depth=3)).moves, "and the engine goes on"


@pytest.mark.parametrize("name", POSITIONS)
def test_the_tree_is_drawn_with_the_labs_view(name):
    tree = tree_of(name, depth=9)
    assert isinstance(tree, SearchTree)
    trace = tree.trace(25)
    drawn = list(trace.root.walk())
    assert [node.id for node in drawn] == list(range(len(drawn)))
    assert trace.root.is_principal and sum(not node.hidden and node.order is not None for node in drawn) <= 25
    known = {node.id for node in drawn}
    assert trace.steps and all(step.node in known for step in trace.steps)
    assert Trace.from_json(trace.to_json()) == trace
    assert draw_svg(trace).startswith("<svg") and "<html" in tree.html() and "<svg" in tree._repr_html_()
    assert json.loads(tree.json())["roots"][0]["children"][0]["move"] == tree.roots[0].children[0].move


def test_a_notebook_shows_every_node_in_words_and_a_picture_that_is_not_shrunk():
    tree = tree_of("middlegame")
    html = tree._repr_html_()
    ET.fromstring(f"<all>{html}</all>")
    lines = re.findall(r"(?:<div style=\"margin-left:1.2rem\">|<summary>)([^<]*)<", html)
    assert len(lines) == sum(1 for _ in tree.walk())
    first = tree.roots[0]
    assert lines[0].startswith(f"root {'' if first.bound == 'exact' else '≥ ' if first.bound == 'lower' else '≤ '}")
    for node, line in zip(tree.walk(), lines, strict=True):
        assert f", depth {node.depth}, " in line and f" {node.nodes:,} node" in line
    picture = html[: html.index("</svg>")]
    assert "overflow-x:auto" in picture and "max-width:none" in picture
    assert int(re.search(r'<svg [^>]*width="(\d+)"', picture)[1]) <= 2000


def test_the_outline_of_a_large_tree_says_how_many_nodes_it_leaves_out():
    tree = tree_of("middlegame", depth=12, plies=4)
    total = sum(1 for _ in tree.walk())
    assert total > MOST_NODES
    assert f"{total - MOST_NODES:,} more nodes" in tree._repr_html_()


def test_a_search_for_a_tree_can_be_stopped_from_another_thread():
    with Engine(hash_mib=1) as engine:
        trees = []
        thread = threading.Thread(target=lambda: trees.append(engine.search_tree(chess.Board(), Limit(depth=200))))
        thread.start()
        while thread.is_alive():
            thread.join(0.3)
            engine.stop()
        assert trees[0].roots
