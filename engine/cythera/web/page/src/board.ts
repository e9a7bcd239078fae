// The board: chessground, with what it leaves to others: promotion, arrows, size, words for screen readers.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { chessgroundDests } from 'chessops/compat';
import { castlingSide, normalizeMove } from 'chessops/chess';
import type { Color, Role } from 'chessops/types';
import { kingCastlesTo, makeSquare, parseSquare, parseUci, squareFile, squareRank } from 'chessops/util';
import { get, keep, kept, make, reducedMotion } from './dom';
import { described, landing, type GameNode, type Shape } from './game';
import { t } from './language';
import { scoreText, scoreWords, whiteShare, type Score } from './score';

export interface Shown {
  node: GameNode;
  chess960: boolean;
  movable?: Color | 'both'; // who may be moved with the mouse
  premovable?: boolean;
  drawable?: boolean; // arrows drawn with the right button are kept with the position
}

export interface Arrow {
  uci: string;
  strength: number; // 0 is the best
}

const SMALLEST_BOARD = 240;
const PROMOTIONS: Role[] = ['queen', 'knight', 'rook', 'bishop'];

export class BoardView {
  onMove: (uci: string) => void = () => {};
  onShapes: (shapes: Shape[]) => void = () => {};
  orientation: Color = 'white';
  private ground: Api;
  private shown?: Shown;

  constructor() {
    this.ground = Chessground(get('board'), {
      coordinates: true,
      animation: { enabled: !reducedMotion(), duration: 180 },
      highlight: { lastMove: true, check: true },
      draggable: { showGhost: true },
      disableContextMenu: true,
      drawable: { brushes: brushes(), onChange: (shapes) => this.drew(shapes) },
      movable: { free: false, rookCastle: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: true, showDests: true, castle: true },
    });
    const box = get('board');
    new ResizeObserver(() => box.clientWidth && this.ground.redrawAll()).observe(box);
    bindSize();
  }

  show(shown: Shown): void {
    this.shown = shown;
    this.closePromotion();
    const { node } = shown;
    const { pos } = node;
    this.unselectStale(shown);
    const mayMove = shown.movable && (shown.movable === 'both' || shown.movable === pos.turn);
    this.ground.set({
      fen: node.fen,
      orientation: this.orientation,
      turnColor: pos.turn,
      check: pos.isCheck() ? pos.turn : false,
      lastMove: node.uci ? lastSquares(node) : undefined,
      viewOnly: false,
      movable: {
        color: shown.movable ?? (undefined as unknown as Color),
        dests: mayMove ? (chessgroundDests(pos, { chess960: shown.chess960 }) as Map<Key, Key[]>) : new Map(),
      },
      premovable: { enabled: !!shown.premovable },
    });
    this.ground.setShapes(node.shapes.map(({ color, from, to }) => ({ orig: from as Key, dest: from === to ? undefined : (to as Key), brush: color })));
    get('board-text').textContent = described(pos);
  }

  /** A square that was selected stays so only if it still has a piece that can be moved. */
  private unselectStale({ node, movable }: Shown): void {
    const { selected } = this.ground.state;
    const square = selected && parseSquare(selected as never);
    const color = movable === 'both' ? node.pos.turn : movable;
    if (square !== undefined && node.pos.board.getColor(square as number) !== color) this.ground.selectSquare(null);
  }

  private drew(shapes: DrawShape[]): void {
    if (!this.shown?.drawable) return;
    this.onShapes(shapes.map(({ orig, dest, brush }) => ({ color: brush as Shape['color'], from: orig, to: dest ?? orig })));
  }

  /** Plays the premove, if there is one. */
  playPremove(): boolean {
    return this.ground.playPremove();
  }

  cancelPremove(): void {
    this.ground.cancelPremove();
  }

  flip(color?: Color): void {
    this.orientation = color ?? (this.orientation === 'white' ? 'black' : 'white');
    this.ground.set({ orientation: this.orientation });
    get('eval-bar').classList.toggle('flipped', this.orientation === 'black');
  }

  arrows(arrows: Arrow[], brush = 'calm'): void {
    const pos = this.shown?.node.pos;
    if (!pos) return;
    const shapes: DrawShape[] = arrows.flatMap(({ uci, strength }) => {
      const read = parseUci(uci);
      if (!read || !('from' in read)) return [];
      const move = normalizeMove(pos, read);
      if (!('from' in move)) return [];
      const width = [13, 8, 6, 5][Math.min(strength, 3)];
      return [{ orig: makeSquare(move.from), dest: landing(pos, move) as Key, brush: strength ? 'pale' : brush, modifiers: { lineWidth: width } }];
    });
    this.ground.setAutoShapes(shapes);
  }

  /** The bar beside the board; undefined hides it. */
  bar(score?: Score): void {
    const bar = get('eval-bar');
    bar.hidden = !score;
    if (!score) return;
    const share = Math.max(0.03, Math.min(0.97, whiteShare(score)));
    get('eval-white').style.height = `${100 * (score.mate === undefined ? share : whiteShare(score))}%`;
    bar.setAttribute('aria-label', `${t('evaluation')}: ${scoreWords(score)}`);
    bar.title = scoreText(score);
  }

  /** A move was made on the board; a pawn that arrives asks what it becomes. */
  private moved(from: Key, to: Key): void {
    const pos = this.shown!.node.pos;
    const [origin, target] = [parseSquare(from as never), parseSquare(to as never)];
    const isPawn = pos.board.getRole(origin!) === 'pawn';
    if (isPawn && [0, 7].includes(squareRank(target!))) this.askPromotion(from, to, pos.turn);
    else this.onMove(from + to);
  }

  private askPromotion(from: Key, to: Key, color: Color): void {
    const box = get('promotion');
    const file = squareFile(parseSquare(to as never)!);
    const column = this.orientation === 'white' ? file : 7 - file;
    box.style.left = `${12.5 * column}%`;
    box.classList.toggle('below', color !== this.orientation);
    const buttons = PROMOTIONS.map((role) => {
      const button = make('button', { type: 'button', 'aria-label': t('promoteTo', { piece: t(role) }), class: `cg-wrap ${role}` });
      button.append(make('piece' as 'i', { class: `${role} ${color}` }));
      button.addEventListener('click', () => {
        this.closePromotion();
        this.onMove(from + to + { queen: 'q', knight: 'n', rook: 'r', bishop: 'b' }[role as string]);
      });
      return button;
    });
    box.replaceChildren(...buttons);
    box.hidden = false;
    box.onkeydown = (event) => {
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      if (event.key === 'Escape') this.cancelPromotion();
      else if (event.key === 'ArrowDown') buttons[(at + 1) % 4].focus();
      else if (event.key === 'ArrowUp') buttons[(at + 3) % 4].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    get('promotion-shade').hidden = false;
    get('promotion-shade').onclick = () => this.cancelPromotion();
    buttons[0].focus();
  }

  private cancelPromotion(): void {
    if (this.shown) this.show(this.shown);
  }

  private closePromotion(): void {
    get('promotion').hidden = true;
    get('promotion-shade').hidden = true;
  }
}

/** The handle at the board's corner changes its size; a double click gives it all the room again. */
function bindSize(): void {
  const handle = get('resize');
  const style = document.documentElement.style;
  const set = (size?: number): void => {
    if (size) style.setProperty('--wanted', `${Math.max(SMALLEST_BOARD, Math.round(size / 8) * 8)}px`);
    else style.removeProperty('--wanted');
    keep('localStorage', 'board size', size ?? null);
  };
  const now = (): number => get('board').clientWidth;
  set(kept<number>('localStorage', 'board size'));
  handle.addEventListener('pointerdown', (event) => {
    const [left, size] = [event.clientX, now()];
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (moved) => set(size + moved.clientX - left);
    handle.onpointerup = handle.onpointercancel = () => (handle.onpointermove = null);
    event.preventDefault();
  });
  handle.addEventListener('dblclick', () => set());
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 16, ArrowUp: 16, ArrowLeft: -16, ArrowDown: -16 }[event.key];
    if (!step) return;
    set(now() + step);
    event.preventDefault();
    event.stopPropagation();
  });
}

/** A small board that shows a position beside the pointer. */
export class Preview {
  private box = get('preview');
  private ground?: Api;

  show(fen: string, last: string[], orientation: Color, beside: Element): void {
    this.box.hidden = false;
    this.ground ??= Chessground(get('preview-board'), { viewOnly: true, coordinates: false, animation: { enabled: false }, drawable: { enabled: false, visible: false } });
    this.ground.set({ fen, lastMove: last as Key[], orientation });
    const place = beside.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const below = place.bottom + 6 + height <= innerHeight;
    this.box.style.left = `${Math.max(4, Math.min(innerWidth - width - 4, place.left))}px`;
    this.box.style.top = `${below ? place.bottom + 6 : Math.max(4, place.top - height - 6)}px`;
  }

  hide(): void {
    this.box.hidden = true;
  }
}

/** The squares to mark for the move that led to a node; castling marks where the king went. */
function lastSquares(node: GameNode): Key[] {
  const before = node.parent!.pos;
  const move = parseUci(node.uci)!;
  if (!('from' in move)) return [makeSquare(move.to)];
  const side = castlingSide(before, move);
  return [makeSquare(move.from), side ? makeSquare(kingCastlesTo(before.turn, side)) : makeSquare(move.to)];
}

function brushes() {
  const brush = (key: string, color: string, opacity: number, lineWidth: number) => ({ key, color, opacity, lineWidth });
  return {
    green: brush('g', '#2f7d5b', 1, 10),
    red: brush('r', '#a8413c', 1, 10),
    blue: brush('b', '#2d5f9a', 1, 10),
    yellow: brush('y', '#b98a1e', 1, 10),
    calm: brush('calm', '#2d6f9a', 0.9, 13),
    pale: brush('pale', '#2d6f9a', 0.45, 8),
    hint: brush('hint', '#2f7d5b', 0.95, 13),
  };
}
