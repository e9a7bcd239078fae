// The notebook board: draws what Python sends and tells it what was done. It knows no rules of chess.

const FILES = "abcdefgh";
const SVG = "http://www.w3.org/2000/svg";
const CLICK_PX = 6; // a pointer that moved less has clicked

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function draw(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** Column and row of a square on the screen, from the top left corner. */
function place(square, flipped) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  return flipped ? [7 - file, rank] : [file, 7 - rank];
}

/** "12." before a move of White, "12..." before one of Black that begins a text. */
function number(first, at, isFirst) {
  const ply = at + (first[1] === "b" ? 1 : 0);
  const count = first[0] + Math.floor(ply / 2);
  if (ply % 2 === 0) return `${count}.`;
  return isFirst ? `${count}...` : "";
}

function render({ model, el }) {
  let selected = "";
  let dragged = null; // { from, x, y, piece } while a pointer holds a piece

  const board = make("div", { class: "cy-board", tabindex: "0", role: "group", "aria-label": "Chess board" });
  const squares = make("div", { class: "cy-squares" });
  const pieces = make("div", { class: "cy-pieces" });
  const arrows = draw("svg", { class: "cy-arrows", viewBox: "0 0 8 8" });
  const chooser = make("div", { class: "cy-chooser", hidden: "" });
  board.append(squares, pieces, arrows, chooser);

  const button = (name, text, label, onclick) =>
    make("button", { class: `cy-${name}`, type: "button", title: label, "aria-label": label, onclick }, text);
  const go = (ply) => model.send({ kind: "go", ply });
  const buttons = make(
    "div", { class: "cy-buttons" },
    button("to-first", "«", "First move", () => go(0)),
    button("back", "◀", "Back", () => go(model.get("ply") - 1)),
    button("forward", "▶", "Forward", () => go(model.get("ply") + 1)),
    button("to-last", "»", "Last move", () => go(model.get("moves").length)),
    button("flip", "⇅", "Flip the board", () => {
      model.set("flipped", !model.get("flipped"));
      model.save_changes();
    }),
  );
  const input = make("input", { class: "cy-input", type: "text", placeholder: "move", "aria-label": "Type a move" });
  buttons.append(input);
  const game = button("game", "Back to the game", "Back to the game", () => model.send({ kind: "game" }));
  buttons.append(game);
  const status = make("div", { class: "cy-status", role: "status" });
  const moves = make("div", { class: "cy-moves" });
  const lines = make("div", { class: "cy-lines" });
  const graph = make("div", { class: "cy-graph" });
  const left = make("div", { class: "cy-left" }, board, buttons);
  const root = make(
    "div", { class: "cythera-board" },
    left,
    make("div", { class: "cy-right" }, status, graph, moves, lines),
  );
  el.append(root);

  const squareNode = (name) => squares.querySelector(`[data-square="${name}"]`);

  function drawSquares() {
    const flipped = model.get("flipped");
    squares.replaceChildren();
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const file = flipped ? 7 - column : column;
        const rank = flipped ? row : 7 - row;
        const node = make("div", { "data-square": FILES[file] + (rank + 1) });
        node.className = (file + rank) % 2 ? "cy-light" : "cy-dark";
        if (column === 0) node.append(make("span", { class: "cy-rank" }, String(rank + 1)));
        if (row === 7) node.append(make("span", { class: "cy-file" }, FILES[file]));
        squares.append(node);
      }
    }
  }

  function drawBoard() {
    const data = model.get("_board");
    const flipped = model.get("flipped");
    selected = "";
    chooser.hidden = true;
    drawSquares();
    pieces.replaceChildren();
    const pictures = model.get("_pictures");
    for (const [square, letter] of Object.entries(data.pieces ?? {})) {
      const [column, row] = place(square, flipped);
      const node = make("div", { class: "cy-piece", "data-piece": letter, "data-on": square });
      node.style.left = `${column * 12.5}%`;
      node.style.top = `${row * 12.5}%`;
      node.style.backgroundImage = `url("data:image/svg+xml,${encodeURIComponent(pictures[letter] ?? "")}")`;
      pieces.append(node);
    }
    for (const square of data.last ?? []) squareNode(square)?.classList.add("cy-last");
    if (data.check) squareNode(data.check)?.classList.add("cy-check");
    drawArrows();
  }

  function drawArrows() {
    arrows.replaceChildren();
    const flipped = model.get("flipped");
    for (const [from, to] of model.get("arrows")) {
      const [x1, y1] = place(from, flipped).map((one) => one + 0.5);
      const [x2, y2] = place(to, flipped).map((one) => one + 0.5);
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - 0.35 * dx, y2 - 0.35 * dy]; // where the head begins
      arrows.append(draw("line", { x1, y1, x2: bx, y2: by }));
      const points = [[x2, y2], [bx - 0.2 * dy, by + 0.2 * dx], [bx + 0.2 * dy, by - 0.2 * dx]];
      arrows.append(draw("polygon", { points: points.map((one) => one.join(",")).join(" ") }));
    }
  }

  function select(square) {
    for (const node of squares.children) node.classList.remove("cy-selected", "cy-target");
    selected = model.get("_board").legal[square] ? square : "";
    if (!selected) return;
    squareNode(square).classList.add("cy-selected");
    for (const target of model.get("_board").legal[square]) squareNode(target).classList.add("cy-target");
  }

  function tryMove(from, to) {
    const { legal, promotions, turn } = model.get("_board");
    if (!legal[from]?.includes(to)) return false;
    if (promotions.includes(from + to)) choose(from, to, turn);
    else model.send({ kind: "move", uci: from + to });
    return true;
  }

  function choose(from, to, turn) {
    chooser.replaceChildren();
    const pictures = model.get("_pictures");
    for (const letter of "qrbn") {
      const picture = pictures[turn === "w" ? letter.toUpperCase() : letter] ?? "";
      const one = button("promotion", "", { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" }[letter], () => {
        chooser.hidden = true;
        model.send({ kind: "move", uci: from + to + letter });
      });
      one.dataset.promotion = letter;
      one.style.backgroundImage = `url("data:image/svg+xml,${encodeURIComponent(picture)}")`;
      chooser.append(one);
    }
    chooser.hidden = false;
    chooser.firstChild.focus();
  }

  function squareAt(event) {
    const box = board.getBoundingClientRect();
    let column = Math.floor((8 * (event.clientX - box.left)) / box.width);
    let row = Math.floor((8 * (event.clientY - box.top)) / box.height);
    if (column < 0 || column > 7 || row < 0 || row > 7) return "";
    if (model.get("flipped")) [column, row] = [7 - column, 7 - row];
    return FILES[column] + (8 - row);
  }

  board.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || chooser.contains(event.target)) return;
    chooser.hidden = true;
    const square = squareAt(event);
    if (selected && selected !== square && tryMove(selected, square)) {
      select("");
      return;
    }
    select(selected === square ? "" : square);
    const piece = pieces.querySelector(`[data-on="${square}"]`);
    if (selected && piece) {
      dragged = { from: square, x: event.clientX, y: event.clientY, piece };
      board.setPointerCapture(event.pointerId);
      event.preventDefault();
      board.focus({ preventScroll: true });
    }
  });

  board.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
    if (Math.hypot(dx, dy) >= CLICK_PX) dragged.piece.classList.add("cy-dragged");
    dragged.piece.style.transform = `translate(${dx}px, ${dy}px)`;
  });

  function drop(event) {
    if (!dragged) return;
    const { from, x, y, piece } = dragged;
    dragged = null;
    piece.style.transform = "";
    piece.classList.remove("cy-dragged");
    if (event.type === "pointerup" && Math.hypot(event.clientX - x, event.clientY - y) >= CLICK_PX) {
      const to = squareAt(event);
      if (to && to !== from) tryMove(from, to);
      select("");
    }
  }
  board.addEventListener("pointerup", drop);
  board.addEventListener("pointercancel", drop);

  root.addEventListener("keydown", (event) => {
    if (event.target === input) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Escape") {
      chooser.hidden = true;
      select("");
    } else if (step !== undefined) {
      go(Math.max(0, Math.min(model.get("ply") + step, model.get("moves").length)));
    } else return;
    event.preventDefault();
    event.stopPropagation(); // a notebook has its own use for these keys
  });

  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" || !input.value.trim()) return;
    event.preventDefault();
    model.send({ kind: "type", text: input.value });
    input.value = "";
  });

  function drawMoves() {
    const { sans = [], first = [1, "w"], marks = [], left_game: hasLeft = false } = model.get("_record");
    const ply = model.get("ply");
    moves.replaceChildren();
    sans.forEach((san, at) => {
      const label = number(first, at, at === 0);
      if (label) moves.append(make("span", { class: "cy-number" }, label));
      const sign = marks[at] ?? "";
      const one = button("move", san + sign, san + sign, () => go(at + 1));
      if (sign) one.dataset.mark = sign;
      if (at + 1 === ply) one.setAttribute("aria-current", "true");
      moves.append(one);
    });
    game.hidden = !hasLeft;
    const current = moves.querySelector("[aria-current]");
    if (current) moves.scrollTop = current.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  }

  function drawLines() {
    lines.replaceChildren();
    model.get("_lines").forEach((line, index) => {
      const row = make("div", { class: "cy-line" }, make("span", { class: "cy-score" }, line.score));
      line.sans.forEach((san, at) => {
        const label = number([line.number, line.turn], at, at === 0);
        if (label) row.append(make("span", { class: "cy-number" }, label));
        row.append(button("move", san, san, () => model.send({ kind: "line", line: index, plies: at + 1 })));
      });
      lines.append(row);
    });
  }

  function drawStatus() {
    status.textContent = model.get("_status");
  }

  function drawGraph() {
    const picture = model.get("_graph");
    graph.hidden = !picture;
    if (!picture) return;
    const image = make("img", { alt: "Evaluation over the game" });
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    graph.replaceChildren(image);
  }

  function resize() {
    left.style.flexBasis = `${model.get("size")}px`;
  }

  const watched = [
    ["change:_board", drawBoard], ["change:_pictures", drawBoard], ["change:flipped", drawBoard],
    ["change:arrows", drawArrows], ["change:_record", drawMoves], ["change:ply", drawMoves],
    ["change:_lines", drawLines], ["change:_status", drawStatus], ["change:_graph", drawGraph],
    ["change:size", resize],
  ];
  for (const [event, draws] of watched) {
    model.on(event, draws);
    draws();
  }
  return () => watched.forEach(([event, draws]) => model.off(event, draws));
}

export default { render };
