// A list of any length with a search box: only the rows that can be seen are in the document.

import { make } from './dom';

export interface Row {
  title: string;
  detail: string;
  isCurrent?: boolean;
  remove?: string; // the name of a button that takes it away
}

const HEIGHT = 46; // pixels, as in the style sheet
const SPARE = 4;

export class Rows<T> {
  onSelect: (item: T) => void = () => {};
  onRemove: (item: T) => void = () => {};
  private items: T[] = [];
  private found: T[] = [];
  private texts = new Map<T, string>();

  constructor(
    private box: HTMLElement,
    private search: HTMLInputElement,
    private state: HTMLElement,
    private row: (item: T) => Row,
    private stateText: (found: number, all: number) => string,
  ) {
    search.addEventListener('input', () => this.filter());
    box.addEventListener('scroll', () => this.render());
    new ResizeObserver(() => this.render()).observe(box);
    box.addEventListener('keydown', (event) => this.key(event));
  }

  show(items: T[]): void {
    this.items = items;
    this.texts.clear();
    this.filter();
  }

  get shown(): T[] {
    return this.found;
  }

  /** Every word of the search must be somewhere in the row. */
  private filter(): void {
    const words = plain(this.search.value).split(/\s+/).filter(Boolean);
    this.found = words.length ? this.items.filter((item) => words.every((word) => this.text(item).includes(word))) : this.items;
    this.box.scrollTop = 0;
    this.state.textContent = this.stateText(this.found.length, this.items.length);
    this.render();
  }

  private text(item: T): string {
    let text = this.texts.get(item);
    if (text === undefined) {
      const { title, detail } = this.row(item);
      text = plain(`${title} ${detail}`);
      this.texts.set(item, text);
    }
    return text;
  }

  render(): void {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - SPARE);
    const last = Math.min(this.found.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / HEIGHT) + SPARE);
    const space = (count: number): HTMLElement => {
      const element = make('li', { class: 'space', 'aria-hidden': 'true' });
      element.style.height = `${count * HEIGHT}px`;
      return element;
    };
    const focused = (document.activeElement as HTMLElement | null)?.dataset.row;
    const rows = this.found.slice(first, last).map((item, i) => this.element(item, first + i));
    this.box.replaceChildren(space(first), ...rows, space(this.found.length - last));
    if (focused !== undefined) this.box.querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
  }

  private element(item: T, at: number): HTMLElement {
    const { title, detail, isCurrent, remove } = this.row(item);
    const button = make('button', { type: 'button', class: 'row-main', 'data-row': String(at) }, make('span', {}, title), make('small', {}, detail));
    if (isCurrent) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => this.onSelect(item));
    const parts: Node[] = [button];
    if (remove) {
      const cross = make('button', { type: 'button', class: 'row-remove plain', title: remove, 'aria-label': `${remove}: ${title}` }, '✕');
      cross.addEventListener('click', () => this.onRemove(item));
      parts.push(cross);
    }
    return make('li', { 'aria-setsize': String(this.found.length), 'aria-posinset': String(at + 1) }, ...parts);
  }

  private key(event: KeyboardEvent): void {
    const at = (document.activeElement as HTMLElement).dataset.row;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at === undefined || !step) return;
    const next = Math.max(0, Math.min(this.found.length - 1, +at + step));
    const [top, bottom] = [next * HEIGHT, (next + 1) * HEIGHT];
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
    this.render();
    this.box.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true });
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Without accents and capitals, so that "Larsen" finds "LARSEN" and "Muller" finds "Müller". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
