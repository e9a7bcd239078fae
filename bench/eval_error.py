"""How far evaluations are from deep searches of another engine: whether a net knows more, not only wins more against
the one before it.

    python bench/eval_error.py scores.tsv --games games/run-1.cyg --engine stockfish --count 8000 --nodes 120000
    python bench/eval_error.py scores.tsv old.net new.net classical "new.net; nodes=1000"

The first call makes the file: quiet positions taken at random from self-play games, one of a game at most, with the
score that the engine gives them. Quiet: not in check, and the engine's move is neither a capture nor a promotion. The
second compares evaluations, named as the option EvalFile names them, without a search or with one of `nodes`.

Scores become expected results; the error is the squared difference from that of the engine's score, in thousandths,
after the unit of the evaluation was fitted. A line says the error of all positions and by number of pieces, and the
difference from the first evaluation with its standard error.

Nets are compared with such scores, never trained on them.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import chess
import numpy as np
from agreement import sampled
from numpy.typing import NDArray

from cythera.board.position import Position
from cythera.common.files import atomic_write
from cythera.errors import CytheraError
from cythera.match.uci.engines import resolve, start
from cythera.match.uci.info import final_info
from cythera.net.load import new_searcher
from cythera.training.game_file import SelfPlayFileError
from cythera.tuning.in_process import whole

REFERENCE_CP = 140.0  # of the engine's score: one more is an expected result of 73 %
UNITS_CP = range(60, 500, 5)  # of the evaluation, tried in turn
LARGEST_CP = 900  # positions beyond this say nothing
HASH_MIB = 16
THINK_S = 600.0
STAGES = ((2, 32), (25, 32), (17, 24), (9, 16), (2, 8))  # pieces

Floats = NDArray[np.float64]


def expected(scores: Floats, unit: float) -> Floats:
    """Expected results of scores in centipawns."""
    results: Floats = 1 / (1 + np.exp(-scores / unit))
    return results


def judged_by(command: str, nodes: int, fens: Sequence[str]) -> list[tuple[str, int]]:
    """The quiet ones of the positions, with the engine's score."""
    engine = start(resolve(command, {}).with_options({"Threads": "1", "Hash": str(HASH_MIB)}))
    found = []
    try:
        for fen in fens:
            engine.new_game()
            thought = engine.think(f"position fen {fen}", f"go nodes {nodes}", THINK_S, THINK_S)
            score = final_info(thought.lines).score_cp
            board, move = chess.Board(fen), chess.Move.from_uci(thought.bestmove)
            quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
            if quiet and score is not None and abs(score) <= LARGEST_CP:
                found.append((fen, score))
    finally:
        engine.quit()
    return found


def make(path: Path, args: argparse.Namespace) -> None:
    fens = sampled(args.games, args.count)
    parts = [fens[i :: args.workers] for i in range(args.workers)]
    with ThreadPoolExecutor(args.workers) as pool:  # the work is done in processes of the engine
        found = [row for part in pool.map(partial(judged_by, args.engine, args.nodes), parts) for row in part]
    if not found:
        raise CytheraError(f"{args.games} has no quiet positions")
    atomic_write(path, "".join(f"{score}\t{fen}\n" for fen, score in found))
    print(f"{len(found):,} quiet positions of {len(fens):,}")


def read(path: Path) -> tuple[list[Position], Floats]:
    """Positions and the engine's scores."""
    positions, scores = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        score, _, fen = line.partition("\t")
        try:
            positions.append(Position(fen))
            scores.append(float(score))
        except ValueError as error:
            raise CytheraError(f"{path}, line {number}: {error}") from error
    if len(positions) < 2:
        raise CytheraError(f"{path} has fewer than two positions")
    return positions, np.array(scores)


def evaluations(text: str, positions: Sequence[Position]) -> Floats:
    """What an evaluation says of the positions; `nodes=` adds a search."""
    eval_file, _, limit = (part.strip() for part in text.partition(";"))
    searcher = new_searcher(HASH_MIB, 1, eval_file)
    if not limit:
        return np.array([searcher.evaluate(position) for position in positions], float)
    if not limit.startswith("nodes="):
        raise CytheraError(f"after the semicolon there must be nodes=N, got {limit!r}")
    nodes = whole("nodes", limit.removeprefix("nodes="))
    scores = []
    for position in positions:
        searcher.clear()
        scores.append(searcher.go(position, nodes=nodes)[0].score)
    return np.array(scores, float)


def errors_of(scores: Floats, wanted: Floats) -> tuple[Floats, int]:
    """Squared errors in thousandths, and the unit that makes their mean smallest."""
    best = min(UNITS_CP, key=lambda unit: float(((expected(scores, unit) - wanted) ** 2).mean()))
    return 1000 * (expected(scores, best) - wanted) ** 2, best


def line_of(name: str, errors: Floats, unit: int, first: Floats | None, pieces: NDArray[np.int64]) -> str:
    parts = []
    for least, most in STAGES:
        chosen = errors[(pieces >= least) & (pieces <= most)]
        if len(chosen):
            parts.append(f"{least}–{most} pieces {chosen.mean():.2f}")
    text = f"{name}: {', '.join(parts)}; unit {unit}"
    if first is not None:
        differences = errors - first
        text += f"; {differences.mean():+.2f} ± {differences.std(ddof=1) / math.sqrt(len(differences)):.2f}"
    return text


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scores", type=Path, help="the file of positions with the engine's scores")
    parser.add_argument("evaluations", nargs="*", help="evaluations to compare; differences are from the first")
    parser.add_argument("--games", type=Path, help="a game file, to make the file from")
    parser.add_argument("--engine", help="the engine that judges, as for `cythera match`")
    parser.add_argument("--count", type=int, default=8000, help="positions taken from the games (default: 8000)")
    parser.add_argument("--nodes", type=int, default=120_000, help="of the engine's searches (default: 120000)")
    parser.add_argument("--workers", type=int, default=2, help="processes of the engine (default: 2)")
    args = parser.parse_args(argv)
    for name in ("count", "nodes", "workers"):
        if getattr(args, name) < 1:
            parser.error(f"--{name} must be at least 1, got {getattr(args, name)}")
    if (args.games is None) != (args.engine is None):
        parser.error("--games and --engine belong together")
    try:
        if args.games:
            if args.scores.exists():
                raise CytheraError(f"{args.scores} exists already: choose another name")
            make(args.scores, args)
        positions, scores = read(args.scores)
        wanted = expected(scores, REFERENCE_CP)
        pieces = np.array([sum(letter.isalpha() for letter in p.fen().split()[0]) for p in positions])
        first = None
        for text in args.evaluations:
            errors, unit = errors_of(evaluations(text, positions), wanted)
            print(line_of(text, errors, unit, first, pieces), flush=True)
            first = errors if first is None else first
    except (CytheraError, SelfPlayFileError, OSError) as error:
        raise SystemExit(f"eval_error: {error}") from error
    return 0


if __name__ == "__main__":
    sys.exit(main())
