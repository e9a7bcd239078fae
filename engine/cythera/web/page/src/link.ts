// The WebSocket to the server. Requests bring their whole game, so a broken connection loses nothing:
// it is made again, and pending requests are sent again.

import type { Score } from './score';

export interface Line {
  depth: number;
  seldepth: number;
  score: Score;
  wdl: [number, number, number];
  moves: string[];
}

export interface Hello {
  version: string;
  levels: { name: string; elo: number }[];
  elo: [number, number];
  threads: number;
  hash: number;
  lines: number;
  tables?: number; // pieces of the largest endgame table
  games?: { name: string; count: number } | null; // the index of the explorer
}

export interface Lines {
  lines: Line[];
  nodes: number;
  nps: number;
  time: number;
  hashfull: number;
  done?: boolean;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Message = { type: string; id: number } & Record<string, any>;
type Listener = (message: Message) => void;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

export class Link {
  isOpen = false;
  onChange: (isOpen: boolean) => void = () => {};
  onHello: (hello: Hello) => void = () => {};
  onError: (text: string) => void = () => {};
  private socket?: WebSocket;
  private waitMs = FIRST_WAIT_MS;
  private nextId = 1;
  private listeners = new Map<string, { id: number; hear: Listener; fail: (text: string) => void }>();

  connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onmessage = (event) => {
      for (const message of JSON.parse(event.data) as Message[]) this.hear(message);
    };
    socket.onclose = () => {
      const wasOpen = this.isOpen;
      this.isOpen = false;
      this.listeners.clear();
      if (wasOpen) this.onChange(false);
      setTimeout(() => this.connect(), this.waitMs);
      this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 1.6);
    };
  }

  /** Asks for something; an earlier question of the same kind is forgotten, here and by the server. */
  ask(kind: string, body: object, hear: Listener, fail: (text: string) => void = () => {}): void {
    const id = this.nextId++;
    this.listeners.set(kind, { id, hear, fail });
    this.send({ type: kind, id, ...body });
  }

  stop(kind: string): void {
    if (this.listeners.delete(kind)) this.send({ type: 'stop', id: this.nextId++, what: kind });
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private hear(message: Message): void {
    if (message.type === 'hello') {
      this.waitMs = FIRST_WAIT_MS;
      this.isOpen = true;
      this.onHello(message as unknown as Hello);
      this.onChange(true);
      return;
    }
    const listener = [...this.listeners.values()].find((one) => one.id === message.id);
    if (message.type === 'error') {
      this.onError(message.text);
      listener?.fail(message.text);
    } else listener?.hear(message);
  }
}
