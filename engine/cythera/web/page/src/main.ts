// The page: modes, keys, theme, connection.

import type { Color } from 'chessops/types';
import { Analyse } from './analyse';
import { BoardView } from './board';
import type { Desk, Mode } from './desk';
import { get, keep, kept, onClick, toast } from './dom';
import { GameTree, type GameNode } from './game';
import { Lab } from './lab';
import { Link } from './link';
import { Play } from './play';
import { Watch } from './watch';

const desk: Desk = { board: new BoardView(), link: new Link(), go };
const [play, analyse, watch, lab] = [new Play(desk), new Analyse(desk), new Watch(desk), new Lab(desk)];
const modes: Record<string, Mode> = { play, analyse, watch, lab };
let mode: Mode = play;
let hasEntered = false;

function go(name: string): void {
  if (hasEntered) mode.leave();
  hasEntered = true;
  mode = modes[name] ?? play;
  document.body.dataset.mode = mode.name;
  for (const link of document.querySelectorAll<HTMLElement>('nav [data-mode]')) {
    if (link.dataset.mode === mode.name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  for (const panel of document.querySelectorAll<HTMLElement>('[data-panel]')) panel.hidden = panel.dataset.panel !== mode.name;
  get('table').hidden = mode.name === 'lab';
  document.title = `${mode.name[0].toUpperCase()}${mode.name.slice(1)} · Cythera`;
  if (!location.hash.startsWith(`#${mode.name}`)) history.replaceState(null, '', `#${mode.name}`);
  mode.enter();
}

/** "#analyse?fen=…" and the like. */
function follow(): void {
  const [name, query] = location.hash.slice(1).split('?');
  if (name === 'analyse' && query) {
    analyse.openUrl(new URLSearchParams(query));
    history.replaceState(null, '', '#analyse');
  }
  go(name in modes ? name : 'play');
}

// Between the modes

const analyseGame = (tree: GameTree, node: GameNode, orientation: Color): void => {
  const copy = GameTree.fromFen(tree.root.fen, tree.chess960);
  for (const [name, value] of tree.headers) copy.headers.set(name, value);
  let at = copy.root;
  let current = copy.root;
  for (const one of tree.mainline()) {
    if (one.uci) at = copy.play(at, one.uci)!;
    if (one === node) current = at;
  }
  analyse.show(copy, current, orientation);
  go('analyse');
};
play.onAnalyse = watch.onAnalyse = analyseGame;
analyse.onPlay = (fen, chess960, side) => {
  go('play');
  play.playFrom(fen, chess960, side);
};

// The board's own buttons

desk.board.onMove = (uci) => mode.moved(uci);
for (const to of ['first', 'back', 'next', 'last'] as const) onClick(`step-${to}`, () => mode.step(to));
const flip = (): void => {
  desk.board.flip();
  mode.flipped();
};
onClick('flip', flip);

let wheel = 0;
get('board').addEventListener('wheel', (event) => {
  if (event.ctrlKey) return;
  event.preventDefault();
  wheel += event.deltaY;
  if (Math.abs(wheel) < 30) return;
  mode.step(wheel > 0 ? 'next' : 'back');
  wheel = 0;
}, { passive: false });

const STEPS: Record<string, 'first' | 'back' | 'next' | 'last'> = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ArrowUp: 'first', ArrowDown: 'last' };

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (target.closest('input, textarea, select')) return;
  if (event.key === ' ' && target.closest('button, a, summary')) return;
  const step = STEPS[event.key];
  if (step) mode.step(step);
  else if (event.key === 'f') flip();
  else if (event.key === '?') get<HTMLDialogElement>('help').showModal();
  else if (event.key === 'm') focusInput();
  else if (!mode.key(event.key)) return;
  event.preventDefault();
});

function focusInput(): void {
  document.querySelector<HTMLInputElement>(`[data-panel=${mode.name}] input.typed`)?.focus();
}

onClick('help-open', () => get<HTMLDialogElement>('help').showModal());
onClick('help-close', () => get<HTMLDialogElement>('help').close());

// Files and texts from elsewhere

document.addEventListener('dragover', (event) => {
  if (![...(event.dataTransfer?.types ?? [])].some((type) => type === 'Files' || type === 'text/plain')) return;
  event.preventDefault();
  document.body.classList.add('dropping');
});
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const file = event.dataTransfer?.files[0];
  const text = event.dataTransfer?.getData('text/plain');
  if (!file && !text) return;
  if (mode !== analyse) go('analyse');
  if (file) void analyse.loadFile(file);
  else analyse.load(text!);
});
document.addEventListener('paste', (event) => {
  const target = event.target as HTMLElement;
  if (mode !== analyse || target.closest('input, textarea')) return;
  const text = event.clipboardData?.getData('text/plain');
  if (text) analyse.load(text);
});

// Light and dark

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  get('theme').setAttribute('aria-pressed', String(theme === 'dark'));
  lab.paint();
}
const dark = matchMedia('(prefers-color-scheme: dark)');
const wished = (): string => kept<string>('localStorage', 'theme') ?? (dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => setTheme(wished()));
setTheme(wished());
onClick('theme', () => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  keep('localStorage', 'theme', theme);
  setTheme(theme);
});

// The connection

desk.link.onHello = (hello) => {
  desk.hello = hello;
  get('version').textContent = hello.version;
  analyse.offer(hello);
};
desk.link.onChange = (isOpen) => {
  get('offline').hidden = isOpen;
  document.body.dataset.link = isOpen ? 'open' : 'lost';
  if (isOpen) mode.resume();
  else mode.lost();
};
desk.link.onError = (text) => toast(`${text[0].toUpperCase()}${text.slice(1)}`);

for (const link of document.querySelectorAll<HTMLElement>('nav [data-mode]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    history.replaceState(null, '', `#${link.dataset.mode}`);
    go(link.dataset.mode!);
  });
}
addEventListener('hashchange', follow);
follow();
desk.link.connect();
