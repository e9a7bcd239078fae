// The board editor: any position, set up with the mouse, by touch, or as a FEN.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import { Chess } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseBoardFen, parseFen } from 'chessops/fen';
import { Board } from 'chessops/board';
import { SquareSet } from 'chessops/squareSet';
import type { Color, Role } from 'chessops/types';
import { makeSquare, parseSquare } from 'chessops/util';
import { get, make, onClick } from './dom';
import { ROLES, needs960, sideText } from './game';
import { named, t } from './language';

type Tool = 'move' | 'erase' | { role: Role; color: Color };

const CORNERS: [string, string, string][] = [['K', 'e1', 'h1'], ['Q', 'e1', 'a1'], ['k', 'e8', 'h8'], ['q', 'e8', 'a8']];

export class Editor {
  /** A position was set up. */
  onDone: (fen: string, chess960: boolean, where: 'analyse' | 'play') => void = () => {};
  private dialog = get<HTMLDialogElement>('editor');
  private ground?: Api;
  private tool: Tool = 'move';
  private orientation: Color = 'white';

  constructor() {
    for (const color of ['white', 'black'] as const) {
      get(`palette-${color}`).append(...ROLES.map((role) => this.spare({ role, color })));
    }
    onClick('editor-move', () => this.take('move'));
    onClick('editor-erase', () => this.take('erase'));
    onClick('editor-start', () => this.show(INITIAL_FEN));
    onClick('editor-clear', () => this.show('8/8/8/8/8/8/8/8 w - - 0 1'));
    onClick('editor-flip', () => {
      this.orientation = this.orientation === 'white' ? 'black' : 'white';
      this.ground!.set({ orientation: this.orientation });
    });
    onClick('editor-cancel', () => this.dialog.close());
    onClick('editor-analyse', () => this.done('analyse'));
    onClick('editor-play', () => this.done('play'));
    for (const id of ['editor-turn', 'editor-passant', ...CORNERS.map(([letter]) => castleId(letter))]) get(id).addEventListener('change', () => this.check());
    const fen = get<HTMLInputElement>('editor-fen');
    fen.addEventListener('change', () => this.show(fen.value));
  }

  open(fen: string, orientation: Color): void {
    this.dialog.showModal();
    this.orientation = orientation;
    this.ground ??= Chessground(get('editor-board'), {
      coordinates: true,
      autoCastle: false,
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      draggable: { showGhost: true, deleteOnDropOff: true, distance: 0 },
      selectable: { enabled: false },
      drawable: { enabled: false },
      highlight: { lastMove: false, check: false },
      animation: { enabled: false },
      events: { change: () => this.check() },
    });
    // Before the board's own listener, which would take the piece up.
    const use = (event: Event): void => this.use(event as PointerEvent);
    get('editor-board').onpointerdown = use;
    this.ground.set({ orientation });
    this.take('move');
    this.show(fen);
  }

  private spare(tool: { role: Role; color: Color }): HTMLButtonElement {
    const name = `${sideText(tool.color)}: ${t(tool.role)}`;
    const button = make('button', { type: 'button', class: 'spare cg-wrap', 'aria-label': name, title: name, 'data-tool': `${tool.color} ${tool.role}` }, make('piece' as 'i', { class: `${tool.role} ${tool.color}` }));
    button.addEventListener('click', () => this.take(tool));
    return button;
  }

  /** What the next clicks on the board do: move pieces, erase them, or put one there. */
  private take(tool: Tool): void {
    this.tool = tool;
    const name = typeof tool === 'string' ? tool : `${tool.color} ${tool.role}`;
    for (const button of document.querySelectorAll<HTMLElement>('[data-tool]')) button.setAttribute('aria-pressed', String(button.dataset.tool === name));
    this.ground?.set({ draggable: { enabled: tool === 'move' }, movable: { color: tool === 'move' ? 'both' : undefined } });
  }

  private use(event: PointerEvent): void {
    if (this.tool === 'move' || event.button > 0) return;
    const key = this.ground!.getKeyAtDomPos([event.clientX, event.clientY]);
    if (!key) return;
    const { tool } = this;
    const old = this.ground!.state.pieces.get(key);
    const isSame = typeof tool !== 'string' && old?.role === tool.role && old.color === tool.color;
    this.ground!.setPieces(new Map([[key, tool === 'erase' || isSame ? undefined : tool]]));
    this.check();
  }

  /** Puts a FEN on the board, as much of it as there is. */
  private show(fen: string): void {
    const [board, turn = 'w', castling = '-', passant = '-'] = fen.trim().replaceAll('_', ' ').split(/\s+/);
    if (parseBoardFen(board).isErr) {
      this.say(t('notFen'));
      return;
    }
    this.ground!.set({ fen: board });
    get<HTMLSelectElement>('editor-turn').value = turn === 'b' ? 'b' : 'w';
    const setup = parseFen(`${board} ${turn} ${castling} - 0 1`);
    for (const [letter, , rook] of CORNERS) {
      get<HTMLInputElement>(castleId(letter)).checked = setup.isOk && setup.value.castlingRights.has(parseSquare(rook as never)!);
    }
    this.check(passant);
  }

  private board(): Board {
    const board = Board.empty();
    for (const [key, { role, color }] of this.ground!.state.pieces) board.set(parseSquare(key as never)!, { role, color, promoted: false });
    return board;
  }

  /** The position as it is set up; rights to castle only where king and rook stand for it. */
  private setup(passant = get<HTMLSelectElement>('editor-passant').value) {
    const board = this.board();
    const turn: Color = get<HTMLSelectElement>('editor-turn').value === 'b' ? 'black' : 'white';
    let castlingRights = SquareSet.empty();
    for (const [letter, king, rook] of CORNERS) {
      const color = letter === letter.toUpperCase() ? 'white' : 'black';
      const isThere = board.get(parseSquare(king as never)!)?.role === 'king' && board.get(parseSquare(king as never)!)?.color === color
        && board.get(parseSquare(rook as never)!)?.role === 'rook' && board.get(parseSquare(rook as never)!)?.color === color;
      const box = get<HTMLInputElement>(castleId(letter));
      box.disabled = !isThere;
      if (isThere && box.checked) castlingRights = castlingRights.with(parseSquare(rook as never)!);
    }
    const squares = passantSquares(board, turn);
    const select = get<HTMLSelectElement>('editor-passant');
    select.replaceChildren(make('option', { value: '-' }, '–'), ...squares.map((square) => make('option', { value: square }, square)));
    select.value = squares.includes(passant) ? passant : '-';
    select.disabled = !squares.length;
    const epSquare = select.value === '-' ? undefined : parseSquare(select.value as never);
    return { board, turn, castlingRights, epSquare, halfmoves: 0, fullmoves: 1, pockets: undefined, remainingChecks: undefined };
  }

  /** Says whether the position can be played, and writes its FEN. */
  private check(passant?: string): Chess | undefined {
    const setup = this.setup(passant);
    get<HTMLInputElement>('editor-fen').value = makeFen(setup);
    const pos = Chess.fromSetup(setup);
    this.say(pos.isErr ? named(`setup.${pos.error.message}`, t('impossiblePosition')) : '');
    for (const id of ['editor-analyse', 'editor-play']) get<HTMLButtonElement>(id).disabled = pos.isErr;
    return pos.isErr ? undefined : pos.value;
  }

  private say(text: string): void {
    get('editor-error').textContent = text;
  }

  private done(where: 'analyse' | 'play'): void {
    const pos = this.check();
    if (!pos) return;
    this.dialog.close();
    this.onDone(makeFen(pos.toSetup()), needs960(pos), where);
  }
}

const castleId = (letter: string): string => `castle-${letter === letter.toUpperCase() ? 'w' : 'b'}${letter.toLowerCase()}`;

/** Squares that a pawn may have just passed, with an enemy pawn beside it. */
function passantSquares(board: Board, turn: Color): string[] {
  const [rank, step] = turn === 'white' ? [4, 8] : [3, -8];
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((file) => {
    const at = 8 * rank + file;
    const pawn = board.get(at);
    const isEmpty = !board.occupied.has(at + step) && !board.occupied.has(at + 2 * step);
    if (pawn?.role !== 'pawn' || pawn.color === turn || !isEmpty) return [];
    const neighbours = [file > 0 ? at - 1 : -1, file < 7 ? at + 1 : -1];
    return neighbours.some((one) => one >= 0 && board.get(one)?.role === 'pawn' && board.get(one)?.color === turn) ? [makeSquare(at + step) as Key] : [];
  });
}
