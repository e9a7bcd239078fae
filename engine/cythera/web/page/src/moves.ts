// The list of moves: the main line in two columns, variations and comments between its rows.

import { get, make } from './dom';
import type { GameNode, GameTree } from './game';

const SIGNS: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

export class MoveList {
  onSelect: (node: GameNode) => void = () => {};
  private buttons = new Map<GameNode, HTMLButtonElement>();
  private box: HTMLElement;

  constructor(id: string) {
    this.box = get(id);
  }

  /** Builds the list anew; `mark` is enough when only the current move has changed. */
  render(tree: GameTree, current: GameNode): void {
    this.buttons.clear();
    const cells: Node[] = [];
    if (tree.root.comments.length) cells.push(make('div', { class: 'aside' }, tree.root.comments.join(' ')));
    let isRowOpen = false;
    let node = tree.root.children[0];
    while (node) {
      const isWhite = node.parent!.turn === 'white';
      if (isWhite || !isRowOpen) {
        cells.push(make('span', { class: 'number' }, `${node.parent!.pos.fullmoves}`));
        if (!isWhite) cells.push(make('span', { class: 'gap' }, '…'));
      }
      cells.push(this.button(node));
      const asides = this.asides(node);
      if (asides.length) {
        if (isWhite) cells.push(make('span', { class: 'gap' }));
        cells.push(...asides);
      }
      isRowOpen = isWhite && !asides.length;
      node = node.children[0];
    }
    this.box.replaceChildren(...cells);
    if (!cells.length) this.box.append(make('p', { class: 'empty' }, this.box.dataset.empty ?? 'No moves yet.'));
    this.mark(current);
  }

  mark(current: GameNode): void {
    for (const [node, button] of this.buttons) {
      if (node === current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const button = this.buttons.get(current);
    // Only the list scrolls: scrollIntoView would move the page under the reader's finger.
    const top = button ? button.offsetTop - this.box.offsetTop : 0;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop + 8 || top + 40 > scrollTop + clientHeight) this.box.scrollTop = top - clientHeight / 2;
  }

  private asides(node: GameNode): Node[] {
    const found: Node[] = [];
    const comment = readable(node.comments);
    if (comment) found.push(make('div', { class: 'aside' }, comment));
    for (const other of node.parent!.children.slice(node.parent!.children[0] === node ? 1 : Infinity)) {
      found.push(make('div', { class: 'aside variation' }, ...this.variation(other, true)));
    }
    return found;
  }

  /** A variation as running text, with those inside it in brackets. */
  private variation(start: GameNode, isFirst: boolean): Node[] {
    const parts: Node[] = [];
    let node: GameNode | undefined = start;
    let needsNumber = isFirst;
    while (node) {
      if (needsNumber || node.parent!.turn === 'white') parts.push(make('span', { class: 'number' }, `${node.number} `));
      parts.push(this.button(node));
      const comment = readable(node.comments);
      if (comment) parts.push(make('span', { class: 'comment' }, ` ${comment} `));
      const others = node === start ? [] : node.parent!.children.slice(1);
      for (const other of others) parts.push(make('span', {}, '( '), ...this.variation(other, true), make('span', {}, ') '));
      needsNumber = others.length > 0 || !!comment;
      node = node.children[0];
    }
    return parts;
  }

  private button(node: GameNode): HTMLButtonElement {
    const signs = node.nags.map((nag) => SIGNS[nag] ?? '').join('');
    const button = make('button', { type: 'button', class: 'move' }, node.san + signs);
    button.addEventListener('click', () => this.onSelect(node));
    this.buttons.set(node, button);
    return button;
  }
}

/** Comments without the commands that programs leave in them. */
function readable(comments: string[]): string {
  return comments.join(' ').replace(/\[%[^\]]*\]/g, '').trim();
}
