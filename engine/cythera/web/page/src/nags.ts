// Numeric annotation glyphs: what each number means and how it is written.

export const MOVE_NAGS = [3, 1, 5, 6, 2, 4]; // !! ! !? ?! ? ??, of which a move has one
export const POSITION_NAGS = [10, 13, 14, 15, 16, 17, 18, 19]; // of which a position has one
export const OTHER_NAGS = [7, 22, 32, 36, 40, 44, 132, 138, 140, 146];

const SIGNS: Record<number, string> = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 8: '□', 9: '☒', 10: '=', 11: '=', 12: '=', 13: '∞',
  14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+', 20: '+−−', 21: '−−+', 22: '⊙', 23: '⊙', 24: '○', 25: '○',
  26: '○', 27: '○', 28: '○', 29: '○', 30: '⟳', 31: '⟳', 32: '⟳', 33: '⟳', 34: '⟳', 35: '⟳', 36: '↑', 37: '↑', 38: '↑',
  39: '↑', 40: '→', 41: '→', 42: '→', 43: '→', 44: '=∞', 45: '=∞', 46: '=∞', 47: '=∞', 130: '⇆', 131: '⇆', 132: '⇆',
  133: '⇆', 134: '⇆', 135: '⇆', 136: '⊕', 137: '⊕', 138: '⊕', 139: '⊕', 140: '∆', 141: '∇', 142: '⌓', 143: '≤',
  144: '=', 145: 'RR', 146: 'N', 190: '…', 193: '○', 201: 'D', 220: 'D', 238: '○', 239: '⇔', 240: '⇗', 242: '⟫', 243: '⟪',
  244: '✕', 245: '⊥',
};

/** How a glyph is written; one without a sign of its own by its number. */
export const nagSign = (nag: number): string => SIGNS[nag] ?? `$${nag}`;

export const isMoveNag = (nag: number): boolean => nag >= 1 && nag <= 9;

/** The signs of a move: its own close to it, those of the position after a space. */
export function nagText(nags: number[]): string {
  const move = nags.filter(isMoveNag).map(nagSign).join('');
  const others = nags.filter((nag) => nag && !isMoveNag(nag)).map(nagSign).join(' ');
  return move + (others ? ` ${others}` : '');
}

/** The glyphs with one set or taken away; of a group that excludes each other, only one stays. */
export function toggledNag(nags: number[], nag: number): number[] {
  if (nags.includes(nag)) return nags.filter((one) => one !== nag);
  const group = [MOVE_NAGS, POSITION_NAGS].find((one) => one.includes(nag)) ?? [];
  return [...nags.filter((one) => !group.includes(one)), nag].sort((a, b) => a - b);
}
