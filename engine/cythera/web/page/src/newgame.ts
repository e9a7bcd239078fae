// The dialog that begins a game: level, side, clock and start.

import { bindLevel, type Desk } from './desk';
import { get, keep, kept, onClick } from './dom';
import { INITIAL_FEN, needs960, parsePosition, start960 } from './game';
import { t } from './language';

export interface GameSettings {
  elo: number;
  side: 'white' | 'black' | 'random';
  minutes: number; // 0 is no clock
  increment: number; // seconds
  start: 'standard' | '960' | 'fen';
}

export class NewGame {
  onStart: (settings: GameSettings, fen: string, chess960: boolean) => void = () => {};
  readonly settings: GameSettings = { elo: 1500, side: 'white', minutes: 0, increment: 0, start: 'standard', ...kept<GameSettings>('localStorage', 'play') };
  /** Says in words where the slider stands, once the server has named its levels. */
  readonly showLevel: () => void;
  private dialog = get<HTMLDialogElement>('new-game');

  constructor(desk: Desk) {
    this.showLevel = bindLevel('new-level', () => desk.hello);
    const time = get<HTMLSelectElement>('new-time');
    const start = get<HTMLSelectElement>('new-start');
    const showParts = (): void => {
      get('new-custom').hidden = time.value !== 'custom';
      get('new-960').hidden = start.value !== '960';
      get('new-fen-row').hidden = start.value !== 'fen';
    };
    time.addEventListener('change', showParts);
    start.addEventListener('change', showParts);
    onClick('new-cancel', () => this.dialog.close());
    get('new-form').addEventListener('submit', (event) => {
      event.preventDefault();
      try {
        this.start();
        this.dialog.close();
      } catch (error) {
        get('new-error').textContent = (error as Error).message;
      }
    });
    showParts();
  }

  open(): void {
    get<HTMLInputElement>('new-level').value = String(this.settings.elo);
    this.showLevel();
    for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=side]')) radio.checked = radio.value === this.settings.side;
    get('new-error').textContent = '';
    this.dialog.showModal();
  }

  /** Throws an Error with a message if something is wrong. */
  private start(): void {
    const side = document.querySelector<HTMLInputElement>('input[name=side]:checked')?.value as GameSettings['side'];
    const time = get<HTMLSelectElement>('new-time').value;
    const [minutes, increment] = time === 'custom' ? [read('new-minutes', 'minutes', 0.1, 600), read('new-increment', 'secondsPerMove', 0, 180)] : time.split('+').map(Number);
    const start = get<HTMLSelectElement>('new-start').value as GameSettings['start'];
    let [fen, chess960] = [INITIAL_FEN, start === '960'];
    if (start === '960') {
      const isRandom = get<HTMLInputElement>('new-number').value.trim() === '';
      fen = start960(isRandom ? Math.floor(Math.random() * 960) : read('new-number', 'numberWord', 0, 959, true));
    } else if (start === 'fen') {
      fen = get<HTMLInputElement>('new-fen').value;
      chess960 = needs960(parsePosition(fen));
    }
    Object.assign(this.settings, { elo: +get<HTMLInputElement>('new-level').value, side, minutes, increment, start });
    keep('localStorage', 'play', this.settings);
    this.onStart(this.settings, fen, chess960);
  }
}

/** A number in a field; throws an Error with a message if it is none or out of range. */
function read(id: string, name: 'minutes' | 'secondsPerMove' | 'numberWord', low: number, high: number, isWhole = false): number {
  const text = get<HTMLInputElement>(id).value.trim();
  const value = Number(text);
  if (text === '' || !(value >= low && value <= high) || (isWhole && !Number.isInteger(value))) throw new Error(t('mustBeBetween', { name: t(name), low, high, text }));
  return value;
}
