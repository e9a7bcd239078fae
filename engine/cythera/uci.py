"""The UCI program: reads lines, keeps a position and options, thinks in a thread of its own.

stdout belongs to the protocol. Bad input is answered by `info string error: …`; the position, the
options and the process stay as they were.
"""

import sys
import threading

from cythera import __version__
from cythera.core import Searcher, build_info, choose_variant
from cythera.errors import CytheraError
from cythera.limits import Go
from cythera.options import OPTIONS, Option, OptionError, Options, find
from cythera.position import Position
from cythera.protocol import ProtocolError, format_info, parse_go, parse_position, parse_setoption, tokens
from cythera.thinking import Info, Thinking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

CURRENT_MOVE_AFTER_MS = 3000


class Uci:
    """One UCI session on a pair of streams."""

    def __init__(self, out: "TextIO") -> None:
        self.out = out
        self.lock = threading.Lock()
        self.options = Options()
        self.position = Position()
        self.searcher = Searcher(self.options.number("Hash"), self.options.number("Threads"))
        self.thinking: Thinking | None = None
        self.thread: threading.Thread | None = None
        self.log: TextIO | None = None
        self.commands = {
            "uci": self.uci,
            "isready": lambda words: self.say("readyok"),
            "ucinewgame": self.new_game,
            "setoption": self.set_option,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
            "debug": lambda words: None,
            "register": lambda words: None,
            "d": self.display,
            "eval": self.evaluate,
            "flip": self.flip,
            "bench": self.bench,
            "compiler": self.compiler,
            "help": self.help,
        }

    # Output

    def say(self, *lines: str) -> None:
        """Writes lines at once, whole, whichever thread calls."""
        text = "".join(line + "\n" for line in lines)
        with self.lock:
            self.out.write(text)
            self.out.flush()
            if self.log is not None:
                self.log.write("".join(f"<< {line}\n" for line in lines))
                self.log.flush()

    def complain(self, sentence: object) -> None:
        self.say(f"info string error: {sentence}")

    # The loop

    def handle(self, line: str) -> bool:
        """Obeys one line; False means quit."""
        if self.log is not None:
            self.log.write(f">> {line.rstrip()}\n")
        words = tokens(line)
        # Unknown leading words are skipped, as the protocol asks.
        known = next((i for i, word in enumerate(words) if word in self.commands or word == "quit"), None)
        if known is None:
            if words:
                self.complain(f"there is no command {words[0][:40]!r}; type help")
            return True
        if words[known] == "quit":
            return False
        try:
            self.commands[words[known]](words[known + 1 :])
        except CytheraError as error:
            self.complain(error)
        except (MemoryError, OSError, OverflowError) as error:
            self.complain(str(error) or type(error).__name__)
        return True

    def close(self) -> None:
        """Ends a running search and waits for it."""
        self.stop([])
        self.wait()
        if self.log is not None:
            self.log.close()

    def wait(self) -> None:
        if self.thread is not None:
            self.thread.join()
            self.thread = None

    def need_idle(self, what: str) -> None:
        """Refuses if a search runs. One that has said its bestmove is over, even if its thread
        still has a few microseconds to live."""
        if self.thinking is not None:
            raise ProtocolError(f"{what} while the engine thinks; send stop first")
        self.wait()

    # Commands

    def uci(self, words: list[str]) -> None:
        self.say(
            f"id name Cythera {__version__}",
            "id author the Cythera developers",
            *(option.uci() for option in OPTIONS),
            "uciok",
        )

    def new_game(self, words: list[str]) -> None:
        self.need_idle("ucinewgame")
        self.searcher.clear()

    def set_option(self, words: list[str]) -> None:
        name, text = parse_setoption(words)
        try:
            option = find(name)
        except OptionError:
            self.set_tunable(name, text)
            return
        value = option.parse(text)
        self.apply_option(option, value)
        self.options.values[option.name] = value

    def set_tunable(self, name: str, text: str | None) -> None:
        """Search constants are options too, only not declared: `cythera tune search` sets them."""
        from cythera.core import get_tunables, set_tunable

        if name not in get_tunables():
            raise OptionError(f"there is no option {name[:60]!r}")
        self.need_idle(f"setoption {name}")
        try:
            set_tunable(name, int(text or ""))
        except ValueError as error:
            raise OptionError(str(error)) from None

    def apply_option(self, option: Option, value: str | int | bool | None) -> None:
        if option.name in ("Hash", "Threads", "Clear Hash"):
            self.need_idle(f"setoption {option.name}")
        if option.name == "Hash":
            self.searcher.set_hash(checked_hash(int(value or 0)))
        elif option.name == "Threads":
            self.searcher.set_threads(int(value or 1))
        elif option.name == "Clear Hash":
            self.searcher.clear()
        elif option.name == "Debug Log File":
            if self.log is not None:
                self.log.close()
            self.log = open(str(value), "a", encoding="utf-8") if value else None
        elif option.name == "SyzygyPath" and value:
            self.say("info string SyzygyPath is noted, but endgame tables are not probed yet")
        elif option.name == "Book File" and value:
            from cythera.book import check_book

            check_book(str(value))

    def set_position(self, words: list[str]) -> None:
        fen, moves = parse_position(words)
        position = Position(fen, chess960=bool(self.options["UCI_Chess960"]))
        for move in moves:
            position.push(move)
        self.position = position

    def go(self, words: list[str]) -> None:
        go = parse_go(words)
        if go.perft is not None:
            self.need_idle("go perft")
            self.perft(go.perft)
            return
        self.need_idle("go")
        if go.searchmoves is not None:
            for move in go.searchmoves:
                self.position.parse_move(move)
        position = self.position.copy()
        book_move = self.book_move(go)
        if book_move:
            self.say(f"info string book move {book_move}", f"bestmove {book_move}")
            return
        self.thinking = self.new_thinking(position, go)
        self.thread = threading.Thread(target=self.think, args=(self.thinking,), daemon=True)
        self.thread.start()

    def new_thinking(self, position: Position, go: Go) -> Thinking:
        options = self.options
        show_wdl = bool(options["UCI_ShowWDL"])
        return Thinking(
            self.searcher,
            position,
            go,
            multipv=options.number("MultiPV"),
            overhead_ms=options.number("Move Overhead"),
            slow_mover=options.number("Slow Mover"),
            nodestime=options.number("nodestime"),
            on_info=lambda info: self.say(format_info(info, show_wdl)),
        )

    def think(self, thinking: Thinking) -> None:
        """The whole of one search, in its thread; always ends with a bestmove."""
        infos: list[Info] = []
        try:
            infos = thinking.run()
        except Exception as error:
            self.complain(f"the search failed: {error}")
        self.thinking = None
        if not infos:
            position = thinking.position
            if not position.legal_moves():
                self.say(f"info depth 0 score {'mate 0' if position.is_check() else 'cp 0'}")
            self.say("bestmove (none)")
            return
        best = infos[0].pv
        self.say(f"bestmove {best[0]} ponder {best[1]}" if len(best) > 1 else f"bestmove {best[0]}")

    def book_move(self, go: Go) -> str | None:
        path = self.options.text("Book File")
        analysing = go.endless or go.searchmoves is not None or self.options["UCI_AnalyseMode"]
        if not self.options["OwnBook"] or not path or analysing:
            return None
        from cythera.book import pick_move

        return pick_move(path, self.position)

    def stop(self, words: list[str]) -> None:
        thinking = self.thinking  # its own thread may set this to None at any time
        if thinking is not None:
            thinking.stop()

    def ponderhit(self, words: list[str]) -> None:
        thinking = self.thinking
        if thinking is not None:
            thinking.ponderhit()

    def perft(self, depth: int) -> None:
        if depth > 60:
            raise ProtocolError(f"go perft is up to 60, not {depth}")
        counts = self.position.divide(depth, self.options.number("Threads")) if depth else {}
        self.say(*(f"{move}: {count}" for move, count in counts.items()), "")
        self.say(f"Nodes searched: {sum(counts.values()) if depth else 1}", "")

    def display(self, words: list[str]) -> None:
        position = self.position
        self.say(
            *position.text().splitlines(),
            "",
            f"Fen: {position.fen()}",
            f"Key: {position.key:016X}",
            f"Moves: {' '.join(map(str, position.legal_moves()))}",
        )

    def evaluate(self, words: list[str]) -> None:
        self.need_idle("eval")
        from cythera.evaluation import explain

        self.say(*explain(self.position).splitlines())

    def flip(self, words: list[str]) -> None:
        from cythera.evaluation import mirrored_fen

        self.position = Position(mirrored_fen(self.position.fen()), chess960=self.position.chess960)

    def bench(self, words: list[str]) -> None:
        self.need_idle("bench")
        from cythera.bench import run_bench

        run_bench(words, self.say)

    def compiler(self, words: list[str]) -> None:
        info = build_info()
        self.say(
            f"Cythera {__version__}, {choose_variant()} build, {'debug' if info['debug'] else 'optimised'}",
            f"compiled with {info['compiler']}, sliders by {'pext' if info['pext'] else 'magic multiplication'}",
            f"Python {sys.version.split()[0]}",
        )

    def help(self, words: list[str]) -> None:
        self.say(
            "Cythera is a UCI chess engine: a chess GUI talks to it. By hand, try",
            "  position startpos moves e2e4    set up a position",
            "  go movetime 1000                think for a second",
            "  d, eval, bench, quit            show the board, explain the evaluation, measure, leave",
            "Outside this prompt: `cythera play` for a game, `cythera --help` for all commands.",
        )


def checked_hash(mib: int) -> int:
    """Refuses a table larger than the machine's memory: it would be granted, and kill us later."""
    import os

    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory_mib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
        if mib > memory_mib * 0.95:
            raise OptionError(f"Hash {mib} MiB is more than this machine has ({memory_mib} MiB); the old table stays")
    return mib


def main(args: list[str]) -> int:
    """Runs the engine on stdin and stdout; arguments are one UCI command, run before leaving."""
    session = Uci(sys.stdout)
    try:
        if args:
            session.handle(" ".join(args))
            session.wait()
            return 0
        if sys.stdin.isatty() and sys.stdout.isatty():
            session.say(f"Cythera {__version__}, a UCI chess engine. Type help for a start, quit to leave.")
        for raw in iter(sys.stdin.buffer.readline, b""):
            if not session.handle(raw.decode("utf-8", "replace")):
                break
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
    return 0
