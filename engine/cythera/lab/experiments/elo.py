"""Elo gained per extra ply by the engine itself: depth n + 1 against depth n.

The games are played by `cythera match`, in a process of its own; this only asks and adds up. They
start after a few random moves, since at a fixed depth the engine would always play the same game.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.errors import LabError
from cythera.lab.experiments.report import Report
from cythera.lab.games.chess import material
from cythera.lab.texts import say

GAMES = 200  # of each depth against the next
DEPTHS = range(1, 7)
OPENING_PLIES = 8
BOOK = "openings.epd"


def elo(seed: int, size: int | None) -> Report:
    """What one more ply is worth at each depth, over `size` games each, with 95 % intervals."""
    games = size or GAMES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / BOOK).write_text("".join(f"{fen}\n" for fen in random_openings(games, seed)), encoding="utf-8")
        summaries = [play_match(depth, games, seed, folder) for depth in DEPTHS]
    rows, points = [], []
    for depth, summary in zip(DEPTHS, summaries, strict=True):
        score = summary["standings"]["deeper"]
        value, low, high = summary["meetings"][0]["elo"]
        counts = [str(score[outcome]) for outcome in ("wins", "draws", "losses")]
        rows.append([say("x.elo.pair", deeper=depth + 1, depth=depth), *counts, gain(value, low, high)])
        if value is not None:
            points.append((depth + 1, value))
    return Report(
        say("x.elo.title", games=games),
        [say("x.depth"), say("x.elo.won"), say("x.elo.drawn"), say("x.elo.lost"), "Elo"],
        rows,
        [],
        line_plot(say("x.elo.plot"), say("x.elo.x"), "Elo", [Series("Cythera", points)]) if points else None,
    )


def random_openings(count: int, seed: int) -> list[str]:
    """FENs after eight random plies, with nothing lost and nobody in check.

    >>> len(set(random_openings(20, seed=1)))
    20
    """
    from cythera.board.position import Position

    rng = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        position = Position()
        for _ in range(OPENING_PLIES):
            position.push(rng.choice(position.legal_moves()))
        is_calm = not position.is_check() and not any(position.see(move, 1) for move in position.legal_moves("noisy"))
        if is_calm and material(position) == 0 and position.fen() not in found:
            found.append(position.fen())
    return found


def match_command(depth: int, games: int, seed: int, folder: Path) -> list[str]:
    """The command that plays depth + 1 against depth, from the openings in the folder, and leaves its result there.

    >>> " ".join(match_command(3, 200, 1, Path())[4:10])
    'deeper=cythera shallower=cythera --depth deeper:4 --depth shallower:3'
    """
    return [
        *(sys.executable, "-m", "cythera", "match", "deeper=cythera", "shallower=cythera"),
        *("--depth", f"deeper:{depth + 1}", "--depth", f"shallower:{depth}"),
        *("--games", str(games), "--seed", str(seed), "--openings", str(folder / BOOK)),
        *("--json", str(folder / f"{depth}.json"), "--quiet"),
    ]


def play_match(depth: int, games: int, seed: int, folder: Path) -> dict[str, Any]:
    """The summary `cythera match` wrote."""
    path = folder / f"{depth}.json"
    done = subprocess.run(match_command(depth, games, seed, folder), capture_output=True, text=True, check=False)
    if done.returncode != 0 or not path.exists():
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or [say("error.match_silent")]
        raise LabError(say("error.match", deeper=depth + 1, depth=depth, reason=last[0]))
    return read_summary(path)


def read_summary(path: Path) -> dict[str, Any]:
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))["summary"]
        assert len(summary["meetings"][0]["elo"]) == 3
    except (ValueError, KeyError, IndexError, AssertionError) as error:
        raise LabError(say("error.match_record", path=path)) from error
    assert isinstance(summary, dict)
    return summary


def gain(value: float | None, low: float | None, high: float | None) -> str:
    """An Elo difference with its interval, as far as it is finite.

    >>> gain(180.4, 150.0, 210.0), gain(None, None, None), gain(400.0, 310.2, None)
    ('+180 ± 30', 'won every game', '+400, at least +310')
    """
    if value is None:
        return say("x.elo.all")
    if low is None or high is None:
        return f"{value:+.0f}" + ("" if low is None else say("x.elo.at_least", low=f"{low:+.0f}"))
    return f"{value:+.0f} ± {(high - low) / 2:.0f}"
