"""Proof-number search: prove a goal by way of the least work that could prove it.

Every node of the AND–OR tree (see `andor`) has two numbers: how many leaves must at least be proved to
prove it, and how many disproved to disprove it.

                    proof number pn               disproof number dn
    OR  (MAX)       the least of the children     the sum of the children
    AND (MIN)       the sum of the children       the least of the children
    unknown leaf    1                             1
    solved          0                             ∞
    not solvable    ∞                             0

The most proving node is where both least ways meet: down by the least pn at OR nodes, by the least dn
at AND nodes. It is expanded, the numbers go up to the root, and so on until the root's pn or dn is 0.
(L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-Number Search", 1994.)

`df-pn` finds the same proofs depth first: it stays below a node while its numbers are below two
thresholds, and forgets everything but a table of numbers by position (A. Nagai, 2002).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic

from cythera.lab.algorithms.andor import Goal, label_by_goals
from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Node, Result, Search

PROVED, DISPROVED = (0.0, INF), (INF, 0.0)


class Proof(Generic[State, Action]):
    """A node of the tree in memory, with its numbers."""

    __slots__ = ("children", "disproof", "node", "parent", "proof")

    def __init__(self, node: Node[State, Action], parent: Proof[State, Action] | None) -> None:
        self.node = node
        self.parent = parent
        self.proof, self.disproof = 1.0, 1.0
        self.children: list[Proof[State, Action]] = []

    def update(self) -> None:
        """The numbers of an expanded node from those of its children."""
        proofs, disproofs = [c.proof for c in self.children], [c.disproof for c in self.children]
        if self.node.player == MAX:
            self.proof, self.disproof = min(proofs), sum(disproofs)
        else:
            self.proof, self.disproof = sum(proofs), min(disproofs)

    def most_proving(self) -> Proof[State, Action]:
        """The child on the way to the most proving node, the leftmost of equals."""
        if self.node.player == MAX:
            return min(self.children, key=lambda child: child.proof)
        return min(self.children, key=lambda child: child.disproof)


def numbers_text(proof: float, disproof: float) -> str:
    """Both numbers, to stand at a node of a drawing.

    >>> numbers_text(0, INF)
    '0 | ∞'
    """
    return " | ".join("∞" if number == INF else f"{number:g}" for number in (proof, disproof))


def prove(search: Search[State, Action], goal: Goal, most_nodes: int | None = None) -> Result[bool, Action]:
    """Whether MAX can reach the goal; `proof` and `disproof` are the root's numbers, `nodes` those in memory.

    With `most_nodes` the search may end undecided: then neither number is 0, and the value is False.

    >>> from cythera.lab.algorithms.andor import reaches
    >>> from cythera.lab.games.tree_text import parse_tree
    >>> prove(Search(parse_tree("((1 2) (9 9))")), reaches(9)).notes
    {'proof': 0.0, 'disproof': inf, 'nodes': 7}
    """
    root = Proof(search.root(), None)
    nodes = 1
    judge(search, root, goal)
    while root.proof and root.disproof and (most_nodes is None or nodes < most_nodes):
        leaf = root
        while leaf.children:
            leaf = leaf.most_proving()
        leaf.children = [Proof(child, leaf) for child in search.children(leaf.node)]
        nodes += len(leaf.children)
        for child in leaf.children:
            judge(search, child, goal)
            search.note(child.node, numbers_text(child.proof, child.disproof), "numbered")
        part: Proof[State, Action] | None = leaf
        while part is not None:
            part.update()
            search.note(part.node, numbers_text(part.proof, part.disproof), "numbered")
            part = part.parent
    mark_line(root)
    notes = {"proof": root.proof, "disproof": root.disproof, "nodes": nodes}
    return search.result(root.node, root.proof == 0, **notes)


def judge(search: Search[State, Action], part: Proof[State, Action], goal: Goal) -> None:
    """Gives a leaf of the game tree its final numbers; any other node keeps (1, 1)."""
    if search.is_leaf(part.node):
        part.proof, part.disproof = PROVED if goal(search.value(part.node)) else DISPROVED


def mark_line(part: Proof[State, Action]) -> None:
    while part.children:
        part.node.best = part.most_proving().node
        part = part.most_proving()


def pns(search: Search[State, Action]) -> Result[float, Action]:
    """Win, draw or loss for MAX (1, 0, −1) by proof-number search.

    >>> from cythera.lab.games.tictactoe import TicTacToe
    >>> pns(Search(TicTacToe("XO./.../..."))).value
    1
    """
    return label_by_goals(search, prove)


def prove_depth_first(search: Search[State, Action], goal: Goal) -> Result[bool, Action]:
    """Whether MAX can reach the goal, by df-pn; `entries` counts the positions in the table.

    >>> from cythera.lab.algorithms.andor import reaches
    >>> from cythera.lab.games.tree_text import parse_tree
    >>> prove_depth_first(Search(parse_tree("((1 2) (9 9))")), reaches(9)).value
    True
    """
    table: dict[tuple[Hashable, int | None], tuple[float, float]] = {}
    game = search.game

    def look_up(node: Node[State, Action]) -> tuple[float, float]:
        return table.get((game.key(node.state), search.remaining(node)), (1.0, 1.0))

    def store(node: Node[State, Action], numbers: tuple[float, float]) -> None:
        table[game.key(node.state), search.remaining(node)] = numbers
        search.note(node, numbers_text(*numbers), "numbered")

    def visit(node: Node[State, Action], proof_limit: float, disproof_limit: float) -> None:
        """Works below a node until one of its numbers reaches its threshold."""
        if search.is_leaf(node):
            store(node, PROVED if goal(search.value(node)) else DISPROVED)
            return
        children = list(search.children(node))
        if (game.key(node.state), search.remaining(node)) not in table:  # the first visit
            for child in children:
                search.note(child, numbers_text(*look_up(child)), "numbered")
        is_or = node.player == MAX
        while True:
            numbers = [look_up(child) for child in children]
            if is_or:
                proof, disproof = min(p for p, _ in numbers), sum(d for _, d in numbers)
            else:
                proof, disproof = sum(p for p, _ in numbers), min(d for _, d in numbers)
            if proof >= proof_limit or disproof >= disproof_limit:
                store(node, (proof, disproof))
                return
            own, other = (0, 1) if is_or else (1, 0)  # the number that is a minimum here, and the sum
            ranked = sorted(range(len(children)), key=lambda index: numbers[index][own])
            best = ranked[0]
            second = numbers[ranked[1]][own] if len(ranked) > 1 else INF
            limits = (proof_limit, disproof_limit)
            sum_now = (proof, disproof)[other]
            least = min(limits[own], second + 1)
            rest = limits[other] - sum_now + numbers[best][other]
            visit(children[best], *((least, rest) if is_or else (rest, least)))

    root = search.root()
    visit(root, INF, INF)
    proof, disproof = look_up(root)
    follow_proof(search, root, look_up)
    return search.result(root, proof == 0, proof=proof, disproof=disproof, entries=len(table))


def follow_proof(search: Search[State, Action], root: Node[State, Action], look_up: object) -> None:
    """The line of least numbers, as far as the table knows it. Nothing is counted."""
    assert callable(look_up)
    node, game = root, search.game
    while not search.is_leaf(node):
        children = []
        for index, action in enumerate(search.actions(node)):
            state = game.result(node.state, action)
            children.append(Node(state, game.player(state), node, action, index))
        own = 0 if node.player == MAX else 1
        best = min(children, key=lambda child: look_up(child)[own])
        if look_up(best)[own] not in (0, INF):
            return
        node.best = best
        node = best


def dfpn(search: Search[State, Action]) -> Result[float, Action]:
    """Win, draw or loss for MAX (1, 0, −1) by depth-first proof-number search.

    >>> from cythera.lab.games.tictactoe import TicTacToe
    >>> dfpn(Search(TicTacToe())).value
    0
    """
    return label_by_goals(search, prove_depth_first)
