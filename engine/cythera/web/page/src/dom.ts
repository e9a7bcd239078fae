// Small helpers for the document.

export function get<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

type Child = Node | string | null | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child): child is Node | string => child != null));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function makeSvg(tag: string, attributes: Record<string, string | number> = {}): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export const onClick = (id: string, act: () => void): void => get(id).addEventListener('click', act);

/** Says something to those who listen rather than look. */
export function announce(text: string): void {
  get('announcer').textContent = text;
}

let toastTimer = 0;

/** A short note over the page, with something that can be done about it. */
export function toast(text: string, action?: { text: string; act: () => void }): void {
  const box = get('toast');
  const hide = (): void => box.classList.remove('shown');
  const button = action && make('button', { type: 'button', id: 'toast-action' }, action.text);
  button?.addEventListener('click', () => {
    hide();
    action!.act();
  });
  box.replaceChildren(make('span', {}, text), ...(button ? [button] : []));
  box.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(hide, action ? 10_000 : 4000);
}

/** Writes to the clipboard; false if the browser does not allow it. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  const link = make('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Kept in this browser, or in this tab only; a browser that keeps nothing is no error. */
export function keep(store: 'localStorage' | 'sessionStorage', name: string, value: unknown): void {
  try {
    window[store].setItem(`cythera.${name}`, JSON.stringify(value));
  } catch {
    return;
  }
}

export function kept<T>(store: 'localStorage' | 'sessionStorage', name: string): T | undefined {
  try {
    return (JSON.parse(window[store].getItem(`cythera.${name}`) ?? 'null') as T) ?? undefined;
  } catch {
    return undefined;
  }
}

export const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
