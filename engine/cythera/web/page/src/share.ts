// Addresses that hold a whole game: its PGN, compressed by the browser.

import { GameTree, parsePosition, type GameNode } from './game';
import { pgnOf, readText } from './pgn';

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const source = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(source).arrayBuffer());
}

async function packed(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function unpacked(text: string): Promise<string> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
}

/** The part of an address after "#analyse?": the game with all that is in it, and where in it we are. */
export async function queryOf(tree: GameTree, node: GameNode, isFlipped: boolean): Promise<string> {
  const query = new URLSearchParams();
  if (tree.isEmpty) {
    query.set('fen', tree.root.fen.replaceAll(' ', '_'));
    if (tree.chess960) query.set('chess960', '1');
  } else {
    query.set('game', await packed(pgnOf(tree)));
    const path = node.line().slice(1).map((one) => one.parent!.children.indexOf(one));
    if (path.length) query.set('at', path.some(Boolean) ? `v${path.join('.')}` : String(path.length));
  }
  if (isFlipped) query.set('side', 'black');
  return query.toString().replaceAll('%2F', '/');
}

/** The game of an address; undefined if it has none. Throws an Error with a message. */
export async function fromQuery(query: URLSearchParams): Promise<{ tree: GameTree; node: GameNode; isFlipped: boolean } | undefined> {
  const [fen, game] = [query.get('fen'), query.get('game')];
  const isFlipped = query.get('side') === 'black';
  if (fen) {
    const tree = GameTree.fromPosition(parsePosition(fen), query.get('chess960') === '1');
    return { tree, node: tree.root, isFlipped };
  }
  if (!game) return undefined;
  const { tree } = readText(await unpacked(game));
  const at = query.get('at') ?? '';
  const path = at.startsWith('v') ? at.slice(1).split('.').map(Number) : Array<number>(Math.min(2000, +at || 0)).fill(0);
  let node = tree.root;
  for (const index of path) node = node.children[index] ?? node;
  return { tree, node, isFlipped };
}
