// A game as a tree of positions, its rules and its texts. chessops knows the rules.

import { Chess, castlingSide, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { ChildNode, Node as PgnNode, defaultHeaders, makeComment, makePgn, parsePgn, startingPosition, type Game, type PgnNodeData } from 'chessops/pgn';
import { makeSan, makeSanAndPlay, parseSan } from 'chessops/san';
import type { Color, Move, NormalMove, Role } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, opposite, parseUci } from 'chessops/util';
import type { Score } from './score';

export { INITIAL_FEN };

export interface End {
  result: '1-0' | '0-1' | '1/2-1/2';
  why: string;
}

export interface Clocks {
  white: number;
  black: number;
}

export class GameNode {
  children: GameNode[] = [];
  score?: Score;
  weight = 0; // nodes behind the score
  clocks?: Clocks;
  comments: string[] = [];
  nags: number[] = [];
  readonly fen: string;
  readonly key: string; // equal when the position is the same, for repetitions

  constructor(
    readonly pos: Chess,
    readonly parent: GameNode | undefined,
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
    for (let node: GameNode | undefined = this; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** The end of the main line from here. */
  tip(): GameNode {
    let node: GameNode = this;
    while (node.children[0]) node = node.children[0];
    return node;
  }
}

export class GameTree {
  headers = new Map<string, string>();

  constructor(
    readonly root: GameNode,
    readonly chess960: boolean,
  ) {}

  static fromFen(fen: string, chess960 = false): GameTree {
    const pos = parsePosition(fen);
    return new GameTree(new GameNode(pos, undefined, '', '', 2 * (pos.fullmoves - 1) + (pos.turn === 'black' ? 1 : 0)), chess960);
  }

  /** The node after a move, which is added if it is new; undefined if the move is not legal. */
  play(node: GameNode, text: string): GameNode | undefined {
    const read = parseUci(text);
    if (!read) return undefined;
    const move = normalizeMove(node.pos, read);
    if (!node.pos.isLegal(move)) return undefined;
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

  /** What a request says of a position. Castling is king takes rook, which the engine always takes. */
  request(node: GameNode): { fen: string; moves: string[]; chess960: boolean } {
    return { fen: this.root.fen, moves: node.line().slice(1).map((one) => one.uci), chess960: this.chess960 };
  }

  pgn(result = '*'): string {
    const headers = defaultHeaders();
    headers.set('Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.'));
    for (const [name, value] of this.headers) headers.set(name, value);
    headers.set('Result', result === '*' ? (this.headers.get('Result') ?? '*') : result);
    if (this.chess960) headers.set('Variant', 'Chess960');
    if (this.root.fen !== INITIAL_FEN) headers.set('SetUp', '1').set('FEN', this.root.fen);
    const moves = new PgnNode<PgnNodeData>();
    copyChildren(this.root, moves);
    return makePgn({ headers, moves, comments: this.root.comments });
  }
}

function copyChildren(from: GameNode, to: PgnNode<PgnNodeData>): void {
  for (const child of from.children) {
    const copy = new ChildNode<PgnNodeData>({ san: child.san, comments: commentsOf(child), nags: child.nags });
    to.children.push(copy);
    copyChildren(child, copy);
  }
}

/** The comments of a move, with what the engine thinks of it now. */
function commentsOf(node: GameNode): string[] {
  if (!node.score || node.pos.isEnd()) return node.comments;
  const { cp, mate, white } = node.score;
  const evaluation = mate === undefined ? { pawns: (cp ?? 0) / 100 } : { mate: white ? mate : -mate };
  const others = node.comments.map((text) => text.replace(/\[%eval [^\]]*\]/g, '').trim()).filter(Boolean);
  return [makeComment({ evaluation }), ...others];
}

/** The position a FEN describes; throws an Error with a sentence. */
export function parsePosition(fen: string): Chess {
  const setup = parseFen(fen.trim().replaceAll('_', ' '));
  if (setup.isErr) throw new Error('This is not a FEN.');
  const pos = Chess.fromSetup(setup.value);
  if (pos.isErr) throw new Error('This FEN is not a possible position.');
  return pos.value;
}

export interface Loaded {
  tree: GameTree;
  title: string;
  problem?: string; // what of the game could not be read
}

/** Whatever was pasted or dropped: a FEN, or the games of a PGN. Throws an Error with a sentence. */
export function parseAnything(text: string): Loaded[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!trimmed) throw new Error('There is nothing to load.');
  if (/^[1-8kqrbnpKQRBNP]+(\/[1-8kqrbnpKQRBNP]+){7}\s/.test(`${trimmed} `) && !trimmed.includes('\n')) {
    const pos = parsePosition(trimmed);
    return [{ tree: GameTree.fromFen(trimmed, needs960(pos)), title: trimmed }];
  }
  const found = parsePgn(trimmed).flatMap((game) => fromPgn(game) ?? []);
  const loaded = found.filter((game) => typeof game !== 'string');
  const leftOut = found.filter((game) => typeof game === 'string');
  const complaint = `${leftOut.length === 1 ? 'A game is' : `${leftOut.length} games are`} left out, with an impossible start or of another kind of chess: ${leftOut.slice(0, 3).join('; ')}${leftOut.length > 3 ? ' …' : '.'}`;
  if (!loaded.length) throw new Error(leftOut.length ? complaint : 'There is no game and no position in this text.');
  if (leftOut.length) loaded[0].problem = [complaint, loaded[0].problem].filter(Boolean).join(' ');
  return loaded;
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

/** A game of a PGN; only its title if we cannot show it; undefined if there is none. */
function fromPgn(game: Game<PgnNodeData>): Loaded | string | undefined {
  const variant = game.headers.get('Variant') ?? '';
  const start = startingPosition(game.headers);
  const white = game.headers.get('White') ?? '?';
  const black = game.headers.get('Black') ?? '?';
  const event = [game.headers.get('Event'), game.headers.get('Date')].filter((text) => text && !/^[?.]+$/.test(text));
  const title = `${white} – ${black}${event.length ? `, ${event.join(' ')}` : ''}`;
  if (start.isErr || start.value.rules !== 'chess') return title;
  const pos = start.value as Chess;
  const tree = new GameTree(
    new GameNode(pos, undefined, '', '', 2 * (pos.fullmoves - 1) + (pos.turn === 'black' ? 1 : 0)),
    /960|fischer/i.test(variant) || needs960(pos),
  );
  for (const [name, value] of game.headers) {
    if (!['FEN', 'SetUp', 'Variant'].includes(name)) tree.headers.set(name, value);
  }
  tree.root.comments = game.comments ?? [];
  let problem: string | undefined;
  const stack: [PgnNode<PgnNodeData>, GameNode][] = [[game.moves, tree.root]];
  while (stack.length) {
    const [from, to] = stack.pop()!;
    for (const child of from.children) {
      const move = parseSan(to.pos, child.data.san);
      const node = move && tree.play(to, makeUci(move));
      if (!node) {
        problem ??= `${to.pos.fullmoves}${to.turn === 'white' ? '.' : '…'} ${child.data.san} is not legal; the game is shown up to it.`;
        break;
      }
      node.comments = child.data.comments ?? [];
      node.nags = child.data.nags ?? [];
      stack.push([child, node]);
    }
  }
  const isEmpty = !tree.root.children.length && !game.headers.has('FEN') && white === '?' && black === '?';
  return isEmpty ? undefined : { tree, title, problem };
}

/** A move as people type it, in SAN or UCI; undefined if it is none here. */
export function readMove(pos: Chess, text: string): string | undefined {
  const clean = text.trim().replace(/[!?]+$/, '').replace(/0-0-0/i, 'O-O-O').replace(/0-0/, 'O-O').replace(/^o-o/i, (x) => x.toUpperCase());
  const upper = clean.replace(/^[nrqk](?=[a-h1-8x])/, (letter) => letter.toUpperCase());
  const uci = parseUci(clean.toLowerCase());
  for (const move of [parseSan(pos, clean), parseSan(pos, upper), uci && normalizeMove(pos, uci)]) {
    if (move && pos.isLegal(move)) return makeUci(move);
  }
  return undefined;
}

/** How a game has ended by the rules; undefined while it goes on. */
export function endOf(node: GameNode): End | undefined {
  const { pos } = node;
  if (pos.isCheckmate()) return { result: pos.turn === 'white' ? '0-1' : '1-0', why: 'checkmate' };
  const draw = (why: string): End => ({ result: '1/2-1/2', why });
  if (pos.isStalemate()) return draw('stalemate');
  if (pos.isInsufficientMaterial()) return draw('insufficient material');
  if (timesSeen(node) >= 3) return draw('threefold repetition');
  if (pos.halfmoves >= 100) return draw('the fifty-move rule');
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

const ROLES: Record<Role, string> = { pawn: 'pawn', knight: 'knight', bishop: 'bishop', rook: 'rook', queen: 'queen', king: 'king' };

/** The move that led to a node, in words. */
export function spoken(node: GameNode): string {
  const before = node.parent!.pos;
  const move = parseUci(node.uci) as NormalMove;
  const side = castlingSide(before, move);
  let words: string;
  if (side) words = side === 'h' ? 'castles king side' : 'castles queen side';
  else {
    const role = ROLES[before.board.getRole(move.from)!];
    const takes = node.san.includes('x') ? 'takes' : 'to';
    words = `${role} ${takes} ${makeSquare(move.to)}`;
    if (move.promotion) words += `, promotes to ${ROLES[move.promotion]}`;
  }
  if (node.pos.isCheckmate()) return `${words}, checkmate`;
  return node.pos.isCheck() ? `${words}, check` : words;
}

/** The pieces of a position in words. */
export function described(pos: Chess): string {
  const side = (color: Color): string => {
    const parts = (['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const).flatMap((role) => {
      const squares = [...pos.board.pieces(color, role)].map(makeSquare);
      return squares.length ? [`${role} ${squares.join(' ')}`] : [];
    });
    return `${color === 'white' ? 'White' : 'Black'}: ${parts.join(', ')}.`;
  };
  return `${side('white')} ${side('black')} ${pos.turn === 'white' ? 'White' : 'Black'} to move.`;
}

/** A line of moves as text with numbers: "12. Nf3 d5 13. e3". */
export function lineText(start: Chess, moves: string[], most = 12): string {
  const pos = start.clone() as Chess;
  const words: string[] = [];
  for (const [i, text] of moves.slice(0, most).entries()) {
    const read = parseUci(text);
    if (!read) break;
    const move = normalizeMove(pos, read);
    if (!pos.isLegal(move)) break;
    if (pos.turn === 'white') words.push(`${pos.fullmoves}.`);
    else if (i === 0) words.push(`${pos.fullmoves}…`);
    words.push(makeSan(pos, move));
    pos.play(move);
  }
  return words.join(' ');
}

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

export { opposite };
