// Scores as the server sends them: White's centipawns, or a mate with who gives it.

import { t } from './language';

export interface Score {
  cp?: number;
  mate?: number;
  white?: boolean;
}

const TABLES_CP = 19_750; // from here on a score is a win by endgame tables, as in the engine

const isByTables = ({ cp }: Score): boolean => Math.abs(cp ?? 0) >= TABLES_CP;

/** "+0.31", "−1.20", "#4", "−#2"; "+TB" for a win by endgame tables. */
export function scoreText(score: Score): string {
  if (isByTables(score)) return `${score.cp! > 0 ? '+' : '−'}TB`;
  if (score.mate !== undefined) return `${score.white ? '' : '−'}#${score.mate}`;
  const pawns = (score.cp ?? 0) / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(2)}`;
}

/** The same for a screen reader. */
export function scoreWords(score: Score): string {
  if (score.mate !== undefined) {
    const side = t(score.white ? 'white' : 'black');
    return score.mate ? t('matesIn', { side, n: score.mate }) : t('hasMated', { side });
  }
  const pawns = (score.cp ?? 0) / 100;
  if (isByTables(score)) return t('tableWin', { side: t(pawns > 0 ? 'white' : 'black') });
  if (Math.abs(pawns) < 0.005) return t('equal');
  return t('aheadBy', { side: t(pawns > 0 ? 'white' : 'black'), n: Math.abs(pawns).toFixed(2) });
}

/** How far up a bar or graph a score stands for White, from 0 to 1: steep near equality, flat far from it. */
export function whiteShare(score: Score): number {
  if (score.mate !== undefined) return score.white ? 1 : 0;
  return 1 / (1 + Math.exp(-(score.cp ?? 0) / 260));
}

/** 1234 → "1.2 k", 12345678 → "12.3 M". */
export function shortNumber(value: number): string {
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]] as const) {
    if (value >= size) return `${(value / size).toFixed(value >= 100 * size ? 0 : 1)} ${unit}`;
  }
  return String(value);
}
