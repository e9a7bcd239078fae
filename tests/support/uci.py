"""A conversation with a live `cythera` process, for tests of the protocol."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import chess

import cythera

PATIENCE_S = 120  # a process that says nothing for so long hangs; never a measure of speed

START = chess.STARTING_FEN
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
MATED_IN_ONE = "7k/8/8/8/8/1r6/r7/6K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE = "7k/8/8/8/8/8/1r6/K7 w - - 0 1"
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8"


HOME = str(Path(cythera.__file__).absolute().parents[1])  # found from any folder

begun = []  # all conversations of a test, so that none is left behind by one that fails


class Talk:
    """A process that speaks UCI. Everything it says is kept in `said`."""

    def __init__(self, *args, cwd=None, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cythera", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": HOME, **environment},
        )
        begun.append(self)
        self.said = []
        self.lines = queue.Queue()
        self.errors = []
        self.readers = [threading.Thread(target=ear, daemon=True) for ear in (self.listen, self.worry)]
        for reader in self.readers:
            reader.start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\r\n"))
        self.lines.put(None)

    def worry(self):
        self.errors.extend(line.decode() for line in self.process.stderr)

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self):
        """The next line; None once the process has ended."""
        line = self.lines.get(timeout=PATIENCE_S)
        if line is not None:
            self.said.append(line)
        return line

    def until(self, *starts):
        """Lines up to and with the first that starts so."""
        lines = []
        while True:
            line = self.hear()
            assert line is not None, f"the process ended, saying {self.said[-5:]} and {self.errors}"
            lines.append(line)
            if line.startswith(starts):
                return lines

    def ask(self, *lines):
        """Sends lines and returns all that is said before the engine is ready again."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def go(self, limits, position=None):
        """Searches; returns infos (with a PV) as dictionaries, and the words of the last line."""
        if position is not None:
            self.send(f"position {position}")
        self.send(f"go {limits}")
        lines = self.until("bestmove")
        return [parse_info(line) for line in lines if " pv " in line], lines[-1].split()

    def rest(self):
        """Everything until the process ends."""
        lines = []
        while (line := self.hear()) is not None:
            lines.append(line)
        return lines

    def end(self):
        """Closes the engine's input and returns its exit code; it must end and not have complained."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(timeout=PATIENCE_S)
        for reader in self.readers:
            reader.join(timeout=PATIENCE_S)
        self.process.stdout.close()
        self.process.stderr.close()
        assert not self.errors, "".join(self.errors)
        return code


    def kill(self):
        """Whatever happened, nothing stays open."""
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join(timeout=PATIENCE_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()


def parse_info(line):
    """An `info` line as a dictionary; the score as ("cp" or "mate", number), the PV as a list."""
    words = line.split()
    info = {"bound": "exact"}
    i = 1
    while i < len(words):
        word = words[i]
        if word == "pv":
            info["pv"] = words[i + 1 :]
            break
        if word == "score":
            info["score"] = (words[i + 1], int(words[i + 2]))
            i += 3
        elif word in ("lowerbound", "upperbound"):
            info["bound"] = word
            i += 1
        elif word == "wdl":
            info["wdl"] = tuple(map(int, words[i + 1 : i + 4]))
            i += 4
        else:
            info[word] = int(words[i + 1])
            i += 2
    return info


def check_pv(board, info):
    """Plays a PV out: legal, not past the end of the game, and to mate if the score promises one."""
    board = board.copy()
    for text in info["pv"]:
        assert not is_over(board), f"{info} goes on after the end"
        move = chess.Move.from_uci(text)
        assert move in board.legal_moves, f"{text} is not legal in {board.fen()}, of {info}"
        board.push(move)
    kind, moves = info["score"]
    if kind == "mate" and info["bound"] == "exact":
        assert len(info["pv"]) == (2 * moves - 1 if moves > 0 else -2 * moves), info
        assert board.is_checkmate(), info


def is_over(board):
    return (
        board.is_checkmate()
        or board.is_stalemate()
        or board.is_repetition(3)
        or board.is_fifty_moves()
        or board.is_insufficient_material()
    )
