// What the modes share: one board, one link, the strips with names and clocks, and stepping through a game.

import { BoardView } from './board';
import { get } from './dom';
import type { GameNode } from './game';
import { Link, type Hello } from './link';

export interface Mode {
  readonly name: string;
  enter(): void;
  leave(): void;
  /** The connection is there again, or for the first time. */
  resume(): void;
  /** The connection broke. */
  lost(): void;
  moved(uci: string): void;
  step(to: 'first' | 'back' | 'next' | 'last'): void;
  flipped(): void;
  /** True if the key was for this mode. */
  key(key: string): boolean;
}

export interface Desk {
  board: BoardView;
  link: Link;
  hello?: Hello;
  go(mode: string): void;
}

/** The node one step away, along the line that leads to `tip`. */
export function stepped(current: GameNode, tip: GameNode, to: 'first' | 'back' | 'next' | 'last'): GameNode {
  const line = tip.line();
  const at = line.indexOf(current);
  if (to === 'first') return line[0];
  if (to === 'last') return tip;
  return line[Math.max(0, Math.min(line.length - 1, at + (to === 'back' ? -1 : 1)))];
}

/** The names beside the board; nothing hides the strips. */
export function showNames(top?: string, bottom?: string): void {
  for (const [id, name] of [['strip-top', top], ['strip-bottom', bottom]] as const) {
    get(id).classList.toggle('unused', name === undefined);
    get(id).querySelector('.name')!.textContent = name ?? '';
  }
}

/** "club · 1500", "full strength". */
export function levelText(hello: Hello | undefined, elo: number): string {
  if (hello && elo >= hello.elo[1]) return 'full strength';
  const named = hello?.levels.filter((level) => level.elo <= elo).pop();
  return named ? `${named.name} · ${elo}` : String(elo);
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
