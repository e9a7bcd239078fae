"""Drawings: the data is faithful, nothing overlaps, files are well formed and need nothing else."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from cythera.lab.algorithms import ALGORITHMS, find_algorithm
from cythera.lab.errors import LabError
from cythera.lab.games import make_game
from cythera.lab.search import Search
from cythera.lab.view.board import board_size
from cythera.lab.view.html import draw_html, page_data
from cythera.lab.view.layout import lay_out
from cythera.lab.view.recorder import Recorder
from cythera.lab.view.strategy import draw_strategies
from cythera.lab.view.svg import draw_svg, reach_of
from cythera.lab.view.trace import CUT, PRUNED, Trace

TWO_PLAYER_TREES = [name for name in ALGORITHMS if name not in ("maxn", "bstar", "mcts", "mcts-evaluated")]


def trace_of(name, spec, depth=None):
    algorithm = find_algorithm(name)
    recorder = Recorder(algorithm.view)
    search = Search(make_game(spec), depth, watcher=recorder)
    return recorder.trace(search, algorithm.run(search), name)


def by_label(trace):
    return {node.label: node for node in trace.root.walk() if node.label}


def test_the_trace_of_alpha_beta_shows_windows_values_and_what_was_cut():
    nodes = by_label(trace_of("alphabeta", "two-ply"))
    assert [nodes[name].status for name in "BCDxy"] == ["visited", CUT, "visited", PRUNED, PRUNED]
    assert (nodes["C"].alpha, nodes["C"].beta, nodes["C"].value, nodes["C"].reason) == (3, float("inf"), 2, "2 ≤ 3")
    assert nodes["B"].is_principal and not nodes["C"].is_principal
    assert nodes["x"].order is None and nodes["x"].value == 4


def test_nodes_are_numbered_in_the_order_they_were_generated():
    root = trace_of("alphabeta", "two-ply").root
    orders = [node.order for node in root.walk() if node.order is not None]
    assert orders == list(range(11))
    leaves = [node.leaf_order for node in root.walk() if node.leaf_order is not None]
    assert leaves == list(range(1, 8))


def test_sss_evaluates_leaves_in_another_order_than_they_stand():
    root = trace_of("sss", "four-ply").root
    leaves = [node.leaf_order for node in root.walk() if node.leaf_order is not None]
    assert sorted(leaves) == list(range(1, len(leaves) + 1)) != leaves


def test_in_negamax_values_are_the_movers():
    nodes = by_label(trace_of("alphabeta-negamax", "two-ply"))
    assert nodes["B"].value == -3
    assert nodes["C"].reason == "−2 ≥ −3"


def test_the_steps_tell_the_story_in_words():
    texts = [step.text for step in trace_of("alphabeta", "two-ply").steps]
    assert texts[0] == "enter the root with the window (−∞, ∞)"
    assert "leaf 4: 2.1 is worth 2" in texts
    assert "C is worth 2; 2 ≤ 3: cut" in texts
    assert "is C > 3?" in [step.text for step in trace_of("scout", "two-ply").steps]


@pytest.mark.parametrize("name", ["alphabeta", "sss", "scout", "maxn"])
def test_a_trace_survives_json(name):
    trace = trace_of(name, "two-ply")
    text = trace.to_json()
    assert "Infinity" not in text
    assert Trace.from_json(text) == trace


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"root": 3}', '{"title":"t","summary":"s","steps":[],"root":{"id":1}}']
)
def test_what_is_no_trace_is_refused(text):
    with pytest.raises(LabError, match="this is not a search trace"):
        Trace.from_json(text)


@pytest.mark.parametrize("name", TWO_PLAYER_TREES)
def test_every_search_can_be_drawn_as_picture_and_page(name):
    trace = trace_of(name, "four-ply")
    picture = ET.fromstring(draw_svg(trace))
    groups = [group for group in picture.iter() if group.get("class", "").startswith("node ")]
    assert len(groups) == sum(1 for _ in trace.root.walk())
    assert draw_html(trace).count("<svg ") == 1


@pytest.mark.parametrize(
    ("name", "spec", "depth"),
    [
        ("maxn", "party", None),
        ("bstar", "intervals", None),
        ("expectiminimax", "dice", None),
        ("expectiminimax", "race:3,1", 4),
        ("deepening", "connect4:4x4", 3),
        ("alphabeta", "tictactoe:XOX/O../...", None),
        ("quiescence", "horizon", 1),
        ("alphabeta", "chess", 2),
        ("expectimax", "pacman", 3),
    ],
)
def test_games_of_every_kind_can_be_drawn(name, spec, depth):
    trace = trace_of(name, spec, depth)
    ET.fromstring(draw_svg(trace))
    assert json.dumps(page_data(trace))


def test_odds_stand_on_the_branches_of_chance_nodes():
    texts = "".join(ET.fromstring(draw_svg(trace_of("expectiminimax", "dice"))).itertext())
    assert "0.9" in texts and "0.1" in texts


def test_many_pruned_branches_are_counted_instead_of_drawn():
    trace = trace_of("alphabeta", "chess", 2)
    stubs = [node for node in trace.root.walk() if node.hidden]
    assert len(stubs) == 19 and {stub.label for stub in stubs} == {"+19"}
    assert sum(1 for _ in trace.root.walk()) == 1 + 20 + 20 + 19 * 2


def test_no_two_nodes_of_a_level_touch_and_parents_stand_over_their_children():
    for spec in ("four-ply", "three-ply", "random:4,3,2"):
        root = trace_of("alphabeta", spec).root
        layout = lay_out(root, reach_of, 90, 10)
        levels = {}
        for node in root.walk():
            x, y = layout.places[node.id]
            left, right = reach_of(node)
            levels.setdefault(y, []).append((x - left, x + right))
            if node.children:
                xs = [layout.places[child.id][0] for child in node.children]
                assert min(xs) <= x <= max(xs)
        for spans in levels.values():
            assert spans == sorted(spans)
            assert all(left[1] <= right[0] + 1e-6 for left, right in pairwise(spans))
        assert all(0 <= x <= layout.width for x, _ in layout.places.values())


@pytest.mark.parametrize(
    ("name", "spec", "depth"),
    [
        ("alphabeta", "tictactoe:XOX/OO./.X.", None),
        ("alphabeta", "connect4:4x3", 2),
        ("alphabeta", "othello:4", 2),
        ("alphabeta", "mnk:4,4,3", 1),
        ("alphabeta", "checkers:4", 2),
        ("alphabeta", "chess:8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 1),
        ("alphabeta", "ending:KPvK", 1),
        ("alphabeta", "pacman:small", 2),
        ("expectiminimax", "backgammon:6,2,2", 2),
    ],
)
def test_nodes_of_board_games_have_small_boards_and_branches_start_below_them(name, spec, depth):
    trace = trace_of(name, spec, depth)
    picture = ET.fromstring(draw_svg(trace))
    boards = [part for part in picture.iter() if part.get("class") == "board"]
    assert len(boards) == sum(1 for node in trace.root.walk() if not node.hidden) > 1
    places = {}
    for group in picture.iter():
        if group.get("class", "").startswith("node "):
            x, y = re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", group.get("transform")).groups()
            places[group.get("id")[1:]] = float(x), float(y)
    parents = {str(child.id): node for node in trace.root.walk() for child in node.children}
    edges = [part for part in picture.iter() if part.get("class", "").startswith("edge")]
    for edge in edges:
        x, y = re.match(r"M([-\d.]+) ([-\d.]+)L", edge.get("d")).groups()
        parent = parents[edge.get("id")[1:]]
        assert float(x) == places[str(parent.id)][0]
        height = board_size(tuple(parent.board))[1]
        assert float(y) == pytest.approx(places[str(parent.id)][1] + 14 + height, abs=0.2)


def test_a_large_tree_has_no_boards():
    trace = trace_of("minimax", "tictactoe:X../.O./...", 3)
    assert sum(1 for _ in trace.root.walk()) < 401 or all(node.board is None for node in trace.root.walk())
    assert all(node.board is None for node in trace_of("minimax", "connect4", 4).root.walk())


@pytest.mark.parametrize("player", ["max", "min", "both"])
def test_strategies_are_drawn_with_the_game_in_which_they_meet(player):
    trace = draw_strategies(Search(make_game("three-ply")), player)
    picture = draw_svg(trace)
    ET.fromstring(picture)
    marks = [node.mark for node in trace.root.walk() if node.mark]
    assert set(marks) == ({"max", "min", "both"} if player == "both" else {player})
    leaves = [node for node in trace.root.walk() if node.is_leaf and node.is_principal]
    assert len(leaves) == (player == "both")
    assert all(node.value == 7 for node in leaves)
    assert f'class="edge of-{player}' in picture or player == "both"


def test_the_stepping_page_can_fit_and_zoom():
    page = draw_html(trace_of("alphabeta", "two-ply"))
    for wanted in ('id="fit"', 'id="larger"', 'id="smaller"', 'data-size="fit"', "ctrlKey"):
        assert wanted in page
    assert 'data-size="natural"' in draw_html(trace_of("alphabeta", "two-ply"), is_wide=True)


def test_thirty_six_leaves_fit_on_a_screen():
    picture = ET.fromstring(draw_svg(trace_of("alphabeta", "random:6,2,1")))
    assert int(picture.get("width")) < 1600


def test_files_need_nothing_from_elsewhere_and_know_dark_from_light():
    for text in (draw_svg(trace_of("alphabeta", "two-ply")), draw_html(trace_of("alphabeta", "two-ply"))):
        assert "prefers-color-scheme:dark" in text
        assert not re.search(r"""(src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)


def test_names_with_markup_do_no_harm():
    from cythera.lab.algorithms.alphabeta import alphabeta
    from cythera.lab.games.tree_text import parse_tree

    recorder = Recorder()
    search = Search(parse_tree("(<b>&(3 4) </script>(5 6))"), watcher=recorder)
    trace = recorder.trace(search, alphabeta(search), "alphabeta")
    ET.fromstring(draw_svg(trace))
    assert draw_html(trace).count("</script>") == 2


def test_a_tree_too_large_to_be_read_is_refused():
    with pytest.raises(LabError, match="too large to be read; draw a smaller depth"):
        draw_svg(trace_of("minimax", "random:4,6,1"))


def test_windows_stand_over_their_nodes_and_branches_end_there():
    picture = ET.fromstring(draw_svg(trace_of("alphabeta", "two-ply")))
    nodes = {part.get("id"): part for part in picture.iter() if part.get("class", "").startswith("node ")}
    for edge in (part for part in picture.iter() if part.get("class", "").startswith("edge")):
        node = nodes["n" + edge.get("id")[1:]]
        x, y = map(float, re.fullmatch(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform")).groups())
        end_x, end_y = map(float, re.search(r"L([-\d.]+) ([-\d.]+)", edge.get("d")).groups())
        windows = [float(text.get("y")) for text in node.iter() if text.get("class") == "window"]
        assert end_x == x and all(end_y < y + top - 9 for top in windows)
        assert end_y >= y - 26


def test_the_drawing_of_monte_carlo_search_has_means_and_playouts_in_the_order_of_moves():
    trace = trace_of("mcts", "two-ply")
    assert trace.root.value.endswith(" · 2000")
    visits = [int(node.value.split(" · ")[1]) for node in trace.root.children]
    assert sum(visits) == 2000 and visits[0] == max(visits)
    assert [node.label for node in trace.root.children] == ["B", "C", "D"]
    assert "pruned" not in draw_svg(trace).split("</style>")[1]


@pytest.mark.parametrize(("name", "text"), [("alphabeta", "pruned"), ("sss", "not visited"), ("pns", "not visited")])
def test_the_legend_tells_cut_branches_from_those_that_were_not_visited(name, text):
    picture = draw_svg(trace_of(name, "four-ply"))
    assert f"┄</tspan> {text}" in picture
    assert ('class="bar"' in picture) == (text == "pruned")


@pytest.mark.parametrize("name", ["pns", "dfpn"])
def test_every_node_of_a_proof_has_its_numbers_those_not_yet_expanded_1_and_1(name):
    nodes = list(trace_of(name, "four-ply").root.walk())
    inner = [node for node in nodes if not node.is_leaf and node.order is not None]
    assert inner and all(re.fullmatch(r"(\d+|∞) \| (\d+|∞)", node.value) for node in inner)
    assert any(node.value == "1 | 1" for node in inner)


@pytest.mark.parametrize(
    ("name", "spec", "text"),
    [
        ("alphabeta", "two-ply", "values as MAX sees them"),
        ("negamax", "two-ply", "values as the player to move sees them"),
        ("pns", "two-ply", "proof number | disproof number"),
        ("mcts", "two-ply", "mean result to MAX · playouts"),
        ("maxn", "party", "values for player 1, 2, …"),
        ("mcts", "party", "mean results to player 1, 2, … · playouts"),
    ],
)
def test_the_legend_says_what_stands_at_a_node(name, spec, text):
    assert f" {text}</tspan></text></g>" in draw_svg(trace_of(name, spec))


def test_moves_of_a_wide_fan_stand_over_their_nodes():
    picture = ET.fromstring(draw_svg(trace_of("alphabeta", "chess", 1)))
    nodes = [part for part in picture.iter() if part.get("class", "").startswith("node leaf")]
    places = [float(re.match(r"translate\(([-\d.]+),", node.get("transform")).group(1)) for node in nodes]
    moves = [float(part.get("x")) for part in picture.iter() if part.get("class") == "move"]
    assert len(moves) == len(places) == 20
    assert all(abs(move - place) <= 12.1 for move, place in zip(moves, places, strict=True))
