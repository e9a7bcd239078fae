"""Strategies as a drawing: the game tree, with the branches of one player's strategy, or of both.

Branches of MAX's strategy have MAX's colour, those of MIN's the other; the single game in which the two
meet is strong. What belongs to neither is pale.
"""

from __future__ import annotations

from typing import Any

from cythera.lab.algorithms.strategy import best_plan, check, meet
from cythera.lab.errors import LabError
from cythera.lab.game import MAX, MIN, player_name
from cythera.lab.search import AnySearch
from cythera.lab.texts import plural, say
from cythera.lab.view.svg import MOST_NODES
from cythera.lab.view.trace import PRUNED, Step, Trace, TraceNode
from cythera.lab.view.words import show_value

Path = tuple[Any, ...]


def check_size(search: AnySearch) -> None:
    """Raises LabError for a tree that nobody could read, before all of it has been searched."""
    game, nodes = search.game, 0
    waiting = [(search.start, 0)]
    while waiting:
        state, ply = waiting.pop()
        nodes += 1
        if nodes > MOST_NODES:
            raise LabError(say("error.too_many", most=f"{MOST_NODES:,}"))
        if ply != search.depth and not game.is_terminal(state):
            waiting += [(game.result(state, action), ply + 1) for action in game.actions(state)]


def draw_strategies(search: AnySearch, player: str = "both") -> Trace:
    """A best strategy of `max`, of `min` or of both, ready to be drawn.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> from cythera.lab.search import Search
    >>> trace = draw_strategies(Search(parse_tree("3 12 8 / 2 4 6 / 14 5 2")))
    >>> [node.mark for node in trace.root.children]
    ['both', 'min', 'min']
    """
    game = search.game
    check(search)
    check_size(search)
    plans = {who: best_plan(search, who) for who in (MAX, MIN)}
    shown = {"max": [MAX], "min": [MIN], "both": [MAX, MIN]}[player]
    paths = {who: set(plans[who].paths()) for who in shown}
    game_path, value = meet(plans[MAX], plans[MIN])
    principal = {game_path[:length] for length in range(len(game_path) + 1)} if player == "both" else set()
    steps: list[Step] = []
    number = 0

    def build(path: Path, state: Any, move: str) -> TraceNode:
        nonlocal number
        owners = [who for who in shown if path in paths[who]]
        node = TraceNode(number, player_name(game.player(state)), move, game.state_name(state))
        number += 1
        node.mark = "both" if len(owners) == 2 else player_name(owners[0]) if owners and path else ""
        node.is_principal = path in principal
        node.status = node.status if owners else PRUNED
        picture = game.picture(state)
        if picture is not None:
            node.board = [picture.style, list(picture.rows)]
        if len(path) == search.depth or game.is_terminal(state):
            node.is_leaf = True
            node.value = game.utility(state) if game.is_terminal(state) else search.evaluate(state)
            return node
        for action in game.actions(state):
            name = game.action_name(action) if game.has_move_names else ""
            node.children.append(build((*path, action), game.result(state, action), name))
        return node

    root = build((), search.start, "")
    here, state = root, search.start
    for action in game_path if player == "both" else ():
        index = list(game.actions(state)).index(action)
        chooser = say(f"player.{here.player}")
        here, state = here.children[index], game.result(state, action)
        steps.append(Step("note", here.id, say("step.chooses", player=chooser, move=game.action_name(action))))
    worths = {who: show_value(plans[who].worth(who)) for who in (MAX, MIN)}
    sizes = {who: plural(plans[who].size(), "node") for who in (MAX, MIN)}
    if player == "both":
        summary = say(
            "strategy.both", value=show_value(value), max_worth=worths[MAX], min_worth=worths[MIN],
            max_size=sizes[MAX], min_size=sizes[MIN],
        )  # fmt: skip
    else:
        who = shown[0]
        summary = say("strategy.one", player=say(f"player.{player}"), worth=worths[who], size=sizes[who])
    return Trace(f"{say('strategy.title')} · {game.name}", summary, root, steps)
