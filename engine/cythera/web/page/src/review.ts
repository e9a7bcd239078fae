// The review of a game: every position evaluated, every move judged by the server, and a second try at the errors.

import type { Color } from 'chessops/types';
import { announce, get, make, onClick } from './dom';
import { lineText, sideText, stepsOf, type GameNode, type GameTree, type Side, type Verdict, type Word } from './game';
import { named, number, t } from './language';
import type { Link } from './link';
import { scoreText, type Score } from './score';

const NAGS: Record<Word, number> = { '': 0, inaccuracy: 6, mistake: 2, blunder: 4, 'missed mate': 6 };
const JUDGING_NAGS = [1, 2, 3, 4, 5, 6];

/** What the review needs of the board it stands beside. */
export interface Table {
  tree(): GameTree;
  current(): GameNode;
  go(node: GameNode): void;
  /** Scores have changed. */
  scored(): void;
  /** Verdicts and signs have changed. */
  judged(): void;
  /** The engine's lines are hidden or shown again. */
  hide(isHidden: boolean): void;
}

/** Scrolls a box, and nothing around it, until a part of it is seen. */
function reveal(box: HTMLElement, part: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

export class Review {
  isRunning = false;
  private learning?: { errors: GameNode[]; at: number; isSolved: boolean };

  constructor(
    private link: Link,
    private table: Table,
    private nodes: () => number,
  ) {
    onClick('review-start', () => (this.isRunning ? this.stop() : this.start()));
    for (const color of ['white', 'black'] as const) onClick(`learn-${color}`, () => this.learn(color));
    onClick('learn-next', () => this.next());
    onClick('learn-show', () => this.solve());
    onClick('learn-end', () => this.endLearning());
  }

  // Evaluating

  start(): void {
    const tree = this.table.tree();
    const nodes = tree.mainline();
    if (nodes.length < 2) return;
    this.isRunning = true;
    this.render(0);
    const weight = this.nodes();
    const known = new Set<number>();
    this.link.ask('evaluate', { ...tree.request(nodes[nodes.length - 1]), nodes: weight }, (message) => {
      for (const [at, score] of message.points as [number, Score][]) {
        known.add(at);
        if (nodes[at].weight > weight && !message.moves) continue;
        nodes[at].score = score;
        nodes[at].weight = weight;
      }
      if (message.done) {
        this.isRunning = false;
        this.judge(nodes, message.moves as Verdict[]);
        tree.sides = { white: message.white as Side, black: message.black as Side };
        this.table.judged();
        announce(this.summary());
        if (get('tab-review').hidden) document.querySelector('[data-tab=review]')!.classList.add('news');
      } else this.table.scored();
      this.render(known.size);
    }, () => this.stop());
  }

  stop(): void {
    this.link.stop('evaluate');
    this.isRunning = false;
    this.render(0);
  }

  /** Another game is on the board: what is known of it comes with it. */
  reset(): void {
    this.stop();
    this.seen();
    this.endLearning();
    this.render(0);
  }

  private judge(nodes: GameNode[], moves: Verdict[]): void {
    for (const [at, verdict] of moves.entries()) {
      const node = nodes[at + 1];
      const old = NAGS[node.verdict?.word ?? ''];
      node.verdict = verdict;
      node.nags = node.nags.filter((nag) => nag !== old);
      // The annotator's own sign is not contradicted.
      if (verdict.word && !node.nags.some((nag) => JUDGING_NAGS.includes(nag))) node.nags = [...node.nags, NAGS[verdict.word]].sort((a, b) => a - b);
    }
  }

  /** The moves of the main line that have a word. */
  private errors(color?: Color): GameNode[] {
    return this.table.tree().mainline().filter((node) => node.verdict?.word && (!color || node.parent!.turn === color));
  }

  /** The tab of the review is open: its news is no news any more. */
  seen(): void {
    document.querySelector('[data-tab=review]')!.classList.remove('news');
  }

  private summary(): string {
    const { white, black } = this.table.tree().sides!;
    const text = (side: Side): string => (side.accuracy === null ? '–' : `${number(side.accuracy, 1)} %`);
    return t('accuracyBoth', { white: text(white), black: text(black) });
  }

  render(done?: number): void {
    const { sides } = this.table.tree();
    const all = this.table.tree().mainline().length;
    const button = get('review-start');
    const isDone = !!sides && !this.isRunning;
    button.textContent = this.isRunning ? t('stopProgress', { done: done ?? 0, all }) : t(isDone ? 'evaluateAgain' : 'evaluateGame');
    button.classList.toggle('primary', !isDone);
    button.parentElement!.classList.toggle('again', isDone);
    (button as HTMLButtonElement).disabled = all < 2;
    get('review-result').hidden = !sides || !!this.learning;
    get('review-empty').hidden = !!sides || this.isRunning;
    get('learn').hidden = !this.learning;
    button.parentElement!.hidden = !!this.learning;
    if (!sides || this.learning) return;
    const rows = (['white', 'black'] as const).map((color) => {
      const side = sides[color];
      const cells = [
        make('th', { scope: 'row' }, sideText(color)),
        make('td', { class: 'accuracy' }, side.accuracy === null ? '–' : `${number(side.accuracy, 1)} %`),
        make('td', {}, side.loss === null ? '–' : number(side.loss)),
        ...(['inaccuracies', 'mistakes', 'blunders'] as const).map((name) => make('td', { class: side[name] ? name : '' }, String(side[name] + (name === 'inaccuracies' ? side.missed_mates : 0)))),
      ];
      return make('tr', {}, ...cells);
    });
    get('review-sides').replaceChildren(...rows);
    for (const color of ['white', 'black'] as const) {
      const errors = this.errors(color).length;
      get<HTMLButtonElement>(`learn-${color}`).disabled = !errors;
      get(`learn-${color}`).textContent = `${sideText(color)} (${errors})`;
    }
    this.renderMoments();
  }

  private renderMoments(): void {
    const errors = this.errors();
    get('moments-none').hidden = errors.length > 0;
    get('moments').replaceChildren(
      ...errors.map((node) => {
        const { word, best, score, reason } = node.verdict!;
        const button = make('button', { type: 'button', class: 'moment' },
          make('b', { class: word.split(' ')[0] }, `${node.number} ${node.san}`), ' ',
          make('span', {}, [named(`word.${word}`, word), reason].filter(Boolean).join(': ')),
          make('small', {}, best?.length ? t('better', { line: lineText(node.parent!.pos, best, 4), score: score ? scoreText(score) : '' }) : ''));
        button.addEventListener('click', () => this.table.go(node));
        if (node === this.table.current()) button.setAttribute('aria-current', 'true');
        return make('li', {}, button);
      }),
    );
  }

  /** Another position is looked at. */
  mark(): void {
    const errors = this.errors();
    for (const [i, item] of [...get('moments').children].entries()) {
      const isHere = errors[i] === this.table.current();
      if (isHere) item.firstElementChild!.setAttribute('aria-current', 'true');
      else item.firstElementChild!.removeAttribute('aria-current');
      if (isHere) reveal(get('tab-review'), item as HTMLElement);
    }
  }

  /** The next error after the current move, or the last one before it. */
  moment(direction: 1 | -1): void {
    const errors = this.errors();
    const { ply } = this.table.current();
    const next = direction > 0 ? errors.find((node) => node.ply > ply) : errors.reverse().find((node) => node.ply < ply);
    if (next) this.table.go(next);
  }

  // Learning from the errors

  get isLearning(): boolean {
    return !!this.learning;
  }

  private learn(color: Color): void {
    const errors = this.errors(color);
    if (!errors.length) return;
    this.learning = { errors, at: 0, isSolved: false };
    this.ask();
  }

  private ask(): void {
    const { errors, at } = this.learning!;
    const node = errors[at];
    this.learning!.isSolved = false;
    this.table.hide(true);
    this.table.go(node.parent!);
    this.say(t('learnAsk', { move: `${node.number} ${node.san}`, word: named(`word.${node.verdict!.word}`, ''), side: sideText(node.parent!.turn) }), '');
    this.render();
  }

  private say(text: string, mood: '' | 'right' | 'wrong'): void {
    const { errors, at, isSolved } = this.learning!;
    get('learn-text').textContent = text;
    get('learn').className = `learn ${mood}`;
    get('learn-place').textContent = `${at + 1} / ${errors.length}`;
    get('learn-next').textContent = t(isSolved ? (at + 1 < errors.length ? 'learnNext' : 'learnDone') : 'learnSkip');
    get<HTMLButtonElement>('learn-show').disabled = isSolved;
    announce(text);
  }

  /** A move was made on the board while learning; true if it was an attempt, which the tree does not get. */
  attempt(text: string): boolean {
    if (!this.learning || this.learning.isSolved) return false;
    const learning = this.learning;
    const error = learning.errors[learning.at];
    if (this.table.current() !== error.parent) return false;
    const written = (move: string): string => stepsOf(error.parent!.pos, [move])[0]?.uci ?? '';
    const uci = written(text);
    if (!uci) return false;
    if (uci === written(error.verdict!.best?.[0] ?? '')) {
      this.solved(t('learnBest', { move: lineText(error.parent!.pos, [uci]) }), uci);
      return true;
    }
    if (uci === error.uci) {
      this.say(t('learnSame'), 'wrong');
      return true;
    }
    const request = this.table.tree().request(error.parent!);
    this.say(t('learnChecking'), '');
    this.link.ask('attempt', { ...request, moves: [...request.moves, uci], nodes: this.nodes() }, (message) => {
      if (this.learning !== learning || learning.errors[learning.at] !== error || learning.isSolved) return;
      const move = lineText(error.parent!.pos, [uci]);
      if (!message.word) this.solved(t('learnGood', { move, score: scoreText(message.score as Score) }), uci);
      else this.say(t('learnWorse', { move, word: named(`word.${message.word}`, '') }), 'wrong');
    }, () => this.say(t('learnSame'), 'wrong'));
    return true;
  }

  onSolved: (from: GameNode, moves: string[]) => void = () => {};

  private solved(text: string, uci: string): void {
    const error = this.learning!.errors[this.learning!.at];
    this.learning!.isSolved = true;
    this.table.hide(false);
    this.onSolved(error.parent!, [uci]);
    this.say(text, 'right');
  }

  private solve(): void {
    const error = this.learning!.errors[this.learning!.at];
    const best = error.verdict!.best ?? [];
    this.learning!.isSolved = true;
    this.table.hide(false);
    if (best.length) this.onSolved(error.parent!, best.slice(0, 1));
    this.say(t('learnSolution', { line: lineText(error.parent!.pos, best, 6) }), '');
  }

  private next(): void {
    const learning = this.learning!;
    if (learning.at + 1 >= learning.errors.length) return this.endLearning();
    learning.at += 1;
    this.ask();
  }

  endLearning(): void {
    if (!this.learning) return;
    this.learning = undefined;
    this.link.stop('attempt');
    this.table.hide(false);
    this.render();
  }
}
