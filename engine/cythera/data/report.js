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
