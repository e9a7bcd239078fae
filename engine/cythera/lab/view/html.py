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
        re.sub(r"@([a-z_]+)@", lambda key: escape(say(f"page.{key[1]}"), quote=True), PAGE)
        .replace("@LANGUAGE@", language())
        .replace("@SIZE@", "natural" if is_wide else "fit")
        .replace("@TITLE@", escape(trace.title))
        .replace("@STYLE@", themes("html") + STYLE.replace("@FONT@", FONT))
        .replace("@SVG@", draw_svg(trace))
        .replace("@DATA@", data)
        .replace("@SCRIPT@", SCRIPT)
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


STYLE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 @FONT@;
 display:grid;grid-template:auto 1fr/1fr 19rem;height:100vh}
header{grid-column:1/3;display:flex;gap:.5rem;align-items:center;padding:.6rem 1rem;border-bottom:1px solid var(--rule)}
header output{min-width:7rem;color:var(--muted);font-variant-numeric:tabular-nums}
#caption{flex:1;font-size:1.05rem;font-weight:600;min-width:12rem}
input[type=range]{flex:1;max-width:22rem;accent-color:var(--max)}
button{font:inherit;color:inherit;background:var(--leaf);border:1px solid var(--faint);border-radius:7px;
 min-width:2.4rem;padding:0 .6rem;height:2.1rem;cursor:pointer}
button:hover{border-color:var(--ink)}
main{overflow:auto;padding:.5rem;cursor:grab}
main.dragged{cursor:grabbing;user-select:none}
main svg{display:block;margin:auto}
ol{margin:0;padding:.5rem 0;overflow:auto;border-left:1px solid var(--rule);list-style:none;font-size:13px}
li{padding:.12rem .8rem;cursor:pointer;color:var(--muted)}
li:hover{background:var(--leaf)}
li.now{background:var(--now);color:var(--ink)}
li.leaf{padding-left:1.6rem}
.future{opacity:.28}
.hidden{visibility:hidden}
.edge.active{stroke:var(--ink);stroke-width:2.4}
.node.now .shape{stroke:var(--ink);stroke-width:2.5;filter:drop-shadow(0 0 7px var(--max))}
@media(max-width:60rem){body{grid-template:auto 1fr 12rem/1fr}header{grid-column:1;flex-wrap:wrap}
 ol{border-left:0;border-top:1px solid var(--rule)}}
"""

PAGE = """<!doctype html>
<html lang="@LANGUAGE@">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>@TITLE@</title>
<style>@STYLE@</style>
<header>
<button id="first" title="@to_start@">|◀</button>
<button id="back" title="@step_back@">◀</button>
<button id="next" title="@step_on@">▶</button>
<button id="last" title="@to_end@">▶|</button>
<button id="play" title="@play_or_pause@">@play@</button>
<input id="slider" type="range" min="0" value="0" aria-label="@step@">
<output id="count"></output>
<span id="caption" aria-live="polite"></span>
<button id="smaller" title="@smaller@">−</button>
<button id="fit" title="@fit_title@">@fit@</button>
<button id="larger" title="@larger@">+</button>
<button id="theme" title="@theme@">◐</button>
</header>
<main data-size="@SIZE@">
@SVG@
</main>
<ol id="log"></ol>
<script type="application/json" id="data">@DATA@</script>
<script>@SCRIPT@</script>
</html>
"""

SCRIPT = """
const {steps, parents, texts} = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const nodes = [...document.querySelectorAll(".node")].map(group => ({
  id: +group.id.slice(1), group, classes: group.getAttribute("class"),
  value: group.querySelector(".value"), window: group.querySelector(".window"),
  reason: group.querySelector(".reason"), order: group.querySelector(".order"),
  edge: $("e" + group.id.slice(1)), bar: $("b" + group.id.slice(1)),
}));
for (const node of nodes) {
  node.final = {value: node.value?.textContent, window: node.window?.textContent};
  node.final.edge = node.edge?.getAttribute("class");
}
const byId = new Map(nodes.map(node => [node.id, node]));
const log = $("log");
steps.forEach((step, i) => {
  const line = document.createElement("li");
  line.textContent = step.text;
  line.className = step.kind;
  line.onclick = () => show(i + 1);
  log.append(line);
});
let now = 0, timer = null;

function show(k) {
  now = Math.max(0, Math.min(steps.length, k));
  const done = now === steps.length, seen = new Map(), left = new Set();
  for (const step of steps.slice(0, now)) {
    const known = seen.get(step.node) ?? {value: "", window: ""};
    if (step.kind === "enter") known.value = "";
    if (step.value) known.value = step.value;
    if (step.window) known.window = step.window;
    if (step.kind === "leave") left.add(step.node);
    if (step.kind === "enter") left.delete(step.node);
    seen.set(step.node, known);
  }
  const current = now && !done ? steps[now - 1].node : -1;
  const path = new Set();
  for (let id = current; id !== undefined && id !== -1; id = parents[id]) path.add(id);
  for (const node of nodes) {
    const known = seen.get(node.id), leaf = node.classes.includes("leaf"), pruned = node.classes.includes("pruned");
    const settled = done || (pruned && settledAbove(node.id, left));
    let classes = node.classes, edge = node.final.edge;
    if (!done) {
      classes = classes.replace(" principal", "");
      edge = edge?.replace(" principal", "");
      if (!settled && pruned) { classes = classes.replace(" pruned", " visited"); edge = edge?.replace(" pruned", ""); }
      if (!known && !settled) classes += " future";
      if (node.id === current) classes += " now";
      if (edge && !known && !settled) edge += " future";
      if (edge && path.has(node.id)) edge += " active";
    }
    node.group.setAttribute("class", classes);
    if (edge) node.edge.setAttribute("class", edge);
    if (node.value && !leaf && !pruned) node.value.textContent = done ? node.final.value : known?.value ?? "";
    if (node.window) node.window.textContent = done ? node.final.window : known?.window ?? "";
    node.reason?.classList.toggle("hidden", !done && !left.has(node.id));
    node.order?.classList.toggle("hidden", !done && !known);
    node.bar?.classList.toggle("hidden", !settled);
  }
  $("slider").value = now;
  $("count").textContent = texts.count.replace("{now}", now).replace("{all}", steps.length);
  $("caption").textContent = done ? texts.done : now ? steps[now - 1].text : texts.before;
  [...log.children].forEach((line, i) => line.classList.toggle("now", i === now - 1));
  log.children[now - 1]?.scrollIntoView({block: "nearest"});
  if (scale > fitting()) byId.get(current)?.group.scrollIntoView({block: "nearest", inline: "center"});
}

const main = document.querySelector("main"), picture = main.querySelector("svg");
const natural = {width: +picture.getAttribute("width"), height: +picture.getAttribute("height")};
let scale = 1;

function fitting() {
  return Math.min(1.5, (main.clientWidth - 24) / natural.width, (main.clientHeight - 24) / natural.height);
}

function zoom(to, x = main.clientWidth / 2, y = main.clientHeight / 2) {
  const before = scale;
  scale = Math.max(0.05, Math.min(4, to));
  picture.setAttribute("width", natural.width * scale);
  picture.setAttribute("height", natural.height * scale);
  main.scrollLeft = (main.scrollLeft + x) * scale / before - x;
  main.scrollTop = (main.scrollTop + y) * scale / before - y;
}

main.addEventListener("wheel", event => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  const box = main.getBoundingClientRect();
  zoom(scale * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
}, {passive: false});
main.addEventListener("pointerdown", event => {
  if (event.button || event.pointerType === "touch") return;
  const start = {x: event.clientX + main.scrollLeft, y: event.clientY + main.scrollTop};
  main.classList.add("dragged");
  main.onpointermove = move => {
    main.scrollLeft = start.x - move.clientX;
    main.scrollTop = start.y - move.clientY;
  };
  addEventListener("pointerup", () => {
    main.onpointermove = null;
    main.classList.remove("dragged");
  }, {once: true});
});

function settledAbove(id, left) {
  for (let above = parents[id]; above !== undefined; above = parents[above]) {
    const node = byId.get(above);
    if (!node.classes.includes("pruned")) return left.has(above);
  }
  return false;
}

function play(on) {
  clearInterval(timer);
  timer = null;
  if (on) {
    if (now === steps.length) show(0);
    timer = setInterval(() => now < steps.length ? show(now + 1) : play(false), 700);
  }
  $("play").textContent = timer ? texts.pause : texts.play;
}

const go = k => { play(false); show(k); };
$("slider").max = steps.length;
$("slider").oninput = event => go(+event.target.value);
$("first").onclick = () => go(0);
$("back").onclick = () => go(now - 1);
$("next").onclick = () => go(now + 1);
$("last").onclick = () => go(steps.length);
$("play").onclick = () => play(!timer);
$("theme").onclick = () => {
  const root = document.documentElement, tree = document.querySelector(".tree");
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = tree.dataset.theme = dark ? "light" : "dark";
};
$("fit").onclick = () => zoom(fitting());
$("larger").onclick = () => zoom(scale * 1.25);
$("smaller").onclick = () => zoom(scale / 1.25);
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {"+": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), "0": () => zoom(fitting()),
    ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0),
    End: () => go(steps.length), " ": () => play(!timer)}[event.key];
  if (act) { event.preventDefault(); act(); }
});
zoom(main.dataset.size === "fit" ? Math.max(fitting(), 0.6) : 1);
document.querySelector(".node")?.scrollIntoView({block: "nearest", inline: "center"});
const wanted = location.hash.match(/step=(\\d+)/);
show(wanted ? +wanted[1] : 0);
"""
