"""UCI as conversation: greetings, options, bad words, and how it ends."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.uci import PATIENCE_S, START, Talk

from cythera import Position
from cythera.engine.options import OPTIONS
from cythera.uci import extra_commands, perft
from cythera.uci import program as uci

REQUIRED = {
    "Hash", "Threads", "Clear Hash", "EvalFile", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL",
    "UCI_AnalyseMode", "UCI_LimitStrength", "UCI_Elo", "UCI_Opponent", "Skill Level", "Slow Mover", "nodestime",
    "Debug Log File", "OwnBook", "Book File", "SyzygyPath", "SyzygyBuiltin", "SyzygyProbeDepth", "SyzygyProbeLimit",
    "Syzygy50MoveRule",
}  # fmt: skip


def fen_of(talk):
    return next(line for line in talk.ask("d") if line.startswith("Fen: ")).removeprefix("Fen: ")


def run(*args, data=b""):
    return subprocess.run(
        [sys.executable, "-m", "cythera", *args], input=data, capture_output=True, timeout=PATIENCE_S
    )


def test_every_extra_command_has_its_function():
    assert set(uci.EXTRA_COMMANDS) == set(extra_commands.COMMANDS)


def test_nothing_is_said_before_the_first_word(talk):
    talk.send("isready")
    assert talk.until("readyok") == ["readyok"]


def test_uci_is_answered_by_name_author_options_and_uciok(talk):
    talk.send("uci")
    lines = talk.until("uciok")
    assert lines[0].startswith("id name Cythera ") and lines[1].startswith("id author ")
    assert lines[2:-1] == [option.uci() for option in OPTIONS]


def test_every_option_that_people_rely_on_is_declared(talk):
    talk.send("uci")
    declared = {
        line.split(" type ")[0].removeprefix("option name ") for line in talk.until("uciok") if line[:6] == "option"
    }
    assert declared >= REQUIRED
    words = {"name", "type", "default", "min", "max", "var"}
    assert not any(words & set(name.split()) for name in declared), "python-chess splits on these words"


@pytest.mark.parametrize("line", ["stop", "ponderhit", "debug on", "register later", "", "   ", "# a comment"])
def test_a_word_that_asks_for_nothing_is_answered_by_nothing(talk, line):
    assert talk.ask(line) == []


def test_line_ends_tabs_and_spaces_do_not_matter(talk):
    talk.send_bytes(b"\r\n  position \t startpos   moves  e2e4\te7e5 \r\n d\r\nisready\r\n")
    assert "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" in talk.until("readyok")


def test_unknown_words_before_a_command_are_passed_over(talk):
    talk.send("joho isready")
    assert talk.until("readyok") == ["readyok"]


def test_a_comment_ends_a_line(talk):
    talk.ask("position startpos # moves e2e4")
    assert fen_of(talk) == START
    assert talk.ask("setoption name MultiPV value 2 # lines", "setoption name Clear Hash # now") == []
    assert talk.ask("setoption name Ponder value on#") == []
    assert talk.go("depth 2")[0][-1]["multipv"] == 2


def test_a_file_may_begin_with_a_byte_order_mark(talk):
    talk.send_bytes("\ufeffisready\r\n".encode())
    assert talk.until("readyok") == ["readyok"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello world", "unknown command 'hello'"),
        ("position", "position needs startpos or fen"),
        ("position 8/8", "position needs startpos or fen, got '8/8'"),
        ("position fen", "FEN"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - zero 1", "zero"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves e2e4 e7e5 e1e3", "e1e3"),
        ("go depth", "go depth needs a number"),
        ("go depth many", "go depth must be a number, got 'many'"),
        ("go depth 0", "go depth must be at least 1, got 0"),
        ("go nodes -1", "go nodes must be at least 1, got -1"),
        ("go movetime 1e99", "go movetime must be a number, got '1e99'"),
        ("go wtime 99999999999999999999", "go wtime must be at most 1000000000000000, got 99999999999999999999"),
        ("go perft 61", "go perft must be at most 60, got 61"),
        ("go searchmoves d7d5 d7d2", "d7d2"),
        ("setoption", "setoption needs a name"),
        ("setoption name", "setoption needs a name"),
        ("setoption value 3", "setoption needs a name"),
        ("setoption name Nonsense value 3", "unknown option 'Nonsense'"),
        ("setoption name Hash", "Hash needs a value"),
        ("setoption name Hash value", "Hash must be a whole number, got ''"),
        ("setoption name Hash value large", "Hash must be a whole number, got 'large'"),
        ("setoption name Hash value 0", "Hash must be between 1 and 1048576, got 0"),
        ("setoption name Hash value 1000000", "MiB on this machine, got 1000000"),
        ("setoption name Threads value 1025", "Threads must be between 1 and 1024, got 1025"),
        ("setoption name Ponder value maybe", "Ponder must be true or false, got 'maybe'"),
        ("setoption name UCI_Elo value 100", "UCI_Elo must be between 800 and 3200, got 100"),
        ("setoption name Book File value /no/such/book.bin", "cannot read book '/no/such/book.bin': No such"),
        ("setoption name Debug Log File value /no/such/folder/log.txt", "No such file"),
        ("setoption name Debug Log File value a\x00b", "cannot write 'a"),
        ("setoption name Debug Log File value /", "cannot write '/': Is a directory"),
        ("bench x", "depth of bench must be between 1 and"),
        ("bench ²", "depth of bench must be between 1 and"),
    ],
)
def test_bad_input_is_answered_by_a_sentence_and_changes_nothing(talk, line, words):
    talk.ask("position startpos moves d2d4")
    before = fen_of(talk)
    said = talk.ask(line)
    assert len(said) == 1 and said[0].startswith("info string error: ") and words in said[0], said
    assert fen_of(talk) == before
    assert talk.go("depth 2")[1][0] == "bestmove"


@pytest.mark.parametrize("line", ["setoption name Book File value /", "setoption name EvalFile value /",
                                  "setoption name Debug Log File value /no/", "position fen "])  # fmt: skip
def test_a_bad_text_of_any_length_is_answered_by_a_short_line(talk, line):
    (said,) = talk.ask(line + "x" * 300_000)
    assert said.startswith("info string error: ") and len(said) < 1100


def test_zero_moves_to_go_and_a_negative_time_are_what_guis_send(talk):
    for limits in ("wtime 50 btime 50 movestogo 0", "movetime -20", "wtime -5 btime -5", "wtime 20.7 btime 20.7"):
        assert talk.go(limits)[1][0] == "bestmove"


def test_option_names_are_found_in_any_case(talk):
    assert talk.ask("setoption name hASH value 4", "setoption name clear   hash") == []


def test_options_without_effect_are_accepted(talk):
    assert talk.ask("setoption name UCI_Opponent value GM 2800 human Gary Kasparov") == []
    assert talk.ask("setoption name UCI_AnalyseMode value true", "setoption name Ponder value true") == []


def test_a_hash_that_cannot_be_allocated_keeps_the_old_one_and_the_engine_alive(talk):
    resource = pytest.importorskip("resource")
    if sys.platform != "linux":
        pytest.skip("only Linux limits a process's memory from outside")
    talk.ask("setoption name Hash value 2")
    pages = int(Path(f"/proc/{talk.process.pid}/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + (2 << 30)  # what it has, which with sanitizers is a lot, and 2 GiB
    resource.prlimit(talk.process.pid, resource.RLIMIT_AS, (most, most))
    said = talk.ask("setoption name Hash value 4000")
    assert len(said) == 1 and said[0].startswith("info string error: "), said
    assert talk.go("nodes 500")[1][0] == "bestmove"


def test_flip_exchanges_the_colours(talk):
    talk.ask("position fen 4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "flip")
    assert fen_of(talk) == "4k2r/4p3/8/8/8/8/8/4K3 b k - 0 1"


def test_d_shows_board_fen_and_moves(talk):
    said = talk.ask("position fen 8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", "d")
    assert "2  . . . . P . . ." in said and "Fen: 8/8/8/3k4/8/8/4P3/4K3 w - - 0 1" in said
    assert any(line.startswith("Moves: ") and "e2e4" in line for line in said)


def test_eval_explains_the_evaluation_term_by_term(talk):
    said = talk.ask("eval")
    assert any(line.startswith("material ") for line in said)
    assert any(line.startswith("Total ") and line.endswith(" pawns for White") for line in said)
    assert said[-1].startswith("The net says ") and said[-1].endswith("that is what the search uses.")
    said = talk.ask("setoption name EvalFile value <classical>", "eval")
    assert said[-1].startswith("Total ")


def test_compiler_and_help_tell_of_themselves(talk):
    assert talk.ask("compiler")[0].startswith("Cythera ")
    assert any("go movetime" in line for line in talk.ask("help"))


def test_go_perft_counts_behind_each_move(talk):
    talk.send("position startpos", "go perft 4")
    lines = talk.until("Nodes searched")
    assert lines[-1] == "Nodes searched: 197281"
    assert len([line for line in lines if ": " in line]) == 21


def test_a_long_perft_can_be_stopped(talk):
    talk.send("go perft 12", "isready")
    assert talk.until("readyok")
    talk.send("stop")
    assert talk.go("depth 3")[1][0] == "bestmove"


WIDE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
WIDEST = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


@pytest.mark.parametrize("fen", [WIDE, WIDEST])
def test_a_perft_with_many_moves_can_be_left_too(fen):
    talk = Talk()
    talk.send(f"position fen {fen}", "go perft 9", "isready", "quit")
    assert talk.rest() == ["readyok"] and talk.end() == 0


@pytest.mark.parametrize(("fen", "depth", "count"), [(WIDE, 3, 97862), (WIDEST, 3, 19073)])
def test_a_perft_in_parts_counts_the_same(fen, depth, count, monkeypatch):
    for leaves in (1, 100, perft.UNINTERRUPTED_LEAVES):
        monkeypatch.setattr(perft, "UNINTERRUPTED_LEAVES", leaves)
        run = perft.PerftRun(Position(fen), depth, 1)
        run.run()
        assert sum(run.counts.values()) == count


def test_more_threads_than_perft_can_use_are_no_reason_to_refuse_it():
    out = io.StringIO()
    program = uci.Uci(out)
    program.options.values["Threads"] = 1024
    program.handle("go perft 2")
    program.wait()
    program.close()
    assert "Nodes searched: 400" in out.getvalue()


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing on Windows")
def test_a_long_bench_hears_ctrl_c():
    talk = Talk("bench", "60")
    with pytest.raises(subprocess.TimeoutExpired):
        talk.process.wait(timeout=2)  # it is in the middle of it
    talk.process.send_signal(signal.SIGINT)
    assert talk.rest() == [] and talk.end() == 130


def test_the_log_file_holds_both_sides_of_the_conversation(talk, tmp_path):
    path = tmp_path / "a folder" / "the log.txt"
    path.parent.mkdir()
    talk.ask(f"setoption name Debug Log File value {path}", "position startpos")
    talk.ask("setoption name Debug Log File value <empty>", "d")
    log = path.read_text()
    assert ">> position startpos\n" in log and "<< readyok\n" in log and "Fen" not in log


def test_a_path_keeps_its_spaces(talk, tmp_path):
    path = tmp_path / "two  spaces # and more.txt"
    talk.ask(f"setoption name Debug Log File value {path}", "isready")
    assert path.exists()


def test_unknown_words_may_stand_before_an_option_too(talk):
    assert talk.ask("xsetoption setoption name MultiPV value 2") == []
    assert talk.go("depth 2")[0][-1]["multipv"] == 2


def test_quit_ends_an_idle_engine_and_a_thinking_one():
    for lines in (["quit"], ["go infinite", "quit"], ["uci", "position startpos", "go ponder wtime 9 btime 9", "quit"]):
        talk = Talk()
        talk.send(*lines)
        talk.rest()
        assert talk.end() == 0


def test_the_end_of_input_in_mid_search_means_quit():
    talk = Talk()
    talk.send("position startpos", "go infinite")
    talk.until("info depth 5 ")
    talk.process.stdin.close()
    assert talk.rest()[-1].startswith("bestmove ")
    assert talk.end() == 0


def test_an_engine_that_nobody_reads_any_more_leaves():
    process = subprocess.Popen(
        [sys.executable, "-m", "cythera"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"isready\n")
    process.stdin.flush()
    assert process.stdout.readline().strip() == b"readyok"
    process.stdout.close()
    process.stdin.write(b"go infinite\n")
    process.stdin.flush()
    process.stdin.write(b"isready\n" * 3)
    process.stdin.close()
    assert process.wait(timeout=PATIENCE_S) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_terminal_is_greeted_in_one_line_and_a_pipe_is_not():
    pty = pytest.importorskip("pty")
    import os

    main, end = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "cythera"], stdin=end, stdout=end, stderr=end)
    os.close(end)
    text = b""
    while b"\n" not in text:
        text += os.read(main, 1000)
    os.write(main, b"quit\n")
    assert process.wait(timeout=PATIENCE_S) == 0
    os.close(main)
    assert text.startswith(b"Cythera ") and b"Type help" in text and text.count(b"\n") == 1
    assert run().stdout == b""


def test_arguments_are_one_uci_command():
    done = run("go", "depth", "3")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].startswith(b"bestmove ")
    done = run("go depth 3")
    assert done.returncode == 0 and done.stdout.splitlines()[-1].startswith(b"bestmove ")


def test_arguments_that_make_no_sense_are_told_and_fail():
    done = run("nonsense")
    assert done.returncode == 2 and b"unknown command 'nonsense'" in done.stdout


def test_help_and_version_are_there():
    import cythera
    from cythera.__main__ import COMMANDS

    assert run("--version").stdout.decode().strip() == f"Cythera {cythera.__version__}"
    text = run("--help").stdout.decode()
    assert all(f"cythera {name}" in text for name in COMMANDS)


def test_every_command_has_help():
    from cythera.__main__ import COMMANDS

    commands = [*([name] for name in COMMANDS), *(["tune", what] for what in ("eval", "search", "wdl"))]
    for command in commands:
        done = run(*command, "--help")
        assert done.returncode == 0 and b"usage" in done.stdout.lower(), (command, done.stderr.decode())


def test_a_word_that_no_terminal_can_print_does_not_hurt():
    talk = Talk(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    talk.send_bytes("schöner\nisready\n".encode() + b"\xff\xfe\nisready\n")
    assert "info string error" in talk.until("readyok")[0]
    assert "info string error" in talk.until("readyok")[0]
    assert talk.end() == 0
