"""The report's markup, style and script."""

STYLE = """
:root{color-scheme:light dark;--paper:#fbfbf9;--card:#fff;--ink:#20242c;--muted:#606a7b;--rule:#e2e5ea;--now:#dfe9fb;
 --accent:#2f6fde;--light:#ecdcc0;--dark:#b58e66;--last:#d7c04e99;
 --inaccuracy:#a87b00;--mistake:#c15d00;--blunder:#c42b2b;--missed:#7443c9}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--paper:#14171d;--card:#1b1f27;--ink:#e6e9ef;
 --muted:#98a2b5;--rule:#2c333f;--now:#25355a;--accent:#77a7ff;--light:#b7a98f;--dark:#7c654d;--last:#c6b24a88;--white:#c3c8d1;--black:#3a404b;
 --inaccuracy:#e6bd45;--mistake:#f59a4c;--blunder:#ff7c7c;--missed:#b79bf5}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;--paper:#14171d;--card:#1b1f27;--ink:#e6e9ef;
 --muted:#98a2b5;--rule:#2c333f;--now:#25355a;--accent:#77a7ff;--light:#b7a98f;--dark:#7c654d;--last:#c6b24a88;--white:#c3c8d1;--black:#3a404b;
 --inaccuracy:#e6bd45;--mistake:#f59a4c;--blunder:#ff7c7c;--missed:#b79bf5}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
 font:15px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}
header{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;padding:.8rem 1.2rem;
 border-bottom:1px solid var(--rule)}
h1{font-size:1.15rem;margin:0;flex:1 1 12rem}
header p{margin:0;flex-basis:100%;color:var(--muted)}
select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--rule);border-radius:8px;
 min-height:2.4rem;padding:0 .8rem;max-width:100%}
button{cursor:pointer}
button:hover,select:hover{border-color:var(--muted)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
main{display:grid;grid-template-columns:minmax(0,33rem) minmax(0,1fr);gap:1.2rem 1.6rem;padding:1.2rem;
 max-width:80rem;margin:auto}
section{min-width:0}
.table{display:grid;grid-template-columns:14px 1fr;gap:8px}
#bar{background:#4b515c;border-radius:4px;overflow:hidden;position:relative}
#bar i{position:absolute;left:0;right:0;bottom:0;height:50%;background:#f4f4f1;transition:height .2s}
#bar.flipped i{bottom:auto;top:0}
#board{position:relative;display:grid;grid-template:repeat(8,1fr)/repeat(8,1fr);aspect-ratio:1;border-radius:6px;
 overflow:hidden;user-select:none;touch-action:manipulation}
#board>div{position:relative;display:grid;background:var(--light)}
#board>.dark{background:var(--dark)}
#board>.last::before{content:"";position:absolute;inset:0;background:var(--last)}
#board>div>svg{position:relative;width:100%;height:100%}
#board small{position:absolute;font-size:10px;line-height:1;opacity:.75;color:#2b241b}
#board .rank{left:3px;top:3px}#board .file{right:3px;bottom:3px}
#arrow{position:absolute;inset:0;width:100%;height:100%;pointer-events:none}
.buttons{display:flex;gap:.4rem;margin:.7rem 0}
.buttons button{flex:1}
#said{min-height:3.1em;margin:.2rem 0 .6rem}
#said .line button{min-height:0;border:0;padding:.05rem .25rem;border-radius:4px;background:none;color:var(--accent)}
#said .line button.now{background:var(--now)}
#said q{color:var(--muted);quotes:none;font-style:italic}
#graph{position:relative;cursor:pointer;border:1px solid var(--rule);border-radius:6px;overflow:hidden;line-height:0}
#graph svg{display:block;height:auto}
#cursor{position:absolute;top:0;bottom:0;width:2px;background:var(--accent);pointer-events:none}
h2{font-size:1rem;margin:1.2rem 0 .4rem}
h2:first-child{margin-top:0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:500;color:var(--muted)}
th,td{padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
td button{min-height:0;border:0;background:none;padding:0;color:var(--accent);text-align:left}
td:first-child{white-space:nowrap}
tr.now td{background:var(--now)}
td.who{white-space:normal}
.num{text-align:right;white-space:nowrap}
.scroll{overflow-x:auto}
#moves{display:grid;grid-template-columns:2.6rem 1fr 1fr;gap:1px .3rem;max-height:26rem;overflow:auto;
 border:1px solid var(--rule);border-radius:8px;padding:.4rem;background:var(--card)}
#moves span{color:var(--muted);padding:.2rem .3rem}
#moves button{min-height:0;border:0;background:none;padding:.2rem .4rem;text-align:left;border-radius:5px;
 display:flex;justify-content:space-between;gap:.5rem}
#moves button:hover{background:var(--now)}
#moves button.now{background:var(--now);font-weight:600}
#moves small{color:var(--muted);font-weight:400;font-variant-numeric:tabular-nums}
.inaccuracy{color:var(--inaccuracy)}.mistake{color:var(--mistake)}.blunder{color:var(--blunder)}
.missed{color:var(--missed)}.book{color:var(--muted)}
footer{color:var(--muted);font-size:.85rem;padding:0 1.2rem 1.5rem;max-width:80rem;margin:auto}
kbd{border:1px solid var(--rule);border-radius:4px;padding:0 .3rem;background:var(--card)}
@media(max-width:56rem){main{grid-template-columns:minmax(0,1fr);padding:.7rem;gap:.8rem}header{padding:.7rem}}
@media(max-width:34rem){#moments th:nth-child(5),#moments td:nth-child(5){display:none}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
"""

BODY = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';
 style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>@TITLE@</title>
<style>@STYLE@</style>
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>@PIECES@</defs></svg>
<header>
<h1 id="title"></h1>
<select id="choice" aria-label="game" hidden></select>
<button id="theme" title="light or dark" aria-label="light or dark">◐</button>
<p id="facts"></p>
</header>
<main>
<section aria-label="board">
<div class="table"><div id="bar" aria-hidden="true"><i></i></div><div id="board" role="img"></div></div>
<div class="buttons">
<button id="first" aria-label="to the start" title="to the start (Home)">|◀</button>
<button id="back" aria-label="one move back" title="one move back (←)">◀</button>
<button id="next" aria-label="one move on" title="one move on (→)">▶</button>
<button id="last" aria-label="to the end" title="to the end (End)">▶|</button>
<button id="flip" aria-label="turn the board" title="turn the board (f)">⇅</button>
</div>
<div id="said" aria-live="polite"></div>
<div id="graph"><div id="picture"></div><div id="cursor"></div></div>
</section>
<section aria-label="analysis">
<h2>Accuracy</h2>
<div class="scroll"><table><thead><tr><th>Side<th class="num">Accuracy<th class="num">Average loss<th>Errors</thead>
<tbody id="sides"></tbody></table></div>
<h2>Key moments</h2>
<div class="scroll"><table id="moments"><thead><tr><th>Move<th>Word<th class="num">After<th class="num">Best<th>Better
</thead><tbody></tbody></table><p id="none" hidden>No move gave much away.</p></div>
<h2>Moves</h2>
<div id="moves"></div>
</section>
</main>
<footer><kbd>←</kbd> <kbd>→</kbd> step, <kbd>↑</kbd> <kbd>↓</kbd> from one key moment to the next, <kbd>Home</kbd>
<kbd>End</kbd>, <kbd>f</kbd> turns the board. Scores are for White, in pawns; average loss is in centipawns. Everything
is in this file; nothing was sent anywhere.</footer>
"""

SCRIPT = r"""
const games = JSON.parse(document.getElementById("games").textContent);
const $ = id => document.getElementById(id);
const make = (tag, text, name) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
};
const SVG = "http://www.w3.org/2000/svg";
const PIECES = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king"};
const SIGNS = {inaccuracy: "?!", mistake: "?", blunder: "??", "missed mate": "?!"};
const kind = word => word.split(" ")[0];
let game, boards, ply = 0, inLine = 0, flipped = false;

function applied(board, change) {
  const squares = [...board];
  for (let i = 0; i < change.length; i += 3) squares[+change.slice(i, i + 2)] = change[i + 2];
  return squares;
}
const squareOf = name => (8 - +name[1]) * 8 + name.charCodeAt(0) - 97;

function drawBoard(squares, last, arrow) {
  const board = $("board");
  board.replaceChildren();
  for (let i = 0; i < 64; i++) {
    const at = flipped ? 63 - i : i, cell = make("div");
    if ((at >> 3) + at & 1) cell.className = "dark";
    if (last.includes(at)) cell.className += " last";
    if (i % 8 === 0) cell.append(make("small", 8 - (at >> 3), "rank"));
    if (i >> 3 === 7) cell.append(make("small", "abcdefgh"[at & 7], "file"));
    const piece = squares[at];
    if (piece !== ".") {
      const svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
      svg.setAttribute("viewBox", "0 0 45 45");
      const low = piece.toLowerCase();
      use.setAttribute("href", `#${piece === low ? "black" : "white"}-${PIECES[low]}`);
      svg.append(use);
      cell.append(svg);
    }
    board.append(cell);
  }
  if (arrow) {
    const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
    svg.id = "arrow";
    svg.setAttribute("viewBox", "0 0 8 8");
    const [a, b] = [arrow.slice(0, 2), arrow.slice(2)].map(squareOf).map(at => flipped ? 63 - at : at);
    const [x1, y1, x2, y2] = [(a & 7) + .5, (a >> 3) + .5, (b & 7) + .5, (b >> 3) + .5];
    const long = Math.hypot(x2 - x1, y2 - y1), u = (x2 - x1) / long, v = (y2 - y1) / long, w = .09;
    const p = (t, s) => `${x1 + u * t - v * s} ${y1 + v * t + u * s}`, neck = long - .42;
    path.setAttribute("d", `M${p(.2, w)}L${p(neck, w)}L${p(neck, .26)}L${p(long - .05, 0)}L${p(neck, -.26)}` +
      `L${p(neck, -w)}L${p(.2, -w)}Z`);
    path.setAttribute("fill", "#2f8f4e");
    path.setAttribute("opacity", ".8");
    svg.append(path);
    board.append(svg);
  }
}

function show(wanted, step = 0) {
  ply = Math.max(0, Math.min(game.moves.length, wanted));
  const move = ply ? game.moves[ply - 1] : null;
  inLine = move && move.b ? Math.max(0, Math.min(move.b.length, step)) : 0;
  let squares = boards[ply], last = move ? [squareOf(move.m.slice(0, 2)), squareOf(move.m.slice(2))] : [];
  let arrow = move && move.bm;
  if (inLine) {
    squares = boards[ply - 1];
    for (const [, change] of move.b.slice(0, inLine)) {
      last = [];
      for (let i = 0; i < change.length; i += 3) last.push(+change.slice(i, i + 2));
      squares = applied(squares, change);
    }
    arrow = null;
  }
  drawBoard(squares, last, arrow);
  const score = move ? move.e : game.e0, chance = move ? move.x : game.x0;
  $("bar").firstElementChild.style.height = `${100 * chance}%`;
  $("bar").className = flipped ? "flipped" : "";
  $("cursor").style.left = `calc(${100 * ply / Math.max(1, game.moves.length)}% - 1px)`;
  const said = $("said");
  said.replaceChildren();
  const name = move ? `${move.n}${move.t === "w" ? "." : "..."} ${move.s}` : "Start";
  said.append(make("strong", name), ` ${score}`);
  $("board").setAttribute("aria-label", `the position after ${name}: ${squares.join("")}`);
  if (move && move.w) {
    said.append(" · ", make("b", move.w, kind(move.w)), `, ${move.l} % of the game's points given away` +
      (move.r ? `: ${move.r}` : ""));
    const line = make("div", `Better (${move.be}): `, "line");
    move.b.forEach(([text], i) => {
      const button = make("button", text, i + 1 === inLine ? "now" : "");
      button.onclick = () => show(ply, i + 1);
      line.append(button, " ");
    });
    said.append(line);
  }
  if (move && move.k) said.append(" · ", make("span", "book", "book"));
  if (move && move.c) said.append(make("div")), said.lastChild.append(make("q", move.c));
  for (const element of document.querySelectorAll("[data-ply]")) {
    element.classList.toggle("now", +element.dataset.ply === ply);
  }
  const now = $("moves").querySelector(".now");
  if (now) $("moves").scrollTop = now.offsetTop - $("moves").offsetTop - $("moves").clientHeight / 2;
  else $("moves").scrollTop = 0;
}

function open(number) {
  game = games[number];
  boards = [[...game.start]];
  for (const move of game.moves) boards.push(applied(boards.at(-1), move.d));
  $("title").textContent = `${game.title}  ${game.result}`;
  document.title = game.title;
  $("facts").textContent = [game.opening, game.facts].filter(Boolean).join(" · ");
  $("picture").innerHTML = game.graph;
  $("sides").replaceChildren(...game.sides.map(side => {
    const row = make("tr"), accuracy = side.accuracy === null ? "–" : `${side.accuracy.toFixed(1)} %`;
    row.append(make("td", side.name, "who"), make("td", accuracy, "num"),
      make("td", side.loss, "num"), make("td", side.errors));
    return row;
  }));
  const rows = [];
  $("moves").replaceChildren();
  game.moves.forEach((move, i) => {
    if (move.t === "w" || i === 0) $("moves").append(make("span", `${move.n}.`));
    if (i === 0 && move.t === "b") $("moves").append(make("span", "…"));
    const button = make("button", move.s + (move.w ? SIGNS[move.w] : ""), move.w ? kind(move.w) : "");
    button.append(make("small", move.k ? `book ${move.e}` : move.e));
    button.dataset.ply = i + 1;
    button.onclick = () => show(i + 1);
    $("moves").append(button);
    if (!move.w) return;
    const row = make("tr"), cell = make("td");
    const go = make("button", `${move.n}${move.t === "w" ? "." : "..."} ${move.s}`);
    go.onclick = () => show(i + 1);
    cell.append(go);
    row.dataset.ply = i + 1;
    row.append(cell, make("td", move.w, kind(move.w)), make("td", move.e, "num"), make("td", move.be, "num"),
      make("td", (move.r ? `${move.r}; ` : "") + move.b.slice(0, 4).map(([text]) => text).join(" ")));
    rows.push(row);
  });
  $("moments").tBodies[0].replaceChildren(...rows);
  $("moments").hidden = !rows.length;
  $("none").hidden = rows.length > 0;
  show(0);
}

const choice = $("choice");
if (games.length > 1) {
  choice.hidden = false;
  games.forEach((one, i) => choice.append(new Option(`${i + 1}. ${one.title} ${one.result}`, i)));
  choice.onchange = () => { open(+choice.value); history.replaceState(null, "", `#game=${+choice.value + 1}`); };
}
const moment = way => {
  const all = game.moves.map((move, i) => move.w ? i + 1 : 0).filter(at => at && (way > 0 ? at > ply : at < ply));
  if (all.length) show(way > 0 ? all[0] : all.at(-1));
};
const turn = () => { flipped = !flipped; show(ply, inLine); };
const back = () => inLine ? show(ply, inLine - 1) : show(ply - 1);
const on = () => inLine ? show(ply, inLine + 1) : show(ply + 1);
$("first").onclick = () => show(0);
$("back").onclick = back;
$("next").onclick = on;
$("last").onclick = () => show(game.moves.length);
$("flip").onclick = turn;
$("board").onclick = event => {
  const box = $("board").getBoundingClientRect();
  event.clientX < box.left + box.width / 2 ? back() : on();
};
$("graph").onclick = event => {
  const box = $("graph").getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * game.moves.length));
};
$("theme").onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
};
addEventListener("keydown", event => {
  if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {ArrowLeft: back, ArrowRight: on, ArrowUp: () => moment(-1), ArrowDown: () => moment(1),
    Home: () => show(0), End: () => show(game.moves.length), f: turn}[event.key];
  if (act) { event.preventDefault(); act(); }
});
const wanted = location.hash.match(/game=(\d+)/);
const first = wanted ? Math.max(0, Math.min(games.length - 1, +wanted[1] - 1)) : 0;
choice.value = first;
if (games.length) open(first);
const at = location.hash.match(/ply=(\d+)/);
if (games.length && at) show(+at[1]);
"""
