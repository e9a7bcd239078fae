"""Games per second of the engine against itself, in process and over UCI, in alternating rounds.

    python bench/pairs.py --nodes 3500 --rounds 6

One game at a time, the same openings and the same games: the difference is pipes, text and the referee. On a busy
machine read the processor time; it counts the engines and the referee, but not the waiting for each other.
"""

import argparse
import os
import statistics
import sys
import time

from cythera.match.adjudication import TUNING_RULES
from cythera.match.game_data import GameTask, Opening
from cythera.match.openings.opening_files import Openings, load_book
from cythera.match.referee import play
from cythera.match.time_control import TimeControl
from cythera.match.uci.engines import EngineSpec
from cythera.match.uci.pool import EnginePool
from cythera.net.load import DEFAULT
from cythera.tuning.in_process import HASH_MIB, Side, play_pair


def in_process(opening: Opening, nodes: int, net: str) -> list[tuple[str, ...]]:
    """Moves of a pair of games."""
    side = Side(nodes, eval_file=net)
    return [game.moves for game in play_pair(side, side, opening.fen, opening.moves).games]


def over_uci(opening: Opening, nodes: int, net: str, pool: EnginePool) -> list[tuple[str, ...]]:
    options = (("Hash", str(HASH_MIB)), ("EvalFile", net))
    control = TimeControl(nodes=nodes)
    one, other = (EngineSpec(name, ("cythera",), options) for name in ("one", "other"))
    games = [
        play(GameTask(0, white, black, control, control, opening, TUNING_RULES), pool)
        for white, black in ((one, other), (other, one))
    ]
    return [tuple(move.uci for move in game.moves) for game in games]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=3500, help="nodes per move (default: 3500)")
    parser.add_argument("--rounds", type=int, default=6, help="pairs of games each way (default: 6)")
    parser.add_argument("--net", default=DEFAULT, help="the evaluation, as the option EvalFile names it")
    args = parser.parse_args()
    openings, pool = Openings(load_book(None)[0], seed=1), EnginePool()
    ways = {
        "in process": lambda opening, nodes: in_process(opening, nodes, args.net),
        "over UCI": lambda opening, nodes: over_uci(opening, nodes, args.net, pool),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    processor_s = dict.fromkeys(ways, 0.0)
    for way in ways.values():
        way(openings[0], 10)  # engines start, nets are read
    plies = differences = 0
    for number in range(args.rounds):
        played = []
        for name in ways if number % 2 == 0 else reversed(ways):
            begin, begin_processor = time.perf_counter(), time.process_time()
            played.append(ways[name](openings[number], args.nodes))
            seconds[name].append(time.perf_counter() - begin)
            processor_s[name] += time.process_time() - begin_processor
        plies += sum(map(len, played[0]))
        differences += played[0] != played[1]
    pool.close()
    children = os.times()
    processor_s["over UCI"] += children.children_user + children.children_system  # known when they have ended
    length = plies / args.rounds / 2
    print(f"{args.rounds} pairs of games each way, {args.nodes:,} nodes per move, {length:.0f} plies per game")
    for name, times in seconds.items():
        rate, processor_ms = 2 * len(times) / sum(times), 1000 * processor_s[name] / plies
        print(f"{name:10}  {rate:7.2f} games/s  {processor_ms:6.2f} ms of processor a move")
    ratios = [uci / own for own, uci in zip(*seconds.values(), strict=True)]
    spent = processor_s["over UCI"] / processor_s["in process"]
    print(f"in process it is {statistics.median(ratios):.2f} times as fast ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"over UCI it takes {spent:.2f} times the processor time")
    print(f"pairs with other games {differences}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
