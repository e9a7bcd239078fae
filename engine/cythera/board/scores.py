"""Scores as people read them: centipawns, mates, and chances of win, draw and loss."""

from math import exp

from cythera.core import MATE, MATE_FOUND, TABLEBASE_FOUND, TABLEBASE_WIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess.engine

# Chances of win, draw and loss (`wdl_parameters`): polynomials in move / 32, fitted by `cythera tune wdl`.
WDL_MOVES = (8, 88)
WDL_SHIFT = (67.48, -5.91, 49.64, -11.38)
WDL_SPREAD = (87.03, 45.95, -67.66, 17.81)


class Score:
    """A score from the side to move: centipawns, or mate in this many moves (negative: being mated).

    `mate=0` is mate on the board: the side to move has lost, unless `given` says that it is the
    other. Scores compare as chess players do: a quicker mate is better, a later loss too.

    >>> Score.from_core(31997), Score.from_core(-25)
    (Score(mate=2), Score(cp=-25))
    >>> Score(mate=-1) < Score(mate=-5) < Score(cp=-900) < Score(cp=30) < Score(mate=9) < Score(mate=1)
    True

    A win or loss that endgame tables have proven is at ±200 pawns (`is_tablebase`), between every evaluation and every
    mate; what is missing from 200 are half-moves: to the table, or at the root to the next capture or pawn move.
    """

    __slots__ = ("cp", "given", "mate")

    def __init__(self, cp: int | None = None, mate: int | None = None, *, given: bool = False) -> None:
        if (cp is None) == (mate is None):
            raise ValueError("a score must be either centipawns or a mate")
        self.cp = cp
        self.mate = mate
        self.given = given and mate == 0

    @classmethod
    def from_core(cls, value: int) -> "Score":
        if value >= MATE_FOUND:
            return cls(mate=(MATE - value + 1) // 2)
        if value <= -MATE_FOUND:
            return cls(mate=-((MATE + value + 1) // 2))
        return cls(cp=value)

    @property
    def value(self) -> int:
        """One number to compare by, centipawns; a mate is beyond all of them."""
        if self.cp is not None:
            return self.cp
        assert self.mate is not None
        if self.mate > 0 or self.given:
            return MATE - 2 * self.mate
        return -MATE - 2 * self.mate

    @property
    def is_tablebase(self) -> bool:
        """Whether the score is a win or loss by endgame tables.

        >>> Score(cp=19988).is_tablebase, Score(cp=900).is_tablebase, Score(mate=3).is_tablebase
        (True, False, False)
        """
        return self.cp is not None and TABLEBASE_FOUND <= abs(self.cp) <= TABLEBASE_WIN

    def white(self, turn: str) -> "Score":
        """The score from White's side, given whose turn (`"w"` or `"b"`) it is.

        >>> Score(cp=30).white("b")
        Score(cp=-30)
        """
        return self if turn == "w" else -self

    def to_chess(self) -> "chess.engine.Score":
        """The same score as python-chess has it."""
        import chess.engine

        if self.cp is not None:
            return chess.engine.Cp(self.cp)
        return chess.engine.MateGiven if self.given else chess.engine.Mate(self.mate or 0)

    def __neg__(self) -> "Score":
        if self.cp is not None:
            return Score(cp=-self.cp)
        return Score(mate=-(self.mate or 0), given=not self.given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: "Score") -> bool:
        return self.value < other.value

    def __le__(self, other: "Score") -> bool:
        return self.value <= other.value

    def __gt__(self, other: "Score") -> bool:
        return self.value > other.value

    def __ge__(self, other: "Score") -> bool:
        return self.value >= other.value

    def __repr__(self) -> str:
        if self.cp is not None:
            return f"Score(cp={self.cp})"
        return f"Score(mate={self.mate}{', given=True' if self.given else ''})"

    def __str__(self) -> str:
        """As people write it: `+0.31`, `#-2`, and `+TB` for a win by endgame tables.

        >>> str(Score(cp=31)), str(Score(mate=-2)), str(Score(cp=19988)), str(Score(cp=-19988))
        ('+0.31', '#-2', '+TB', '-TB')
        """
        if self.is_tablebase:
            return "+TB" if self.value > 0 else "-TB"
        if self.cp is not None:
            return f"{self.cp / 100:+.2f}"
        return f"#{self.mate:+d}" if self.mate else ("#+0" if self.given else "#-0")

    def uci(self) -> str:
        """As UCI writes it: `cp 31` or `mate -2`."""
        return f"cp {self.cp}" if self.cp is not None else f"mate {self.mate}"

    def wdl(self, ply: int = 60) -> tuple[int, int, int]:
        """Chances of win, draw and loss in thousandths, at a game ply."""
        if self.cp is None:
            return (1000, 0, 0) if self.value > 0 else (0, 0, 1000)
        shift, spread = wdl_parameters(ply)
        win = round(1000 / (1 + exp(max(-50.0, min(50.0, (shift - self.cp) / spread)))))
        loss = round(1000 / (1 + exp(max(-50.0, min(50.0, (shift + self.cp) / spread)))))
        return win, max(1000 - win - loss, 0), loss


def wdl_parameters(ply: int) -> tuple[float, float]:
    """Score at which a win is as likely as not, and how fast that changes, in centipawns."""
    x = max(WDL_MOVES[0], min(ply / 2 + 1, WDL_MOVES[1])) / 32
    shift, spread = (a + x * (b + x * (c + x * d)) for a, b, c, d in (WDL_SHIFT, WDL_SPREAD))
    return shift, spread
