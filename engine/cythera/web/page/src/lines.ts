// The engine's lines: score, facts, and moves of which each can be looked at and played.

import type { Chess } from 'chessops/chess';
import type { Color } from 'chessops/types';
import { Preview } from './board';
import { get, keep, kept, make, onClick } from './dom';
import { endOf, resultText, stepsOf, type GameNode, type Step } from './game';
import { named, number, t } from './language';
import type { Hello, Line, Lines } from './link';
import { scoreText, scoreWords, shortNumber, type Score } from './score';

export interface EngineState {
  node: GameNode;
  latest?: Lines;
  isOn: boolean;
  isThinking: boolean;
  isOnline: boolean;
  count: number; // lines wished for
  orientation: Color;
}

export class EngineView {
  /** Moves of a line were chosen, from the current position on. */
  onPlay: (moves: string[]) => void = () => {};
  private preview = new Preview();
  private open = new Set<number>(); // lines that are shown in full
  private state?: EngineState;
  private steps: Step[][] = [];

  constructor() {
    const box = get('engine-lines');
    box.addEventListener('click', (event) => {
      const [line, at] = this.place(event.target);
      if (at >= 0) this.onPlay(this.steps[line].slice(0, at + 1).map((step) => step.uci));
      else if (line >= 0 && (event.target as Element).closest('.expand')) this.toggle(line);
      this.preview.hide();
    });
    const show = (event: Event): void => {
      const [line, at] = this.place(event.target);
      if (at < 0 || !this.state) return this.preview.hide();
      const { fen, last } = this.steps[line][at];
      this.preview.show(fen, last, this.state.orientation, event.target as Element);
    };
    box.addEventListener('pointerover', (event) => event.pointerType === 'mouse' && show(event));
    box.addEventListener('pointerleave', () => this.preview.hide());
    box.addEventListener('focusin', (event) => (event.target as Element).matches(':focus-visible') && show(event));
    box.addEventListener('focusout', () => this.preview.hide());
  }

  /** Which line and which of its moves an element belongs to; -1 where to none. */
  private place(target: EventTarget | null): [number, number] {
    const element = target as Element;
    const item = element.closest('.line');
    const line = item ? [...get('engine-lines').children].indexOf(item) : -1;
    const move = element.closest<HTMLElement>('.line-move');
    return [line, move && this.steps[line]?.[+move.dataset.at!] ? +move.dataset.at! : -1];
  }

  private toggle(line: number): void {
    if (!this.open.delete(line)) this.open.add(line);
    if (this.state) this.render(this.state);
  }

  render(state: EngineState): void {
    this.state = state;
    const { node, latest, isOn } = state;
    const best: Line | undefined = latest?.lines[0];
    const end = endOf(node);
    const score = best?.score ?? node.score;
    const button = get('engine-switch');
    button.setAttribute('aria-pressed', String(isOn));
    button.textContent = t(isOn ? 'stop' : 'analyseVerb');
    get('engine').classList.toggle('thinking', state.isThinking);
    get('engine-score').textContent = end?.why === 'checkmate' ? resultText(end.result) : score ? scoreText(score) : '…';
    get('engine-score').setAttribute('aria-label', score ? scoreWords(score) : t('noEvaluation'));
    const depth = best && (best.seldepth > best.depth ? `${best.depth}/${best.seldepth}` : `${best.depth}`);
    const facts = latest
      ? t('facts', { depth: depth!, nodes: shortNumber(latest.nodes), nps: shortNumber(latest.nps) })
      : end ? named(`end.${end.why}`, '') : !state.isOnline ? t('waitingServer') : isOn ? t('thinking') : t('stopped');
    get('engine-facts').replaceChildren(...facts.split(' · ').map((fact) => make('span', {}, fact)));
    get('engine-facts').title = latest ? t('factsFull', { nodes: number(latest.nodes), nps: number(latest.nps), s: latest.time.toFixed(1), full: number(latest.hashfull / 10) }) : '';
    this.renderChances(best);
    this.renderLines(latest?.lines ?? [], node.pos, state.count);
  }

  /** Win, draw and loss as a bar of three parts: its height never changes. */
  private renderChances(best?: Line): void {
    const box = get('engine-wdl');
    const shares = best?.wdl.map((part) => Math.round(part / 10)) ?? [0, 0, 0];
    box.classList.toggle('unknown', !best);
    box.setAttribute('aria-label', best ? t('chances', { win: shares[0], draw: shares[1], loss: shares[2] }) : t('noEvaluation'));
    for (const [i, part] of [...box.children].entries()) {
      (part as HTMLElement).style.flexGrow = String(best?.wdl[i] ?? 1);
      part.textContent = shares[i] >= 12 ? `${shares[i]}\u00a0%` : '';
    }
    box.title = box.getAttribute('aria-label')!;
  }

  /** Lines are changed in place, so that the keyboard's focus and the pointer stay where they are. */
  private renderLines(lines: Line[], pos: Chess, wished: number): void {
    const box = get('engine-lines');
    const rows = Math.max(lines.length, wished);
    while (box.children.length > rows) box.lastElementChild!.remove();
    while (box.children.length < rows) {
      const expand = make('button', { type: 'button', class: 'expand', 'aria-expanded': 'false', 'aria-label': t('expandLine'), title: t('expandLine') }, '▾');
      box.append(make('li', { class: 'line' }, make('b'), make('span', { class: 'line-moves' }), expand));
    }
    this.steps = lines.map((line) => stepsOf(pos, line.moves));
    for (const [i, item] of [...box.children].entries()) {
      const line = lines[i] as Line | undefined;
      const isOpen = this.open.has(i);
      const [score, moves, expand] = item.children as unknown as [HTMLElement, HTMLElement, HTMLButtonElement];
      item.classList.toggle('open', isOpen);
      score.textContent = line ? scoreText(line.score) : '';
      score.className = line && isForBlack(line.score) ? 'black' : '';
      expand.disabled = !line?.moves.length;
      expand.setAttribute('aria-expanded', String(isOpen));
      this.renderMoves(moves, this.steps[i] ?? [], isOpen);
    }
  }

  private renderMoves(box: HTMLElement, steps: Step[], isOpen: boolean): void {
    while (box.children.length > steps.length) box.lastElementChild!.remove();
    while (box.children.length < steps.length) {
      box.append(make('button', { type: 'button', class: 'line-move', 'data-at': String(box.children.length) }));
    }
    for (const [at, step] of steps.entries()) {
      const button = box.children[at] as HTMLButtonElement;
      const text = step.number ? `${step.number} ${step.san}` : step.san;
      if (button.textContent !== text) button.textContent = text;
      button.tabIndex = at === 0 || isOpen ? 0 : -1;
    }
  }
}

/** What the engine may use, chosen under its gear. */
export class EngineSettings {
  onChange: () => void = () => {};
  isOn = true;
  lines = 2;
  threads = 1;
  hash = 64;
  graphNodes = 60_000; // for each position of a game that is evaluated

  constructor() {
    Object.assign(this, kept<object>('localStorage', 'engine'));
    onClick('engine-more', () => {
      const box = get('engine-settings');
      box.hidden = !box.hidden;
      get('engine-more').setAttribute('aria-expanded', String(!box.hidden));
    });
    for (const name of ['lines', 'threads', 'hash', 'graphNodes'] as const) {
      get<HTMLSelectElement>(`set-${name}`).addEventListener('change', (event) => {
        this[name] = +(event.target as HTMLSelectElement).value;
        this.keep();
        if (name !== 'graphNodes') this.onChange();
      });
    }
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.keep();
    this.onChange();
  }

  private keep(): void {
    const { isOn, lines, threads, hash, graphNodes } = this;
    keep('localStorage', 'engine', { isOn, lines, threads, hash, graphNodes });
  }

  /** What this machine can give. */
  offer(hello: Hello): void {
    const counts = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1);
    const powers = (most: number): number[] => [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].filter((size) => size <= most);
    this.threads = Math.min(this.threads, hello.threads);
    this.hash = Math.min(this.hash, hello.hash);
    const fill = (name: 'lines' | 'threads' | 'hash', values: number[], unit = ''): void => {
      const select = get<HTMLSelectElement>(`set-${name}`);
      select.replaceChildren(...values.map((value) => make('option', { value: String(value) }, `${value}${unit}`)));
      select.value = String(this[name]);
    };
    fill('lines', counts(Math.min(5, hello.lines)));
    fill('threads', counts(hello.threads));
    fill('hash', powers(hello.hash), ' MiB');
    get<HTMLSelectElement>('set-graphNodes').value = String(this.graphNodes);
  }
}

function isForBlack(score: Score): boolean {
  return score.mate !== undefined ? !score.white : (score.cp ?? 0) < 0;
}
