// Analyse: lines while the engine thinks, a game to step through, and its evaluation as a curve.

import type { Color } from 'chessops/types';
import { announce, copy, download, get, keep, kept, make, onClick, toast } from './dom';
import { showNames, stepped, type Desk, type Mode } from './desk';
import { GameTree, INITIAL_FEN, endOf, lineText, parseAnything, parsePosition, readMove, spoken, type GameNode, type Loaded } from './game';
import { Graph } from './graph';
import type { Hello, Line, Lines } from './link';
import { MoveList } from './moves';
import { scoreText, scoreWords, shortNumber, type Score } from './score';

const LARGEST_FILE = 20 * 1024 * 1024;
const MOST_GAMES = 500;

interface Settings {
  isOn: boolean;
  lines: number;
  threads: number;
  hash: number;
  graphNodes: number;
}

export class Analyse implements Mode {
  readonly name = 'analyse';
  onPlay: (fen: string, chess960: boolean, side: Color) => void = () => {};
  private tree = GameTree.fromFen(INITIAL_FEN);
  private current = this.tree.root;
  private tip = this.tree.root; // the end of the line that is stepped through
  private orientation: Color = 'white';
  private list = new MoveList('analyse-moves');
  private graph = new Graph();
  private latest?: Lines;
  private isThinking = false;
  private isGraphing = false;
  private isHere = false;
  private games: Loaded[] = [];
  private settings: Settings = { isOn: true, lines: 2, threads: 1, hash: 64, graphNodes: 60_000, ...kept<Settings>('localStorage', 'analyse') };

  constructor(private desk: Desk) {
    this.list.onSelect = this.graph.onSelect = (node) => this.look(node);
    onClick('engine-switch', () => this.toggle());
    onClick('analyse-link', () => void copy(this.url(), 'Link'));
    onClick('analyse-copy-fen', () => void copy(this.current.fen, 'FEN'));
    onClick('analyse-copy-pgn', () => void copy(this.tree.pgn(), 'PGN'));
    onClick('analyse-save', () => download('cythera.pgn', this.tree.pgn()));
    onClick('analyse-play', () => this.onPlay(this.current.fen, this.tree.chess960, this.current.turn));
    onClick('analyse-delete', () => this.remove());
    onClick('analyse-reset', () => this.show(GameTree.fromFen(INITIAL_FEN)));
    onClick('graph-start', () => (this.isGraphing ? this.stopGraph() : this.startGraph()));
    get('analyse-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.typed();
    });
    this.bindFen();
    this.bindSettings();
    this.bindLoading();
    this.restore();
  }

  // The engine

  private toggle(): void {
    this.settings.isOn = !this.settings.isOn;
    keep('localStorage', 'analyse', this.settings);
    announce(this.settings.isOn ? 'The engine thinks.' : 'The engine is stopped.');
    this.think();
  }

  /** Asks about the current position, or stops. */
  private think(): void {
    const { link } = this.desk;
    const isOver = !!endOf(this.current) && !this.current.pos.hasDests();
    if (!this.settings.isOn || !this.isHere || isOver) {
      link.stop('analyse');
      this.isThinking = false;
      if (isOver) this.latest = undefined;
      this.renderEngine();
      return;
    }
    const node = this.current;
    const { lines, threads, hash } = this.settings;
    this.isThinking = link.isOpen;
    this.latest = undefined;
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

  /** A score of a position is known; the one with more behind it counts. */
  private learn(node: GameNode, score: Score, weight: number): void {
    if (weight < node.weight) return;
    node.score = score;
    node.weight = weight;
    if (this.tree.root.tip().line().includes(node)) this.graph.render(this.tree.mainline(), this.current);
  }

  private renderEngine(): void {
    if (!this.isHere) return;
    const button = get('engine-switch');
    button.setAttribute('aria-pressed', String(this.settings.isOn));
    button.textContent = this.settings.isOn ? 'Stop' : 'Analyse';
    get('engine').classList.toggle('thinking', this.isThinking);
    const latest = this.latest;
    const best: Line | undefined = latest?.lines[0];
    const end = endOf(this.current);
    const score = best?.score ?? this.current.score;
    get('engine-score').textContent = end?.why === 'checkmate' ? end.result.replace('-', '–') : score ? scoreText(score) : '…';
    get('engine-score').setAttribute('aria-label', score ? scoreWords(score) : 'no evaluation yet');
    get('engine-facts').textContent = latest
      ? `depth ${best!.depth}/${best!.seldepth} · ${shortNumber(latest.nodes)} nodes · ${shortNumber(latest.nps)}/s`
      : end ? `${end.why[0].toUpperCase()}${end.why.slice(1)}` : !this.desk.link.isOpen ? 'waiting for the server' : this.settings.isOn ? 'thinking…' : 'stopped';
    const [win, draw, loss] = best?.wdl.map((part) => Math.round(part / 10)) ?? [];
    get('engine-wdl').textContent = best ? `White ${win} % · draw ${draw} % · Black ${loss} %` : '';
    this.renderLines(latest?.lines ?? []);
    this.desk.board.bar(score ?? { cp: 0 });
    this.desk.board.arrows(this.settings.isOn || latest ? (latest?.lines ?? []).flatMap((line, i) => (line.moves[0] ? [{ uci: line.moves[0], strength: i }] : [])) : []);
  }

  /** Lines are changed in place, so that the keyboard's focus stays where it is. */
  private renderLines(lines: Line[]): void {
    const box = get('engine-lines');
    const count = Math.max(lines.length, this.settings.lines);
    while (box.children.length > count) box.lastElementChild!.remove();
    while (box.children.length < count) {
      const button = make('button', { type: 'button', class: 'line' }, make('b'), make('span'));
      button.addEventListener('click', () => {
        const move = this.latest?.lines[[...box.children].indexOf(button.parentElement!)]?.moves[0];
        if (move) this.moved(move);
      });
      box.append(make('li', {}, button));
    }
    for (const [i, item] of [...box.children].entries()) {
      const line = lines[i];
      const button = item.firstElementChild as HTMLButtonElement;
      button.disabled = !line?.moves.length;
      button.children[0].textContent = line ? scoreText(line.score) : '';
      button.children[0].className = line && isForBlack(line.score) ? 'black' : '';
      button.children[1].textContent = line ? lineText(this.current.pos, line.moves) : '';
    }
  }

  // The game

  /** Puts a game on the board. */
  show(tree: GameTree, node: GameNode = tree.root, orientation: Color = this.orientation): void {
    this.stopGraph();
    this.tree = tree;
    this.current = node;
    this.tip = node.tip();
    this.orientation = orientation;
    if (!this.isHere) return;
    this.desk.board.flip(orientation);
    this.renderGame();
    this.think();
  }

  private renderGame(): void {
    this.list.render(this.tree, this.current);
    this.graph.render(this.tree.mainline(), this.current);
    this.renderPosition();
  }

  private renderPosition(): void {
    this.desk.board.show({ node: this.current, chess960: this.tree.chess960, movable: 'both' });
    this.list.mark(this.current);
    this.graph.mark(this.current);
    const fen = get<HTMLInputElement>('analyse-fen');
    if (document.activeElement !== fen) fen.value = this.current.fen;
    get<HTMLButtonElement>('analyse-delete').disabled = !this.current.parent;
    get('graph-start').hidden = this.tree.mainline().length < 2;
    this.names();
    this.save();
  }

  private names(): void {
    const [white, black] = [this.tree.headers.get('White'), this.tree.headers.get('Black')];
    const isNamed = (white ?? '?') !== '?' || (black ?? '?') !== '?';
    const isWhiteBelow = this.desk.board.orientation === 'white';
    showNames(isNamed ? (isWhiteBelow ? black : white) : undefined, isNamed ? (isWhiteBelow ? white : black) : undefined);
    for (const id of ['clock-top', 'clock-bottom']) get(id).hidden = true;
  }

  moved(uci: string): void {
    const isNew = this.current.children.length;
    const node = this.tree.play(this.current, uci);
    if (!node) return this.renderPosition();
    if (!this.tip.line().includes(node)) this.tip = node.tip();
    this.current = node;
    if (node.parent!.children.length !== isNew) this.renderGame();
    else this.renderPosition();
    announce(spoken(node));
    this.think();
  }

  private look(node: GameNode): void {
    if (node === this.current || !node) return;
    this.current = node;
    if (!this.tip.line().includes(node)) this.tip = node.tip();
    this.renderPosition();
    if (node.uci) announce(`${node.number} ${spoken(node)}`);
    this.think();
  }

  private typed(): void {
    const input = get<HTMLInputElement>('analyse-input');
    const uci = readMove(this.current.pos, input.value);
    if (!uci) return toast(`${input.value.slice(0, 12)} is not a move here.`);
    input.value = '';
    this.moved(uci);
  }

  /** Takes the current move, and what follows it, out of the game. */
  private remove(): void {
    const { parent } = this.current;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== this.current);
    this.current = parent;
    this.tip = parent.tip();
    this.renderGame();
    this.think();
  }

  // Loading

  private bindFen(): void {
    const input = get<HTMLInputElement>('analyse-fen');
    input.addEventListener('change', () => {
      if (input.value.trim() !== this.current.fen) this.load(input.value);
    });
    input.addEventListener('blur', () => (input.value = this.current.fen));
  }

  private bindLoading(): void {
    const dialog = get<HTMLDialogElement>('load');
    const text = get<HTMLTextAreaElement>('load-text');
    onClick('analyse-load', () => {
      get('load-error').textContent = '';
      dialog.showModal();
      text.focus();
    });
    onClick('load-cancel', () => dialog.close());
    get('load-form').addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.load(text.value)) {
        text.value = '';
        dialog.close();
      }
    });
    get<HTMLInputElement>('load-file').addEventListener('change', (event) => {
      const input = event.target as HTMLInputElement;
      if (input.files?.[0]) void this.loadFile(input.files[0]).then((isDone) => isDone && dialog.close());
      input.value = '';
    });
    get<HTMLSelectElement>('games').addEventListener('change', (event) => this.choose(+(event.target as HTMLSelectElement).value));
  }

  async loadFile(file: File): Promise<boolean> {
    if (file.size > LARGEST_FILE) {
      toast('This file is larger than 20 MB; split it first.');
      return false;
    }
    const bytes = await file.arrayBuffer();
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder('windows-1252').decode(bytes); // PGN was Latin-1 before it was anything else
    }
    return this.load(text);
  }

  /** Loads a FEN or PGN; says what is wrong if it cannot. */
  load(text: string): boolean {
    try {
      this.games = parseAnything(text).slice(0, MOST_GAMES);
    } catch (error) {
      get('load-error').textContent = (error as Error).message;
      toast((error as Error).message);
      return false;
    }
    const select = get<HTMLSelectElement>('games');
    select.replaceChildren(...this.games.map((game, i) => make('option', { value: String(i) }, `${i + 1}. ${game.title}`)));
    select.parentElement!.hidden = this.games.length < 2;
    this.choose(0);
    return true;
  }

  private choose(index: number): void {
    const { tree, problem } = this.games[index];
    if (problem) toast(problem);
    this.show(tree);
    if (tree.root.children.length) this.startGraph();
  }

  // The curve

  private startGraph(): void {
    const nodes = this.tree.mainline();
    if (nodes.length < 2) return;
    this.isGraphing = true;
    this.renderGraphButton(`0 / ${nodes.length}`);
    let done = 0;
    const weight = this.settings.graphNodes;
    this.desk.link.ask('evaluate', { ...this.tree.request(nodes[nodes.length - 1]), nodes: weight }, (message) => {
      for (const [at, score] of message.points as [number, Score][]) {
        if (nodes[at].weight <= weight) {
          nodes[at].score = score;
          nodes[at].weight = weight;
        }
        done += 1;
      }
      if (message.done) this.isGraphing = false;
      this.renderGraphButton(`${done} / ${nodes.length}`);
      if (this.isHere) this.graph.render(this.tree.mainline(), this.current);
    }, () => this.stopGraph());
  }

  private stopGraph(): void {
    this.desk.link.stop('evaluate');
    this.isGraphing = false;
    this.renderGraphButton('');
  }

  private renderGraphButton(progress: string): void {
    get('graph-start').textContent = this.isGraphing ? `Stop (${progress})` : 'Evaluate game';
  }

  // Settings

  private bindSettings(): void {
    for (const name of ['lines', 'threads', 'hash', 'graphNodes'] as const) {
      get<HTMLSelectElement>(`set-${name}`).addEventListener('change', (event) => {
        this.settings[name] = +(event.target as HTMLSelectElement).value;
        keep('localStorage', 'analyse', this.settings);
        if (name === 'graphNodes') return;
        this.think();
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

  url(): string {
    const query = new URLSearchParams();
    query.set('fen', this.current.fen.replaceAll(' ', '_'));
    if (this.tree.chess960) query.set('chess960', '1');
    if (this.desk.board.orientation === 'black') query.set('side', 'black');
    return `${location.origin}/#analyse?${query.toString().replaceAll('%2F', '/')}`;
  }

  /** The position of a shared address; false if it has none. */
  openUrl(query: URLSearchParams): boolean {
    const fen = query.get('fen');
    if (!fen) return false;
    try {
      parsePosition(fen);
    } catch (error) {
      toast((error as Error).message);
      return false;
    }
    this.show(GameTree.fromFen(fen, query.get('chess960') === '1'), undefined, query.get('side') === 'black' ? 'black' : 'white');
    return true;
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
    this.stopGraph();
    this.desk.board.arrows([]);
    this.desk.board.bar(undefined);
  }

  resume(): void {
    if (!this.isHere) return;
    this.think();
    if (this.isGraphing) this.startGraph();
  }

  lost(): void {
    this.isThinking = false;
    this.renderEngine();
  }

  step(to: 'first' | 'back' | 'next' | 'last'): void {
    this.look(stepped(this.current, this.tip, to));
  }

  flipped(): void {
    this.orientation = this.desk.board.orientation;
    this.names();
  }

  key(key: string): boolean {
    if (key === ' ') this.toggle();
    else if (key === 'l') get('analyse-load').click();
    else if (key === 'Delete') this.remove();
    else return false;
    return true;
  }

  private save(): void {
    const path = this.current.line().slice(1).map((node) => node.uci);
    keep('sessionStorage', 'analysis', { pgn: this.tree.pgn(), fen: this.tree.root.fen, chess960: this.tree.chess960, path, orientation: this.orientation });
  }

  private restore(): void {
    const saved = kept<{ pgn: string; fen: string; chess960: boolean; path: string[]; orientation: Color }>('sessionStorage', 'analysis');
    if (!saved) return;
    try {
      this.tree = saved.path.length || saved.pgn.includes('1.') ? parseAnything(saved.pgn)[0].tree : GameTree.fromFen(saved.fen, saved.chess960);
      let node = this.tree.root;
      for (const uci of saved.path) node = this.tree.play(node, uci) ?? node;
      this.current = node;
      this.tip = node.tip();
      this.orientation = saved.orientation;
    } catch {
      this.tree = GameTree.fromFen(INITIAL_FEN);
      this.current = this.tip = this.tree.root;
    }
  }
}

function isForBlack(score: Score): boolean {
  return score.mate !== undefined ? !score.white : (score.cp ?? 0) < 0;
}
