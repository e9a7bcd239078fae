// The state of the analysis board: to go back to, and to have still when the page is loaded again.

import type { Color } from 'chessops/types';
import { keep, kept } from './dom';
import { GameTree, type Side, type Verdict } from './game';
import { pgnOf, readText } from './pgn';

export interface Snapshot {
  tree: GameTree;
  path: string[]; // to the current move
  orientation: Color;
  keptAs?: number; // among the games kept in this browser
  isChanged: boolean;
}

interface Saved extends Omit<Snapshot, 'tree'> {
  pgn: string;
  fen: string;
  chess960: boolean;
  sides?: Record<Color, Side>;
  verdicts?: (Verdict | null)[];
}

/** Kept in this tab only. */
export function saveAnalysis({ tree, ...rest }: Snapshot): void {
  const verdicts = tree.sides && tree.mainline().map((node) => node.verdict ?? null);
  const saved: Saved = { ...rest, pgn: pgnOf(tree), fen: tree.root.fen, chess960: tree.chess960, sides: tree.sides, verdicts };
  keep('sessionStorage', 'analysis', saved);
}

export function savedAnalysis(): Snapshot | undefined {
  const saved = kept<Saved>('sessionStorage', 'analysis');
  if (!saved) return undefined;
  let tree: GameTree;
  try {
    tree = readText(saved.pgn).tree;
  } catch {
    tree = GameTree.fromFen(saved.fen, saved.chess960); // a position without moves
  }
  tree.sides = saved.sides;
  for (const [at, node] of tree.mainline().entries()) node.verdict = saved.verdicts?.[at] ?? undefined;
  const { path, orientation, keptAs, isChanged } = saved;
  return { tree, path, orientation, keptAs, isChanged };
}
