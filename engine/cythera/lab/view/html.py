"""A trace as a page that steps through the search: one file, no network, light or dark.

The page holds the finished picture of `svg` and the list of steps; a few lines of script hide what
has not happened yet. Arrow keys step, the space bar plays, a click on a line of the log goes there. The
picture opens with the root in view, all of it if it can be read at that size, and can be made larger and
smaller: by buttons, by + − 0, or by the wheel with Ctrl; dragging moves it.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from cythera.common.resources import data_text
from cythera.common.style import FONT, themes
from cythera.lab.texts import language, say
from cythera.lab.view.svg import draw_svg
from cythera.lab.view.trace import Step, Trace
from cythera.lab.view.words import show_value, show_window


def draw_html(trace: Trace, *, is_wide: bool = False) -> str:
    """The page as HTML text. A wide picture opens in its own size, with the root in view; else it is made to fit.

    >>> from cythera.lab.view.trace import TraceNode
    >>> page = draw_html(Trace("t", "s", TraceNode(0, "max", is_leaf=True, value=3), [Step("leaf", 0, "leaf 1", 3)]))
    >>> page.startswith("<!doctype html>"), "http://" in page.replace("http://www.w3.org/2000/svg", "")
    (True, False)
    """
    content = {**page_data(trace), "texts": page_texts()}
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return (
        re.sub(r"@([a-z_]+)@", lambda key: escape(say(f"page.{key[1]}"), quote=True), data_text("lab.html"))
        .replace("@LANGUAGE@", language())
        .replace("@SIZE@", "natural" if is_wide else "fit")
        .replace("@TITLE@", escape(trace.title))
        .replace("@STYLE@", themes("html") + data_text("lab.css").replace("@FONT@", FONT))
        .replace("@SVG@", draw_svg(trace))
        .replace("@DATA@", data)
        .replace("@SCRIPT@", data_text("lab.js"))
    )


def page_data(trace: Trace) -> dict[str, Any]:
    """What the script needs: the steps in words, and who is whose parent."""
    parents = {child.id: node.id for node in trace.root.walk() for child in node.children}
    return {"steps": [page_step(step) for step in trace.steps], "parents": parents}


def page_texts() -> dict[str, str]:
    """The texts the script writes; {now} and {all} are filled in there."""
    return {key: say(f"page.{key}", now="{now}", all="{all}") for key in ("play", "pause", "count", "before", "done")}


def page_step(step: Step) -> dict[str, Any]:
    worth = tuple(step.value) if isinstance(step.value, list) else step.value
    window = show_window(step.alpha, step.beta)
    return {"kind": step.kind, "node": step.node, "text": step.text, "value": show_value(worth), "window": window}
