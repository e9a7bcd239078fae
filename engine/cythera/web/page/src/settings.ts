// Settings of the page: language, colours, pieces, sounds.

import { get, keep, kept, make, onClick } from './dom';
import { LANGUAGES } from './texts';
import { language, named, t } from './language';
import { setSounds, soundsOn } from './sounds';

const BOARDS = ['sage', 'wood', 'sea', 'slate', 'plum', 'contrast'];
const PIECES = ['classic', 'flat', 'letters'];

export function bindSettings(): void {
  const dialog = get<HTMLDialogElement>('settings');
  onClick('settings-open', () => dialog.showModal());
  onClick('settings-close', () => dialog.close());
  choose('set-board', 'board', BOARDS);
  choose('set-pieces', 'pieces', PIECES);
  const languages = get<HTMLSelectElement>('set-language');
  languages.append(...LANGUAGES.map(([code, name]) => make('option', { value: code, lang: code }, name)));
  languages.value = language;
  languages.addEventListener('change', () => {
    keep('localStorage', 'language', languages.value);
    location.reload(); // the game stays: every tab keeps its own
  });
  const sounds = get<HTMLInputElement>('set-sounds');
  sounds.checked = soundsOn();
  sounds.addEventListener('change', () => {
    keep('localStorage', 'sounds', sounds.checked);
    setSounds(sounds.checked);
  });
}

/** A row of pictures to choose a look from; the choice is an attribute of the document that the style sheet reads. */
function choose(id: string, name: string, values: string[]): void {
  const root = document.documentElement;
  const wanted = kept<string>('localStorage', name);
  const set = (value: string): void => {
    root.dataset[name] = value;
    for (const button of get(id).children) button.setAttribute('aria-pressed', String((button as HTMLElement).dataset.value === value));
  };
  get(id).replaceChildren(
    ...values.map((value) => {
      const text = named(`${name}.${value}`, value);
      const sample = make('span', { class: 'sample cg-wrap', [`data-${name}`]: value }, make('piece' as 'i', { class: 'knight white' }), make('piece' as 'i', { class: 'knight black' }));
      const button = make('button', { type: 'button', 'data-value': value, title: text }, sample, make('small', {}, text));
      button.addEventListener('click', () => {
        keep('localStorage', name, value);
        set(value);
      });
      return button;
    }),
  );
  set(wanted && values.includes(wanted) ? wanted : values[0]);
}

/** Light or dark: what the system asks for, or the button. */
export function bindTheme(onChange: () => void): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = (theme: string): void => {
    document.documentElement.dataset.theme = theme;
    get('theme').setAttribute('aria-pressed', String(theme === 'dark'));
    get('theme').setAttribute('aria-label', t('dark'));
    onChange();
  };
  const wished = (): string => kept<string>('localStorage', 'theme') ?? (dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', () => set(wished()));
  set(wished());
  onClick('theme', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    keep('localStorage', 'theme', theme);
    set(theme);
  });
}
