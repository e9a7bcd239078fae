// The language of the page: chosen in the settings, or the browser's, or English.

import { kept } from './dom';
import { LANGUAGES, TEXTS } from './texts';

export type Key = keyof typeof TEXTS;
export type Language = (typeof LANGUAGES)[number][0];

const codes = LANGUAGES.map(([code]) => code as string);
const wished = [kept<string>('localStorage', 'language') ?? '', ...navigator.languages.map((code) => code.slice(0, 2))];
const index = Math.max(0, codes.indexOf(wished.find((code) => codes.includes(code)) ?? 'en'));

export const language = LANGUAGES[index][0];

/** A text in the page's language, with values in place of {names}. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return TEXTS[key][index].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** The text for one or for several: `count(2, 'oneMove', 'manyMoves')` is "2 moves". */
export const count = (n: number, one: Key, many: Key): string => t(n === 1 ? one : many, { n });

/** The text under a key that is made at run time, or the fallback where there is none. */
export const named = (key: string, fallback: string): string => (key in TEXTS ? t(key as Key) : fallback);

/** "2,500" or "2.500". */
export const number = (value: number, digits = 0): string =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Fills in the texts that the document names: data-t for its content, data-t-… for an attribute. */
export function translate(root: ParentNode = document): void {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll<HTMLElement>('[data-t]')) element.textContent = t(element.dataset.t as Key);
  for (const [name, attribute] of [['tLabel', 'aria-label'], ['tTitle', 'title'], ['tPlaceholder', 'placeholder'], ['tEmpty', 'data-empty']] as const) {
    const selector = `[data-t-${name.slice(1).toLowerCase()}]`;
    for (const element of root.querySelectorAll<HTMLElement>(selector)) element.setAttribute(attribute, t(element.dataset[name] as Key));
  }
}
