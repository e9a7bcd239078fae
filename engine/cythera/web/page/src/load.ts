// Loading: a pasted text, a file with any number of games, and the games kept in this browser.

import { get, keep, kept, onClick, toast } from './dom';
import { resultText, type GameTree } from './game';
import { language, number, t } from './language';
import { entriesOf, readEntry, readText, titleOf, type Entry } from './pgn';
import { Rows } from './rows';
import { forgetGame, keepFile, keepGame, keptFile, keptGames, type Kept } from './store';

const LARGEST_FILE = 200 * 1024 * 1024;
const LARGEST_KEPT = 40 * 1024 * 1024; // of a file that a reloaded page has still

export class Loader {
  /** A game was chosen. `keptAs` is its number among the kept games. */
  onGame: (tree: GameTree, keptAs?: Kept) => void = () => {};
  private text = '';
  private entries: Entry[] = [];
  private current = -1;
  private dialog = get<HTMLDialogElement>('load');
  private tab = kept<string>('sessionStorage', 'tab') ?? Math.random().toString(36).slice(2);
  private fileRows = new Rows<number>(get('file-list'), get('file-search'), get('file-state'), (index) => this.fileRow(index), (found, all) => stateText(found, all));
  private keptRows = new Rows<Kept>(get('kept-list'), get('kept-search'), get('kept-state'), keptRow, (found, all) => (all ? stateText(found, all) : t('keptNone')));

  constructor() {
    keep('sessionStorage', 'tab', this.tab);
    const text = get<HTMLTextAreaElement>('load-text');
    onClick('load-open', () => this.open());
    onClick('load-cancel', () => this.dialog.close());
    get('load-form').addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.load(text.value, '')) return;
      text.value = '';
      this.dialog.close();
    });
    get<HTMLInputElement>('load-file').addEventListener('change', (event) => {
      const input = event.target as HTMLInputElement;
      if (input.files?.[0]) void this.loadFile(input.files[0]).then((isDone) => isDone && this.dialog.close());
      input.value = '';
    });
    this.fileRows.onSelect = (index) => this.choose(index);
    this.keptRows.onSelect = (game) => {
      this.openKept(game);
      this.dialog.close();
    };
    this.keptRows.onRemove = (game) => void this.forget(game);
    onClick('file-close', () => this.close());
    void this.restore();
  }

  open(): void {
    get('load-error').textContent = '';
    this.dialog.showModal();
    void this.renderKept();
    get('load-text').focus();
  }

  // Files

  async loadFile(file: File): Promise<boolean> {
    if (file.size > LARGEST_FILE) {
      toast(t('fileTooLarge', { mb: LARGEST_FILE / 2 ** 20 }));
      return false;
    }
    const bytes = await file.arrayBuffer();
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder('windows-1252').decode(bytes); // PGN was Latin-1 before it was anything else
    }
    return this.load(text, file.name);
  }

  /** Loads a FEN, an EPD or a PGN with any number of games; says what is wrong if it cannot. */
  load(text: string, name: string): boolean {
    const clean = text.replace(/^\uFEFF/, '');
    try {
      if (!clean.trim()) throw new Error(t('nothingToLoad'));
      const entries = entriesOf(clean);
      if (entries.length > 1) return this.openFile(clean, entries, name);
      const { tree, problem } = readText(clean);
      this.close();
      this.onGame(tree);
      if (problem) toast(problem);
      return true;
    } catch (error) {
      get('load-error').textContent = (error as Error).message;
      toast((error as Error).message);
      return false;
    }
  }

  /** Opens a list of games at the first that can be shown; throws the complaint of the first if there is none. */
  private openFile(text: string, entries: Entry[], name: string): boolean {
    const complaints: string[] = [];
    for (const [index, entry] of entries.entries()) {
      try {
        readEntry(text, entry);
      } catch (error) {
        complaints.push(`${index + 1}. ${(error as Error).message}`);
        if (complaints.length > 20) break;
        continue;
      }
      Object.assign(this, { text, entries });
      this.showFile(name);
      this.choose(index);
      if (complaints.length) toast(complaints.slice(0, 3).join(' '));
      void keepFile(this.tab, name, text.length > LARGEST_KEPT ? '' : text);
      return true;
    }
    throw new Error(complaints[0]);
  }

  private showFile(name: string): void {
    get('file').hidden = this.entries.length < 2;
    get('file-name').textContent = name || t('gamesWord');
    get<HTMLInputElement>('file-search').value = '';
    this.fileRows.show(this.entries.map((_, index) => index));
  }

  private fileRow(index: number) {
    const { headers, isPosition, start, end } = this.entries[index];
    const known = (name: string): string => (/^[?.*\s]*$/.test(headers.get(name) ?? '') ? '' : headers.get(name)!);
    const title = isPosition ? (/\bid\s+"([^"]*)"/.exec(this.text.slice(start, end))?.[1] ?? this.text.slice(start, start + 60).trim()) : titleOf(headers);
    const detail = [resultText(known('Result')), known('ECO'), known('Opening'), known('Round')].filter(Boolean).join(' · ');
    return { title: `${number(index + 1)}. ${title}`, detail, isCurrent: index === this.current };
  }

  private choose(index: number): void {
    try {
      const { tree, problem } = readEntry(this.text, this.entries[index]);
      this.current = index;
      keep('sessionStorage', 'file game', index);
      this.onGame(tree);
      if (problem) toast(problem);
    } catch (error) {
      toast(`${index + 1}. ${(error as Error).message}`);
    }
    this.fileRows.render();
  }

  /** The game after or before the current one, of those the search finds. */
  step(by: 1 | -1): void {
    const { shown } = this.fileRows;
    const next = shown[shown.indexOf(this.current) + by];
    if (next !== undefined) this.choose(next);
  }

  /** Takes the list of games away; the game on the board stays. */
  close(): void {
    Object.assign(this, { text: '', entries: [], current: -1 });
    this.showFile('');
    void keepFile(this.tab, '', '');
  }

  private async restore(): Promise<void> {
    const file = await keptFile(this.tab);
    if (!file || this.entries.length) return;
    this.text = file.text;
    this.entries = entriesOf(file.text);
    this.current = kept<number>('sessionStorage', 'file game') ?? -1;
    this.showFile(file.name);
  }

  // Kept games

  private async renderKept(): Promise<void> {
    this.keptRows.show(await keptGames());
  }

  private openKept(game: Kept): void {
    try {
      const { tree } = readText(game.pgn);
      this.onGame(tree, game);
    } catch (error) {
      toast((error as Error).message);
    }
  }

  private async forget(game: Kept): Promise<void> {
    await forgetGame(game.id);
    await this.renderKept();
    const { id: _, ...rest } = game;
    const bring = (): void => void keepGame(rest).then(() => this.renderKept());
    const undo = get('kept-undo');
    undo.hidden = false;
    undo.onclick = () => {
      undo.hidden = true;
      bring();
    };
  }
}

function keptRow(game: Kept) {
  const day = new Date(game.at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  const parts = [t(`from.${game.from}` as 'from.play'), game.result === '*' ? '' : resultText(game.result), t('movesCount', { n: game.moves }), day];
  return { title: game.title, detail: parts.filter(Boolean).join(' · '), remove: t('forget') };
}

const stateText = (found: number, all: number): string =>
  found === all ? t(all === 1 ? 'oneGame' : 'manyGames', { n: number(all) }) : t('foundGames', { n: number(found), all: number(all) });
