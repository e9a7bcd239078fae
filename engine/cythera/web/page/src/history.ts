// States that can be gone back to, and forward again.

const MOST = 60;

export class History<T> {
  private past: T[] = [];
  private future: T[] = [];

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** A change is about to be made to this state. */
  remember(state: T): void {
    this.past.push(state);
    if (this.past.length > MOST) this.past.shift();
    this.future = [];
  }

  /** The state before the last change; `now` is what can be redone. */
  undo(now: () => T): T | undefined {
    const state = this.past.pop();
    if (state) this.future.push(now());
    return state;
  }

  redo(now: () => T): T | undefined {
    const state = this.future.pop();
    if (state) this.past.push(now());
    return state;
  }
}
