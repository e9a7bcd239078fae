"""Judging a move by what it gave away. Pure: scores in, numbers and words out.

What counts is the expected score of the game (a win 1, a draw ½), not centipawns: from +9 to +6
nothing is lost, from +1 to −1 much is. The curve from score to expectation is that of games between
people, fitted to results of rated games by `bench/judging_curve.py` (docs/analyse.md has the figures); the
engine's own chances of win, draw and loss (`Score.wdl`) are those of games against itself.
"""

from math import exp

from cythera.board.scores import Score

CURVE_SCALE_CP = 140.0  # expectation = 1 / (1 + exp(-score / scale))
# The curve of lichess in our centipawns: its published slope, 0.00368208 for Stockfish's, of which ours are 0.85.
LICHESS_SCALE_CP = 231.0
LICHESS_BARS = (0.15, 0.10, 0.05)  # its blunder, mistake, inaccuracy

# Expected score given away, and the word for it, worst first. In an even game these are 45, 86 and 154 centipawns.
BLUNDER, MISTAKE, INACCURACY, MISSED_MATE = "blunder", "mistake", "inaccuracy", "missed mate"
WORDS = ((0.25, BLUNDER), (0.15, MISTAKE), (0.08, INACCURACY))
NAGS = {INACCURACY: 6, MISTAKE: 2, BLUNDER: 4, MISSED_MATE: 6}  # ?!, ?, ??; a missed mate at least ?!
LONGEST_MISSED_MATE = 5  # moves; nobody is told off for missing a longer one in a won game
CLIP_CP = 1000  # beyond this, centipawns are not counted
STEEPNESS = 4.0  # of accuracy: a move that gives away 0.1 has exp(-0.4), 67 %


def expectation(score: Score, scale_cp: float = CURVE_SCALE_CP) -> float:
    """The expected score of a game between people, 0 to 1, for whom the score is seen from.

    >>> expectation(Score(cp=0)), expectation(Score(mate=3))
    (0.5, 1.0)
    """
    if score.cp is None:
        return 1.0 if score.value > 0 else 0.0
    return 1 / (1 + exp(max(-50.0, min(50.0, -score.cp / scale_cp))))


def loss_of(best: Score, played: Score) -> float:
    """Expected score given away by a move, both scores from the mover's side; never negative."""
    return max(0.0, expectation(best) - expectation(played))


def severity_of(best: Score, played: Score) -> float:
    """How bad an error is, to be compared with the losses of WORDS.

    It is the expected score given away. Of a move that gives away enough to be an error, it is more if the flatter
    curve of lichess has a graver word for it: then a piece that is hung in a bad position is a blunder too.

    >>> severity_of(Score(cp=0), Score(cp=-30)) == loss_of(Score(cp=0), Score(cp=-30))
    True
    >>> round(loss_of(Score(cp=-270), Score(cp=-1400)), 2), severity_of(Score(cp=-270), Score(cp=-1400))
    (0.13, 0.25)
    """
    loss = loss_of(best, played)
    if loss < WORDS[-1][0]:
        return loss
    flat = expectation(best, LICHESS_SCALE_CP) - expectation(played, LICHESS_SCALE_CP)
    return max(loss, *(least for (least, _), bar in zip(WORDS, LICHESS_BARS, strict=True) if flat >= bar), 0.0)


def loss_cp_of(best: Score, played: Score) -> int:
    """Centipawns given away, of scores within ±10 pawns.

    >>> loss_cp_of(Score(cp=50), Score(cp=-30)), loss_cp_of(Score(mate=2), Score(cp=2000))
    (80, 0)
    """
    return max(0, clipped(best) - clipped(played))


def clipped(score: Score) -> int:
    return max(-CLIP_CP, min(CLIP_CP, score.value))


def word_of(best: Score, played: Score, most: float = 1.0) -> str:
    """The word for a move that was not the best, or nothing if there is little to say.

    Its severity counts as `most` at most: what an earlier search thought of it.

    >>> word_of(Score(cp=30), Score(cp=-250)), word_of(Score(cp=30), Score(cp=25))
    ('blunder', '')
    >>> word_of(Score(mate=2), Score(cp=1200)), word_of(Score(mate=2), Score(mate=4))
    ('missed mate', '')
    """
    loss = min(most, severity_of(best, played))
    if is_missed_mate(best, played) and loss < WORDS[0][0]:
        return MISSED_MATE
    return next((word for least, word in WORDS if loss >= least), "")


def is_missed_mate(best: Score, played: Score) -> bool:
    return is_mating(best) and not is_mating(played) and (best.mate or 0) <= LONGEST_MISSED_MATE


def is_mating(score: Score) -> bool:
    return score.mate is not None and score.value > 0


def accuracy_of(loss: float) -> float:
    """How near a move is to the best one, 0 to 100.

    >>> accuracy_of(0), round(accuracy_of(0.1)), round(accuracy_of(1))
    (100.0, 67, 2)
    """
    return 100 * exp(-STEEPNESS * loss)
