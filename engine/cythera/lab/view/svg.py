"""A trace as an SVG picture: self-contained, light or dark as the reader prefers.

MAX is a triangle that points up, MIN one that points down, chance a circle, a leaf a box. Above a
node, where its branch ends, stands the window it was entered with; beside it its value and, in red, why
the rest was cut; below it a small board, if the game has one. Pruned branches are dashed and pale; the
principal line is strong; the small numbers under the leaves give the order in which they were evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cythera.common.style import FONT, themes
from cythera.lab.errors import LabError
from cythera.lab.texts import say
from cythera.lab.view.board import CSS as BOARD_CSS
from cythera.lab.view.board import board_size, board_title, draw_board
from cythera.lab.view.layout import Layout, lay_out
from cythera.lab.view.trace import CUT, PRUNED, Trace, TraceNode
from cythera.lab.view.words import show_value, show_window

LEVEL_PX = 104
WINDOW_PX = 15  # the height of a window over its node
MARGIN_PX = 28
NEAR_PX = 12  # how far beside its child a move may stand
HEAD_PX = 64
FOOT_PX = 48
MOST_NODES = 3000

CSS = """
text{font-family:%(font)s;fill:var(--ink);font-size:14px}
.paper{fill:var(--paper)}
.title{font-size:17px;font-weight:600}
.summary,.legend text{font-size:12.5px;fill:var(--muted)}
.edge{stroke:var(--muted);stroke-width:1.2;fill:none}
.edge.principal{stroke:var(--best);stroke-width:3}
.edge.pruned{stroke:var(--faint);stroke-dasharray:3 4}
.bar{stroke:var(--cut);stroke-width:2}
.move{font-size:11px;fill:var(--muted)}
.window,.reason,.name,.value{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.leaf .value{stroke:none}
.value{font-weight:600}
.name{fill:var(--muted)}
.window{font-size:11px;fill:var(--muted)}
.reason{font-size:11px;fill:var(--cut);font-weight:600}
.order{font-size:9.5px;fill:var(--muted)}
.max .shape{fill:var(--max)}.min .shape{fill:var(--min)}.chance .shape{fill:var(--chance)}
.leaf .shape{fill:var(--leaf);stroke:var(--faint)}
.leaf.principal .shape{stroke:var(--best);stroke-width:2.5}
.party .shape{fill:var(--max)}.party .number{fill:var(--paper);font-size:11px;font-weight:700}
.pruned .shape{fill:none;stroke:var(--faint);stroke-dasharray:2 3}
.pruned text{fill:var(--faint);font-weight:400}
.legend .of-max{fill:var(--max)}.legend .of-min{fill:var(--min)}.legend .of-chance{fill:var(--chance)}
.legend .of-faint{fill:var(--faint)}.legend .of-best{fill:var(--best)}
.move.pale{fill:var(--faint)}
.edge.of-max{stroke:var(--max);stroke-width:2.6}
.edge.of-min{stroke:var(--min);stroke-width:2.6}
.edge.of-both{stroke:var(--best);stroke-width:4}
"""
CSS += BOARD_CSS


def draw_svg(trace: Trace) -> str:
    """The picture as SVG text.

    >>> draw_svg(Trace("t", "s", TraceNode(0, "max", is_leaf=True, value=3), [])).count("<svg ")
    1
    """
    nodes = list(trace.root.walk())
    if len(nodes) > MOST_NODES:
        raise LabError(say("error.too_large", nodes=f"{len(nodes):,}"))
    board_px = max(board_size(board_of(node))[1] for node in nodes)
    layout = lay_out(trace.root, reach_of, LEVEL_PX + board_px, gap_px=10)
    legend, legend_px = draw_legend(trace)
    width = max(
        layout.width + 2 * MARGIN_PX,
        text_px(trace.title, 17) + 60,
        text_px(trace.summary, 12.5) + 60,
        legend_px + 60,
        640,
    )
    height = layout.height + HEAD_PX + FOOT_PX + 2 * MARGIN_PX + 20 + board_px
    shift = (width - layout.width) / 2
    places = {key: (round(x + shift, 1), round(y + HEAD_PX + MARGIN_PX, 1)) for key, (x, y) in layout.places.items()}
    placed = Layout(places, width, height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(trace.title, quote=True)}">',
        f"<style>{themes('.tree')}{CSS % {'font': FONT}}</style>",
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
        f'<text class="title" x="{MARGIN_PX}" y="34">{escape(trace.title)}</text>',
        f'<text class="summary" x="{MARGIN_PX}" y="54">{escape(trace.summary)}</text>',
        *(draw_edge(node, child, placed) for node in nodes for child in node.children),
        *(draw_node(node, placed) for node in nodes),
        f'<g class="legend" transform="translate({MARGIN_PX},{height - 20:.0f})">{legend}</g>',
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def text_px(text: str, size_px: float) -> float:
    """About how wide a text will be."""
    return 0.58 * size_px * len(text)


def board_of(node: TraceNode) -> tuple[str, Sequence[str]] | None:
    return None if node.board is None else (node.board[0], node.board[1])


def reach_of(node: TraceNode) -> tuple[float, float]:
    """How far a node reaches to the left and to the right of its middle, its texts and its board included."""
    board = board_size(board_of(node))[0] / 2 + 5 if node.board else 0.0
    if node.is_leaf:
        texts = (text_px(leaf_text(node), 14) + 16, text_px(node.move, 11) + 12, text_px(node.label, 14) + 6)
        half = max(14, board, max(texts) / 2)
        return half, half
    above = max(text_px(window_text(node), 11), text_px(node.move, 11)) / 2 + 6
    beside = text_px(show_value(worth(node)), 14) + 18
    reason = text_px(node.reason, 11) + (board or 14) + 5 if node.reason else 0.0
    return max(23, board, above, text_px(node.label, 14) + 18), max(23, board, above, beside, reason)


def leaf_text(node: TraceNode) -> str:
    """What stands in the box: the value, or the name of a leaf that was not asked for one."""
    return show_value(worth(node)) or node.label or "·"


def worth(node: TraceNode) -> object:
    return tuple(node.value) if isinstance(node.value, list) else node.value


def window_text(node: TraceNode) -> str:
    return show_window(node.alpha, node.beta)


def edge_start(node: TraceNode) -> float:
    """How far below the centre of a node its branches begin: at its shape, or at its board."""
    if node.board:
        return 14 + board_size(board_of(node))[1]
    return 9 if node.player == "max" else 10


def edge_end(node: TraceNode) -> float:
    """How far above the centre of a node its branch ends: at its box, its shape, or the window over that."""
    if node.is_leaf:
        return 13
    return 10 if node.alpha is None else 10 + WINDOW_PX


def draw_edge(parent: TraceNode, child: TraceNode, layout: Layout) -> str:
    """The branch from a node to its child, with the move, and a bar across it if a visit to the node cut it."""
    (x1, y1), (x2, y2) = layout.places[parent.id], layout.places[child.id]
    y1, y2 = y1 + edge_start(parent), y2 - edge_end(child)
    kind = " pruned" if child.status == PRUNED else " principal" if child.is_principal else ""
    kind += f" of-{child.mark}" if child.mark else ""
    drawn = f'<path id="e{child.id}" class="edge{kind}" d="M{x1} {y1}L{x2} {y2}"/>'
    if child.status == PRUNED and parent.status == CUT and parent.visits:
        x, y = x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        across, along = (y2 - y1) / length * 5, -(x2 - x1) / length * 5
        ends = f"M{x - across:.1f} {y - along:.1f}L{x + across:.1f} {y + along:.1f}"
        drawn += f'<path id="b{child.id}" class="bar" d="{ends}"/>'
    if child.move:
        x, y = move_place((x1, y1), (x2, y2))
        pale = " pale" if child.status == PRUNED else ""
        wide = text_px(child.move, 11) + 4
        drawn += f'<rect class="paper" x="{x - wide / 2:.1f}" y="{y - 10:.1f}" width="{wide:.1f}" height="13"/>'
        drawn += f'<text class="move{pale}" text-anchor="middle" x="{x:.1f}" y="{y:.1f}">{escape(child.move)}</text>'
    return drawn


def move_place(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """Where the move stands on a branch: near the child, and of a flat branch over it.

    >>> move_place((0, 0), (50, 100)), move_place((0, 0), (800, 100))
    ((42.0, 88.0), (788.0, 95))
    """
    (x1, y1), (x2, y2) = start, end
    share = max(0.84, 1 - NEAR_PX / max(abs(x2 - x1), NEAR_PX))
    return x1 + (x2 - x1) * share, min(y1 + (y2 - y1) * share + 4, y2 - 5)


def draw_node(node: TraceNode, layout: Layout) -> str:
    """A node with its texts, in a group that a page can find by the node's number."""
    x, y = layout.places[node.id]
    role = "party" if node.player.startswith("player") else node.player
    classes = ["node", "leaf" if node.is_leaf else role, node.status, *(["principal"] if node.is_principal else [])]
    body = draw_leaf(node) if node.is_leaf else draw_inner(node)
    return (
        f'<g id="n{node.id}" class="{" ".join(classes)}" transform="translate({x},{y})">'
        f"<title>{escape(tooltip(node))}</title>{body}</g>"
    )


def draw_leaf(node: TraceNode) -> str:
    text = leaf_text(node)
    width = max(22.0, text_px(text, 14) + 10)
    parts = [
        f'<rect class="shape" x="{-width / 2:.1f}" y="-13" width="{width:.1f}" height="24" rx="4"/>',
        f'<text class="value" text-anchor="middle" y="4">{escape(text)}</text>',
    ]
    y = 23.0
    if node.board:
        parts.append(placed_board(node))
        y += board_size(board_of(node))[1] + 3
    if node.label and text != node.label:
        parts.append(f'<text class="name" text-anchor="middle" y="{y + 5:g}">{escape(node.label)}</text>')
        y += 16
    if node.leaf_order is not None:
        parts.append(f'<text class="order" text-anchor="middle" y="{y:g}">{node.leaf_order}</text>')
    return "".join(parts)


def placed_board(node: TraceNode) -> str:
    board = board_of(node)
    assert board is not None
    return f'<g transform="translate(0,14)"><title>{board_title(board)}</title>{draw_board(board)}</g>'


def draw_inner(node: TraceNode) -> str:
    """The shape with its window above, its name to the left, its value and why it was cut to the right, its board
    below.
    """
    parts = [draw_shape(node)]
    if node.label:
        parts.append(f'<text class="name" text-anchor="end" x="-14" y="5">{escape(node.label)}</text>')
    parts.append(f'<text class="value" x="14" y="5">{escape(show_value(worth(node)))}</text>')
    if node.alpha is not None:
        parts.append(f'<text class="window" text-anchor="middle" y="-14">{escape(window_text(node))}</text>')
    if node.reason:
        x, y = (board_size(board_of(node))[0] / 2 + 5, 26) if node.board else (14, 19)
        parts.append(f'<text class="reason" x="{x:g}" y="{y}">{escape(node.reason)}</text>')
    if node.board:
        parts.append(placed_board(node))
    return "".join(parts)


def draw_shape(node: TraceNode) -> str:
    if node.player == "max":
        return '<path class="shape" d="M-11 9h22l-11-19z"/>'
    if node.player == "min":
        return '<path class="shape" d="M-11 -9h22l-11 19z"/>'
    circle = '<circle class="shape" cx="0" cy="0" r="10"/>'
    if node.player == "chance":
        return circle
    return f'{circle}<text class="number" text-anchor="middle" y="4">{escape(node.player[-1])}</text>'


def tooltip(node: TraceNode) -> str:
    """All that is known of a node, in a line."""
    if node.hidden:
        return say("tip.hidden", count=node.hidden)
    is_party = node.player.startswith("player ")
    player = say("player.number", number=node.player.split()[1]) if is_party else say(f"player.{node.player}")
    facts = [say("tip.leaf", player=player) if node.is_leaf else player, say(f"tip.{node.status}")]
    if node.value is not None:
        facts.append(say("tip.value", value=show_value(worth(node))))
    if node.alpha is not None:
        facts.append(say("tip.window", window=window_text(node)))
    if node.order is not None:
        facts.append(say("tip.order", number=node.order + 1))
    if node.visits > 1:
        facts.append(say("tip.visits", count=node.visits))
    return ", ".join(facts)


def draw_legend(trace: Trace) -> tuple[str, float]:
    """What the signs mean, in one line, and how wide that is: only those that occur."""
    nodes = list(trace.root.walk())
    players = {node.player for node in nodes if not node.is_leaf}
    entries = [(sign, name, say(f"player.{name}")) for sign, name in LEGEND if name in players]
    is_party = any(player.startswith("player") for player in players)
    if is_party:
        entries.append(("●", "max", say("legend.party")))
    marks = {node.mark for node in nodes}
    entries += [("━", who, say(f"legend.strategy_{who}")) for who in ("max", "min") if who in marks]
    if any(node.status == PRUNED for node in nodes):
        is_cut = any(node.status == CUT and node.visits for node in nodes)
        absence = "neither" if marks - {""} else "pruned" if is_cut else "not_visited"
        entries.append(("┄", "faint", say(f"legend.{absence}")))
    entries.append(("━", "best", say("legend.meeting" if "both" in marks else "legend.principal")))
    texts = [f'<tspan dx="14" class="of-{colour}">{sign}</tspan> {escape(text)}' for sign, colour, text in entries]
    view = say(f"legend.party_{trace.view}" if is_party and trace.view in ("max", "means") else f"legend.{trace.view}")
    wide = sum(text_px(text, 12.5) + 30 for _, _, text in entries) + text_px(view, 12.5)
    return f'<text x="-14">{"".join(texts)}<tspan dx="14"> {escape(view)}</tspan></text>', wide


LEGEND = (("▲", "max"), ("▼", "min"), ("●", "chance"))
