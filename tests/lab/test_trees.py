"""Trees as text: what is understood, and what is said about what is not."""

import pytest

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, MAX, MIN
from cythera.lab.games.tree_text import format_tree, load_tree, parse_tree
from cythera.lab.games.trees import random_tree, vertices
from cythera.lab.search import Search


def test_the_tree_of_every_course_needs_seven_leaves_and_neither_x_nor_y():
    tree = parse_tree("3 12 8 / 2 x y / 14 5 2")
    result = alphabeta(Search(tree))
    assert (result.value, result.move, result.leaves) == (3, 0, 7)
    with pytest.raises(LabError, match="the leaf x has no value"):
        minimax(Search(tree))


def test_players_alternate_unless_the_text_says_otherwise():
    root = parse_tree("(min(1 2) max:C(3 4) chance(5 (6 7)))").root
    assert [child.player for child in root.children] == [MIN, MAX, CHANCE]
    assert root.children[1].name == "C"
    assert [leaf.player for leaf in root.children[1].children] == [MIN, MIN]
    assert root.children[2].children[1].player == MIN  # after MAX and the dice it is MIN's turn
    assert root.children[2].odds == (0.5, 0.5)


def test_three_numbers_at_a_leaf_make_three_players():
    game = parse_tree("((1,2,6 4,3,3) (6,1,2 7,4,1))")
    assert game.players == 3
    assert [child.player for child in game.root.children] == [1, 1]


@pytest.mark.parametrize(
    "text",
    [
        "((3 12 8) (2 x y=6))",
        "(B(3 -12 0.5) C[2,9](2 4))",
        "(chance:A(0.9*(2 7) 0.1*(3 8)) chance(0.5*1 0.5*2))",
        "((1,2,6 4,3,3) (6,1,2 7,4,1))",
    ],
)
def test_a_tree_survives_being_written_and_read(text):
    assert format_tree(parse_tree(text).root) == text


def test_comments_line_breaks_and_fractions_are_understood():
    root = parse_tree("(chance(1/6*3   # a six\n 5/6*9) \n 4)").root
    assert root.children[0].odds == pytest.approx((1 / 6, 5 / 6))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no tree here"),
        ("# nothing", "there is no tree here"),
        ("((3 12)", "the parenthesis opened on line 1 is never closed"),
        ("(3\n(12\n4)", "the parenthesis opened on line 1 is never closed"),
        ("(3 12))", "the parenthesis closed on line 1 was never opened"),
        ("(3 ())", "have nothing between them"),
        ("(1 2) (3 4)", "expected one root, got 2"),
        ("(3 4.x)", "'4.x' is not a number"),
        ("(3\n 1/0)", "line 2: '1/0' is not a number"),
        ("(3 a=b=c)", "'a=b=c' is not a leaf"),
        ("(3 1,2)", "some leaves have more numbers than others"),
        ("(p4(1,2,3 4,5,6))", "player 4 has no number in the leaves"),
        ("(A[9,2](1 2))", "must have its lower end first"),
        ("(A[9(1 2))", "is not a name, a player, odds or an interval"),
        ("(chance(0.5*1 0.4*2))", "odds below a chance node must all be given and add up to 1"),
        ("(chance(0.5*1 2))", "odds below a chance node must all be given and add up to 1"),
        ("(chance(1.5*1 -0.5*2))", "odds below a chance node must all be given and add up to 1"),
    ],
)
def test_a_malformed_tree_gets_a_clear_sentence(text, sentence):
    with pytest.raises(LabError) as caught:
        parse_tree(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_tree_comes_from_a_file_and_a_mistake_names_it(tmp_path):
    good, bad, binary = tmp_path / "good.tree", tmp_path / "bad.tree", tmp_path / "binary.tree"
    good.write_text("3 12 8\n/ 2 4 6\n/ 14 5 2   # two plies\n", encoding="utf-8")
    bad.write_text("((3", encoding="utf-8")
    binary.write_bytes(b"\xff\xfe\x00")
    assert minimax(Search(load_tree(str(good)))).value == 3
    assert load_tree(str(good)).name == "good"
    with pytest.raises(LabError, match=r"bad\.tree: the parenthesis opened on line 1 is never closed"):
        load_tree(str(bad))
    with pytest.raises(LabError, match="not a text file"):
        load_tree(str(binary))
    with pytest.raises(LabError, match=r"cannot read .*none\.tree: No such file"):
        load_tree(str(tmp_path / "none.tree"))


def test_the_same_seed_grows_the_same_tree():
    one, other = random_tree(3, 4, 7, irregular=True), random_tree(3, 4, 7, irregular=True)
    assert format_tree(one.root) == format_tree(other.root) != format_tree(random_tree(3, 4, 8).root)


def test_a_uniform_tree_has_all_its_leaves():
    assert sum(not vertex.children for vertex in vertices(random_tree(4, 5, 1).root)) == 4**5


def test_a_random_tree_of_no_branches_is_refused():
    with pytest.raises(LabError, match="branching must be at least 1 and depth at least 0, got 0 and 3"):
        random_tree(0, 3, 1)
