// Analyse: a game to step through and to edit, the engine's lines, and the review of the whole game.

import type { Color } from 'chessops/types';
import { Annotator, type Action } from './annotate';
import { clockText } from './clock';
import { announce, download, get, keep, kept, make, onClick, toast } from './dom';
import { OpeningName, copy, showMaterial, showNames, stepped, type Desk, type Mode, type StepTo } from './desk';
import { GameTree, INITIAL_FEN, endOf, lineText, readMove, sideText, spoken, stepsOf, type GameNode, type Shape, type Side, type Verdict } from './game';
import { Graph } from './graph';
import { count, t } from './language';
import { EngineView } from './lines';
import type { Hello, Lines } from './link';
import { Loader } from './load';
import { MoveList } from './moves';
import { MOVE_NAGS, toggledNag } from './nags';
import { pgnOf, readText, titleOf } from './pgn';
import { Review } from './review';
import type { Score } from './score';
import { fromQuery, queryOf } from './share';
import { playMove } from './sounds';
import { keepGame, type Kept } from './store';

interface Settings {
  isOn: boolean;
  lines: number;
  threads: number;
  hash: number;
  graphNodes: number;
  tab: string;
}

/** A state of the board that can be gone back to. */
interface Snapshot {
  tree: GameTree;
  path: string[];
  orientation: Color;
  keptAs?: number;
  isChanged: boolean;
}

interface Saved {
  pgn: string;
  fen: string;
  chess960: boolean;
  path: string[];
  orientation: Color;
  keptAs?: number;
  isChanged: boolean;
  sides?: Record<Color, Side>;
  verdicts?: (Verdict | null)[];
}

const MOST_SNAPSHOTS = 60;

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
  private review: Review;
  private latest?: Lines;
  private isThinking = false;
  private isHere = false;
  private isHidden = false; // the engine's lines, while somebody looks for a better move
  private undone: Snapshot[] = [];
  private done: Snapshot[] = [];
  private keptAs?: number;
  private isChanged = false; // since it was loaded or kept
  private settings: Settings = { isOn: true, lines: 2, threads: 1, hash: 64, graphNodes: 60_000, tab: 'annotate', ...kept<Settings>('localStorage', 'analyse') };

  constructor(private desk: Desk) {
    this.opening = new OpeningName('analyse-opening', desk);
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
        this.think();
      },
    }, () => this.settings.graphNodes);
    this.review.onSolved = (from, moves) => this.playLine(from, moves);
    this.bindButtons();
    this.bindSettings();
    this.restore();
  }

  private bindButtons(): void {
    onClick('engine-switch', () => this.toggle());
    onClick('engine-more', () => {
      const box = get('engine-settings');
      box.hidden = !box.hidden;
      get('engine-more').setAttribute('aria-expanded', String(!box.hidden));
    });
    onClick('analyse-link', () => void this.url().then((url) => copy(url, 'link')));
    onClick('analyse-copy-fen', () => void copy(this.current.fen, 'fen'));
    onClick('analyse-copy-pgn', () => void copy(pgnOf(this.tree), 'pgn'));
    onClick('analyse-save', () => download('cythera.pgn', pgnOf(this.tree)));
    onClick('analyse-keep', () => void this.keepNow().then((isKept) => toast(t(isKept ? 'gameKept' : 'gameNotKept'))));
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
    for (const tab of document.querySelectorAll<HTMLElement>('[data-tab]')) tab.addEventListener('click', () => this.openTab(tab.dataset.tab!));
    get('tabs').addEventListener('keydown', (event) => {
      const tabs = [...document.querySelectorAll<HTMLElement>('[data-tab]:not([hidden])')];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = tabs.indexOf(document.activeElement as HTMLElement);
      if (!step || at < 0) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      this.openTab(next.dataset.tab!);
      event.preventDefault();
      event.stopPropagation();
    });
    this.openTab(this.settings.tab);
  }

  openTab(name: string): void {
    const known = [...document.querySelectorAll<HTMLElement>('[data-tab]:not([hidden])')].map((tab) => tab.dataset.tab);
    this.settings.tab = known.includes(name) ? name : 'annotate';
    for (const tab of document.querySelectorAll<HTMLElement>('[data-tab]')) {
      const isOpen = tab.dataset.tab === this.settings.tab;
      tab.setAttribute('aria-selected', String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      get(`tab-${tab.dataset.tab}`).hidden = !isOpen;
    }
    keep('localStorage', 'analyse', this.settings);
  }

  // The engine

  private toggle(): void {
    this.settings.isOn = !this.settings.isOn;
    keep('localStorage', 'analyse', this.settings);
    announce(t(this.settings.isOn ? 'engineThinks' : 'engineStopped'));
    this.think();
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
    const isWorthKeeping = this.isChanged && !this.tree.isEmpty;
    if (!this.tree.isEmpty) this.remember();
    if (isWorthKeeping) {
      void this.keepNow().then((isKept) => toast(t(isKept ? 'oldGameKept' : 'oldGameUndo'), { text: t('undo'), act: () => this.undo() }));
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

  /** Keeps the game in this browser; false if it cannot. */
  private async keepNow(): Promise<boolean> {
    const { tree, orientation } = this;
    const moves = Math.ceil((tree.mainline().length - 1) / 2);
    const game = { at: Date.now(), title: titleOf(tree.headers), result: tree.headers.get('Result') ?? '*', moves, from: 'analyse' as const, orientation, pgn: pgnOf(tree) };
    const id = await keepGame({ ...game, ...(this.keptAs === undefined ? {} : { id: this.keptAs }) });
    if (this.tree === tree && id !== undefined) {
      this.keptAs = id;
      this.isChanged = false;
      this.save();
    }
    return id !== undefined;
  }

  // Changes, and their undoing

  private snapshot(): Snapshot {
    const path = this.current.line().slice(1).map((node) => node.uci);
    return { tree: this.tree.copy(), path, orientation: this.orientation, keptAs: this.keptAs, isChanged: this.isChanged };
  }

  private remember(): void {
    this.done.push(this.snapshot());
    if (this.done.length > MOST_SNAPSHOTS) this.done.shift();
    this.undone = [];
  }

  private undo(): void {
    const state = this.done.pop();
    if (!state) return;
    this.undone.push(this.snapshot());
    this.bringBack(state);
    announce(t('undoneText'));
  }

  private redo(): void {
    const state = this.undone.pop();
    if (!state) return;
    this.done.push(this.snapshot());
    this.bringBack(state);
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
      this.openTab('annotate');
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
    this.annotator.render(this.current, this.done.length > 0, this.undone.length > 0);
    this.opening.show(this.tree, this.current);
    const fen = get<HTMLInputElement>('analyse-fen');
    if (document.activeElement !== fen) fen.value = this.current.fen;
    this.names();
    this.save();
  }

  private names(): void {
    const name = (color: Color): string => {
      const tag = color === 'white' ? 'White' : 'Black';
      const [player, elo] = [this.tree.headers.get(tag), this.tree.headers.get(`${tag}Elo`)];
      const isKnown = player && !/^[?\s]*$/.test(player);
      return `${isKnown ? player : sideText(color)}${elo && /\d/.test(elo) ? ` (${elo})` : ''}`;
    };
    const bottom = this.desk.board.orientation;
    const top = bottom === 'white' ? 'black' : 'white';
    showNames(name(top), name(bottom));
    showMaterial(this.current.pos, bottom);
    for (const [id, color] of [['clock-top', top], ['clock-bottom', bottom]] as const) {
      const box = get(id);
      const last = this.current.line().reverse().find((node) => node.parent?.turn === color && node.clock !== undefined);
      box.hidden = !last;
      box.classList.remove('running', 'low');
      if (last) box.textContent = clockText(1000 * last.clock!);
    }
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
    if (!this.isHere) return;
    this.openTab('review');
    this.renderGame();
  }

  // Settings

  private bindSettings(): void {
    for (const name of ['lines', 'threads', 'hash', 'graphNodes'] as const) {
      get<HTMLSelectElement>(`set-${name}`).addEventListener('change', (event) => {
        this.settings[name] = +(event.target as HTMLSelectElement).value;
        keep('localStorage', 'analyse', this.settings);
        if (name !== 'graphNodes') this.think();
      });
    }
  }

  /** What this machine can give. */
  offer(hello: Hello): void {
    const counts = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1);
    const powers = (most: number): number[] => [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].filter((size) => size <= most);
    this.settings.threads = Math.min(this.settings.threads, hello.threads);
    this.settings.hash = Math.min(this.settings.hash, hello.hash);
    const fill = (name: 'lines' | 'threads' | 'hash', values: number[], unit = ''): void => {
      const select = get<HTMLSelectElement>(`set-${name}`);
      select.replaceChildren(...values.map((value) => make('option', { value: String(value) }, `${value}${unit}`)));
      select.value = String(this.settings[name]);
    };
    fill('lines', counts(Math.min(5, hello.lines)));
    fill('threads', counts(hello.threads));
    fill('hash', powers(hello.hash), ' MiB');
    get<HTMLSelectElement>('set-graphNodes').value = String(this.settings.graphNodes);
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
      e: () => this.review.start(),
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
    const path = this.current.line().slice(1).map((node) => node.uci);
    const verdicts = this.tree.sides && this.tree.mainline().map((node) => node.verdict ?? null);
    const saved: Saved = {
      pgn: pgnOf(this.tree), fen: this.tree.root.fen, chess960: this.tree.chess960, path, orientation: this.orientation,
      keptAs: this.keptAs, isChanged: this.isChanged, sides: this.tree.sides, verdicts,
    };
    keep('sessionStorage', 'analysis', saved);
  }

  private restore(): void {
    const saved = kept<Saved>('sessionStorage', 'analysis');
    if (!saved) return;
    try {
      this.tree = readText(saved.pgn).tree;
    } catch {
      this.tree = GameTree.fromFen(saved.fen, saved.chess960);
    }
    this.current = this.tree.at(saved.path);
    this.tip = this.current.tip();
    this.orientation = saved.orientation;
    this.keptAs = saved.keptAs;
    this.isChanged = !!saved.isChanged;
    this.tree.sides = saved.sides;
    for (const [at, node] of this.tree.mainline().entries()) node.verdict = saved.verdicts?.[at] ?? undefined;
  }
}

/** Whether a game has these moves already. */
function knows(from: GameNode, moves: string[]): boolean {
  let node: GameNode | undefined = from;
  for (const { uci } of stepsOf(from.pos, moves)) node = node?.children.find((child) => child.uci === uci);
  return !!node;
}
