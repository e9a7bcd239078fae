"""Scores as people read them: centipawns, mates, and chances of win, draw and loss."""

from math import exp

MATE = 32000  # the core's score for mate on the board
MATE_FOUND = MATE - 250


class Score:
    """A score from the side to move: centipawns, or mate in so many moves (negative: being mated).

    >>> Score.from_core(31997), Score.from_core(-25)
    (Score(mate=2), Score(cp=-25))
    """

    __slots__ = ("cp", "mate")

    def __init__(self, cp: int | None = None, mate: int | None = None) -> None:
        if (cp is None) == (mate is None):
            raise ValueError("a score is either centipawns or a mate")
        self.cp = cp
        self.mate = mate

    @classmethod
    def from_core(cls, value: int) -> "Score":
        if value >= MATE_FOUND:
            return cls(mate=(MATE - value + 1) // 2)
        if value <= -MATE_FOUND:
            return cls(mate=-((MATE + value + 1) // 2))
        return cls(cp=value)

    def __neg__(self) -> "Score":
        return Score(cp=-self.cp) if self.cp is not None else Score(mate=-(self.mate or 0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and (self.cp, self.mate) == (other.cp, other.mate)

    def __hash__(self) -> int:
        return hash((self.cp, self.mate))

    def __repr__(self) -> str:
        return f"Score(cp={self.cp})" if self.cp is not None else f"Score(mate={self.mate})"

    def __str__(self) -> str:
        return f"{self.cp / 100:+.2f}" if self.cp is not None else f"#{self.mate:+d}"

    def uci(self) -> str:
        """As UCI writes it: `cp 31` or `mate -2`."""
        return f"cp {self.cp}" if self.cp is not None else f"mate {self.mate}"

    def wdl(self, ply: int = 60) -> tuple[int, int, int]:
        """Chances of win, draw and loss in thousandths, at a game ply (see docs/evaluation.md)."""
        if self.mate is not None:
            return (1000, 0, 0) if self.mate > 0 else (0, 0, 1000)
        assert self.cp is not None
        shift, spread = wdl_parameters(ply)
        win = round(1000 / (1 + exp(max(-50.0, min(50.0, (shift - self.cp) / spread)))))
        loss = round(1000 / (1 + exp(max(-50.0, min(50.0, (shift + self.cp) / spread)))))
        return win, max(1000 - win - loss, 0), loss


def wdl_parameters(ply: int) -> tuple[float, float]:
    """Score at which a win is as likely as not, and how fast that changes, in centipawns."""
    x = max(10, min(ply, 160)) / 64
    return 190.0 - 40.0 * x + 8.0 * x * x, 85.0 - 8.0 * x
