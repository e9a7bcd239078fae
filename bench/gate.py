"""Two settings of this engine against each other at fixed nodes, in process: nets, search parameters, features.

    python bench/gate.py EvalFile=new.net EvalFile=old.net --games 2000
    python bench/gate.py NMP_BASE=5 "" --nodes 15000 --sprt 0,3
    python bench/gate.py "" "Without=razoring" --openings uho.epd.zip

Each side is a list of options as in UCI, separated by semicolons: EvalFile, Without and search parameters; an empty
one is the engine as it is. Pairs of games with both colours, one thread and 8 MiB each, about twice as fast as a match
over UCI. Fixed nodes do not count what a net or a feature costs in time: `cythera match` with a clock does.
"""

import argparse
import sys
import time
from collections.abc import Iterator

from cythera.common.executor import open_workers
from cythera.errors import CytheraError
from cythera.match.adjudication import DrawRule, Rules, WinRule
from cythera.match.openings.opening_files import Openings, load_book
from cythera.match.stats.elo import estimate, pentanomial
from cythera.match.stats.sprt import Sprt
from cythera.net.load import net_for
from cythera.tuning.in_process import PairTask, Side, play_task

RULES = Rules(draw=DrawRule(), win=WinRule())  # those of `cythera match --draw --win`
REPORT_S = 30.0


def side_of(text: str, nodes: int) -> Side:
    """A side from options as in `EvalFile=new.net;NMP_BASE=5`."""
    side = Side.from_text(text, nodes)
    net_for(side.eval_file)
    return side


def two_numbers(text: str) -> tuple[float, float]:
    low, high = map(float, text.split(","))  # argparse turns a ValueError into a sentence
    return low, high


class Gate:
    """The pairs played so far, and what they say."""

    def __init__(self, sprt: Sprt | None) -> None:
        self.sprt = sprt
        self.scores: list[tuple[float, float]] = []
        self.decision: str | None = None  # of the test; pairs that are still being played then do not change it
        self.begun = time.monotonic()

    def add(self, scores: tuple[float, float]) -> None:
        self.scores.append(scores)
        if self.sprt and not self.decision:
            self.decision = self.sprt.decision(pentanomial(map(sum, self.scores)))

    def line(self) -> str:
        games = [score for pair in self.scores for score in pair]
        counts = pentanomial(map(sum, self.scores))
        speed = len(games) / max(time.monotonic() - self.begun, 1e-9)
        text = (
            f"{len(games)} games: +{games.count(1.0)} ={games.count(0.5)} -{games.count(0.0)}, "
            f"pairs {', '.join(map(str, counts))}; Elo {estimate(counts).elo}; {speed:.2f} games/s"
        )
        if self.sprt:
            low, high = self.sprt.bounds
            text += f"; LLR {self.sprt.llr(counts):+.2f} ({low:.2f}, {high:.2f})"
        return text


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", help="options of the first side")
    parser.add_argument("second", help="options of the second side")
    parser.add_argument("--nodes", type=int, default=8000, help="nodes per move (default: 8000)")
    parser.add_argument("--games", type=int, default=2000, help="games at most (default: 2000)")
    parser.add_argument(
        "--sprt", type=two_numbers, metavar="ELO0,ELO1", help="stop when the test between two Elo differences decides"
    )
    parser.add_argument("--openings", help="an EPD or PGN file (default: the shipped book)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the order of openings (default: 1)")
    parser.add_argument("--workers", type=int, default=2, help="games in parallel (default: 2)")
    args = parser.parse_args(argv)
    if args.games < 2:
        parser.error(f"--games must be at least 2, got {args.games}")
    try:
        first, second = side_of(args.first, args.nodes), side_of(args.second, args.nodes)
        openings = Openings(load_book(args.openings)[0], seed=args.seed)
        gate = Gate(Sprt(*args.sprt) if args.sprt else None)

        def tasks() -> Iterator[PairTask]:
            for number in range(args.games // 2):
                if gate.decision:
                    return
                yield PairTask(number, first, second, openings[number].fen, openings[number].moves, RULES)

        next_report = time.monotonic() + REPORT_S
        with open_workers(args.workers) as pool:
            for _, pair in pool.completed(play_task, tasks()):
                gate.add(pair.scores)
                if time.monotonic() >= next_report:
                    print(gate.line(), flush=True)
                    next_report = time.monotonic() + REPORT_S
    except CytheraError as error:
        raise SystemExit(f"gate: {error}") from error
    print(gate.line())
    if gate.decision:
        print(f"accepted {gate.decision}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
