"""`go perft`: counts move sequences, in a thread, and can be stopped between subtrees."""

from cythera.board.position import Position
from cythera.uci.protocol import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.engine.search_run import Info

DEEPEST = 60
MOST_THREADS = 256
UNINTERRUPTED_PLIES = 6  # counted without looking for a stop …
UNINTERRUPTED_LEAVES = 2e8  # … if there are not many more moves than these at their end: about half a second


class PerftRun:
    """One perft, for `Session.start_run`: `counts` has the leaves behind each move."""

    def __init__(self, position: Position, depth: int, threads: int) -> None:
        if depth > DEEPEST:
            raise ProtocolError(f"go perft must be at most {DEEPEST}, got {depth}")
        self.position = position
        self.depth = depth
        self.threads = min(threads, MOST_THREADS)
        self.is_stopping = False
        self.counts: dict[str, int] = {}

    def run(self) -> "list[Info]":
        moves = self.position.legal_moves() if self.depth else []
        for move in moves:
            self.counts[move.uci()] = self.below(move.uci(), self.depth, len(moves))
        return []

    def below(self, move: str, depth: int, choices: int) -> int:
        """Leaves below one of `choices` moves; incomplete after a stop."""
        if self.is_stopping:
            return 0
        self.position.push(move)
        replies = self.position.legal_moves()
        is_small = max(len(replies), choices) ** (depth - 1) <= UNINTERRUPTED_LEAVES
        if depth - 1 <= UNINTERRUPTED_PLIES and is_small:
            count = self.position.perft(depth - 1, self.threads)
        else:
            count = sum(self.below(reply.uci(), depth - 1, len(replies)) for reply in replies)
        self.position.pop()
        return count

    def lines(self) -> list[str]:
        """The answer, as other engines print it."""
        total = sum(self.counts.values()) if self.depth else 1
        return [*(f"{move}: {count}" for move, count in self.counts.items()), "", f"Nodes searched: {total}", ""]

    def stop(self) -> None:
        self.is_stopping = True

    def ponderhit(self) -> None:
        """Nothing to do: a perft has no clock."""
