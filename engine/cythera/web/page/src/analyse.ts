// Analyse: a game to step through and to edit, the engine's lines, and the review of the whole game.

import type { Color } from 'chessops/types';
import { Annotator, type Action } from './annotate';
import { announce, download, get, onClick, toast } from './dom';
import { OpeningName, copy, showPlayers, stepped, type Desk, type Mode, type StepTo } from './desk';
import { GameTree, INITIAL_FEN, endOf, lineText, pathOf, readMove, spoken, stepsOf, type GameNode, type Shape } from './game';
import { Explorer } from './explorer';
import { Graph } from './graph';
import { count, t } from './language';
import { History } from './history';
import { EngineSettings, EngineView } from './lines';
import type { Hello, Lines } from './link';
import { Loader } from './load';
import { MoveList } from './moves';
import { MOVE_NAGS, toggledNag } from './nags';
import { pgnOf, titleOf } from './pgn';
import { Review } from './review';
import { saveAnalysis, savedAnalysis, type Snapshot } from './saved';
import type { Score } from './score';
import { fromQuery, queryOf } from './share';
import { playMove } from './sounds';
import { keepGame, type Kept } from './store';
import { TablePanel } from './tables';
import { Tabs } from './tabs';

export class Analyse implements Mode {
  readonly name = 'analyse';
  onPlay: (fen: string, chess960: boolean, side: Color) => void = () => {};
  onEdit: (fen: string, orientation: Color) => void = () => {};
  readonly loader = new Loader();
  private tree = GameTree.fromFen(INITIAL_FEN);
  private current = this.tree.root;
  private tip = this.tree.root; // the end of the line that is stepped through
  private orientation: Color = 'white';
  private list = new MoveList('analyse-moves');
  private graph = new Graph();
  private engine = new EngineView();
  private annotator = new Annotator();
  private opening: OpeningName;
  private explorer: Explorer;
  private tables: TablePanel;
  private review: Review;
  private latest?: Lines;
  private isThinking = false;
  private isHere = false;
  private isHidden = false; // the engine's lines, while somebody looks for a better move
  private history = new History<Snapshot>();
  private keptAs?: number;
  private isChanged = false; // since it was loaded or kept
  private settings = new EngineSettings();
  private tabs = new Tabs();

  constructor(private desk: Desk) {
    this.opening = new OpeningName('analyse-opening', desk);
    this.explorer = new Explorer(desk.link);
    this.explorer.onPlay = (uci) => this.moved(uci);
    this.explorer.onGame = (pgn) => this.loader.load(pgn, '');
    this.tables = new TablePanel(desk.link);
    this.tables.onPlay = (uci) => this.moved(uci);
    this.list.hasScores = true;
    this.list.onSelect = this.graph.onSelect = this.annotator.onSelect = (node) => this.look(node);
    this.list.onMenu = (node, x, y) => this.annotator.menu(node, x, y);
    this.engine.onPlay = (moves) => this.playLine(this.current, moves);
    this.annotator.onNag = (nag) => this.setNag(nag);
    this.annotator.onComment = (text) => this.setComment(text);
    this.annotator.onAction = (action, node) => this.act(action, node ?? this.current);
    this.loader.onGame = (tree, game) => this.loaded(tree, game);
    this.review = new Review(desk.link, {
      tree: () => this.tree,
      current: () => this.current,
      go: (node) => this.look(node),
      scored: () => this.isHere && this.graph.render(this.tree.mainline(), this.current),
      judged: () => this.judged(),
      hide: (isHidden) => {
        this.isHidden = isHidden;
        this.showTables();
        this.think();
      },
    }, () => this.settings.graphNodes);
    onClick('review-start', () => this.tabs.open('review'));
    this.tabs.onOpen = (name) => {
      if (name === 'review') this.review.seen();
      this.explorer.opened(name === 'explorer');
    };
    this.review.onSolved = (from, moves) => this.playLine(from, moves);
    this.bindButtons();
    this.settings.onChange = () => this.think();
    this.restore();
  }

  private bindButtons(): void {
    onClick('engine-switch', () => this.toggle());
    onClick('analyse-link', () => void this.url().then((url) => copy(url, 'link')));
    onClick('analyse-copy-fen', () => void copy(this.current.fen, 'fen'));
    onClick('analyse-copy-pgn', () => void copy(pgnOf(this.tree), 'pgn'));
    onClick('analyse-save', () => download('cythera.pgn', pgnOf(this.tree)));
    onClick('analyse-keep', () => void this.keepNow().then((id) => toast(t(id === undefined ? 'gameNotKept' : 'gameKept'))));
    onClick('analyse-play', () => this.onPlay(this.current.fen, this.tree.chess960, this.current.turn));
    onClick('analyse-edit', () => this.onEdit(this.current.fen, this.orientation));
    onClick('analyse-reset', () => this.replace(GameTree.fromFen(INITIAL_FEN)));
    get('analyse-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.typed();
    });
    const fen = get<HTMLInputElement>('analyse-fen');
    fen.addEventListener('change', () => {
      if (fen.value.trim() !== this.current.fen) this.loader.load(fen.value, '');
    });
    fen.addEventListener('blur', () => (fen.value = this.current.fen));
  }

  // The engine

  private toggle(): void {
    this.settings.toggle();
    announce(t(this.settings.isOn ? 'engineThinks' : 'engineStopped'));
  }

  /** Asks about the current position, or stops. */
  private think(): void {
    const { link } = this.desk;
    const isOver = !!endOf(this.current) && !this.current.pos.hasDests();
    this.latest = this.settings.isOn || isOver || this.isHidden ? undefined : this.latest;
    if (!this.settings.isOn || !this.isHere || isOver || this.isHidden) {
      link.stop('analyse');
      this.isThinking = false;
      this.renderEngine();
      return;
    }
    const node = this.current;
    const { lines, threads, hash } = this.settings;
    this.isThinking = link.isOpen;
    this.renderEngine();
    link.ask('analyse', { ...this.tree.request(node), lines, threads, hash }, (message) => {
      if (message.type === 'ended') this.isThinking = false;
      else {
        this.latest = message as unknown as Lines;
        this.isThinking = !message.done;
        this.learn(node, this.latest.lines[0].score, this.latest.nodes);
      }
      this.renderEngine();
    }, () => {
      this.isThinking = false;
      this.renderEngine();
    });
  }

  /** A score of a position is known; the one with more behind it counts, but a judged game keeps its own. */
  private learn(node: GameNode, score: Score, weight: number): void {
    if (weight < node.weight || this.tree.sides) return;
    node.score = score;
    node.weight = weight;
    if (!this.review.isRunning && this.tree.root.tip().line().includes(node)) this.graph.render(this.tree.mainline(), this.current);
  }

  private renderEngine(): void {
    if (!this.isHere) return;
    const { board, link } = this.desk;
    get('engine').classList.toggle('concealed', this.isHidden);
    this.engine.render({
      node: this.current, latest: this.latest, isOn: this.settings.isOn, isThinking: this.isThinking,
      isOnline: link.isOpen, count: this.settings.lines, orientation: board.orientation,
    });
    const score = this.latest?.lines[0]?.score ?? this.current.score;
    board.bar(this.isHidden ? undefined : (score ?? { cp: 0 }));
    board.arrows(this.isHidden ? [] : (this.latest?.lines ?? []).flatMap((line, i) => (line.moves[0] ? [{ uci: line.moves[0], strength: i }] : [])));
  }

  // Games come and go

  /** Puts another game on the board. What was changed in the old one is kept, and can be brought back. */
  replace(tree: GameTree, node: GameNode = tree.root, orientation: Color = this.orientation, keptAs?: number): void {
    const old = this.tree.isEmpty ? undefined : this.remember();
    if (old?.isChanged) {
      void this.keepNow().then((id) => {
        if (id !== undefined) Object.assign(old, { keptAs: id, isChanged: false });
        toast(t(id === undefined ? 'oldGameUndo' : 'oldGameKept'), { text: t('undo'), act: () => this.undo() });
      });
    }
    this.tree = tree;
    this.current = node;
    this.tip = node.tip();
    this.orientation = orientation;
    this.keptAs = keptAs;
    this.isChanged = false;
    this.isHidden = false;
    this.review.reset();
    this.appear();
  }

  private appear(): void {
    if (!this.isHere) return;
    this.desk.board.flip(this.orientation);
    this.renderGame();
    this.think();
  }

  private loaded(tree: GameTree, game?: Kept): void {
    this.replace(tree, tree.root, game?.orientation, game?.id);
    if (tree.root.children.length && !game) this.review.start();
  }

  /** Keeps the game in this browser; its number there, or undefined if it cannot. */
  private async keepNow(): Promise<number | undefined> {
    const { tree, orientation } = this;
    const moves = Math.ceil((tree.mainline().length - 1) / 2);
    const game = { at: Date.now(), title: titleOf(tree.headers), result: tree.headers.get('Result') ?? '*', moves, from: 'analyse' as const, orientation, pgn: pgnOf(tree) };
    const id = await keepGame({ ...game, ...(this.keptAs === undefined ? {} : { id: this.keptAs }) });
    if (this.tree === tree && id !== undefined) {
      this.keptAs = id;
      this.isChanged = false;
      this.save();
    }
    return id;
  }

  // Changes, and their undoing

  private snapshot(): Snapshot {
    return { tree: this.tree.copy(), path: pathOf(this.current), orientation: this.orientation, keptAs: this.keptAs, isChanged: this.isChanged };
  }

  private remember(): Snapshot {
    const state = this.snapshot();
    this.history.remember(state);
    return state;
  }

  private undo(): void {
    const state = this.history.undo(() => this.snapshot());
    if (!state) return;
    this.bringBack(state);
    announce(t('undoneText'));
  }

  private redo(): void {
    const state = this.history.redo(() => this.snapshot());
    if (state) this.bringBack(state);
  }

  private bringBack({ tree, path, orientation, keptAs, isChanged }: Snapshot): void {
    this.review.stop();
    this.review.endLearning();
    Object.assign(this, { tree, orientation, keptAs, isChanged });
    this.current = tree.at(path);
    this.tip = this.current.tip();
    this.appear();
  }

  private act(action: Action, node: GameNode): void {
    if (action === 'undo') return this.undo();
    if (action === 'redo') return this.redo();
    if (action === 'copyLine') return void copy(lineText(this.tree.root.pos, node.line().slice(1).map((one) => one.uci), Infinity), 'line');
    if (action === 'comment') {
      this.look(node);
      this.tabs.open('annotate');
      return this.annotator.focusComment();
    }
    if (action === 'delete' || action === 'deleteAfter') return this.remove(action === 'delete' ? [node] : node.children);
    if (!node.branch()) return;
    this.remember();
    if (action === 'promote') this.tree.promote(node);
    else this.tree.makeMain(node);
    this.tip = this.current.tip();
    this.changed();
  }

  /** Takes moves, and what follows them, out of the game. */
  private remove(nodes: GameNode[]): void {
    const parent = nodes[0]?.parent;
    if (!parent) return;
    this.remember();
    const size = nodes.reduce((sum, node) => sum + node.size(), 0);
    if (nodes.some((node) => this.current.line().includes(node))) this.current = parent;
    for (const node of nodes) this.tree.remove(node);
    this.tip = this.current.tip();
    this.changed();
    this.think();
    toast(count(size, 'oneMoveDeleted', 'manyMovesDeleted'), { text: t('undo'), act: () => this.undo() });
  }

  private setNag(nag: number): void {
    if (!this.current.parent) return;
    this.remember();
    this.current.nags = toggledNag(this.current.nags, nag);
    this.changed();
  }

  private commented?: GameNode; // since when the comment of one move is typed, which is one change

  private setComment(text: string): void {
    if (this.commented !== this.current) this.remember();
    this.commented = this.current;
    this.current.comment = text.replace(/[{}]/g, '').replace(/\s*\n\s*/g, ' ');
    this.changed();
  }

  drew(shapes: Shape[]): void {
    this.remember();
    this.current.shapes = shapes;
    this.isChanged = true;
    this.renderPosition();
  }

  private changed(): void {
    this.isChanged = true;
    this.renderGame();
  }

  // The game

  private renderGame(): void {
    this.list.render(this.tree, this.current);
    this.graph.render(this.tree.mainline(), this.current);
    if (!this.review.isRunning) this.review.render();
    this.renderPosition();
  }

  private renderPosition(): void {
    const { board } = this.desk;
    board.show({ node: this.current, chess960: this.tree.chess960, movable: 'both', drawable: true });
    this.list.mark(this.current);
    this.graph.mark(this.current);
    this.review.mark();
    this.annotator.render(this.current, this.history.canUndo, this.history.canRedo);
    this.opening.show(this.tree, this.current);
    this.explorer.show(this.tree, this.current);
    this.showTables();
    const fen = get<HTMLInputElement>('analyse-fen');
    if (document.activeElement !== fen) fen.value = this.current.fen;
    this.names();
    this.save();
  }

  private showTables(): void {
    if (this.isHidden) this.tables.hide();
    else this.tables.show(this.tree, this.current);
  }

  private names(): void {
    showPlayers(this.tree.headers, this.current, this.desk.board.orientation);
  }

  moved(uci: string): void {
    if (this.review.attempt(uci)) return this.renderPosition();
    this.playLine(this.current, [uci]);
  }

  /** Plays moves from a position; those that are new become part of the game. */
  private playLine(from: GameNode, moves: string[]): void {
    const isNew = !knows(from, moves);
    if (isNew) this.remember();
    let node = from;
    for (const uci of moves) node = this.tree.play(node, uci) ?? node;
    if (node === from) return this.renderPosition();
    this.current = node;
    if (!this.tip.line().includes(node)) this.tip = node.tip();
    if (isNew) this.changed();
    else this.renderPosition();
    playMove(node.san);
    announce(spoken(node));
    this.think();
  }

  private look(node: GameNode): void {
    if (!node || node === this.current) return;
    this.commented = undefined;
    if (node.parent === this.current) playMove(node.san);
    this.current = node;
    if (!this.tip.line().includes(node)) this.tip = node.tip();
    this.renderPosition();
    if (node.uci) announce(`${node.number} ${spoken(node)}`);
    this.think();
  }

  private typed(): void {
    const input = get<HTMLInputElement>('analyse-input');
    const uci = readMove(this.current.pos, input.value);
    if (!uci) return toast(t('notAMove', { text: input.value.slice(0, 12) }));
    input.value = '';
    this.moved(uci);
  }

  private judged(): void {
    this.isChanged = this.isChanged || this.keptAs !== undefined;
    if (this.isHere) this.renderGame();
  }

  /** What this machine can give. */
  offer(hello: Hello): void {
    this.settings.offer(hello);
    this.explorer.offer(hello);
    this.tables.offer(hello);
    this.tabs.restore();
  }

  // Sharing

  async url(): Promise<string> {
    return `${location.origin}/#analyse?${await queryOf(this.tree, this.current, this.desk.board.orientation === 'black')}`;
  }

  /** The game of a shared address. */
  async openUrl(query: URLSearchParams): Promise<void> {
    try {
      const found = await fromQuery(query);
      if (found) this.replace(found.tree, found.node, found.isFlipped ? 'black' : 'white');
    } catch (error) {
      toast(error instanceof Error && error.constructor === Error ? error.message : t('badLink'));
    }
  }

  // As a mode

  enter(): void {
    this.isHere = true;
    this.desk.board.flip(this.orientation);
    this.renderGame();
    this.think();
  }

  leave(): void {
    this.isHere = false;
    this.desk.link.stop('analyse');
    this.review.stop();
    this.desk.board.arrows([]);
    this.desk.board.bar(undefined);
  }

  resume(): void {
    if (!this.isHere) return;
    this.think();
    this.opening.show(this.tree, this.current);
    this.explorer.show(this.tree, this.current);
    this.showTables();
    if (this.review.isRunning) this.review.start();
  }

  lost(): void {
    this.isThinking = false;
    this.renderEngine();
  }

  step(to: StepTo): void {
    this.look(stepped(this.current, this.tip, to));
  }

  flipped(): void {
    this.orientation = this.desk.board.orientation;
    this.names();
    this.save();
  }

  key(key: string, event: KeyboardEvent): boolean {
    const { current } = this;
    const siblings = current.parent?.children ?? [];
    const sibling = (by: number): GameNode => siblings[(siblings.indexOf(current) + by + siblings.length) % siblings.length];
    const acts: Record<string, () => void> = {
      ' ': () => this.toggle(),
      l: () => this.loader.open(),
      e: () => {
        this.tabs.open('review');
        if (!this.review.isRunning) this.review.start();
      },
      c: () => this.act('comment', current),
      p: () => this.act('promote', current),
      Delete: () => this.remove(current.parent ? [current] : []),
      Undo: () => this.undo(),
      Redo: () => this.redo(),
      ',': () => this.review.moment(-1),
      '.': () => this.review.moment(1),
      PageUp: () => this.loader.step(-1),
      PageDown: () => this.loader.step(1),
      'Shift+ArrowUp': () => siblings.length > 1 && this.look(sibling(-1)),
      'Shift+ArrowDown': () => siblings.length > 1 && this.look(sibling(1)),
      'Shift+ArrowRight': () => this.look(current.children[1] ?? current.children[0]),
      'Shift+ArrowLeft': () => this.look(current.branch()?.parent ?? this.tree.root),
    };
    for (const [i, nag] of [1, 2, 3, 4, 5, 6].entries()) if (MOVE_NAGS.includes(nag)) acts[String(i + 1)] = () => this.setNag(nag);
    const act = acts[event.shiftKey && key.startsWith('Arrow') ? `Shift+${key}` : key];
    if (!act) return false;
    act();
    return true;
  }

  private save(): void {
    const { tree, current, orientation, keptAs, isChanged } = this;
    saveAnalysis({ tree, path: pathOf(current), orientation, keptAs, isChanged });
  }

  private restore(): void {
    const saved = savedAnalysis();
    if (!saved) return;
    const { tree, path, orientation, keptAs, isChanged } = saved;
    Object.assign(this, { tree, orientation, keptAs, isChanged });
    this.current = tree.at(path);
    this.tip = this.current.tip();
  }
}

/** Whether a game has these moves already. */
function knows(from: GameNode, moves: string[]): boolean {
  let node: GameNode | undefined = from;
  for (const { uci } of stepsOf(from.pos, moves)) node = node?.children.find((child) => child.uci === uci);
  return !!node;
}
