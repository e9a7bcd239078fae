// Watch: the engine against itself, at two levels.

import { announce, get, onClick } from './dom';
import { OpeningName, bindLevel, levelText, showMaterial, showNames, stepped, type Desk, type Mode, type StepTo } from './desk';
import { GameTree, INITIAL_FEN, endOf, sideText, start960, type End, type GameNode } from './game';
import { named, t } from './language';
import type { Line } from './link';
import { MoveList } from './moves';
import { scoreText, type Score } from './score';
import { play, playMove } from './sounds';
import type { Color } from 'chessops/types';

const NEXT_GAME_MS = 2500;

export class Watch implements Mode {
  readonly name = 'watch';
  onAnalyse: (tree: GameTree, node: GameNode, orientation: Color) => void = () => {};
  private tree = GameTree.fromFen(INITIAL_FEN);
  private current = this.tree.root;
  private tip = this.tree.root;
  private end?: End;
  private seed = 1;
  private isRunning = false;
  private isHere = false;
  private orientation: Color = 'white';
  private tally = { white: 0, draws: 0, black: 0 };
  private list = new MoveList('watch-moves');
  private timer = 0;
  private showLevels: (() => void)[];
  private opening: OpeningName;

  constructor(private desk: Desk) {
    this.opening = new OpeningName('watch-opening', desk);
    this.list.onSelect = (node) => this.look(node);
    this.showLevels = ['watch-white', 'watch-black'].map((id) => bindLevel(id, () => this.desk.hello));
    for (const id of ['watch-white', 'watch-black']) get(id).addEventListener('input', () => this.names());
    onClick('watch-start', () => this.toggle());
    onClick('watch-new', () => this.newGame());
    onClick('watch-analyse', () => {
      for (const color of ['white', 'black'] as const) this.tree.headers.set(color === 'white' ? 'White' : 'Black', `Cythera (${levelText(this.desk.hello, this.elo(color))})`);
      this.tree.headers.set('Result', this.end?.result ?? '*');
      this.onAnalyse(this.tree, this.current, this.desk.board.orientation);
    });
  }

  private elo(color: Color): number {
    return +get<HTMLInputElement>(`watch-${color}`).value;
  }

  private toggle(): void {
    this.isRunning = !this.isRunning;
    if (this.isRunning && this.end) this.reset();
    this.proceed();
  }

  private newGame(): void {
    this.reset();
    this.isRunning = true;
    this.proceed();
  }

  private reset(): void {
    this.desk.link.stop('play');
    const is960 = get<HTMLInputElement>('watch-960').checked;
    this.tree = GameTree.fromFen(is960 ? start960(Math.floor(Math.random() * 960)) : INITIAL_FEN, is960);
    this.current = this.tip = this.tree.root;
    this.end = undefined;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.list.render(this.tree, this.current);
  }

  /** Asks for the next move, if there is one to be asked for. */
  private proceed(): void {
    clearTimeout(this.timer);
    this.render();
    if (!this.isRunning || !this.isHere || this.end || !this.desk.link.isOpen) {
      this.desk.link.stop('play');
      return;
    }
    const tip = this.tip;
    const asked = performance.now();
    const pace = +get<HTMLSelectElement>('watch-pace').value;
    const body = { ...this.tree.request(tip), elo: this.elo(tip.turn), seed: this.seed, time: pace };
    this.desk.link.ask('play', body, (message) => {
      const line = message.line as Line | undefined;
      this.timer = window.setTimeout(() => this.push(tip, message.move as string, line), Math.max(0, 1000 * pace - (performance.now() - asked)));
    }, () => this.pause());
  }

  private pause(): void {
    this.isRunning = false;
    this.render();
  }

  private push(tip: GameNode, uci: string, line?: Line): void {
    if (this.tip !== tip || !this.isHere) return;
    const node = this.tree.play(tip, uci);
    if (!node) return this.pause();
    node.score = line?.score;
    if (this.current === this.tip) this.current = node;
    this.tip = node;
    playMove(node.san);
    this.end = endOf(node);
    this.list.render(this.tree, this.current, this.end?.result);
    if (this.end) this.finish(this.end);
    this.proceed();
  }

  private finish(end: End): void {
    if (end.result === '1-0') this.tally.white += 1;
    else if (end.result === '0-1') this.tally.black += 1;
    else this.tally.draws += 1;
    announce(this.endText(end));
    play('end');
    if (!get<HTMLInputElement>('watch-again').checked) this.isRunning = false;
    else {
      this.timer = window.setTimeout(() => {
        if (!this.isRunning || !this.isHere) return;
        this.reset();
        this.proceed();
      }, NEXT_GAME_MS);
    }
  }

  private endText(end: End): string {
    const why = named(`by.${end.why}`, '');
    return end.result === '1/2-1/2' ? t('drawBy', { why }) : t('sideWins', { side: t(end.result === '1-0' ? 'white' : 'black'), why });
  }

  private render(): void {
    if (!this.isHere) return;
    const { board } = this.desk;
    board.show({ node: this.current, chess960: this.tree.chess960 });
    const score: Score = this.current.score ?? { cp: 0 };
    board.bar(score);
    board.arrows([]);
    this.list.mark(this.current);
    this.opening.show(this.tree, this.current);
    get('watch-start').textContent = t(this.isRunning && !this.end ? 'pause' : this.tip === this.tree.root || this.end ? 'startVerb' : 'resume');
    const { white, draws, black } = this.tally;
    const games = white + draws + black;
    get('watch-tally').textContent = games ? t('tally', { white, draws, black }) : '';
    get('watch-status').textContent = this.end
      ? this.endText(this.end)
      : !this.desk.link.isOpen ? t('waitingServer') : this.isRunning ? `${t('sideThinking', { side: sideText(this.tip.turn) })} ${scoreText(score)}` : t('chooseLevels');
    this.names();
  }

  private names(): void {
    const name = (color: Color): string => `${sideText(color)} (${levelText(this.desk.hello, this.elo(color))})`;
    const bottom = this.desk.board.orientation;
    showNames(name(bottom === 'white' ? 'black' : 'white'), name(bottom));
    showMaterial(this.current.pos, bottom);
    for (const id of ['clock-top', 'clock-bottom']) get(id).hidden = true;
  }

  private look(node: GameNode): void {
    this.current = node;
    this.render();
  }

  enter(): void {
    this.isHere = true;
    this.desk.board.flip(this.orientation);
    this.list.render(this.tree, this.current);
    this.resume();
  }

  leave(): void {
    this.isHere = false;
    clearTimeout(this.timer);
    this.desk.link.stop('play');
    this.desk.board.bar(undefined);
  }

  resume(): void {
    if (!this.isHere) return;
    for (const show of this.showLevels) show();
    if (this.end && this.isRunning) this.reset();
    this.proceed();
  }

  lost(): void {
    this.render();
  }

  moved(): void {
    this.render();
  }

  step(to: StepTo): void {
    this.look(stepped(this.current, this.tip, to));
  }

  flipped(): void {
    this.orientation = this.desk.board.orientation;
    this.names();
  }

  key(key: string): boolean {
    if (key === ' ') this.toggle();
    else if (key === 'n') this.newGame();
    else return false;
    return true;
  }
}
