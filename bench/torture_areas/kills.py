"""kill -9 at a random moment, then resume: nothing is lost, nothing counted twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import cythera
from cythera.net.file import read as read_net

MOST_KILLS = 6
CYTHERA = [sys.executable, "-m", "cythera"]
GAMES = "".join(
    f'[Event "{number}"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n\n'
    for number in range(6)
)


def until_done(rng: random.Random, first: list[str], again: list[str], started: Path, tried: dict[str, int]) -> None:
    """Run a command, kill it a few times at random moments, and let it finish. `again` resumes it once
    `started` exists."""
    for kill in range(MOST_KILLS):
        command = again if started.exists() else first
        process = subprocess.Popen([*CYTHERA, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   start_new_session=True)  # fmt: skip
        if kill == MOST_KILLS - 1:
            _, errors = process.communicate(timeout=900)
            if process.returncode:
                raise AssertionError(f"{command} exits with {process.returncode}: {errors.decode()[-2000:]}")
            return
        time.sleep(rng.random() * 4)
        finished = process.poll() is not None
        if not finished:
            os.killpg(process.pid, signal.SIGKILL)
            tried["kills"] = tried.get("kills", 0) + 1
        process.wait()
        assert process.stderr
        process.stderr.close()
        if finished and process.returncode == 0:
            return


def match(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    state, pgn = scratch / "match.json", scratch / "games.pgn"
    first = ["match", "a=cythera", "b=cythera", "--nodes", "300", "--games", "40", "--workers", "2",
             "--max-moves", "30",
             "--json", str(state), "--pgn", str(pgn), "--quiet"]  # fmt: skip
    until_done(rng, first, ["match", "--resume", str(state), "--quiet", "--workers", "2"], state, tried)
    indices = [game["index"] for game in json.loads(state.read_text())["games"]]
    games = pgn.read_text().count("[Round ")
    if sorted(indices) != list(range(40)) or games != 40:
        return f"match: {len(set(indices))} different games of {len(indices)} in JSON, {games} in PGN"
    return None


def datagen(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    words = ["--games", "300", "--nodes", "60", "--workers", "2", "--seed", "5"]
    killed, whole = scratch / "killed", scratch / "whole"
    until_done(rng, ["datagen", "-o", str(killed), *words], ["datagen", "-o", str(killed), *words], killed, tried)
    subprocess.run([*CYTHERA, "datagen", "-o", str(whole), *words], check=True, capture_output=True)
    (one,), (other,) = killed.glob("*.cyg"), whole.glob("*.cyg")
    if one.read_bytes() != other.read_bytes():
        return f"datagen: {one.stat().st_size} bytes after kills, {other.stat().st_size} without"
    return None


def analyse(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    games = scratch / "games.pgn"
    games.write_text(GAMES)
    results = []
    for name in ("killed", "whole"):
        out = scratch / f"{name}.pgn"
        words = ["analyse", str(games), "--nodes", "3000", "--workers", "2", "-o", str(out), "--quiet"]
        if name == "killed":
            until_done(rng, words, words, out, tried)
        else:
            subprocess.run([*CYTHERA, *words], check=True, capture_output=True)
        results.append(out.read_text())
    return None if results[0] == results[1] else "analyse: the annotated games differ after kills"


def tune(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    state = scratch / "tuning.json"
    first = ["tune", "search", "--in-process", "--nodes", "60", "--iterations", "40", "--json", str(state),
             "--workers", "2"]  # fmt: skip
    until_done(rng, first, ["tune", "search", "--resume", str(state), "--workers", "2"], state, tried)
    done = json.loads(state.read_text())["spsa"]["done"]
    return None if done == 40 else f"tune search: {done} of 40 iterations"


def train(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    """A run that is killed ends with the same weights, bit for bit, as one that is not; headers tell the seconds."""
    games = scratch / "games"
    subprocess.run(
        [*CYTHERA, "datagen", "-o", str(games), "--games", "300", "--nodes", "40", "--workers", "2"],
        check=True, capture_output=True,
    )  # fmt: skip
    nets = []
    for name in ("killed", "whole"):
        net, checkpoint = scratch / f"{name}.net", scratch / f"{name}.checkpoint"
        words = ["train", str(games), "-o", str(net), "--hidden", "32", "--epochs", "40", "--batch", "512",
                 "--threads", "1", "--name", "net"]  # fmt: skip
        first = [*words, "--checkpoint", str(checkpoint)]
        if name == "killed":
            until_done(rng, first, [*words, "--resume", str(checkpoint)], checkpoint, tried)
        else:
            subprocess.run([*CYTHERA, *first], check=True, capture_output=True)
        nets.append(read_net(net).payload)
    return None if nets[0] == nets[1] else "train: the nets differ after kills"


def tables(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    """Tables that are there after kills are those of the package."""
    folder = scratch / "tables"
    words = ["tables", "make", "KQvK", "KRvK", "KPvK", "KBNvK", "-o", str(folder), "--workers", "2"]
    until_done(rng, words, words, folder, tried)
    shipped = Path(cythera.__file__).parent / "data" / "tables"
    made = {path.name: path.read_bytes() for path in folder.iterdir()}
    wrong = [name for name, found in made.items() if found != (shipped / name).read_bytes()]
    if wrong or len(made) < 8:
        return f"tables make: {len(made)} files, other than the package's: {', '.join(wrong)}"
    return None


COMMANDS = (match, datagen, analyse, tune, train, tables)


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    return rng.choice(COMMANDS)(rng, scratch, tried)
