"""Commands that are not of the protocol, for people at the keyboard: the board, the evaluation, perft, the build.

A GUI uses none of them, so this module is loaded with the first; what only one of them needs is imported there.
"""

import sys

from cythera import __version__
from cythera.board.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.uci.program import Uci


def display(uci: "Uci", words: list[str]) -> None:
    """`d`: the board, its FEN, key and moves, and what the endgame tables know."""
    position = uci.position
    uci.send(
        *position.text().splitlines(),
        "",
        f"Fen: {position.fen()}",
        f"Key: {position.key:016X}",
        f"Moves: {' '.join(map(str, position.legal_moves()))}",
    )
    uci.load_tables()
    tables = uci.session.tables.found
    if tables.probe_wdl(position) is not None:
        from cythera.tables.verdicts import verdict

        known = verdict(position, tables)
        assert known is not None
        uci.send(f"Tables: {known.text}")
    uci.send_table_problems()


def evaluate(uci: "Uci", words: list[str]) -> None:
    from cythera.engine.evaluation_table import explain

    uci.send(*explain(uci.position, uci.options.text("EvalFile")).splitlines())


def flip(uci: "Uci", words: list[str]) -> None:
    """Mirrors the position: the other side to move, colours exchanged."""
    from cythera.engine.evaluation_table import mirrored_fen

    uci.position = Position(mirrored_fen(uci.position.fen()), chess960=uci.position.chess960)


def bench(uci: "Uci", words: list[str]) -> None:
    from cythera.engine.bench import run_bench

    with uci.session.idle("bench"), uci.interrupts:
        run_bench(words, uci.send, uci.options.text("EvalFile"))


def compiler(uci: "Uci", words: list[str]) -> None:
    from cythera.core import VARIANT, build_info
    from cythera.net.load import described

    info = build_info()
    uci.send(
        f"Cythera {__version__}, {VARIANT} build, {'debug' if info['debug'] else 'optimised'}",
        f"compiled with {info['compiler']}, sliders by {'pext' if info['pext'] else 'magic multiplication'}",
        f"Python {sys.version.split()[0]}",
        described(uci.options.text("EvalFile")),
    )


def show_help(uci: "Uci", words: list[str]) -> None:
    uci.send(
        "Cythera is a UCI chess engine: a chess GUI talks to it. By hand, try",
        "  position startpos moves e2e4    set up a position",
        "  go movetime 1000                search for a second",
        "  d, eval, bench, quit            show the board, explain the evaluation, measure, leave",
        "Outside this prompt: `cythera play` for a game, `cythera --help` for all commands.",
    )


def go_perft(uci: "Uci", position: Position, depth: int) -> None:
    """`go perft`: counts in a thread, so that it can be stopped; a stopped one prints nothing."""
    from cythera.uci.perft import PerftRun

    run = PerftRun(position, depth, uci.options.number("Threads"))
    uci.search = search = uci.session.start_run(run, "go perft")

    def answer() -> None:
        if search.outcome.error is not None:
            uci.send_error(f"perft failed: {search.outcome.error}")
        elif not run.is_stopping:
            uci.send(*run.lines())

    search.outcome.when_done(answer)


COMMANDS = {
    "d": display,
    "eval": evaluate,
    "flip": flip,
    "bench": bench,
    "compiler": compiler,
    "help": show_help,
}
