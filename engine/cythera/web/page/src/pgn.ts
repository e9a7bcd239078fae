// Games as text: PGN with everything it can carry, FEN, and EPD with its operations.

import { Chess } from 'chessops/chess';
import { ChildNode, Node as PgnNode, defaultHeaders, makePgn, parsePgn, startingPosition, type Game, type PgnNodeData } from 'chessops/pgn';
import { GameTree, INITIAL_FEN, needs960, parsePosition, readMove, type GameNode, type Shape } from './game';
import { t } from './language';
import type { Score } from './score';

export interface Loaded {
  tree: GameTree;
  problem?: string; // what of the game could not be read
}

/** A game in a text, not yet read: where it stands and what its headers say. */
export interface Entry {
  start: number;
  end: number;
  headers: Map<string, string>;
  isPosition: boolean;
}

const FEN = /^\s*[1-8kqrbnpKQRBNP]+(\/[1-8kqrbnpKQRBNP]+){7}\s+[wb]\b/;
const BARE_FEN = /^\s*[1-8kqrbnpKQRBNP]+(\/[1-8kqrbnpKQRBNP]+){7}(_|\s|$)/;
const HEADER = /^\s*\[([A-Za-z0-9][\w+#=:-]*)\s+"((?:[^"\\]|\\.)*)"\s*\]/;
const RESULT = /(?:^|\s)(?:1-0|0-1|1\/2-1\/2|\*)\s*$/;

// Finding games

/** The games and positions of a text, by their places in it. Long texts take no longer than reading them once. */
export function entriesOf(text: string): Entry[] {
  const found: Entry[] = [];
  let game: Entry | undefined; // the one we are in
  let isInMoves = false;
  let isInComment = false;
  let isOver = false; // its result was read
  const open = (start: number, isPosition = false): Entry => {
    game = { start, end: start, headers: new Map(), isPosition };
    found.push(game);
    isInMoves = isOver = isInComment = false;
    return game;
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, next);
    if (/\S/.test(line) && (isInComment || !line.startsWith('%'))) {
      const header = isInComment ? null : HEADER.exec(line);
      if (header) {
        if (!game || isInMoves || game.isPosition) open(at);
        game!.headers.set(header[1], header[2].replace(/\\(.)/g, '$1'));
      } else if (!isInComment && (!game || isOver || game.isPosition) && FEN.test(line)) open(at, true);
      else {
        if (!game || (isOver && !isInComment) || game.isPosition) open(at);
        isInMoves = true;
        isInComment = staysInComment(line, isInComment);
        isOver = !isInComment && RESULT.test(line);
      }
      game!.end = next;
    }
    at = next;
  }
  return found;
}

/** Whether a comment in braces is open at the end of a line; one after a semicolon ends with it. */
function staysInComment(line: string, isOpen: boolean): boolean {
  let at = 0;
  for (;;) {
    if (isOpen) {
      at = line.indexOf('}', at);
      if (at < 0) return true;
      isOpen = false;
    } else {
      const brace = line.indexOf('{', at);
      const semicolon = line.indexOf(';', at);
      if (brace < 0 || (semicolon >= 0 && semicolon < brace)) return false;
      at = brace;
      isOpen = true;
    }
  }
}

/** "Ann – Bob, Club 2024", or the first words of a position. */
export function titleOf(headers: Map<string, string>): string {
  const known = (name: string): string => {
    const value = headers.get(name) ?? '';
    return /^[?.\s]*$/.test(value) ? '' : value;
  };
  const [white, black] = [known('White'), known('Black')];
  const names = white || black ? `${white || '?'} – ${black || '?'}` : '';
  const rest = [known('Event'), known('Date').replace(/\.\?\?/g, '')].filter(Boolean).join(' ');
  return [names, rest].filter(Boolean).join(', ') || t('aGame');
}

// Reading

/** A game of a text; throws an Error with a message if it cannot be shown. */
export function readEntry(text: string, entry: Entry): Loaded {
  const part = text.slice(entry.start, entry.end).trim();
  return entry.isPosition ? readEpd(part) : readPgn(part);
}

/** The first game or position of a text; throws an Error with a message. */
export function readText(text: string): Loaded {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (BARE_FEN.test(trimmed) && !trimmed.includes('\n')) return readEpd(trimmed);
  const [entry] = entriesOf(trimmed);
  if (!entry) throw new Error(t('nothingToLoad'));
  return readEntry(trimmed, entry);
}

/** A FEN, or an EPD: four fields and operations, which become the comment of the position. */
export function readEpd(text: string): Loaded {
  const fields = text.trim().replaceAll('_', ' ').split(/\s+/);
  const hasCounters = /^\d+$/.test(fields[4] ?? '') && /^\d+;?$/.test(fields[5] ?? '');
  const rest = text.trim().replaceAll('_', ' ').replace(new RegExp(`^(\\S+\\s*){${hasCounters ? 6 : Math.min(4, fields.length)}}`), '');
  const operations = new Map([...rest.matchAll(/([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*;/g)].map((match) => [match[1], match[2].trim()]));
  const number = (name: string, fallback: string): string => (/^\d+$/.test(operations.get(name) ?? '') ? operations.get(name)! : fallback);
  const counters = hasCounters ? fields.slice(4, 6) : [number('hmvc', '0'), number('fmvn', '1')];
  const pos = parsePosition([...fields.slice(0, 4), ...counters].join(' '));
  const tree = GameTree.fromPosition(pos, needs960(pos));
  const unquoted = (value: string): string => value.replaceAll('"', '').trim();
  for (const [name, value] of operations) {
    if (name === 'id') tree.headers.set('Event', unquoted(value));
    else if (!['hmvc', 'fmvn'].includes(name)) tree.root.comment += `${tree.root.comment ? '; ' : ''}${/^c\d$/.test(name) ? unquoted(value) : `${name} ${unquoted(value)}`}`;
  }
  return { tree };
}

function readPgn(text: string): Loaded {
  // A blank line among the moves would end the game for the parser.
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() && !HEADER.test(line) && !line.startsWith('%'));
  const moves = first < 0 ? [] : lines.slice(first).filter((line) => line.trim());
  const [game] = parsePgn([...lines.slice(0, first < 0 ? undefined : first), ...moves].join('\n'));
  if (!game) throw new Error(t('nothingToLoad'));
  return fromPgn(game);
}

function fromPgn(game: Game<PgnNodeData>): Loaded {
  const start = startingPosition(game.headers);
  if (start.isErr || start.value.rules !== 'chess') throw new Error(t('otherChess', { title: titleOf(game.headers) }));
  const pos = start.value as Chess;
  const tree = GameTree.fromPosition(pos, /960|fischer/i.test(game.headers.get('Variant') ?? '') || needs960(pos));
  for (const [name, value] of game.headers) {
    if (!['FEN', 'SetUp', 'Variant'].includes(name)) tree.headers.set(name, value);
  }
  readComments(tree.root, game.comments);
  let problem: string | undefined;
  const stack: [PgnNode<PgnNodeData>, GameNode][] = [[game.moves, tree.root]];
  while (stack.length) {
    const [from, to] = stack.pop()!;
    for (const child of from.children) {
      const uci = readMove(to.pos, child.data.san);
      const node = uci && tree.play(to, uci);
      if (!node) {
        problem ??= t('illegalMove', { move: `${to.pos.fullmoves}${to.turn === 'white' ? '.' : '…'} ${child.data.san}` });
        break;
      }
      readComments(node, child.data.comments);
      node.before = (child.data.startingComments ?? []).join(' ').trim();
      node.nags = [...new Set(child.data.nags ?? [])];
      stack.push([child, node]);
    }
  }
  if (tree.isEmpty && !game.headers.has('FEN') && [...game.headers.values()].every((value) => /^[?.*\s]*$/.test(value))) {
    throw new Error(problem ?? t('noGame'));
  }
  return { tree, problem };
}

const COLORS = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' } as const;

/** Takes comments apart: words, arrows and circles, the clock, an evaluation, and what others put there. */
export function readComments(node: GameNode, comments: string[] = []): void {
  const text = comments.join(' ').replace(/\[%(\w+)\s*([^\]]*)\]/g, (whole, command: string, value: string) => {
    if (command === 'csl' || command === 'cal') node.shapes.push(...readShapes(value));
    else if (command === 'clk' && readClock(value) !== undefined) node.clock = readClock(value);
    else if (command === 'eval' && readEvaluation(value)) {
      node.score = readEvaluation(value);
      node.weight = 1;
    } else node.extras.push(whole);
    return ' ';
  });
  node.comment = text.replace(/\s+/g, ' ').trim();
}

function readShapes(value: string): Shape[] {
  return value.split(',').flatMap((word) => {
    const match = /^\s*([GRYB])([a-h][1-8])([a-h][1-8])?\s*$/.exec(word);
    return match ? [{ color: COLORS[match[1] as keyof typeof COLORS], from: match[2], to: match[3] ?? match[2] }] : [];
  });
}

function readClock(value: string): number | undefined {
  const match = /^\s*(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s*$/.exec(value);
  return match ? 3600 * +(match[1] ?? 0) + 60 * +match[2] + +match[3] : undefined;
}

function readEvaluation(value: string): Score | undefined {
  const match = /^\s*(?:#(-?)(\d+)|([-+]?\d+(?:\.\d+)?))/.exec(value);
  if (!match) return undefined;
  return match[2] ? { mate: +match[2], white: !match[1] } : { cp: Math.round(100 * +match[3]) };
}

// Writing

/** The game as PGN, with variations, comments, glyphs, arrows, clocks and evaluations. */
export function pgnOf(tree: GameTree, result = tree.headers.get('Result') ?? '*'): string {
  const headers = defaultHeaders();
  headers.set('Date', new Date().toISOString().slice(0, 10).replaceAll('-', '.'));
  for (const [name, value] of tree.headers) headers.set(name, value);
  headers.set('Result', result);
  if (tree.chess960) headers.set('Variant', 'Chess960');
  if (tree.root.fen !== INITIAL_FEN) headers.set('SetUp', '1').set('FEN', tree.root.fen);
  const moves = new PgnNode<PgnNodeData>();
  const rest: [GameNode, PgnNode<PgnNodeData>][] = [[tree.root, moves]];
  for (let pair = rest.pop(); pair; pair = rest.pop()) {
    const [from, to] = pair;
    for (const child of from.children) {
      const data = { san: child.san, comments: commentsOf(child), nags: child.nags, startingComments: child.before ? [child.before] : [] };
      const copy = new ChildNode<PgnNodeData>(data);
      to.children.push(copy);
      rest.push([child, copy]);
    }
  }
  return makePgn({ headers, moves, comments: commentsOf(tree.root) });
}

function commentsOf(node: GameNode): string[] {
  const parts = [...node.extras];
  if (node.score && !node.pos.isEnd()) parts.push(`[%eval ${evaluationText(node.score)}]`);
  if (node.clock !== undefined) parts.push(`[%clk ${clockOf(node.clock)}]`);
  const shapes = (isArrow: boolean): string =>
    node.shapes.filter((shape) => (shape.from !== shape.to) === isArrow).map((shape) => shape.color[0].toUpperCase() + shape.from + (isArrow ? shape.to : '')).join(',');
  if (shapes(false)) parts.push(`[%csl ${shapes(false)}]`);
  if (shapes(true)) parts.push(`[%cal ${shapes(true)}]`);
  if (node.comment) parts.push(node.comment);
  return parts.length ? [parts.join(' ')] : [];
}

const evaluationText = ({ cp, mate, white }: Score): string => (mate === undefined ? ((cp ?? 0) / 100).toFixed(2) : `#${white ? '' : '-'}${mate}`);

/** 5405 → "1:30:05". */
export function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const tenths = Math.floor(10 * (seconds - whole) + 0.001);
  return `${Math.floor(whole / 3600)}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}${tenths ? `.${tenths}` : ''}`;
}
