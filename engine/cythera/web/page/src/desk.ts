// What the modes share: one board, one link, the strips with names and clocks, and stepping through a game.

import type { Chess } from 'chessops/chess';
import type { Color, Role } from 'chessops/types';
import { BoardView } from './board';
import { clockText } from './clock';
import { get, make, toClipboard, toast } from './dom';
import { sideText, type GameNode, type GameTree, type Shape } from './game';
import { named, t, type Key } from './language';
import { Link, type Hello } from './link';

export type StepTo = 'first' | 'back' | 'next' | 'last';

export interface Mode {
  readonly name: string;
  enter(): void;
  leave(): void;
  /** The connection is there again, or for the first time. */
  resume(): void;
  /** The connection broke. */
  lost(): void;
  moved(uci: string): void;
  step(to: StepTo): void;
  flipped(): void;
  /** True if the key was for this mode. */
  key(key: string, event: KeyboardEvent): boolean;
  /** Arrows and circles were drawn on the board. */
  drew?(shapes: Shape[]): void;
}

export interface Desk {
  board: BoardView;
  link: Link;
  hello?: Hello;
  go(mode: string): void;
}

/** The node one step away, along the line that leads to `tip`. */
export function stepped(current: GameNode, tip: GameNode, to: StepTo): GameNode {
  const line = tip.line();
  const at = line.indexOf(current);
  if (to === 'first') return line[0];
  if (to === 'last') return tip;
  return line[Math.max(0, Math.min(line.length - 1, at + (to === 'back' ? -1 : 1)))];
}

/** The names beside the board. */
export function showNames(top: string, bottom: string): void {
  for (const [id, name] of [['strip-top', top], ['strip-bottom', bottom]] as const) get(id).querySelector('.name')!.textContent = name;
}

const VALUES: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };

/** What each side has more of than the other, and by how many points. */
export function showMaterial(pos: Chess, bottom: Color): void {
  const points = { white: 0, black: 0 };
  const surplus: Record<Color, Role[]> = { white: [], black: [] };
  for (const role of ['queen', 'rook', 'bishop', 'knight', 'pawn'] as const) {
    const difference = pos.board.pieces('white', role).size() - pos.board.pieces('black', role).size();
    const side = difference > 0 ? 'white' : 'black';
    surplus[side].push(...Array<Role>(Math.abs(difference)).fill(role));
    points[side] += Math.abs(difference) * VALUES[role];
  }
  for (const [id, side] of [['strip-bottom', bottom], ['strip-top', bottom === 'white' ? 'black' : 'white']] as const) {
    const lead = points[side] - points[side === 'white' ? 'black' : 'white'];
    const pieces = surplus[side].map((role) => make('piece' as 'i', { class: `${role} ${side === 'white' ? 'black' : 'white'}` }));
    const box = get(id).querySelector('.captured')!;
    box.replaceChildren(...pieces, ...(lead > 0 ? [make('b', {}, `+${lead}`)] : []));
    const words = surplus[side].map((role) => t(role)).join(', ');
    if (words) box.setAttribute('aria-label', t('materialAhead', { pieces: words }));
    else box.removeAttribute('aria-label');
  }
}

/** Names, ratings and clocks of a game that was loaded, at one of its moves. */
export function showPlayers(headers: Map<string, string>, node: GameNode, bottom: Color): void {
  const name = (color: Color): string => {
    const tag = color === 'white' ? 'White' : 'Black';
    const [player, elo] = [headers.get(tag), headers.get(`${tag}Elo`)];
    const isKnown = player && !/^[?\s]*$/.test(player);
    return `${isKnown ? player : sideText(color)}${elo && /\d/.test(elo) ? ` (${elo})` : ''}`;
  };
  const top = bottom === 'white' ? 'black' : 'white';
  showNames(name(top), name(bottom));
  showMaterial(node.pos, bottom);
  for (const [id, color] of [['clock-top', top], ['clock-bottom', bottom]] as const) {
    const last = node.line().reverse().find((one) => one.parent?.turn === color && one.clock !== undefined);
    const box = get(id);
    box.hidden = !last;
    box.classList.remove('running', 'low');
    if (last) box.textContent = clockText(1000 * last.clock!);
  }
}

/** "club · 1500", "full strength". */
export function levelText(hello: Hello | undefined, elo: number): string {
  if (hello && elo >= hello.elo[1]) return t('fullStrength');
  const level = hello?.levels.filter((one) => one.elo <= elo).pop();
  return level ? `${named(`level.${level.name}`, level.name)} · ${elo}` : String(elo);
}

/** A slider of levels says in words where it stands. */
export function bindLevel(id: string, hello: () => Hello | undefined): () => void {
  const slider = get<HTMLInputElement>(id);
  const show = (): void => {
    const text = levelText(hello(), +slider.value);
    get(`${id}-text`).textContent = text;
    slider.setAttribute('aria-valuetext', text);
  };
  slider.addEventListener('input', show);
  show();
  return show;
}

export async function copy(text: string, what: Key): Promise<void> {
  toast(t((await toClipboard(text)) ? 'copied' : 'notCopied', { what: t(what) }));
}

/** The name of the opening that a game follows, under its moves. */
export class OpeningName {
  private shown = ''; // the moves that the name belongs to

  constructor(private id: string, private desk: Desk) {}

  show(tree: GameTree, node: GameNode): void {
    const request = tree.request(node);
    const key = `${request.fen} ${request.moves.slice(0, 40).join(' ')}`;
    if (key === this.shown) return;
    const box = get(this.id);
    if (!request.moves.length || !this.desk.link.isOpen) {
      this.shown = '';
      box.textContent = '';
      return;
    }
    this.shown = key;
    this.desk.link.ask('opening', request, (message) => {
      box.textContent = [message.eco, message.name].filter(Boolean).join(' ');
    });
  }
}
