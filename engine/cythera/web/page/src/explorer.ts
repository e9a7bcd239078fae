// The explorer: what was played in a position in the user's own games.

import { get, make } from './dom';
import { resultText, type GameNode, type GameTree } from './game';
import { number, t } from './language';
import type { Hello, Link } from './link';

interface Counts {
  games: number;
  white: number;
  draws: number;
  black: number;
}

interface Sample {
  game: number; // its number in the index
  white: string;
  black: string;
  white_rating: number;
  black_rating: number;
  result: string;
  date: string;
}

interface Row extends Counts {
  uci: string;
  san: string;
  rating: number; // 0 where it is not known
  samples: Sample[];
}

export class Explorer {
  onPlay: (uci: string) => void = () => {};
  onGame: (pgn: string) => void = () => {};
  private isOpen = false;
  private index?: { name: string; count: number };
  private shown?: { tree: GameTree; node: GameNode };

  constructor(private link: Link) {}

  /** The server has an index of games, or none. */
  offer(hello: Hello): void {
    this.index = hello.games ?? undefined;
    document.querySelector<HTMLElement>('[data-tab=explorer]')!.hidden = !this.index;
  }

  opened(isOpen: boolean): void {
    this.isOpen = isOpen;
    this.ask();
  }

  show(tree: GameTree, node: GameNode): void {
    this.shown = { tree, node };
    this.ask();
  }

  private ask(): void {
    if (!this.isOpen || !this.index || !this.shown || !this.link.isOpen) return;
    const { tree, node } = this.shown;
    this.link.ask('explore', tree.request(node), (message) => this.render(message as unknown as Counts & { moves: Row[] }, node));
  }

  private render(found: Counts & { moves: Row[] }, node: GameNode): void {
    const { name, count } = this.index!;
    get('explorer-state').textContent = found.games
      ? t('explorerState', { n: number(found.games), all: number(count), file: name })
      : t('explorerNone', { file: name });
    get('explorer-moves').closest('table')!.hidden = !found.games;
    get('explorer-moves').replaceChildren(...found.moves.map((row) => this.row(row, found.games, node)));
    const samples = found.moves.flatMap((row) => row.samples).sort((a, b) => rating(b) - rating(a)).slice(0, 8);
    get('explorer-title').hidden = !samples.length;
    get('explorer-games').replaceChildren(...samples.map((game) => this.sample(game)));
  }

  private row(row: Row, all: number, node: GameNode): HTMLElement {
    const play = make('button', { type: 'button', class: 'explorer-move' }, `${node.pos.fullmoves}${node.turn === 'white' ? '.' : '…'} ${row.san}`);
    play.addEventListener('click', () => this.onPlay(row.uci));
    return make('tr', { 'data-uci': row.uci },
      make('td', {}, play),
      make('td', {}, `${number(row.games)} `, make('small', {}, `${Math.round((100 * row.games) / all)}\u00a0%`)),
      make('td', {}, resultBar(row)),
      make('td', {}, row.rating ? String(row.rating) : '–'));
  }

  private sample(game: Sample): HTMLElement {
    const name = (player: string, elo: number): string => (elo ? `${player} (${elo})` : player);
    const button = make('button', { type: 'button', class: 'moment' },
      make('b', {}, resultText(game.result)), ' ',
      make('span', {}, `${name(game.white, game.white_rating)} – ${name(game.black, game.black_rating)}`),
      make('small', {}, game.date.replace(/[.?]+$/, '')));
    button.addEventListener('click', () => this.link.ask('game', { game: game.game }, (message) => this.onGame(message.pgn as string)));
    return make('li', {}, button);
  }
}

const rating = (game: Sample): number => game.white_rating + game.black_rating;

/** White's wins, draws and Black's wins as parts of a bar. */
function resultBar(counts: Counts): HTMLElement {
  const known = counts.white + counts.draws + counts.black || 1;
  const shares = [counts.white, counts.draws, counts.black].map((part) => Math.round((100 * part) / known));
  const text = t('chances', { win: shares[0], draw: shares[1], loss: shares[2] });
  const bar = make('span', { class: 'wdl', role: 'img', 'aria-label': text, title: text });
  for (const share of shares) {
    const part = make('i', {}, share >= 12 ? `${share}\u00a0%` : '');
    part.style.flexGrow = String(share);
    bar.append(part);
  }
  return bar;
}
