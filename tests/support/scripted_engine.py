"""A tiny UCI engine that plays legal moves and misbehaves on demand.

Its move is a function of the position and the seed, so its games can be played again. Faults happen at the
given move of the engine in a game (counted from 1), or in every game's first move if none is given.
"""

import argparse
import hashlib
import os
import signal
import sys
import time
from pathlib import Path

import chess


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def crash():
    sys.stderr.write("out of ideas\n")
    sys.stderr.flush()
    os._exit(3)


def write_garbage():
    sys.stdout.buffer.write(b"\xff\xfe\x00 info depth\ninfo score cp\nbestmoves are the best\n\n" * 50)
    sys.stdout.buffer.flush()


def write_endlessly(text):
    while True:
        sys.stdout.write(text)


def leave_orphan():
    if os.fork():
        os._exit(7)
    time.sleep(600)


def hang_without_output():
    os.close(1)
    time.sleep(60)


def ignore_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)


def fill_stderr():
    sys.stderr.write("x" * (8 << 20))
    sys.stderr.flush()


# What is done before the answer to `go`.
BEFORE_ANSWERING = {
    "crash": crash,
    "clean-exit": lambda: os._exit(0),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": os.abort,
    "hang": lambda: time.sleep(60),
    "suspended": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "ignores-signals": ignore_signals,
    "closed-output": hang_without_output,
    "late": lambda: time.sleep(0.4),
    "garbage": write_garbage,
    "endless-line": lambda: write_endlessly("x" * 65536),
    "endless-lines": lambda: write_endlessly("info depth 1 score cp 0 pv e2e4\n" * 1000),
    "endless-blank-lines": lambda: write_endlessly("\n" * 65536),
    "long-line": lambda: say("info string " + "x" * (2 << 20)),
    "orphan": leave_orphan,
    "full-stderr": fill_stderr,
    "readyok-unasked": lambda: say("readyok\n" * 20),
    "uciok-unasked": lambda: say("id name Other\noption name Hash type spin default 1 min 1 max 2\nuciok"),
}
# What is answered instead of a move: none of these is one, or all that follows the move is wrong.
ANSWERS = {
    "illegal": "bestmove e2e7",
    "none": "bestmove (none)",
    "null-move": "bestmove 0000",
    "empty": "bestmove ",
    "san": "bestmove Kd1xx",
    "upper-case": "bestmove ZZ",
    "zero-byte": "bestmove {move}\0",
    "wide-digits": "bestmove e１e２",
    "long-move": "bestmove {move}" + "q" * 300_000,
    "twice": "bestmove {move}\nbestmove {move}",
    "illegal-ponder": "bestmove {move} ponder e9e9",
    "no-ponder-move": "bestmove {move} ponder",
    "carriage-returns": "bestmove {move}\r",
}
# What is said of the search instead of a sound line.
INFOS = {
    "huge-score": "info depth 3 score cp " + "9" * 5000 + " nodes " + "9" * 5000 + " pv e2e4",
    "words-for-numbers": "info depth x score cp y nodes z multipv q time - hashfull 1e3 pv",
    "mate-in-zero": "info depth 3 score mate 0 nodes 123 pv e2e4",
    "bounds-only": "info depth 3 score cp 500 lowerbound nodes 123 pv e2e4",
    "info-without-end": "info " * 20_000,
}
OTHERS = ("pv", "mismatch", "opponents-move", "slow-bytes", "half-line", "closed-input")
FAULTS = (*BEFORE_ANSWERING, *ANSWERS, *INFOS, *OTHERS)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="Scripted")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--style", choices=("random", "first", "mate"), default="random")
    parser.add_argument("--score", type=int, default=0, help="centipawns, always from this engine's side")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds per move")
    parser.add_argument("--fault", default="", choices=("", "silent", *FAULTS))
    parser.add_argument("--at", type=int, default=1)
    parser.add_argument("--once", help="a file: the fault happens only while it does not exist, and creates it")
    parser.add_argument("--log", help="a file that gets a line for every command")
    parser.add_argument("--no-960", action="store_true")
    parser.add_argument("--no-ponder", action="store_true")
    return parser.parse_args()


class Scripted:
    def __init__(self, args):
        self.args = args
        self.board = chess.Board()
        self.moves_made = 0
        self.pondering = False
        self.options = {"Hash": "16", "Strength": "0"}

    def handle(self, line):
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            if self.args.fault == "silent":
                time.sleep(60)
            say(f"id name {self.args.name}\nid author The tests")
            say("option name Hash type spin default 16 min 1 max 1024")
            say("option name Strength type spin default 0 min -1000 max 1000")
            say("option name Move Style type combo default random var random var first")
            if not self.args.no_ponder:
                say("option name Ponder type check default false")
            if not self.args.no_960:
                say("option name UCI_Chess960 type check default false")
            say("uciok")
        elif command == "isready":
            say("readyok")
        elif command == "setoption":
            name, _, value = line.partition(" name ")[2].partition(" value ")
            self.options[name] = value
            if name == "UCI_Chess960":
                self.board.chess960 = value == "true"
        elif command == "ucinewgame":
            self.moves_made = 0
        elif command == "position":
            self.set_position(words)
        elif command == "go" and "ponder" in words:
            self.pondering = True  # answered after ponderhit or stop
        elif command == "go" or (command in ("ponderhit", "stop") and self.pondering):
            self.pondering = False
            self.go()
        elif command == "quit":
            sys.exit(0)

    def set_position(self, words):
        chess960 = self.board.chess960
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:8])
        self.board = chess.Board(fen, chess960=chess960)
        for move in moves:
            self.board.push_uci(move)

    def go(self):
        self.moves_made += 1
        if self.args.delay:
            time.sleep(self.args.delay)
        move = self.choose()
        fault = self.args.fault if self.faulty() else ""
        pv = move.uci()
        if fault in BEFORE_ANSWERING:
            BEFORE_ANSWERING[fault]()
        elif fault == "pv":
            pv += " a1a8 a8a1"
        elif fault == "mismatch":
            pv = next(other.uci() for other in self.board.legal_moves if other != move)
        info = f"info depth 3 seldepth 4 score cp {self.args.score} nodes 123 time 1 pv {pv}"
        answer = f"bestmove {move.uci()}{self.expected_reply(move)}"
        if fault in ANSWERS:
            answer = ANSWERS[fault].format(move=move.uci())
        elif fault == "opponents-move":
            self.board.push(chess.Move.null())
            answer = f"bestmove {next(iter(self.board.legal_moves)).uci()}"
            self.board.pop()
        say(INFOS.get(fault, info))
        if fault == "slow-bytes":
            for letter in answer:
                sys.stdout.write(letter)
                sys.stdout.flush()
                time.sleep(0.005)
            say("")
        elif fault == "half-line":
            sys.stdout.write(answer[:-1])
            sys.stdout.flush()
            time.sleep(60)
        else:
            say(answer)
        if fault == "closed-input":
            os.close(0)  # the next command finds no reader
            time.sleep(60)

    def expected_reply(self, move):
        """` ponder MOVE` when told to ponder: what this engine would play itself."""
        if self.options.get("Ponder") != "true":
            return ""
        self.board.push(move)
        reply = self.choose().uci() if any(self.board.legal_moves) else ""
        self.board.pop()
        return f" ponder {reply}" if reply else ""

    def faulty(self):
        if not self.args.fault or self.moves_made != self.args.at:
            return False
        if not self.args.once:
            return True
        once = Path(self.args.once)
        if once.exists():
            return False
        once.touch()
        return True

    def choose(self):
        legal = sorted(self.board.legal_moves, key=lambda move: move.uci())
        if self.args.style == "mate":
            for move in legal:
                self.board.push(move)
                mates = self.board.is_checkmate()
                self.board.pop()
                if mates:
                    return move
        if self.args.style == "first":
            return legal[0]
        digest = hashlib.sha256(f"{self.args.seed} {self.board.fen()}".encode()).digest()
        return legal[int.from_bytes(digest[:4], "big") % len(legal)]


def main():
    args = arguments()
    engine = Scripted(args)
    for line in sys.stdin:
        if args.log:
            with open(args.log, "a") as log:
                log.write(line)
        engine.handle(line.strip())


if __name__ == "__main__":
    main()
