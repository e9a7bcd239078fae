"""Ending games whose result is no longer in doubt. Pure: scores in, a verdict out."""

from dataclasses import dataclass, field

MATE_CP = 100_000  # what a mate score counts as


@dataclass(frozen=True, slots=True)
class DrawRule:
    """Draw after `count` full moves in a row with both scores within `cp`, from move `move` on.

    A capture or a pawn move starts the count again.
    """

    move: int = 40
    count: int = 8
    cp: int = 10


@dataclass(frozen=True, slots=True)
class WinRule:
    """Win after `count` moves in a row of both sides that agree on a score of at least `cp`."""

    count: int = 4
    cp: int = 800


@dataclass(frozen=True, slots=True)
class ResignRule:
    """A side resigns after `count` moves of its own in a row with a score of at most -`cp`; the opponent is
    not asked."""

    count: int = 5
    cp: int = 900


@dataclass(frozen=True, slots=True)
class Rules:
    """How a game can be ended early; None switches a rule off. `tables` names folders of endgame tables (`package`:
    those of Cythera), whose results end a game whatever the engines say."""

    draw: DrawRule | None = None
    win: WinRule | None = None
    resign: ResignRule | None = None
    max_moves: int | None = None
    tables: str | None = None


# Tuning plays many games, and none needs to be played to the last move.
TUNING_RULES = Rules(draw=DrawRule(move=40, count=8, cp=10), win=WinRule(count=3, cp=600))


@dataclass(slots=True)
class Adjudicator:
    """Follows one game's scores and says when it is over.

    >>> judge = Adjudicator(Rules(win=WinRule(count=1, cp=500)))
    >>> judge.verdict(510, None, white=True, move=30, zeroing=False)
    >>> judge.verdict(-600, None, white=False, move=30, zeroing=False)
    ('1-0', 'adjudication: both sides see a win for white')
    """

    rules: Rules
    _drawish: int = field(default=0)
    _winning: list[int] = field(default_factory=lambda: [0, 0])  # plies in a row that favour black, white
    _losing: list[int] = field(default_factory=lambda: [0, 0])  # own moves in a row that black, white sees lost

    def verdict(
        self, score_cp: int | None, mate: int | None, *, white: bool, move: int, zeroing: bool
    ) -> tuple[str, str] | None:
        """Take in a move's score (of the side that moved) and return `(result, reason)` or None."""
        if mate is not None:
            score_cp = MATE_CP if mate > 0 else -MATE_CP
        self._count(score_cp, white=white, zeroing=zeroing)
        draw, win = self.rules.draw, self.rules.win
        if draw and move >= draw.move and self._drawish >= 2 * draw.count:
            return "1/2-1/2", "adjudication: both sides see a draw"
        if win and self._winning[1] >= 2 * win.count:
            return "1-0", "adjudication: both sides see a win for white"
        if win and self._winning[0] >= 2 * win.count:
            return "0-1", "adjudication: both sides see a win for black"
        resign = self.rules.resign
        if resign and self._losing[white] >= resign.count:
            loser, result = ("white", "0-1") if white else ("black", "1-0")
            return result, f"adjudication: {loser} resigns"
        if self.rules.max_moves is not None and not white and move >= self.rules.max_moves:
            return "1/2-1/2", f"adjudication: {self.rules.max_moves} moves have been played"
        return None

    def _count(self, score_cp: int | None, *, white: bool, zeroing: bool) -> None:
        draw, win = self.rules.draw, self.rules.win
        if draw:
            if zeroing or score_cp is None or abs(score_cp) > draw.cp:
                self._drawish = 0
            if score_cp is not None and abs(score_cp) <= draw.cp:
                self._drawish += 1
        if self.rules.resign:
            lost = score_cp is not None and score_cp <= -self.rules.resign.cp
            self._losing[white] = self._losing[white] + 1 if lost else 0
        if win:
            decided = score_cp is not None and abs(score_cp) >= win.cp
            white_wins = decided and score_cp is not None and (score_cp > 0) == white
            for side in (0, 1):
                self._winning[side] = self._winning[side] + 1 if decided and white_wins == bool(side) else 0
