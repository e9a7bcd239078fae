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
const wanted = location.hash.match(/step=(\d+)/);
show(wanted ? +wanted[1] : 0);
