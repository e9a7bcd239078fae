// Games kept in this browser, in its own database. They never leave this machine.

import { keep, kept } from './dom';

export interface Kept {
  id: number;
  at: number; // when, in milliseconds
  title: string;
  result: string;
  moves: number;
  from: 'play' | 'watch' | 'analyse';
  orientation: 'white' | 'black';
  pgn: string;
}

interface File {
  tab: string;
  name: string;
  text: string;
}

const NAME = 'cythera';
const MOST_FILES = 6; // of other tabs, whose pages may be open still

let database: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('games', { keyPath: 'id', autoIncrement: true });
      request.result.createObjectStore('files', { keyPath: 'tab' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function run<T>(store: 'games' | 'files', mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Keeps a game, in place of an earlier state of it; its number, or undefined if the browser keeps nothing. */
export async function keepGame(game: Omit<Kept, 'id'> & { id?: number }): Promise<number | undefined> {
  try {
    const { id, ...rest } = game;
    return Number(await run('games', 'readwrite', (store) => store.put(id === undefined ? rest : { ...rest, id })));
  } catch {
    return undefined;
  }
}

/** All kept games, the latest first. */
export async function keptGames(): Promise<Kept[]> {
  try {
    const games = await run<Kept[]>('games', 'readonly', (store) => store.getAll() as IDBRequest<Kept[]>);
    return games.sort((a, b) => b.at - a.at);
  } catch {
    return [];
  }
}

export async function forgetGame(id: number): Promise<void> {
  await run('games', 'readwrite', (store) => store.delete(id)).catch(() => undefined);
}

/** The file that is open in a tab, so that a reloaded page has it still; an empty text forgets it. */
export async function keepFile(tab: string, name: string, text: string): Promise<void> {
  const tabs = [...(kept<string[]>('localStorage', 'file tabs') ?? []).filter((one) => one !== tab), tab];
  keep('localStorage', 'file tabs', tabs.slice(-MOST_FILES));
  try {
    for (const old of tabs.slice(0, -MOST_FILES)) await run('files', 'readwrite', (store) => store.delete(old));
    await run('files', 'readwrite', (store) => (text ? store.put({ tab, name, text }) : store.delete(tab)) as IDBRequest<unknown>);
  } catch {
    return;
  }
}

export async function keptFile(tab: string): Promise<{ name: string; text: string } | undefined> {
  return run<File | undefined>('files', 'readonly', (store) => store.get(tab) as IDBRequest<File | undefined>).catch(() => undefined);
}
