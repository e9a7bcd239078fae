// Play: a game against the engine, at a level.

import type { Color } from 'chessops/types';
import { Clock } from './clock';
import { announce, get, keep, kept, onClick, reducedMotion, toast } from './dom';
import { OpeningName, copy, levelText, showMaterial, showNames, stepped, type Desk, type Mode, type StepTo } from './desk';
import { GameTree, INITIAL_FEN, endOf, lineText, opposite, readMove, resultText, sideText, spoken, start960, timesSeen, type Clocks, type End, type GameNode } from './game';
import { named, t } from './language';
import type { Line, Lines } from './link';
import { MoveList } from './moves';
import { NewGame, type GameSettings } from './newgame';
import { pgnOf, titleOf } from './pgn';
import { scoreText } from './score';
import { play, playMove } from './sounds';
import { keepGame } from './store';

const FULL_STRENGTH_S = 1.5; // a move, where there is no clock
const LEAST_MOVE_MS = 350; // a move that comes at once is hard to follow
const SURE_MS = 3000;

interface Saved {
  fen: string;
  moves: string[];
  chess960: boolean;
  human: Color;
  elo: number;
  seed: number;
  end?: End;
  clocks: Clocks;
  incrementMs: number;
  isClockUsed: boolean;
  keptAs?: number;
}

export class Play implements Mode {
  readonly name = 'play';
  onAnalyse: (tree: GameTree, node: GameNode, orientation: Color) => void = () => {};
  private tree = GameTree.fromFen(INITIAL_FEN);
  private current = this.tree.root; // what is looked at
  private tip = this.tree.root; // where the game is
  private human: Color = 'white';
  private elo = 1500;
  private seed = 1;
  private end?: End;
  private clock = new Clock();
  private list = new MoveList('play-moves');
  private isHere = false;
  private hintText = '';
  private sureTimer = 0;
  private offeredAt = -1; // the ply of the last draw offer
  private keptAs?: number; // among the games kept in this browser
  private opening: OpeningName;
  private dialog: NewGame;
  private settings: GameSettings;

  constructor(private desk: Desk) {
    this.opening = new OpeningName('play-opening', desk);
    this.list.onSelect = (node) => this.look(node);
    this.clock.onFlag = (color) => this.flagged(color);
    this.clock.onTick = () => this.isHere && this.clock.show(this.desk.board.orientation);
    onClick('play-new', () => this.dialog.open());
    onClick('play-back', () => this.takeBack());
    onClick('play-hint', () => this.hint());
    onClick('play-resign', () => this.resign());
    onClick('play-draw', () => this.offerDraw());
    onClick('play-rematch', () => this.rematch());
    onClick('play-analyse', () => {
      this.setHeaders();
      this.onAnalyse(this.tree, this.current, this.desk.board.orientation);
    });
    onClick('play-pgn', () => void copy(this.pgn(), 'pgn'));
    get('play-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.typed();
    });
    this.dialog = new NewGame(desk);
    this.settings = { ...this.dialog.settings };
    this.dialog.onStart = (settings, fen, chess960) => {
      this.settings = { ...settings };
      this.begin(fen, chess960);
    };
    this.restore();
  }

  // Starting

  /** Begins a game with the settings, from a position. */
  begin(fen: string, chess960: boolean): void {
    this.desk.link.stop('play');
    this.desk.link.stop('offer');
    this.desk.board.cancelPremove();
    this.keepGame();
    this.tree = GameTree.fromFen(fen, chess960);
    this.current = this.tip = this.tree.root;
    this.end = undefined;
    this.keptAs = undefined;
    this.offeredAt = -1;
    this.hintText = '';
    const { side } = this.settings;
    this.human = side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side;
    this.elo = this.settings.elo;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.clock.set(this.settings.minutes * 60_000, this.settings.increment * 1000);
    this.tip.clocks = this.clock.now();
    this.desk.board.flip(this.human);
    announce(t('newGameSaid', { side: sideText(this.human) }));
    this.arrived();
  }

  playFrom(fen: string, chess960: boolean, side: Color): void {
    this.settings = { ...this.settings, side };
    this.begin(fen, chess960);
  }

  /** The same again, with the other colour; from the same start, or another one of the 960. */
  private rematch(): void {
    const { fen } = this.tree.root;
    this.settings = { ...this.settings, elo: this.elo, side: opposite(this.human) };
    this.begin(this.tree.chess960 && this.settings.start === '960' ? start960(Math.floor(Math.random() * 960)) : fen, this.tree.chess960);
  }

  /** Keeps the game in this browser, once there is something of it. */
  private keepGame(): void {
    if (this.tip.ply - this.tree.root.ply < 2) return;
    const { tree, keptAs } = this;
    const pgn = this.pgn();
    const moves = Math.ceil((this.tip.ply - tree.root.ply) / 2);
    const game = { at: Date.now(), title: titleOf(tree.headers), result: this.end?.result ?? '*', moves, from: 'play' as const, orientation: this.human, pgn };
    void keepGame({ ...game, ...(keptAs === undefined ? {} : { id: keptAs }) }).then((id) => {
      if (this.tree !== tree) return;
      this.keptAs = id;
      this.save();
    });
  }

  // Moving

  moved(uci: string): void {
    if (this.current !== this.tip || this.tip.turn !== this.human || this.end) return this.render();
    this.push(uci);
  }

  private push(uci: string): void {
    const node = this.tree.play(this.tip, uci);
    if (!node) return this.render();
    this.clock.press();
    node.clocks = this.clock.now();
    const wasAtTip = this.current === this.tip;
    this.tip = node;
    if (wasAtTip) this.current = node;
    if (this.clock.isUsed) node.clock = Math.round(node.clocks[node.parent!.turn] / 100) / 10;
    playMove(node.san);
    this.hintText = '';
    this.arrived();
  }

  private hasEnded = false; // and it has been said

  /** A position was reached: the game is over, or somebody has to move. */
  private arrived(): void {
    const isNew = !this.hasEnded;
    this.end ??= endOf(this.tip);
    this.hasEnded = !!this.end;
    if (this.end) {
      this.clock.stop();
      this.desk.board.cancelPremove();
      announce(this.endText());
      if (isNew) {
        play('end');
        this.keepGame();
      }
    } else if (this.tip !== this.tree.root || this.tip.turn !== this.human) this.clock.start(this.tip.turn);
    this.save();
    this.list.render(this.tree, this.current, this.end?.result);
    this.render();
    if (!this.end && this.tip.turn !== this.human) this.askEngine();
    else if (!this.end && this.isHere) setTimeout(() => this.desk.board.playPremove(), 1);
  }

  private askEngine(): void {
    const asked = performance.now();
    const clocks = this.clock.now();
    const time = this.clock.isUsed
      ? { white: clocks.white / 1000, black: clocks.black / 1000, increment: this.clock.incrementMs / 1000 }
      : { time: FULL_STRENGTH_S };
    const tip = this.tip;
    this.desk.link.ask('play', { ...this.tree.request(tip), elo: this.elo, seed: this.seed, ...time }, (message) => {
      const wait = reducedMotion() || (this.clock.isUsed && clocks[opposite(this.human)] < 15_000) ? 0 : LEAST_MOVE_MS - (performance.now() - asked);
      setTimeout(() => {
        if (this.tip !== tip || this.end) return;
        this.push(message.move as string);
        announce(`Cythera: ${spoken(this.tip)}. ${this.end ? this.endText() : ''}`);
      }, Math.max(0, wait));
    });
  }

  private typed(): void {
    const input = get<HTMLInputElement>('play-input');
    this.current = this.tip;
    const uci = this.tip.turn === this.human && !this.end ? readMove(this.tip.pos, input.value) : undefined;
    if (uci) {
      input.value = '';
      this.push(uci);
    } else toast(this.end ? t('gameOver') : this.tip.turn === this.human ? t('notAMove', { text: input.value.slice(0, 12) }) : t('notYourTurn'));
  }

  // Words of the player

  private takeBack(): void {
    this.desk.link.stop('play');
    this.desk.board.cancelPremove();
    if (this.end && ['resignation', 'agreement'].includes(this.end.why)) {
      this.end = undefined;
      return this.arrived();
    }
    let node = this.tip;
    do {
      if (!node.parent) return this.tip.turn === this.human ? toast(t('nothingToTakeBack')) : this.arrived();
      node = node.parent;
    } while (node.turn !== this.human);
    node.children = [];
    this.end = undefined;
    this.tip = this.current = node;
    this.hintText = '';
    this.clock.stop();
    if (node.clocks) this.clock.left = { ...node.clocks };
    announce(t('takenBack'));
    this.arrived();
  }

  private hint(): void {
    if (this.end || this.tip.turn !== this.human) return toast(t('hintYourTurn'));
    const tip = this.tip;
    this.current = tip;
    this.hintText = t('hintLooking');
    this.render();
    this.desk.link.ask('hint', { ...this.tree.request(tip), time: 0.7 }, (message) => {
      const answer = message as unknown as Lines;
      if (!answer.done || this.tip !== tip) return;
      const line: Line = answer.lines[0];
      this.hintText = t('hintText', { line: lineText(tip.pos, line.moves, 3), score: scoreText(line.score) });
      this.render();
      if (this.isHere) this.desk.board.arrows([{ uci: line.moves[0], strength: 0 }], 'hint');
      announce(this.hintText);
    });
  }

  private resign(): void {
    const button = get<HTMLButtonElement>('play-resign');
    const isSure = button.classList.contains('sure');
    clearTimeout(this.sureTimer);
    button.classList.toggle('sure', !isSure && !this.end);
    button.textContent = t(!isSure && !this.end ? 'really' : 'resign');
    if (!isSure) {
      this.sureTimer = window.setTimeout(() => {
        button.classList.remove('sure');
        button.textContent = t('resign');
      }, SURE_MS);
      return;
    }
    this.desk.link.stop('play');
    this.end = { result: this.human === 'white' ? '0-1' : '1-0', why: 'resignation' };
    this.arrived();
  }

  private offerDraw(): void {
    if (this.end || this.tip.turn !== this.human) return;
    const tip = this.tip;
    this.offeredAt = tip.ply;
    this.hintText = t('drawOffered');
    this.render();
    this.desk.link.ask('offer', this.tree.request(tip), (message) => {
      if (this.tip !== tip || this.end) return;
      if (message.accepted) {
        this.end = { result: '1/2-1/2', why: 'agreement' };
        this.hintText = '';
        return this.arrived();
      }
      this.hintText = t('drawRefused');
      this.render();
      announce(this.hintText);
    });
  }

  private flagged(color: Color): void {
    if (this.end) return;
    this.desk.link.stop('play');
    const winner = opposite(color);
    this.end = this.tip.pos.hasInsufficientMaterial(winner)
      ? { result: '1/2-1/2', why: 'timeMaterial' }
      : { result: winner === 'white' ? '1-0' : '0-1', why: 'time' };
    this.arrived();
  }

  // What is seen

  private endText(): string {
    const { result, why } = this.end!;
    if (result === '1/2-1/2') return t('drawBy', { why: named(`by.${why}`, '') });
    if (why === 'resignation') return t('youResigned');
    const hasWon = (result === '1-0') === (this.human === 'white');
    return t(hasWon ? 'youWin' : 'engineWins', { why: named(`by.${why}`, '') });
  }

  private statusText(): string {
    if (this.end) return `${this.endText()} ${resultText(this.end.result)}`;
    if (!this.desk.link.isOpen) return t('waitingServer');
    if (this.hintText) return this.hintText;
    const parts = [
      this.tip.pos.isCheck() ? t('checkSaid') : '',
      t(this.tip.turn === this.human ? 'yourMove' : 'engineThinking'),
      timesSeen(this.tip) === 2 ? t('seenBefore') : '',
      this.tip.pos.halfmoves >= 80 ? t('fiftySoon', { n: Math.ceil((100 - this.tip.pos.halfmoves) / 2) }) : '',
    ];
    return parts.filter(Boolean).join(' ');
  }

  private render(): void {
    if (!this.isHere) return;
    const isLive = this.current === this.tip && !this.end;
    const { board } = this.desk;
    board.show({ node: this.current, chess960: this.tree.chess960, movable: isLive ? this.human : undefined, premovable: isLive });
    board.arrows([]);
    board.bar(undefined);
    this.list.mark(this.current);
    this.names();
    const status = get('play-status');
    status.textContent = this.statusText();
    status.classList.toggle('over', !!this.end);
    get<HTMLButtonElement>('play-resign').disabled = !!this.end || this.tip === this.tree.root;
    get<HTMLButtonElement>('play-hint').disabled = !!this.end || this.tip.turn !== this.human;
    get<HTMLButtonElement>('play-back').disabled = this.tip === this.tree.root;
    const mayOffer = !this.end && this.tip.turn === this.human && this.offeredAt !== this.tip.ply && this.tip !== this.tree.root;
    get<HTMLButtonElement>('play-draw').disabled = !mayOffer;
    get('play-draw').hidden = get('play-resign').hidden = !!this.end;
    get('play-rematch').hidden = !this.end;
    this.opening.show(this.tree, this.current);
  }

  private names(): void {
    const [you, engine] = [t('you'), this.engineName()];
    const isBottomHuman = this.desk.board.orientation === this.human;
    showNames(isBottomHuman ? engine : you, isBottomHuman ? you : engine);
    showMaterial(this.current.pos, this.desk.board.orientation);
    this.clock.show(this.desk.board.orientation);
  }

  private look(node: GameNode): void {
    if (node.parent === this.current) playMove(node.san);
    this.current = node;
    this.render();
    if (node.uci) announce(`${node.number} ${spoken(node)}`);
  }

  private engineName(): string {
    return `Cythera (${levelText(this.desk.hello, this.elo)})`;
  }

  private setHeaders(): void {
    const isWhite = this.human === 'white';
    this.tree.headers
      .set('Event', t('gameInBrowser'))
      .set('White', isWhite ? t('you') : this.engineName())
      .set('Black', isWhite ? this.engineName() : t('you'))
      .set('Result', this.end?.result ?? '*');
    if (this.clock.isUsed) this.tree.headers.set('TimeControl', `${Math.round(this.tree.root.clocks!.white / 1000)}+${this.clock.incrementMs / 1000}`);
  }

  private pgn(): string {
    this.setHeaders();
    return pgnOf(this.tree);
  }

  // As a mode

  enter(): void {
    this.isHere = true;
    this.desk.board.flip(this.human);
    this.list.render(this.tree, this.current, this.end?.result);
    this.render();
    this.resume();
  }

  leave(): void {
    this.isHere = false;
    this.desk.link.stop('play');
    this.desk.link.stop('hint');
    this.desk.link.stop('offer');
    this.desk.board.cancelPremove();
    this.clock.stop();
  }

  resume(): void {
    if (!this.isHere) return;
    this.dialog.showLevel();
    this.hintText = '';
    if (!this.end && this.desk.link.isOpen) this.arrived();
    else this.render();
  }

  lost(): void {
    this.clock.stop();
    this.render();
  }

  step(to: StepTo): void {
    this.look(stepped(this.current, this.tip, to));
  }

  flipped(): void {
    this.names();
    this.save();
  }

  key(key: string): boolean {
    if (key === 'n') this.dialog.open();
    else if (key === 'h') this.hint();
    else if (key === 'u') this.takeBack();
    else return false;
    return true;
  }

  private save(): void {
    const saved: Saved = {
      ...this.tree.request(this.tip),
      human: this.human,
      elo: this.elo,
      seed: this.seed,
      end: this.end,
      clocks: this.clock.now(),
      incrementMs: this.clock.incrementMs,
      isClockUsed: this.clock.isUsed,
      keptAs: this.keptAs,
    };
    keep('sessionStorage', 'game', saved);
  }

  private restore(): void {
    const saved = kept<Saved>('sessionStorage', 'game');
    if (!saved) return;
    try {
      this.tree = GameTree.fromFen(saved.fen, saved.chess960);
      let node = this.tree.root;
      for (const uci of saved.moves) node = this.tree.play(node, uci) ?? node;
      this.tip = this.current = node;
      Object.assign(this, { human: saved.human, elo: saved.elo, seed: saved.seed, end: saved.end, hasEnded: !!saved.end, keptAs: saved.keptAs });
      this.clock.left = saved.clocks;
      this.clock.incrementMs = saved.incrementMs;
      this.clock.isUsed = saved.isClockUsed;
    } catch {
      this.tree = GameTree.fromFen(INITIAL_FEN);
      this.tip = this.current = this.tree.root;
    }
  }
}
