"""The UCI program: reads lines, keeps a position and options, thinks in a thread of its own.

stdout belongs to the protocol. Bad input is answered by `info string error: …`; the position, the
options and the process stay as they were.
"""

import sys
import threading

from cythera import __version__
from cythera.board.position import Position
from cythera.core import VARIANT, Searcher, build_info
from cythera.engine.limits import Go
from cythera.engine.options import OPTIONS, Option, OptionError, Options, affordable_hash, affordable_threads, find
from cythera.engine.search_run import Info, Thinking
from cythera.errors import CytheraError
from cythera.uci.protocol import ProtocolError, format_info, parse_go, parse_position, parse_setoption, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from cythera.engine.levels import Level

PERFT_STRIDE = 6  # plies that are counted without listening for stop …
PERFT_LEAVES = 2e8  # … if there are not many more moves than these at their end: half a second or so
PERFT_THREADS = 256  # at most


class Uci:
    """One UCI session on a pair of streams."""

    def __init__(self, out: "TextIO") -> None:
        self.out = out
        self.lock = threading.Lock()
        self.deaf = False  # nobody reads us any more
        self.complaints = 0
        self.options = Options()
        self.position = Position()
        self.game = 0
        self.searcher = Searcher(self.options.number("Hash"), self.options.number("Threads"))
        self.net_known = False  # the searcher has the net of the option EvalFile
        self.features: int | None = None  # techniques of the search, None for all
        self.limited: Searcher | None = None  # for levels, when one is first asked for
        self.thinking: Thinking | Counting | None = None
        self.thread: threading.Thread | None = None
        self.log: TextIO | None = None
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.uci,
            "isready": self.is_ready,
            "ucinewgame": self.new_game,
            "setoption": lambda words: self.set_option(words[0] if words else ""),
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
        """Writes lines at once, whole, whichever thread calls. If nobody reads any more, we leave."""
        text = "".join(line + "\n" for line in lines)
        with self.lock:
            self.note("<<", lines)
            if self.deaf:
                return
            try:
                self.out.write(text)
                self.out.flush()
            except (OSError, ValueError):
                self.deaf = True
        if self.deaf:
            self.stop([])

    def note(self, mark: str, lines: "tuple[str, ...]") -> None:
        """Copies lines to the log, if there is one and it can be written to; under the lock."""
        if self.log is not None:
            try:
                self.log.write("".join(f"{mark} {line}\n" for line in lines))
                self.log.flush()
            except (OSError, ValueError):
                self.log = None

    def complain(self, sentence: object) -> None:
        self.complaints += 1
        self.say(f"info string error: {' '.join(str(sentence).split())}")

    # The loop

    def handle(self, line: str) -> bool:
        """Obeys one line; False means quit."""
        if self.log is not None:
            with self.lock:
                self.note(">>", (line.strip(),))
        words = tokens(line)
        # Unknown leading words are skipped, as the protocol asks.
        known = next((i for i, word in enumerate(words) if word in self.commands or word == "quit"), None)
        if known is None:
            if words:
                self.complain(f"there is no command {words[0][:40]!r}; type help")
            return not self.deaf
        command = words[known]
        if command == "quit":
            return False
        try:
            if command == "setoption":
                words = line.split(None, known + 1)  # the rest in one piece: a value may hold spaces and #
            self.commands[command](words[known + 1 :])
        except CytheraError as error:
            self.complain(error)
        except MemoryError as error:
            self.complain(str(error) or "there is not enough memory")
        except Exception as error:  # a fault of ours must not cost the game
            self.complain(f"{command} failed: {str(error) or type(error).__name__}")
        return not self.deaf

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
        """Refuses if a search runs. One that was told to stop is waited for, since some GUIs send
        `stop` and the next command in one go."""
        thinking = self.thinking  # its own thread may set this to None at any time
        if thinking is not None and not thinking.stopped:
            raise ProtocolError(f"{what} while the engine thinks; send stop first")
        self.wait()

    def start(self, thinking: "Thinking | Counting", work: "Callable[[], None]") -> None:
        """Runs `work` in a thread of its own; `stop` and `ponderhit` go to `thinking` meanwhile."""
        self.thinking = thinking
        self.thread = threading.Thread(target=work, name="cythera-search", daemon=True)
        try:
            self.thread.start()
        except RuntimeError:
            self.thinking = self.thread = None
            raise

    # Commands

    def uci(self, words: list[str]) -> None:
        self.say(
            f"id name Cythera {__version__}",
            "id author the Cythera developers",
            *(option.uci() for option in OPTIONS),
            "uciok",
        )

    def is_ready(self, words: list[str]) -> None:
        self.know_net()
        self.say("readyok")

    def know_net(self) -> None:
        """Reads the net when it is first needed: the answer to `uci` is not kept waiting for it."""
        if not self.net_known:
            from cythera.net.load import net_for

            self.net_known = True
            try:
                net = net_for(self.options.text("EvalFile"))
                if net is not None:
                    self.searcher.set_net(net)
            except (CytheraError, OSError, MemoryError) as error:  # said once; whoever waits for an answer gets it
                self.complain(f"{str(error) or 'there is no memory for the net'}; evaluating classically")

    def new_game(self, words: list[str]) -> None:
        self.need_idle("ucinewgame")
        self.game += 1
        self.searcher.clear()

    def set_option(self, text: str) -> None:
        name, value_text = parse_setoption(text)
        name = name.partition("#")[0].strip()
        try:
            option = find(name)
        except OptionError:
            self.set_undeclared(name, value_text)
            return
        if value_text is not None and option.kind != "string":
            value_text = value_text.partition("#")[0].strip()
        value = option.parse(value_text)
        self.apply_option(option, value)
        self.options.values[option.name] = value

    def set_undeclared(self, name: str, text: str | None) -> None:
        """Options for measuring, which no GUI shows: search constants (`cythera tune search` sets them),
        and `Without`, the techniques to search without, by name and comma."""
        from cythera.core import get_tunables, set_tunable

        if name == "Without":
            self.features = features_without(text or "")
            return
        if name not in get_tunables():
            raise OptionError(f"there is no option {name[:60]!r}")
        self.need_idle(f"setoption {name}")
        try:
            set_tunable(name, int(text or ""))
        except (ValueError, OverflowError) as error:
            raise OptionError(str(error)) from None

    def apply_option(self, option: Option, value: str | int | bool | None) -> None:
        if option.name in ("Hash", "Threads", "Clear Hash", "EvalFile"):
            self.need_idle(f"setoption {option.name}")
        if option.name == "Hash":
            self.searcher.set_hash(affordable_hash(int(value or 0)))
        elif option.name == "Threads":
            self.searcher.set_threads(affordable_threads(int(value or 1)))
        elif option.name == "Clear Hash":
            self.searcher.clear()
        elif option.name == "EvalFile":
            from cythera.net.load import net_for

            self.searcher.set_net(net_for(str(value)))
            self.net_known = True
        elif option.name == "UCI_Chess960":
            self.position = self.rebuilt(bool(value))
        elif option.name == "Debug Log File":
            old = self.log
            log = open(str(value), "a", encoding="utf-8", errors="replace") if value else None  # noqa: SIM115
            with self.lock:
                self.log = log
            if old is not None:
                old.close()
        elif option.name == "SyzygyPath" and value:
            self.say("info string SyzygyPath is noted, but endgame tables are not probed yet")
        elif option.name == "Book File" and value:
            from cythera.engine.book import open_book

            open_book(str(value))

    def rebuilt(self, chess960: bool) -> Position:
        """The present position with the other way to write castling, if it can be had."""
        try:
            position = Position(self.position.root_fen(), chess960=chess960)
            for move in self.position.history():
                position.push(move)
        except CytheraError:
            return self.position
        return position

    def set_position(self, words: list[str]) -> None:
        fen, moves = parse_position(words)
        position = Position(fen, chess960=bool(self.options["UCI_Chess960"]))
        for move in moves:
            position.push(move)
        self.position = position

    def go(self, words: list[str]) -> None:
        go = parse_go(words)
        self.need_idle("go")
        position = self.position.copy()
        if go.perft is not None:
            counting = Counting(position, go.perft, min(self.options.number("Threads"), PERFT_THREADS))
            self.start(counting, lambda: self.count(counting))
            return
        for move in go.searchmoves or ():
            position.parse_move(move)
        book_move = self.book_move(go)
        if book_move:
            self.say(f"info string book move {book_move}", f"bestmove {book_move}")
            return
        self.know_net()
        thinking = self.new_thinking(position, go)
        self.start(thinking, lambda: self.think(thinking))

    def level(self) -> "Level | None":
        """How strength is limited, None if it is not."""
        limited, skill = self.options["UCI_LimitStrength"], self.options.number("Skill Level")
        if not limited and skill == find("Skill Level").high:
            return None
        from cythera.engine.levels import elo_of_skill, level_of

        return level_of(self.options.number("UCI_Elo") if limited else elo_of_skill(skill))

    def new_thinking(self, position: Position, go: Go) -> Thinking:
        options = self.options
        show_wdl = bool(options["UCI_ShowWDL"])
        overhead_ms, slow_mover = options.number("Move Overhead"), options.number("Slow Mover")
        nodestime = options.number("nodestime")

        def on_info(info: Info) -> None:
            self.say(format_info(info, show_wdl))

        level = None if options["UCI_AnalyseMode"] else self.level()
        if level is not None:
            from cythera.engine.levels import LimitedThinking, level_searcher

            self.limited = self.limited or level_searcher()
            return LimitedThinking(
                self.limited,
                position,
                go,
                level,
                self.game,
                overhead_ms=overhead_ms,
                slow_mover=slow_mover,
                nodestime=nodestime,
                on_info=on_info,
            )
        return Thinking(
            self.searcher,
            position,
            go,
            multipv=options.number("MultiPV"),
            overhead_ms=overhead_ms,
            slow_mover=slow_mover,
            nodestime=nodestime,
            on_info=on_info,
            on_move=lambda move, number: self.say(f"info currmove {move} currmovenumber {number}"),
            features=self.features,
        )

    def think(self, thinking: Thinking) -> None:
        """The whole of one search, in its thread; always ends with a bestmove."""
        best: list[str] = []
        try:
            infos = thinking.run()
            best = infos[0].pv if infos else []
        except Exception as error:
            self.complain(f"the search failed: {str(error) or type(error).__name__}")
            best = [move.uci() for move in thinking.position.legal_moves()[:1]]
        self.thinking = None
        if not best:
            # Only a game that is over has no move.
            self.say(f"info depth 0 score {'mate 0' if thinking.position.is_check() else 'cp 0'}", "bestmove (none)")
        elif len(best) > 1:
            self.say(f"bestmove {best[0]} ponder {best[1]}")
        else:
            self.say(f"bestmove {best[0]}")

    def book_move(self, go: Go) -> str | None:
        path = self.options.text("Book File")
        analysing = go.endless or go.searchmoves is not None or self.options["UCI_AnalyseMode"]
        if not self.options["OwnBook"] or not path or analysing:
            return None
        from cythera.engine.book import BookError, pick_move

        try:
            return pick_move(path, self.position)
        except BookError as error:
            self.complain(error)  # and think for ourselves
            return None

    def stop(self, words: list[str]) -> None:
        thinking = self.thinking  # its own thread may set this to None at any time
        if thinking is not None:
            thinking.stop()

    def ponderhit(self, words: list[str]) -> None:
        thinking = self.thinking
        if thinking is not None:
            thinking.ponderhit()

    def count(self, counting: "Counting") -> None:
        """`go perft`, in its thread."""
        counts: dict[str, int] = {}
        try:
            counts = counting.run()
        except Exception as error:
            counting.stop()
            self.complain(f"perft failed: {str(error) or type(error).__name__}")
        self.thinking = None  # before the last word: the next command may follow it at once
        if not counting.stopped:
            self.say(*(f"{move}: {count}" for move, count in counts.items()), "")
            self.say(f"Nodes searched: {sum(counts.values()) if counting.depth else 1}", "")

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
        from cythera.engine.evaluation_table import explain

        self.say(*explain(self.position, self.options.text("EvalFile")).splitlines())

    def flip(self, words: list[str]) -> None:
        from cythera.engine.evaluation_table import mirrored_fen

        self.position = Position(mirrored_fen(self.position.fen()), chess960=self.position.chess960)

    def bench(self, words: list[str]) -> None:
        self.need_idle("bench")
        from cythera.engine.bench import run_bench

        run_bench(words, self.say, self.options.text("EvalFile"))

    def compiler(self, words: list[str]) -> None:
        info = build_info()
        from cythera.net.load import described

        self.say(
            f"Cythera {__version__}, {VARIANT} build, {'debug' if info['debug'] else 'optimised'}",
            f"compiled with {info['compiler']}, sliders by {'pext' if info['pext'] else 'magic multiplication'}",
            f"Python {sys.version.split()[0]}",
            described(self.options.text("EvalFile")),
        )

    def help(self, words: list[str]) -> None:
        self.say(
            "Cythera is a UCI chess engine: a chess GUI talks to it. By hand, try",
            "  position startpos moves e2e4    set up a position",
            "  go movetime 1000                think for a second",
            "  d, eval, bench, quit            show the board, explain the evaluation, measure, leave",
            "Outside this prompt: `cythera play` for a game, `cythera --help` for all commands.",
        )


def features_without(names: str) -> int:
    """The switches of the search with the named techniques off."""
    from cythera.core import FEATURES

    features = sum(FEATURES.values())
    for name in filter(None, (" ".join(part.lower().split()) for part in names.split(","))):
        if name not in FEATURES:
            raise OptionError(f"there is no technique {name[:40]!r} to do without; there are {', '.join(FEATURES)}")
        features &= ~FEATURES[name]
    return features


class Counting:
    """A perft that can be stopped between subtrees."""

    def __init__(self, position: Position, depth: int, threads: int) -> None:
        if depth > 60:
            raise ProtocolError(f"go perft is up to 60, not {depth}")
        self.position = position
        self.depth = depth
        self.threads = threads
        self.stopped = False

    def run(self) -> dict[str, int]:
        """Counts behind each move; not complete if stopped."""
        if self.depth == 0:
            return {}
        moves = self.position.legal_moves()
        return {move.uci(): self.below(move.uci(), self.depth, len(moves)) for move in moves}

    def below(self, move: str, depth: int, choices: int) -> int:
        """Counts behind a move, which was one of so many."""
        if self.stopped:
            return 0
        self.position.push(move)
        replies = self.position.legal_moves()
        if depth - 1 <= PERFT_STRIDE and max(len(replies), choices) ** (depth - 1) <= PERFT_LEAVES:
            count = self.position.perft(depth - 1, self.threads)
        else:
            count = sum(self.below(reply.uci(), depth - 1, len(replies)) for reply in replies)
        self.position.pop()
        return count

    def stop(self) -> None:
        self.stopped = True

    def ponderhit(self) -> None:
        pass


def main(args: list[str]) -> int:
    """Runs the engine on stdin and stdout; arguments are one UCI command, run before leaving."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # an answer may quote anything
    session = Uci(sys.stdout)
    try:
        if args:
            session.handle(" ".join(args))
            session.wait()
            return 2 if session.complaints else 0
        if sys.stdin.isatty() and sys.stdout.isatty():
            session.say(f"Cythera {__version__}, a UCI chess engine. Type help for a start, quit to leave.")
        for raw in iter(sys.stdin.buffer.readline, b""):
            if not session.handle(raw.decode("utf-8", "replace").lstrip("\ufeff")):  # some editors begin a file so
                break
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
        if session.deaf:
            forget_stdout()
    return 0


def forget_stdout() -> None:
    """Keeps Python from complaining, on leaving, that its last words found no reader."""
    import os

    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        sys.stdout = None
