"""A search tree in a notebook: a picture of its dearest nodes at full size, and all nodes as an outline."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cythera.explain.tree import shown_score

if TYPE_CHECKING:
    from cythera.explain.tree import SearchTree, TreeNode

DRAWN_NODES = 12  # a picture of more is too wide to be read beside text
MOST_NODES = 1500  # of the outline


def tree_html(tree: SearchTree) -> str:
    """The picture in a box that scrolls sideways instead of shrinking it, and below it the outline."""
    from cythera.lab.view.svg import draw_svg

    picture = draw_svg(tree.trace(DRAWN_NODES)).replace("<svg ", '<svg style="max-width:none;height:auto" ', 1)
    left = [MOST_NODES]
    rows = "".join(outline(root, left, is_open=True) for root in tree.roots if left[0] > 0)
    total = sum(1 for _ in tree.walk())
    rest = total - (MOST_NODES - left[0])
    note = f"<p>{rest:,} more nodes are in <code>walk()</code> and <code>html()</code>.</p>" if rest else ""
    return (
        f'<div style="overflow-x:auto">{picture}</div>'
        f'<div style="max-height:30rem;overflow:auto;font-family:monospace">{rows}</div>{note}'
    )


def outline(node: TreeNode, left: list[int], is_open: bool = False) -> str:
    """A node with all below it, which can be unfolded; `left` counts down what there is still room for."""
    left[0] -= 1
    indent = 'style="margin-left:1.2rem"'
    said = escape(node_text(node))
    below = []
    for child in node.children:
        if left[0] <= 0:
            break
        below.append(outline(child, left))
    if not below:
        return f"<div {indent}>{said}</div>"
    opened = ' open=""' if is_open else ""
    return f"<details {indent}{opened}><summary>{said}</summary>{''.join(below)}</details>"


def node_text(node: TreeNode) -> str:
    """A node in one line, as `Nf3 +0.35, depth 7, window (-0.10, +0.40), 1,234 nodes, reverse futility pruning`."""
    sign = {"exact": "", "lower": "≥ ", "upper": "≤ "}[node.bound]
    parts = [
        f"{node.move or 'root'} {sign}{shown_score(node.score)}",
        f"depth {node.depth}",
        f"window ({shown_score(node.alpha)}, {shown_score(node.beta)})",
        f"{node.nodes:,} node{'' if node.nodes == 1 else 's'}",
    ]
    if node.verdict != "moves":
        parts.append(node.verdict)
    elif node.is_cut:
        parts.append("cut")
    return ", ".join(parts)
