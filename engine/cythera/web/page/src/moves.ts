// The list of moves: the main line in two columns, variations and comments between its rows.

import { get, make } from './dom';
import { resultText, type GameNode, type GameTree } from './game';
import { t } from './language';
import { nagText } from './nags';
import { scoreText } from './score';

const WORD_NAGS: Record<number, string> = { 1: 'good', 3: 'good', 2: 'mistake', 4: 'blunder', 5: 'interesting', 6: 'inaccuracy' };

export class MoveList {
  onSelect: (node: GameNode) => void = () => {};
  onMenu?: (node: GameNode, x: number, y: number) => void;
  hasScores = false;
  private buttons = new Map<GameNode, HTMLButtonElement>();
  private box: HTMLElement;
  private current?: GameNode;

  constructor(id: string) {
    this.box = get(id);
    new ResizeObserver(() => this.current && this.mark(this.current)).observe(this.box);
  }

  /** Rebuilds the list; `mark` is enough when only the current move has changed. */
  render(tree: GameTree, current: GameNode, result = tree.headers.get('Result') ?? '*'): void {
    this.buttons.clear();
    const cells: Node[] = [];
    if (tree.root.comment) cells.push(make('div', { class: 'aside' }, tree.root.comment));
    let isRowOpen = false;
    let node = tree.root.children[0];
    while (node) {
      const isWhite = node.parent!.turn === 'white';
      if (isWhite || !isRowOpen) {
        cells.push(make('span', { class: 'number' }, `${node.parent!.pos.fullmoves}`));
        if (!isWhite) cells.push(make('span', { class: 'gap' }, '…'));
      }
      cells.push(this.button(node, true));
      const asides = this.asides(node);
      if (asides.length) {
        if (isWhite) cells.push(make('span', { class: 'gap' }));
        cells.push(...asides);
      }
      isRowOpen = isWhite && !asides.length;
      node = node.children[0];
    }
    if (cells.length && result !== '*') cells.push(make('div', { class: 'result' }, resultText(result)));
    this.box.replaceChildren(...cells);
    if (!cells.length) this.box.append(make('p', { class: 'empty' }, this.box.dataset.empty ?? ''));
    this.mark(current);
  }

  mark(current: GameNode): void {
    this.current = current;
    for (const button of this.box.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const button = this.buttons.get(current);
    button?.setAttribute('aria-current', 'true');
    // Only the list scrolls: scrollIntoView would move the page under the reader's finger.
    const top = button ? button.offsetTop - this.box.offsetTop : 0;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop + 8 || top + 40 > scrollTop + clientHeight) this.box.scrollTop = top - clientHeight / 2;
  }

  private asides(node: GameNode): Node[] {
    const found: Node[] = [];
    if (node.comment) found.push(make('div', { class: 'aside' }, node.comment));
    for (const other of node.parent!.children.slice(node.parent!.children[0] === node ? 1 : Infinity)) {
      found.push(make('div', { class: 'aside variation' }, ...this.variation(other)));
    }
    return found;
  }

  /** A variation as running text, with those inside it in brackets. */
  private variation(start: GameNode): Node[] {
    const parts: Node[] = [];
    let node: GameNode | undefined = start;
    let needsNumber = true;
    while (node) {
      if (node.before) parts.push(make('span', { class: 'comment' }, `${node.before} `));
      if (needsNumber || node.parent!.turn === 'white') parts.push(make('span', { class: 'number' }, `${node.number} `));
      parts.push(this.button(node, false));
      if (node.comment) parts.push(make('span', { class: 'comment' }, ` ${node.comment} `));
      const others = node === start ? [] : node.parent!.children.slice(1);
      for (const other of others) parts.push(make('span', { class: 'inner' }, '(', ...this.variation(other), ')'));
      needsNumber = others.length > 0 || !!node.comment;
      node = node.children[0];
    }
    return parts;
  }

  private button(node: GameNode, isMain: boolean): HTMLButtonElement {
    const word = node.nags.map((nag) => WORD_NAGS[nag]).find(Boolean) ?? (node.verdict?.book ? 'book' : '');
    const button = make('button', { type: 'button', class: `move ${word}` }, node.san);
    if (node.nags.length) button.append(make('i', {}, nagText(node.nags)));
    if (isMain && this.hasScores && node.score) button.append(make('small', {}, scoreText(node.score)));
    if (word === 'book') button.title = t('bookMove');
    button.addEventListener('click', () => this.onSelect(node));
    button.addEventListener('contextmenu', (event) => {
      if (!this.onMenu) return;
      event.preventDefault();
      const place = button.getBoundingClientRect();
      this.onMenu(node, event.clientX || place.left, event.clientY || place.bottom);
    });
    this.buttons.set(node, button);
    return button;
  }
}
