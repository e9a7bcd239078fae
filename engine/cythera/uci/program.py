"""The UCI program: reads lines, keeps the position, and prints what the session answers.

stdout belongs to the protocol. Bad input is answered by `info string error: …`; the position, the
options and the process stay as they were.
"""

import sys
from functools import partial
from time import perf_counter

from cythera import __version__
from cythera.board.position import Position
from cythera.common.text import shortened
from cythera.core import ask_for_short_time_slices
from cythera.engine.options import OPTIONS
from cythera.engine.search_run import SearchRun
from cythera.engine.session import Session
from cythera.errors import CytheraError
from cythera.uci.answer import Answer
from cythera.uci.interrupts import Interrupts
from cythera.uci.line_reader import LineReader
from cythera.uci.output import Output, discard_stdout
from cythera.uci.protocol import parse_go, parse_position, parse_setoption, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from cythera.engine.handle import Outcome, Search
    from cythera.engine.limits import Go
    from cythera.engine.options import Value

EXTRA_COMMANDS = ("d", "eval", "flip", "bench", "compiler", "help")  # not of the protocol
LONGEST_ERROR = 1000  # characters: an error may quote what was sent, of any length


class Uci:
    """A UCI engine on a pair of streams."""

    def __init__(self, stream: "TextIO") -> None:
        self.output = Output(stream)
        self.interrupts = Interrupts()
        self.errors = 0
        self.received_s = 0.0  # when the last line was read, on perf_counter
        self.position = Position()
        self.session = Session()
        self.options = self.session.options
        self.search: Search | None = None  # the last one; kept, or it would stop
        self.answer: Answer | None = None  # to the last `go`
        self.session.on_option.update({
            "UCI_Chess960": self.set_chess960,
            "Debug Log File": lambda path: self.output.open_log(str(path)),
        })  # fmt: skip
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.uci,
            "isready": self.is_ready,
            "ucinewgame": lambda words: self.session.new_game(),
            "setoption": lambda words: self.session.set_option(*parse_setoption(words[0] if words else "")),
            "position": self.set_position,
            "go": self.go,
            "stop": lambda words: self.session.stop(),
            "ponderhit": lambda words: self.session.ponderhit(),
            "debug": lambda words: None,
            "register": lambda words: None,
            **{name: partial(self.extra, name) for name in EXTRA_COMMANDS},
        }

    def handle(self, line: str) -> bool:
        """Obeys one line; False means quit."""
        self.received_s = perf_counter()
        self.output.received(line)
        words = tokens(line)
        # Unknown words before a command are skipped, as the protocol requires.
        known = next((i for i, word in enumerate(words) if word in self.commands or word == "quit"), None)
        if known is None:
            if words:
                self.send_error(f"unknown command {words[0][:40]!r}; type help")
            return not self.output.closed
        command = words[known]
        if command == "quit":
            return False
        try:
            if command == "setoption":
                words = line.split(None, known + 1)  # the rest in one piece: a value may hold spaces and #
            self.commands[command](words[known + 1 :])
        except CytheraError as error:
            self.send_error(error)
        except MemoryError as error:
            self.send_error(str(error) or "not enough memory")
        except Exception as error:  # a bug of ours must not cost the game
            self.send_error(f"{command} failed: {str(error) or type(error).__name__}")
        return not self.output.closed

    def send(self, *lines: str) -> None:
        """Prints lines; a search that nobody reads any more is stopped."""
        self.output.send(*lines)
        if self.output.closed:
            self.session.stop()

    def send_error(self, message: object) -> None:
        self.errors += 1
        self.send(f"info string error: {shortened(' '.join(str(message).split()), LONGEST_ERROR)}")

    def read(self, reader: LineReader) -> bytes:
        """The next line of input; empty at its end. Meanwhile it answers for a search that is late."""
        while True:
            answer = self.answer
            with self.interrupts:
                line = reader.line(None if answer is None else answer.due_s)
            if line is not None:
                return line
            if answer is not None:
                answer.give_late()

    def wait(self) -> None:
        """Waits for the end of the running search."""
        if self.search is not None:
            self.search.outcome.done.wait()

    def close(self) -> None:
        """Ends a running search, waits for its answer and frees everything."""
        self.session.stop()
        self.wait()
        self.session.close()
        self.output.open_log("")

    # The protocol

    def uci(self, words: list[str]) -> None:
        self.send(
            f"id name Cythera {__version__}",
            "id author the Cythera developers",
            *(option.uci() for option in OPTIONS),
            "uciok",
        )

    def is_ready(self, words: list[str]) -> None:
        self.load_net()
        self.load_tables()
        if not self.session.busy.locked():
            self.session.touch_table()
        self.send("readyok")

    def load_net(self) -> None:
        """Loads the net if that is still to be done; without one, the engine plays all the same."""
        try:
            self.session.load_net()
        except (CytheraError, OSError, MemoryError) as error:
            self.send_error(f"{str(error) or 'not enough memory for the net'}; evaluating classically")

    def set_chess960(self, value: "Value") -> None:
        """Rebuilds the present position with the other way to write castling, if there is such a position."""
        try:
            position = Position(self.position.root_fen(), chess960=bool(value))
            for move in self.position.history():
                position.push(move)
        except CytheraError:
            return
        self.position = position

    def load_tables(self) -> None:
        """Finds the endgame tables if that is still to be done; says what was found where the user has named some."""
        tables = self.session.tables
        if tables.load() and self.options.text("SyzygyPath"):
            self.send(f"info string {len(tables.found)} endgame tables, with up to {tables.found.largest} pieces")
        self.send_table_problems()

    def send_table_problems(self) -> None:
        """Names folders and files of tables that cannot be used, each once."""
        for problem in self.session.tables.take_problems():
            self.send_error(problem)

    def extra(self, name: str, words: list[str]) -> None:
        """A command that is not of the protocol; what these need is loaded when one is used."""
        from cythera.uci.extra_commands import COMMANDS

        COMMANDS[name](self, words)

    def set_position(self, words: list[str]) -> None:
        fen, moves = parse_position(words)
        position = Position(fen, chess960=bool(self.options["UCI_Chess960"]))
        for move in moves:
            position.push(move)
        self.position = position

    def go(self, words: list[str]) -> None:
        go = parse_go(words)
        position = self.position.copy()
        if go.perft is not None:
            from cythera.uci.extra_commands import go_perft

            go_perft(self, position, go.perft)
            return
        for move in go.searchmoves or ():
            position.parse_move(move)
        if not self.play_from_book(position, go):
            self.load_net()
            self.load_tables()
            self.start(position, go)

    def play_from_book(self, position: Position, go: "Go") -> bool:
        """Answers by a move of the opening book, if there is one."""
        move = None
        with self.session.idle("go"):
            try:
                move = self.session.book_move(position, go)
            except CytheraError as error:
                self.send_error(error)  # and search instead
            if move is not None:
                self.send(f"info string book move {move}", f"bestmove {move}")
        return move is not None

    def start(self, position: Position, go: "Go") -> None:
        answer = Answer(self.send, bool(self.options["UCI_ShowWDL"]))
        self.search = search = self.session.start(
            position, go, on_info=answer.info, on_move=answer.move, started_s=self.received_s
        )
        assert isinstance(search.run, SearchRun)
        answer.run = search.run
        self.answer = answer
        search.outcome.when_done(lambda: self.conclude(search.outcome, position, answer))

    def conclude(self, outcome: "Outcome", position: Position, answer: Answer) -> None:
        """Prints the result of a search, in its thread; there is always a bestmove."""
        best = outcome.infos[0].pv if outcome.infos else []
        lines = []
        self.send_table_problems()
        if outcome.error is not None:
            self.send_error(f"the search failed: {str(outcome.error) or type(outcome.error).__name__}")
            best = [move.uci() for move in position.legal_moves()[:1]]
        if not best:  # only a game that is over has no move
            lines = [f"info depth 0 score {'mate 0' if position.is_check() else 'cp 0'}"]
        answer.give(best, *lines)


def main(args: list[str]) -> int:
    """Runs the engine on stdin and stdout; arguments are one UCI command, which is run before leaving."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # an answer may quote anything
    ask_for_short_time_slices()  # an answer that waits for a processor costs time on the clock
    uci = Uci(sys.stdout)
    uci.interrupts.install()
    try:
        if args:
            uci.handle(" ".join(args))
            with uci.interrupts:
                uci.wait()
            return 2 if uci.errors else 0
        if sys.stdin.isatty() and sys.stdout.isatty():
            uci.send(f"Cythera {__version__}, a UCI chess engine. Type help for a start, quit to leave.")
        reader = LineReader(sys.stdin.buffer)
        while line := uci.read(reader):
            if not uci.handle(line.decode("utf-8", "replace").lstrip("\ufeff")):  # some editors write a BOM
                break
    except KeyboardInterrupt:
        pass
    finally:
        uci.close()
        if uci.output.closed:
            discard_stdout()
    return 0
