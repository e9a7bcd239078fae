// The page: modes, keys, theme, connection.

import type { Color } from 'chessops/types';
import { Analyse } from './analyse';
import { BoardView } from './board';
import type { Desk, Mode, StepTo } from './desk';
import { get, onClick, toast } from './dom';
import { Editor } from './editor';
import { GameTree, type GameNode } from './game';
import { named, t, translate } from './language';
import { Lab } from './lab';
import { Link } from './link';
import { Play } from './play';
import { bindSettings, bindTheme } from './settings';
import { Watch } from './watch';

translate();
document.body.dataset.drop = t('dropHere');
bindSettings();
const desk: Desk = { board: new BoardView(), link: new Link(), go };
const [play, analyse, watch, lab] = [new Play(desk), new Analyse(desk), new Watch(desk), new Lab(desk)];
const editor = new Editor();
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
  document.title = `${named(mode.name, mode.name)} · Cythera`;
  if (!location.hash.startsWith(`#${mode.name}`)) history.replaceState(null, '', `#${mode.name}`);
  mode.enter();
}

/** "#analyse?fen=…" and the like. */
function follow(): void {
  const [name, query] = location.hash.slice(1).split('?');
  if (name === 'analyse' && query) {
    void analyse.openUrl(new URLSearchParams(query));
    history.replaceState(null, '', '#analyse');
  }
  go(name in modes ? name : 'play');
}

// Between the modes

const analyseGame = (tree: GameTree, node: GameNode, orientation: Color): void => {
  const copy = tree.copy();
  const path = node.line().slice(1).map((one) => one.uci);
  analyse.replace(copy, copy.at(path), orientation);
  go('analyse');
};
play.onAnalyse = watch.onAnalyse = analyseGame;
const playFrom = (fen: string, chess960: boolean, side: Color): void => {
  go('play');
  play.playFrom(fen, chess960, side);
};
analyse.onPlay = playFrom;
analyse.onEdit = (fen, orientation) => editor.open(fen, orientation);
editor.onDone = (fen, chess960, where) => {
  const tree = GameTree.fromFen(fen, chess960);
  if (where === 'play') return playFrom(fen, chess960, tree.root.turn);
  analyse.replace(tree);
  if (mode !== analyse) go('analyse');
};

// The board's own buttons

desk.board.onMove = (uci) => mode.moved(uci);
desk.board.onShapes = (shapes) => mode.drew?.(shapes);
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

const STEPS: Record<string, StepTo> = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ArrowUp: 'first', ArrowDown: 'last' };

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (event.altKey || document.querySelector('dialog[open]')) return;
  if (target.closest('input:not([type=range]):not([type=checkbox]), textarea, select')) return;
  if (event.key === ' ' && target.closest('button, a, summary, input')) return;
  if (event.ctrlKey || event.metaKey) {
    const change = { z: event.shiftKey ? 'Redo' : 'Undo', Z: 'Redo', y: 'Redo' }[event.key];
    if (change && mode.key(change, event)) event.preventDefault();
    return;
  }
  if (target.closest('input')) return;
  const step = event.shiftKey ? undefined : STEPS[event.key];
  if (step) mode.step(step);
  else if (event.key === 'f') flip();
  else if (event.key === '?') get<HTMLDialogElement>('help').showModal();
  else if (event.key === 'm') focusInput();
  else if (!mode.key(event.key, event)) return;
  event.preventDefault();
});

function focusInput(): void {
  document.querySelector<HTMLInputElement>(`[data-panel=${mode.name}] input.typed`)?.focus();
}

for (const input of document.querySelectorAll<HTMLInputElement>('input.typed')) {
  input.addEventListener('keydown', (event) => event.key === 'Escape' && input.blur());
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
  if (file) void analyse.loader.loadFile(file);
  else analyse.loader.load(text!, '');
});
document.addEventListener('paste', (event) => {
  const target = event.target as HTMLElement;
  if (mode !== analyse || target.closest('input, textarea')) return;
  const text = event.clipboardData?.getData('text/plain');
  if (text) analyse.loader.load(text, '');
});

bindTheme(() => lab.paint());

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
