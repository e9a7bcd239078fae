"""Does an engine speak UCI as GUIs and tournament managers expect? One small check per rule."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import chess

from cythera.match.match_errors import EngineError
from cythera.match.uci.engines import EngineSpec
from cythera.match.uci.info import parse_info
from cythera.match.uci.process import EngineProcess, Thought

ANSWER_S = 10.0  # for anything that is no search
SEARCH_S = 20.0  # for a search that is limited by depth or nodes
LATE_S = 1.0  # overrun of a time limit that is still accepted: this is no test of precision
CLOCK_S = 1.0  # what the clock shows where an engine must move on its own time
QUIET_S = 0.3  # how long we listen where nothing may be said
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
CHECKMATE = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
PROMOTION = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"
CASTLING_960 = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1"

PASSED, FAILED, SKIPPED = "ok", "failed", "not applicable"


class FailedError(Exception):
    """A rule that the engine does not keep; the message says how."""


class NotApplicableError(Exception):
    """A rule about something this engine does not have."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check."""

    name: str
    state: str
    detail: str = ""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise FailedError(message)


class Subject:
    """The engine that is checked."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        environment = dict(spec.environment)
        self.engine = EngineProcess(spec.name, spec.argv(), directory=spec.directory, environment=environment)

    def think(self, fen: str, go: str, limit_s: float = SEARCH_S, moves: str = "") -> tuple[chess.Board, Thought]:
        """Search a position and check that the answer is a legal move; returns the board and the answer."""
        position = "position startpos" if fen == chess.STARTING_FEN else f"position fen {fen}"
        board = chess.Board(fen)
        for uci in moves.split():
            board.push_uci(uci)
        thought = self.engine.think(f"{position} moves {moves}" if moves else position, go, limit_s, ANSWER_S)
        legal = [move.uci() for move in board.legal_moves]
        require(thought.bestmove in legal, f"answered {go!r} by {thought.bestmove!r}, which is not a legal move")
        return board, thought

    def option(self, name: str) -> None:
        if name.lower() not in self.engine.options:
            raise NotApplicableError(f"it has no option {name}")


# ---------------------------------------------------------------- the checks, in the order they are run


def says_nothing_before_uci(subject: Subject) -> None:
    said = [line for line in subject.engine.listen(QUIET_S) if line.startswith(("id ", "option ", "uciok", "bestmove"))]
    require(not said, f"sent {said[:1]} before `uci`")


def answers_uci(subject: Subject) -> None:
    subject.engine.handshake()
    require(subject.engine.id_name != subject.spec.name or bool(subject.engine.id_author), "sent no `id name`")


def declares_sound_options(subject: Subject) -> None:
    for option in subject.engine.options.values():
        if option.kind == "spin":
            require(option.low is not None and option.high is not None, f"option {option.name} has no min or max")
            assert option.low is not None and option.high is not None
            require(option.low <= int(option.default) <= option.high, f"the default of {option.name} is out of range")
        if option.kind == "combo":
            require(option.default in option.choices, f"the default of {option.name} is none of its values")


def declares_hash_and_threads(subject: Subject) -> None:
    for name in ("Hash", "Threads"):
        require(name.lower() in subject.engine.options, f"has no option {name}, which tournament managers set")


def answers_isready(subject: Subject) -> None:
    subject.engine.ping(ANSWER_S)


def accepts_its_own_defaults(subject: Subject) -> None:
    for option in list(subject.engine.options.values()):
        if option.kind != "button":
            subject.engine.set_option(option.name, option.default or "<empty>")
    subject.engine.ping()


def starts_a_new_game(subject: Subject) -> None:
    subject.engine.new_game()


def searches_to_a_depth(subject: Subject) -> None:
    subject.think(chess.STARTING_FEN, "go depth 3")


def searches_some_nodes(subject: Subject) -> None:
    subject.think(MIDDLEGAME, "go nodes 2000")


def keeps_movetime(subject: Subject) -> None:
    _, thought = subject.think(MIDDLEGAME, "go movetime 200", 0.2 + LATE_S)
    require(thought.elapsed_ms <= 1000 * (0.2 + LATE_S), f"took {thought.elapsed_ms:.0f} ms for `go movetime 200`")


def keeps_a_clock(subject: Subject) -> None:
    clock_ms = round(1000 * CLOCK_S)
    _, thought = subject.think(MIDDLEGAME, f"go wtime {clock_ms} btime {clock_ms} winc 0 binc 0", CLOCK_S)
    require(thought.elapsed_ms < clock_ms, f"used {thought.elapsed_ms:.0f} of {clock_ms} ms for one move")


def searches_until_it_is_stopped(subject: Subject) -> None:
    subject.engine.send(f"position fen {MIDDLEGAME}")
    subject.engine.send("go infinite")
    early = [line for line in subject.engine.listen(2 * QUIET_S) if line.startswith("bestmove")]
    require(not early, "answered `go infinite` before `stop`")
    begin = time.perf_counter()
    subject.engine.send("stop")
    subject.engine.lines_until("bestmove", ANSWER_S)
    taken_s = time.perf_counter() - begin
    require(taken_s < LATE_S, f"took {taken_s:.1f} s to answer `stop`")


def answers_isready_while_it_searches(subject: Subject) -> None:
    subject.engine.send(f"position fen {MIDDLEGAME}")
    subject.engine.send("go infinite")
    subject.engine.ping(ANSWER_S)
    subject.engine.send("stop")
    subject.engine.lines_until("bestmove", ANSWER_S)


def is_silent_when_stopped_while_idle(subject: Subject) -> None:
    subject.engine.send("stop")
    said = [line for line in subject.engine.listen(QUIET_S) if line.startswith("bestmove")]
    require(not said, "sent a bestmove for a `stop` without a search")


def follows_moves(subject: Subject) -> None:
    subject.think(chess.STARTING_FEN, "go depth 2", moves="e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1")


def plays_black(subject: Subject) -> None:
    subject.think(chess.STARTING_FEN, "go depth 2", moves="e2e4")


def promotes(subject: Subject) -> None:
    _, thought = subject.think(PROMOTION, "go depth 4")
    require(re.fullmatch(r"[a-h][1-8][a-h][1-8][qrbn]?", thought.bestmove) is not None, f"wrote {thought.bestmove!r}")


def reports_scores_and_legal_lines(subject: Subject) -> None:
    board, thought = subject.think(MIDDLEGAME, "go depth 6")
    infos = [info for line in thought.lines if (info := parse_info(line)) is not None]
    require(any(info.score_cp is not None or info.mate is not None for info in infos), "reported no score")
    lines = [info.pv for info in infos if info.pv]
    require(bool(lines), "reported no line (pv)")
    for pv in lines:
        walk = board.copy(stack=False)
        for uci in pv:
            try:
                walk.push_uci(uci)
            except ValueError:
                raise FailedError(f"reported the line {' '.join(pv)}, where {uci} is illegal") from None
    exact = [info.pv for info in infos if info.pv and info.multipv == 1 and not info.bound]
    require(not exact or exact[-1][0] == thought.bestmove, "its move does not begin the last line it reported")


def finds_and_reports_a_mate(subject: Subject) -> None:
    _, thought = subject.think(MATE_IN_ONE, "go depth 5")
    require(thought.bestmove == "a1a8", f"plays {thought.bestmove} where a1a8 mates")
    mates = [info.mate for line in thought.lines if (info := parse_info(line)) and info.mate is not None]
    require(bool(mates) and mates[-1] == 1, "does not report `score mate 1` for a mate in one")


def survives_positions_without_moves(subject: Subject) -> None:
    for name, fen in (("checkmate", CHECKMATE), ("stalemate", STALEMATE)):
        thought = subject.engine.think(f"position fen {fen}", "go depth 2", SEARCH_S, ANSWER_S)
        require(thought.bestmove in ("(none)", "0000"), f"answers {name} by {thought.bestmove!r}, not (none) or 0000")


def keeps_to_searchmoves(subject: Subject) -> None:
    _, thought = subject.think(chess.STARTING_FEN, "go depth 4 searchmoves a2a3 h2h3")
    require(thought.bestmove in ("a2a3", "h2h3"), f"plays {thought.bestmove} with `searchmoves a2a3 h2h3`")


def reports_several_lines(subject: Subject) -> None:
    subject.option("MultiPV")
    subject.engine.set_option("MultiPV", "3")
    _, thought = subject.think(chess.STARTING_FEN, "go depth 4")
    subject.engine.set_option("MultiPV", "1")
    numbers = {info.multipv for line in thought.lines if (info := parse_info(line)) and info.pv}
    require({1, 2, 3} <= numbers, f"reported the lines {sorted(numbers)} with MultiPV 3")


def ponders(subject: Subject) -> None:
    subject.option("Ponder")
    subject.engine.set_option("Ponder", "true")
    subject.engine.ping()
    clock_ms = round(2000 * CLOCK_S)
    subject.engine.ponder("position startpos moves e2e4 e7e5", f"go wtime {clock_ms} btime {clock_ms}")
    early = [line for line in subject.engine.listen(2 * QUIET_S) if line.startswith("bestmove")]
    require(not early, "answered `go ponder` before `ponderhit`")
    thought = subject.engine.ponderhit(2 * CLOCK_S + LATE_S, ANSWER_S)
    require(thought.elapsed_ms < clock_ms, "did not move on its clock after `ponderhit`")


def castles_in_chess960(subject: Subject) -> None:
    subject.option("UCI_Chess960")
    subject.engine.set_option("UCI_Chess960", "true")
    board = chess.Board(CASTLING_960, chess960=True)
    castling = [move.uci() for move in board.legal_moves if board.is_castling(move)]
    go = f"go depth 3 searchmoves {' '.join(castling)}"
    thought = subject.engine.think(f"position fen {CASTLING_960}", go, SEARCH_S, ANSWER_S)
    subject.engine.set_option("UCI_Chess960", "false")
    require(thought.bestmove in castling, f"plays {thought.bestmove!r}, expected castling as king takes rook")


def ignores_what_it_does_not_know(subject: Subject) -> None:
    for line in ("", "   ", "joho debug on", "\tisready\r", "go2 depth"):
        subject.engine.send(line)
    subject.engine.ping(ANSWER_S)
    subject.engine.ping(ANSWER_S)


def quits_during_a_search(subject: Subject) -> None:
    subject.engine.send("position startpos")
    subject.engine.send("go infinite")
    subject.engine.listen(QUIET_S)
    require(subject.engine.leaves("quit", 5.0), "still runs five seconds after `quit`")


def quits_at_the_end_of_its_input(subject: Subject) -> None:
    subject.engine.handshake()
    require(subject.engine.leaves("", 5.0), "still runs five seconds after its input was closed")


FIRST: tuple[Callable[[Subject], None], ...] = (
    says_nothing_before_uci,
    answers_uci,
    declares_sound_options,
    declares_hash_and_threads,
    answers_isready,
    accepts_its_own_defaults,
    starts_a_new_game,
    searches_to_a_depth,
    searches_some_nodes,
    keeps_movetime,
    keeps_a_clock,
    searches_until_it_is_stopped,
    answers_isready_while_it_searches,
    is_silent_when_stopped_while_idle,
    follows_moves,
    plays_black,
    promotes,
    reports_scores_and_legal_lines,
    finds_and_reports_a_mate,
    survives_positions_without_moves,
    keeps_to_searchmoves,
    reports_several_lines,
    ponders,
    castles_in_chess960,
    ignores_what_it_does_not_know,
    quits_during_a_search,
)
CHECKS = (*FIRST, quits_at_the_end_of_its_input)


@contextmanager
def opened(spec: EngineSpec) -> Iterator[Subject]:
    subject = Subject(spec)
    try:
        yield subject
    finally:
        subject.engine.kill()


def check(spec: EngineSpec) -> Iterator[CheckResult]:
    """Run all checks on an engine, in order. After a failure that leaves the engine in doubt it is restarted."""
    subject = Subject(spec)
    try:
        for rule in FIRST:
            name = rule.__name__.replace("_", " ")
            try:
                rule(subject)
                yield CheckResult(name, PASSED)
            except NotApplicableError as error:
                yield CheckResult(name, SKIPPED, str(error))
            except (FailedError, EngineError) as error:
                yield CheckResult(name, FAILED, str(error))
                subject.engine.kill()
                subject = Subject(spec)
                if rule is not says_nothing_before_uci:
                    try:
                        subject.engine.handshake()
                    except EngineError as again:
                        yield CheckResult("starts again", FAILED, str(again))
                        return
    finally:
        subject.engine.kill()
    with opened(spec) as last:
        name = quits_at_the_end_of_its_input.__name__.replace("_", " ")
        try:
            quits_at_the_end_of_its_input(last)
            yield CheckResult(name, PASSED)
        except (FailedError, EngineError) as error:
            yield CheckResult(name, FAILED, str(error))
