// A game as a tree of positions, and its rules. chessops knows the rules.

import { Chess, castlingSide, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, makeSanAndPlay, parseSan } from 'chessops/san';
import type { Color, Move, NormalMove, Role } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, opposite, parseUci } from 'chessops/util';
import { named, t } from './language';
import type { Score } from './score';

export { INITIAL_FEN, opposite };

export type Why = 'checkmate' | 'stalemate' | 'material' | 'repetition' | 'fifty' | 'resignation' | 'time' | 'timeMaterial' | 'agreement';

export interface End {
  result: '1-0' | '0-1' | '1/2-1/2';
  why: Why;
}

export interface Clocks {
  white: number;
  black: number;
}

/** A circle (from = to) or an arrow on the board. */
export interface Shape {
  color: 'green' | 'red' | 'yellow' | 'blue';
  from: string;
  to: string;
}

export type Word = '' | 'inaccuracy' | 'mistake' | 'blunder' | 'missed mate';

/** What the engine thinks of a move, after the whole game was evaluated. */
export interface Verdict {
  word: Word;
  accuracy: number;
  loss?: number; // expected score given away, 0 to 1
  best?: string[]; // the better line
  score?: Score; // and its score
  reason?: string; // what the move allows or misses, in words
  book?: boolean; // an opening move that is not judged
}

/** How one side played. */
export interface Side {
  accuracy: number | null; // per cent
  loss: number | null; // centipawns, on average
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  missed_mates: number;
}

export class GameNode {
  children: GameNode[] = [];
  score?: Score;
  weight = 0; // nodes behind the score
  verdict?: Verdict;
  clocks?: Clocks; // milliseconds, of a game that is played here
  clock?: number; // seconds the mover had left, [%clk]
  comment = '';
  before = ''; // a comment before the move that begins a variation
  nags: number[] = [];
  shapes: Shape[] = [];
  extras: string[] = []; // commands of other programs in the comment, kept as they are
  readonly fen: string;
  readonly key: string; // equal when the position is the same, for repetitions

  constructor(
    readonly pos: Chess,
    public parent: GameNode | undefined,
    readonly uci: string,
    readonly san: string,
    readonly ply: number,
  ) {
    const setup = pos.toSetup();
    this.fen = makeFen(setup);
    this.key = makeFen(setup, { epd: true });
  }

  get turn(): Color {
    return this.pos.turn;
  }

  /** "12." or "12…", for the move that led here. */
  get number(): string {
    const before = this.parent!.pos;
    return `${before.fullmoves}${before.turn === 'white' ? '.' : '…'}`;
  }

  /** From the root to here, the root included. */
  line(): GameNode[] {
    const nodes: GameNode[] = [];
    for (let node: GameNode | undefined = this; node; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  /** The end of the main line from here. */
  tip(): GameNode {
    let node: GameNode = this;
    while (node.children[0]) node = node.children[0];
    return node;
  }

  /** The first move of the variation this is in; undefined on the main line. */
  branch(): GameNode | undefined {
    for (let node: GameNode | undefined = this; node?.parent; node = node.parent) {
      if (node.parent.children[0] !== node) return node;
    }
    return undefined;
  }

  /** How many moves there are from here on, variations and this one included. */
  size(): number {
    let count = 0;
    const rest: GameNode[] = [this];
    for (let node = rest.pop(); node; node = rest.pop()) {
      count += 1;
      rest.push(...node.children);
    }
    return count;
  }

  /** A copy without parent and children; positions never change and are shared. */
  copy(parent?: GameNode): GameNode {
    const copy: GameNode = Object.assign(Object.create(GameNode.prototype), this);
    Object.assign(copy, { parent, children: [], nags: [...this.nags], shapes: [...this.shapes], extras: [...this.extras] });
    return copy;
  }
}

export class GameTree {
  headers = new Map<string, string>();
  sides?: Record<Color, Side>; // once the game was evaluated

  constructor(
    readonly root: GameNode,
    readonly chess960: boolean,
  ) {}

  static fromFen(fen: string, chess960 = false): GameTree {
    return GameTree.fromPosition(parsePosition(fen), chess960);
  }

  static fromPosition(pos: Chess, chess960: boolean): GameTree {
    return new GameTree(new GameNode(pos, undefined, '', '', 2 * (pos.fullmoves - 1) + (pos.turn === 'black' ? 1 : 0)), chess960);
  }

  /** The node after a move, which is added if it is new; undefined if the move is not legal. */
  play(node: GameNode, text: string): GameNode | undefined {
    const move = legalMove(node.pos, text);
    if (!move) return undefined;
    const uci = makeUci(move);
    const known = node.children.find((child) => child.uci === uci);
    if (known) return known;
    const pos = node.pos.clone() as Chess;
    const san = makeSanAndPlay(pos, move);
    const child = new GameNode(pos, node, uci, san, node.ply + 1);
    node.children.push(child);
    return child;
  }

  mainline(): GameNode[] {
    return this.root.tip().line();
  }

  /** The node at the end of moves from the root, or the last there is. */
  at(path: string[]): GameNode {
    let node = this.root;
    for (const uci of path) node = node.children.find((child) => child.uci === uci) ?? node;
    return node;
  }

  /** A copy of the whole tree, so that changes can be undone. */
  copy(): GameTree {
    const root = this.root.copy();
    const rest: [GameNode, GameNode][] = [[this.root, root]];
    for (let pair = rest.pop(); pair; pair = rest.pop()) {
      const [from, to] = pair;
      for (const child of from.children) {
        const twin = child.copy(to);
        to.children.push(twin);
        rest.push([child, twin]);
      }
    }
    const tree = new GameTree(root, this.chess960);
    tree.headers = new Map(this.headers);
    tree.sides = this.sides;
    return tree;
  }

  /** Moves the variation of a node one place up; one that is second becomes the main line there. */
  promote(node: GameNode): boolean {
    const branch = node.branch();
    if (!branch) return false;
    const { children } = branch.parent!;
    const at = children.indexOf(branch);
    children.splice(at - 1, 2, branch, children[at - 1]);
    return true;
  }

  /** Makes the line that leads to a node the main line of the game. */
  makeMain(node: GameNode): boolean {
    let isChanged = false;
    for (let branch = node.branch(); branch; branch = node.branch()) {
      const { children } = branch.parent!;
      children.splice(children.indexOf(branch), 1);
      children.unshift(branch);
      isChanged = true;
    }
    return isChanged;
  }

  /** Takes a move and all that follows it out of the game. */
  remove(node: GameNode): void {
    node.parent!.children = node.parent!.children.filter((child) => child !== node);
  }

  /** Whether there is anything in it that somebody could miss. */
  get isEmpty(): boolean {
    return !this.root.children.length && !this.root.comment && !this.root.shapes.length;
  }

  /** What a request says of a position. Castling is king takes rook, which the engine always takes. */
  request(node: GameNode): { fen: string; moves: string[]; chess960: boolean } {
    return { fen: this.root.fen, moves: node.line().slice(1).map((one) => one.uci), chess960: this.chess960 };
  }
}

/** The move that a UCI text means in a position, if it is legal there. */
function legalMove(pos: Chess, text: string): Move | undefined {
  const read = parseUci(text);
  if (!read) return undefined;
  const move = normalizeMove(pos, read);
  return pos.isLegal(move) ? move : undefined;
}

/** The position a FEN describes; throws an Error with a message. */
export function parsePosition(fen: string): Chess {
  const setup = parseFen(fen.trim().replaceAll('_', ' '));
  if (setup.isErr) throw new Error(t('notFen'));
  const pos = Chess.fromSetup(setup.value);
  if (pos.isErr) throw new Error(t('impossibleFen', { why: named(`setup.${pos.error.message}`, '') }).trim());
  return pos.value;
}

/** Whether castling here is not that of standard chess: kings or rooks stand elsewhere. */
export function needs960(pos: Chess): boolean {
  for (const color of ['white', 'black'] as const) {
    const rank = color === 'white' ? 0 : 56;
    const { a, h } = pos.castles.rook[color];
    if (a === undefined && h === undefined) continue;
    if (pos.board.kingOf(color) !== rank + 4) return true;
    if ((a !== undefined && a !== rank) || (h !== undefined && h !== rank + 7)) return true;
  }
  return false;
}

/** A move as people type it or programs write it: SAN, UCI, long algebraic, any letter case, O or 0. */
export function readMove(pos: Chess, text: string): string | undefined {
  const trimmed = text.trim().replace(/[?!]+$/, '');
  const castling = trimmed.replace(/[–—]/g, '-').replace(/[0o]/gi, 'O');
  for (const spelling of [trimmed, castling, trimmed.replace(/^[nbrqk]/, (letter) => letter.toUpperCase())]) {
    const move = parseSan(pos, spelling);
    if (move && pos.isLegal(move)) return makeUci(move);
  }
  const plain = trimmed.replace(/^[NBRQKP]/, '').replace(/[-x+#=]/g, '').toLowerCase();
  const move = legalMove(pos, plain);
  return move && makeUci(move);
}

/** How a game has ended by the rules; undefined while it goes on. */
export function endOf(node: GameNode): End | undefined {
  const { pos } = node;
  if (pos.isCheckmate()) return { result: pos.turn === 'white' ? '0-1' : '1-0', why: 'checkmate' };
  const draw = (why: Why): End => ({ result: '1/2-1/2', why });
  if (pos.isStalemate()) return draw('stalemate');
  if (pos.isInsufficientMaterial()) return draw('material');
  if (timesSeen(node) >= 3) return draw('repetition');
  if (pos.halfmoves >= 100) return draw('fifty');
  return undefined;
}

/** How often the position has been on the board, this time included. */
export function timesSeen(node: GameNode): number {
  let count = 0;
  for (let one: GameNode | undefined = node; one; one = one.parent) {
    if (one.key === node.key) count += 1;
    if (one.pos.halfmoves === 0) break;
  }
  return count;
}

/** Where a move goes on the board: castling is king takes rook inside, but the king lands elsewhere. */
export function landing(pos: Chess, move: Move): string {
  const side = castlingSide(pos, move);
  return makeSquare(side ? kingCastlesTo(pos.turn, side) : move.to);
}

/** The moves that lead to a node. */
export const pathOf = (node: GameNode): string[] => node.line().slice(1).map((one) => one.uci);

export const ROLES: Role[] = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
export const sideText = (color: Color): string => t(color === 'white' ? 'white' : 'black');
export const resultText = (result: string): string => result.replace('1/2-1/2', '½–½').replace('-', '–');

/** The move that led to a node, in words. */
export function spoken(node: GameNode): string {
  const before = node.parent!.pos;
  const move = parseUci(node.uci) as NormalMove;
  const side = castlingSide(before, move);
  let words: string;
  if (side) words = t(side === 'h' ? 'castlesShort' : 'castlesLong');
  else {
    const piece = t(before.board.getRole(move.from)!);
    words = t(node.san.includes('x') ? 'pieceTakes' : 'pieceTo', { piece, square: makeSquare(move.to) });
    if (move.promotion) words += t('becomes', { piece: t(move.promotion) });
  }
  if (node.pos.isCheckmate()) return `${words}, ${t('mateWord')}`;
  return node.pos.isCheck() ? `${words}, ${t('checkWord')}` : words;
}

/** The pieces of a position in words. */
export function described(pos: Chess): string {
  const side = (color: Color): string => {
    const parts = ROLES.flatMap((role) => {
      const squares = [...pos.board.pieces(color, role)].map(makeSquare);
      return squares.length ? [`${t(role)} ${squares.join(' ')}`] : [];
    });
    return `${sideText(color)}: ${parts.join(', ')}.`;
  };
  return `${side('white')} ${side('black')} ${t('toMove', { side: sideText(pos.turn) })}.`;
}

export interface Step {
  uci: string;
  san: string;
  number: string; // "12." or "12…" where a number is written, else nothing
  fen: string;
  last: string[]; // squares to mark
}

/** A line of moves, step by step, as far as it is legal. */
export function stepsOf(start: Chess, moves: string[]): Step[] {
  const pos = start.clone() as Chess;
  const steps: Step[] = [];
  for (const text of moves) {
    const move = legalMove(pos, text) as NormalMove | undefined;
    if (!move) break;
    const number = pos.turn === 'white' ? `${pos.fullmoves}.` : steps.length ? '' : `${pos.fullmoves}…`;
    const last = [makeSquare(move.from), landing(pos, move)];
    const san = makeSan(pos, move);
    pos.play(move);
    steps.push({ uci: makeUci(move), san, number, fen: makeFen(pos.toSetup()), last });
  }
  return steps;
}

/** A line of moves as text with numbers: "12. Nf3 d5 13. e3". */
export const lineText = (start: Chess, moves: string[], most = 12): string =>
  stepsOf(start, moves.slice(0, most)).map((step) => (step.number ? `${step.number} ${step.san}` : step.san)).join(' ');

/** The start of Chess960 by its number, 0 to 959 (518 is that of standard chess). */
export function start960(number: number): string {
  const row: string[] = Array(8).fill('');
  const free = (): number[] => [...row.keys()].filter((file) => !row[file]);
  let rest = number;
  const take = (count: number): number => {
    const digit = rest % count;
    rest = Math.floor(rest / count);
    return digit;
  };
  row[2 * take(4) + 1] = 'b';
  row[2 * take(4)] = 'b';
  row[free()[take(6)]] = 'q';
  const knights = [];
  for (let first = 0; first < 4; first++) for (let second = first + 1; second < 5; second++) knights.push([first, second]);
  const files = free();
  for (const index of knights[rest]) row[files[index]] = 'n';
  for (const [i, file] of free().entries()) row[file] = 'rkr'[i];
  const back = row.join('');
  return `${back}/pppppppp/8/8/8/8/PPPPPPPP/${back.toUpperCase()} w KQkq - 0 1`;
}
