// What endgame tables know of a position: its result, and that of every move.

import { get, make } from './dom';
import type { GameNode, GameTree } from './game';
import { named, t, type Key } from './language';
import type { Hello, Link } from './link';

type Result = 'win' | 'cursed win' | 'draw' | 'blessed loss' | 'loss';

interface MoveVerdict {
  uci: string;
  san: string;
  result: Result;
  dtz: number | null; // half-moves to the next zeroing move after it, 0 if it is one or mates
}

interface Found {
  result: Result | null;
  dtz: number | null;
  moves: MoveVerdict[];
}

const RESULTS: Result[] = ['win', 'cursed win', 'draw', 'blessed loss', 'loss'];
const SHOWN_AT_ONCE = 12; // moves of one result; the others are behind a button

export class TablePanel {
  onPlay: (uci: string) => void = () => {};
  private largest = 0; // pieces of the largest table

  constructor(private link: Link) {}

  offer(hello: Hello): void {
    this.largest = hello.tables ?? 0;
  }

  show(tree: GameTree, node: GameNode): void {
    if (!this.largest || node.pos.board.occupied.size() > this.largest || !this.link.isOpen) return this.hide();
    this.link.ask('tables', tree.request(node), (message) => this.render(message as unknown as Found, node));
  }

  hide(): void {
    get('tables').hidden = true;
    this.link.stop('tables');
  }

  private render(found: Found, node: GameNode): void {
    if (!found.result) return this.hide();
    get('tables').hidden = false;
    get('tables').dataset.result = found.result;
    get('tables-verdict').textContent = sentence(found, node);
    const groups = RESULTS.map((result) => this.group(result, found.moves.filter((move) => move.result === result)));
    get('tables-moves').replaceChildren(...groups.filter((group) => group !== undefined));
  }

  private group(result: Result, moves: MoveVerdict[]): HTMLElement | undefined {
    if (!moves.length) return undefined;
    const buttons = moves.map((move) => this.button(move));
    const group = make('dd', {}, ...buttons.slice(0, SHOWN_AT_ONCE));
    if (moves.length > SHOWN_AT_ONCE) {
      const rest = buttons.slice(SHOWN_AT_ONCE);
      const more = make('button', { type: 'button', class: 'table-more' }, t('tableMore', { n: rest.length }));
      more.addEventListener('click', () => more.replaceWith(...rest));
      group.append(more);
    }
    return make('div', { 'data-result': result }, make('dt', {}, t(`table.${result}` as Key)), group);
  }

  private button(move: MoveVerdict): HTMLElement {
    const title = distance(move.dtz);
    const button = make('button', { type: 'button', class: 'table-move', 'data-uci': move.uci, ...(title ? { title } : {}) },
      make('b', {}, move.san), move.dtz && move.result !== 'draw' ? make('small', {}, String(Math.abs(move.dtz))) : null);
    button.addEventListener('click', () => this.onPlay(move.uci));
    return button;
  }
}

const distance = (dtz: number | null): string => (dtz ? t(Math.abs(dtz) === 1 ? 'tableNext' : 'tableDistance', { n: Math.abs(dtz) }) : '');

/** The verdict of the position in words: "White wins · 12 half-moves to a capture, pawn move or mate". */
function sentence({ result, dtz }: Found, node: GameNode): string {
  if (result === 'draw') return t('tableDraw');
  const winner = (result === 'win' || result === 'cursed win') === (node.turn === 'white') ? 'white' : 'black';
  const isCursed = result === 'cursed win' || result === 'blessed loss';
  const text = t(isCursed ? 'tableCursed' : 'tableWin', { side: named(winner, winner) });
  return dtz ? `${text} · ${distance(dtz)}` : text;
}
