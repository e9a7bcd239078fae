// Two clocks, of which one may run.

import { get } from './dom';
import type { Clocks } from './game';
import type { Color } from 'chessops/types';

export class Clock {
  onFlag: (color: Color) => void = () => {};
  left: Clocks = { white: 0, black: 0 }; // milliseconds
  incrementMs = 0;
  isUsed = false;
  private running?: Color;
  private since = 0;
  private timer = 0;

  set(baseMs: number, incrementMs: number): void {
    this.stop();
    this.isUsed = baseMs > 0;
    this.left = { white: baseMs, black: baseMs };
    this.incrementMs = incrementMs;
  }

  /** What is left, the running moment included. */
  now(): Clocks {
    const left = { ...this.left };
    if (this.running) left[this.running] = Math.max(0, left[this.running] - (performance.now() - this.since));
    return left;
  }

  start(color: Color): void {
    this.stop();
    if (!this.isUsed) return;
    this.running = color;
    this.since = performance.now();
    this.timer = window.setInterval(() => this.tick(), 100);
  }

  stop(): void {
    clearInterval(this.timer);
    this.left = this.now();
    this.running = undefined;
  }

  /** The running side has moved: its increment is added, and its clock stops. */
  press(): void {
    const mover = this.running;
    this.stop();
    if (mover) this.left[mover] += this.incrementMs;
  }

  show(bottom: Color): void {
    const left = this.now();
    for (const [id, color] of [['clock-bottom', bottom], ['clock-top', bottom === 'white' ? 'black' : 'white']] as const) {
      const box = get(id);
      box.hidden = !this.isUsed;
      box.textContent = clockText(left[color]);
      box.classList.toggle('running', this.running === color);
      box.classList.toggle('low', this.isUsed && left[color] < 20_000);
    }
  }

  onTick: () => void = () => {};

  private tick(): void {
    const color = this.running;
    if (color && this.now()[color] <= 0) {
      this.stop();
      this.onFlag(color);
    }
    this.onTick();
  }
}

/** 605000 → "10:05", below ten seconds with tenths. */
export function clockText(ms: number): string {
  if (ms < 10_000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
