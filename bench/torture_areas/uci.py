"""A UCI process fed with a grammar of sensible, odd and damaged lines; python-chess referees every answer."""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess

LINES = 150
ANSWER_S = 60.0  # generous: only a hang counts, the machine may be busy
RSS_MIB = 700
FENS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 99 80",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
)
OPTIONS = (
    "Hash value {n}",
    "Threads value {t}",
    "MultiPV value {t}",
    "Ponder value true",
    "UCI_Chess960 value false",
    "Skill Level value {t}",
    "UCI_LimitStrength value {b}",
    "UCI_Elo value 1500",
    "UCI_ShowWDL value {b}",
    "Clear Hash",
    "Nonsense value 3",
    "Hash value x",
    "Hash value -1",
    "Threads value 99999",
    "EvalFile value /no/such",
    "UCI_AnalyseMode value {b}",
    "Move Overhead value {t}",
    "Without value nmp",
    "Without value",
    "SyzygyPath value /no",
)
RUBBISH = ("", " ", "\t", "go2", "position", "position fen", "position fen x w - -", "setoption", "setoption name",
           "go depth", "go depth x", "go nodes -1", "go movetime 999999999999999999999", "position startpos moves e2e5",
           "isready isready", "xyzzy go depth 1", "#comment", "d", "eval", "go searchmoves", "go mate 0", "ponderhit",
           "debug on", "register later", "help", "\x00\x01", "é" * 50, "a" * 5000)  # fmt: skip


class DiedError(Exception):
    """The process ended, or did not answer in time."""


class Engine:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cythera"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.buffer = b""

    def send(self, line: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise DiedError(f"input closed: {error}") from error

    def lines(self, until: str | tuple[str, ...], timeout_s: float = ANSWER_S) -> list[str]:
        assert self.process.stdout
        found: list[str] = []
        deadline = time.monotonic() + timeout_s
        while True:
            while b"\n" in self.buffer:
                raw, self.buffer = self.buffer.split(b"\n", 1)
                line = raw.decode("utf-8", "replace")
                found.append(line)
                if line.startswith(until):
                    return found
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise DiedError(f"no {until} within {timeout_s:g} s; last lines {found[-3:]}")
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                raise DiedError(f"ended with {self.process.wait()}: {self.process.stderr.read()[-2000:]!r}")  # type: ignore[union-attr]
            self.buffer += chunk

    def rss_mib(self) -> float:
        try:
            text = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024  # type: ignore[index]

    def end(self) -> str | None:
        self.send("quit")
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "still runs 20 s after quit"
        errors = self.process.stderr.read().decode("utf-8", "replace")  # type: ignore[union-attr]
        return f"exit code {code}" if code else f"wrote to standard error: {errors[-500:]}" if errors else None


def position(rng: random.Random) -> tuple[str, chess.Board]:
    """A `position` command and the board it describes."""
    board = chess.Board(rng.choice(FENS))
    moves = []
    for _ in range(rng.choice((0, 1, 4, 30))):
        legal = list(board.legal_moves)
        if not legal or board.is_game_over():
            break
        moves.append(rng.choice(legal))
        board.push(moves[-1])
    root = board.root().fen()
    head = "position startpos" if root == chess.STARTING_FEN else f"position fen {root}"
    return (f"{head} moves {' '.join(move.uci() for move in moves)}" if moves else head), board


def go(rng: random.Random, board: chess.Board) -> str:
    legal = [move.uci() for move in board.legal_moves]
    choices = ["go depth {d}", "go nodes {n}", "go movetime {m}", "go wtime {m} btime {m} winc 1 binc 1", "go infinite",
               "go depth 4 nodes 500", "go mate 2 nodes 2000", "go ponder wtime {m} btime {m}",
               "go wtime 1 btime 1", "go movetime 0", "go nodes 1"]  # fmt: skip
    if legal:
        choices.append(f"go depth 3 searchmoves {' '.join(rng.sample(legal, min(3, len(legal))))}")
    return rng.choice(choices).format(d=rng.randint(1, 7), n=rng.randint(1, 5000), m=rng.randint(1, 200))


def mutated(rng: random.Random, line: str) -> str:
    """A line with some characters dropped, doubled or replaced."""
    text = list(line)
    for _ in range(rng.randint(1, 4)):
        if not text:
            break
        at = rng.randrange(len(text))
        text[at : at + 1] = rng.choice(([], [text[at]] * 2, [chr(rng.randint(32, 126))], [" "]))
    return "".join(text).replace("\n", " ")


def check_answer(board: chess.Board, lines: list[str]) -> str | None:
    """How the answer to a `go` breaks the rules of chess or of UCI, or None."""
    words = lines[-1].split()
    legal = {move.uci() for move in board.legal_moves}
    if (legal and words[1] not in legal) or (not legal and words[1] not in ("(none)", "0000")):
        return f"{lines[-1]} in {board.fen()}"
    for line in lines:
        if " pv " not in line or not line.startswith("info "):
            continue
        walk = board.copy(stack=False)
        for uci in line.split(" pv ", 1)[1].split():
            try:
                walk.push_uci(uci)
            except ValueError:
                return f"illegal {uci} in {line} of {board.fen()}"
    if sum(line.startswith("bestmove") for line in lines) != 1:
        return f"more than one bestmove: {lines[-5:]}"
    return None


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    engine = Engine()
    sent: list[str] = []

    def send(line: str) -> None:
        sent.append(line)
        tried["lines"] = tried.get("lines", 0) + 1
        engine.send(line)

    def tell(problem: str) -> str:
        return f"{problem}\n\nlines sent:\n" + "\n".join(sent[-200:])

    try:
        send("uci")
        engine.lines("uciok")
        board = chess.Board()
        while len(sent) < LINES:
            kind = rng.random()
            if kind < 0.2:
                send(rng.choice(RUBBISH))
            elif kind < 0.35:
                text = rng.choice(OPTIONS).format(
                    n=rng.choice((1, 4, 16)), t=rng.randint(1, 4), b=rng.choice(("true", "false"))
                )
                send(f"setoption name {text}")
            elif kind < 0.5:
                send(mutated(rng, position(rng)[0]))
            else:
                command, board = position(rng)
                send("setoption name Without value")
                send("stop")
                send(command)
                request = go(rng, board)
                send(request)
                asked = rng.random() < 0.3
                if asked:
                    send("isready")
                if "ponder" in request and rng.random() < 0.5:
                    send("ponderhit")
                if "infinite" in request or "ponder" in request or rng.random() < 0.2:
                    if rng.random() < 0.5:
                        time.sleep(rng.random() * 0.05)
                    send("stop")
                lines = engine.lines("bestmove")
                tried["searches"] = tried.get("searches", 0) + 1
                if problem := check_answer(board, lines):
                    return tell(problem)
                if asked and "readyok" not in lines:
                    engine.lines("readyok")  # or it would be taken for the answer to a later question
                continue
            # What rubbish may have started is ended, and its answers are read: a new game waits for them.
            last = sent[-1]
            send("stop")
            if re.search(r"\bgo\b", last):
                send("ucinewgame")
            send("isready")
            engine.lines("readyok")
            if engine.rss_mib() > RSS_MIB:
                return tell(f"{engine.rss_mib():.0f} MiB of memory")
        if rng.random() < 0.2:
            send("go infinite")
            if rng.random() < 0.5:
                os.kill(engine.process.pid, signal.SIGTERM)
                engine.process.wait(20)
                return None
        problem = engine.end()
        return tell(problem) if problem else None
    except (DiedError, subprocess.TimeoutExpired) as error:
        return tell(f"{error}")
    finally:
        engine.process.kill()
        engine.process.wait()
