"""Trees of the lab for the page. `python -m cythera.web.lab_process` draws one, in a process of its own.

The algorithms of the lab are plain Python: a tree that is too large would hold up every search of
the server. A process can be ended, and takes its memory with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from typing import Any

from cythera.common.style import FONT, themes
from cythera.errors import CytheraError
from cythera.lab.algorithms import ALGORITHMS, find_algorithm
from cythera.lab.algorithms.ordering import ORDERINGS, ordering
from cythera.lab.errors import LabError
from cythera.lab.games import GAMES, make_game
from cythera.lab.search import Options, Search
from cythera.lab.texts import LanguageError, say, use_language
from cythera.lab.view.html import page_data
from cythera.lab.view.recorder import Recorder
from cythera.lab.view.svg import CSS, draw_svg

MOST_STEPS = 6000  # that anyone would step through
MOST_MIB = 1024
LONGEST_S = 20.0
SEED = 1
PLAYOUTS = 150  # of Monte Carlo tree search: as many as can be followed

# Games that show well, and how deep: None is to the end.
SHOWN: dict[str, tuple[str, int | None]] = {
    "tictactoe": ("tictactoe:XO./.X./..O", None),
    "connect4": ("connect4:4x3", 3),
    "othello": ("othello:4", 3),
    "mnk": ("mnk:3,3,3 b2 a1 c1 a3", None),
    "checkers": ("checkers:4", 3),
    "chess": ("chess:8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 2),
    "ending": ("ending:KPvK,8/8/8/3k4/8/3K4/3P4/8 w", 2),
    "horizon": ("horizon", 1),
    "race": ("race:3,1", 4),
    "backgammon": ("backgammon:6,2,2", 3),
    "trio": ("trio:4", None),
    "pacman": ("pacman:small", 3),
    "random": ("random:3,3,1", None),
}
REFUSED = {"tree"}  # it reads files


class ShortRecorder(Recorder):
    """A recorder with enough of a search that is too long to be looked at."""

    def generated(self, node: Any) -> None:
        if len(self.records) + len(self.events) > MOST_STEPS:
            raise LabError(say("error.steps", most=f"{MOST_STEPS:,}"))
        super().generated(node)


def offer(language: str = "") -> dict[str, Any]:
    """What the page can choose from: games with the algorithms that fit, and orders."""
    speak(language)
    games = []
    for name, entry in GAMES.items():
        if name in REFUSED:
            continue
        spec, depth = SHOWN.get(name, (name, None))
        game = make_game(spec)
        fitting = [algorithm.name for algorithm in ALGORITHMS.values() if not algorithm.objection(game)]
        games.append(
            {"name": name, "spec": spec, "depth": depth, "summary": entry.summary, "usage": entry.usage,
             "algorithms": fitting}
        )  # fmt: skip
    algorithms = [{"name": entry.name, "summary": entry.summary} for entry in ALGORITHMS.values()]
    return {"games": games, "algorithms": algorithms, "orders": ["natural", "random", *ORDERINGS]}


def style() -> str:
    """The style sheet of the drawings: the page's policy allows none inside them.

    A drawing's own sheet holds for its whole document, so here each selector is bound to the tree.
    """
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", CSS % {"font": FONT})
    bound = [",".join(f".tree {part.strip()}" for part in names.split(",")) + f"{{{body}}}" for names, body in rules]
    return themes(".tree") + "\n".join(bound)


def drawn(algorithm: str, game: str, depth: int | None, order: str) -> dict[str, Any]:
    """A tree as SVG with the steps that led to it; raises LabError."""
    if game.partition(":")[0] in REFUSED:
        raise LabError(say("error.files"))
    entry, rules = find_algorithm(algorithm), make_game(game)
    if problem := entry.objection(rules):
        raise LabError(problem)
    recorder = ShortRecorder(entry.view)
    options = Options(seed=SEED, playouts=PLAYOUTS)
    search = Search(rules, depth, order=ordering(order, SEED), watcher=recorder, options=options)
    try:
        trace = recorder.trace(search, entry.run(search), entry.name)
    except RecursionError as error:
        raise LabError(say("error.too_deep")) from error
    return {"title": trace.title, "summary": trace.summary, "svg": draw_svg(trace), **page_data(trace)}


async def draw_apart(
    algorithm: str, game: str, depth: int | None, order: str, language: str = ""
) -> dict[str, Any]:
    """`drawn` in another process, ended when it takes too long or when cancelled."""
    speak(language)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cythera.web.lab_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    order_form = json.dumps([algorithm, game, depth, order, language]).encode()
    try:
        output, _ = await asyncio.wait_for(process.communicate(order_form), LONGEST_S)
    except asyncio.TimeoutError:
        raise LabError(say("error.slow", seconds=f"{LONGEST_S:.0f}")) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    try:
        answer = json.loads(output)
    except ValueError:
        raise LabError(say("error.ended")) from None
    if "error" in answer:
        raise LabError(answer["error"])
    return dict(answer)


def speak(language: str) -> None:
    """The language of the page, if the lab speaks it; else the one CYTHERA_LANGUAGE names, else English."""
    for name in (language, None, "en"):
        with contextlib.suppress(LanguageError):
            use_language(name)
            return


def limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MIB << 20, MOST_MIB << 20))


def main() -> int:
    limit_memory()
    algorithm, game, depth, order, language = json.loads(sys.stdin.buffer.read())
    speak(language)
    try:
        answer = drawn(algorithm, game, depth, order)
    except CytheraError as error:
        answer = {"error": str(error)}
    except MemoryError:
        answer = {"error": say("error.out_of_memory")}
    sys.stdout.buffer.write(json.dumps(answer).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
