"""Real games between real processes, one of which usually misbehaves."""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import chess
import pytest
from chess import STARTING_FEN

from cythera.board.position import Position
from cythera.match.adjudication import DrawRule, ResignRule, Rules, WinRule
from cythera.match.game_data import Opening
from cythera.match.match_errors import EngineError, MatchError
from cythera.match.pgn import DETAILS, final_position, game_text
from cythera.match.referee import play
from cythera.match.tables import PACKAGE, open_tables, table_verdict
from cythera.match.time_control import parse_time_control
from cythera.match.uci.engines import EngineSpec, identify, start
from cythera.tables import PACKAGE_TABLES

MATE_IN_ONE = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
STALEMATE_NEXT = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"


def test_a_game_is_played_to_mate(engine, task, pool):
    record = play(task(engine("A", "--style", "mate"), engine("B"), fen=MATE_IN_ONE), pool)
    assert (record.result, record.termination, record.reason) == ("1-0", "normal", "white mates")
    assert (record.failure, record.warnings, len(record.moves)) == ("", (), 1)
    move = record.moves[0]
    assert (move.score_cp, move.depth, move.nodes) == (0, 3, 123)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "insufficient material"),
        ("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "stalemate"),
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", "fifty-move rule"),
    ],
)
def test_draws_by_the_rules_are_seen(engine, task, pool, fen, reason):
    record = play(task(engine("A"), engine("B"), fen=fen), pool)
    assert (record.result, record.termination, record.reason) == ("1/2-1/2", "normal", reason)


def test_a_position_that_comes_a_third_time_is_a_draw(engine, task, pool):
    # Book moves count too: the start position has been on the board twice before the engines play.
    book = ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8")
    record = play(task(engine("A"), engine("B"), opening=Opening(STARTING_FEN, book)), pool)
    assert (record.result, record.reason, record.moves) == ("1/2-1/2", "threefold repetition", ())


@pytest.mark.parametrize(
    ("fault", "failure", "termination", "sentence"),
    [
        ("crash", "crash", "abandoned", "exited with code 3 while it was thinking; its last words: out of ideas"),
        ("illegal", "illegal move", "rules infraction", "B played e2e7, which is illegal here"),
        ("none", "illegal move", "rules infraction", r"B played \(none\)"),
    ],
)
def test_a_fault_loses_the_game_and_is_called_what_it_is(engine, task, pool, fault, failure, termination, sentence):
    record = play(task(engine("A"), engine("B", "--fault", fault, "--at", "2")), pool)
    assert (record.result, record.failure, record.termination) == ("1-0", failure, termination)
    assert len(record.moves) == 3
    assert re.search(sentence, record.reason), record.reason


def test_a_late_move_loses_on_time(engine, task, pool):
    record = play(task(engine("A", "--fault", "late"), engine("B"), "0.2"), pool)
    assert (record.result, record.failure, record.termination) == ("0-1", "time loss", "time forfeit")
    assert "overstepped its time by" in record.reason


def test_a_late_move_within_the_margin_is_forgiven(engine, task, pool):
    game = task(engine("A", "--fault", "late"), engine("B"), "0.2+5", margin_ms=5000.0, rules=Rules(max_moves=3))
    record = play(game, pool)
    assert (record.result, record.failure) == ("1/2-1/2", "")


def test_an_engine_that_never_answers_hangs(engine, task, pool, monkeypatch):
    monkeypatch.setattr("cythera.match.referee.GRACE_S", 0.1)
    record = play(task(engine("A", "--fault", "hang"), engine("B"), hang_s=0.3), pool)
    assert (record.result, record.failure, record.termination) == ("0-1", "hang", "abandoned")
    assert "not even after stop" in record.reason


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("endless-line", "B sent a line of more than 1048576 bytes while it was thinking"),
        ("long-line", "B sent a line of more than 1048576 bytes while it was thinking"),
        ("endless-lines", "B sent more than 2097152 bytes while it was thinking"),
    ],
)
def test_output_without_end_is_cut_off_and_named(engine, task, pool, monkeypatch, fault, sentence):
    monkeypatch.setattr("cythera.match.uci.process.OUTPUT_BYTES", 2 << 20)
    record = play(task(engine("A"), engine("B", "--fault", fault), "600+1"), pool)
    assert (record.result, record.failure, record.reason) == ("1-0", "protocol violation", sentence)


def test_the_deadline_is_looked_at_while_bytes_arrive(engine, task, pool, monkeypatch):
    monkeypatch.setattr("cythera.match.referee.GRACE_S", 0.2)
    monkeypatch.setattr("cythera.match.uci.process.OUTPUT_BYTES", 1 << 40)
    record = play(task(engine("A"), engine("B", "--fault", "endless-lines"), "0.3+0.1"), pool)
    assert (record.result, record.failure) == ("1-0", "hang")
    assert "not even after stop" in record.reason


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_engine_that_dies_and_leaves_a_child_has_crashed_and_the_child_is_killed(engine, task, pool):
    with pool.lend(engine("B", "--fault", "orphan"), chess960=False) as borrowed:
        group = borrowed.pid
    record = play(task(engine("A"), engine("B", "--fault", "orphan"), "600+1"), pool)
    assert (record.result, record.failure) == ("1-0", "crash")
    assert "exited with code 7 while it was thinking" in record.reason
    with pytest.raises(ProcessLookupError):
        for _ in range(200):  # killed processes are reaped by init
            os.killpg(group, 0)
            time.sleep(0.01)


def test_two_bestmoves_to_one_go_are_named(engine, task, pool):
    record = play(task(engine("A"), engine("B", "--fault", "twice", "--at", "2"), rules=Rules(max_moves=4)), pool)
    assert record.failure == ""
    assert record.warnings == (("B", "more than one bestmove to one go", "1 in this game"),)


def test_an_engine_that_moves_only_when_stopped_hangs_too(engine, task, pool):
    record = play(task(engine("A", "--fault", "late"), engine("B"), hang_s=0.2), pool)
    assert (record.result, record.failure) == ("0-1", "hang")
    assert "only when it was stopped" in record.reason


def test_garbage_before_a_move_does_no_harm(engine, task, pool):
    record = play(task(engine("A", "--fault", "garbage"), engine("B"), rules=Rules(max_moves=3)), pool)
    assert (record.result, record.failure, len(record.moves)) == ("1/2-1/2", "", 6)


@pytest.mark.parametrize(("fault", "sentence"), [("pv", "illegal move in a PV"), ("mismatch", "does not begin")])
def test_a_wrong_pv_is_a_warning_and_costs_nothing(engine, task, pool, fault, sentence):
    game = task(engine("A", "--fault", fault, "--at", "2"), engine("B"), fen=STARTING_FEN, rules=Rules(max_moves=3))
    record = play(game, pool)
    assert record.failure == ""
    ((who, kind, detail),) = record.warnings
    assert who == "A"
    assert sentence in kind
    assert detail.endswith("at move 2 (white)")


def test_a_crashed_engine_is_started_again(engine, task, pool, tmp_path):
    broken = engine("A", "--fault", "crash", "--once", str(tmp_path / "crashed"))
    healthy = engine("B")
    assert play(task(broken, healthy), pool).failure == "crash"
    assert play(task(broken, healthy, rules=Rules(max_moves=2)), pool).failure == ""


def test_engines_live_on_between_games_unless_they_are_to_be_restarted(engine, task, pool):
    white, black = engine("A"), engine("B")
    with pool.lend(white, chess960=False) as first:
        pid = first.pid
    play(task(white, black, rules=Rules(max_moves=1)), pool)
    with pool.lend(white, chess960=False) as again:
        assert again.pid == pid
    with pool.lend(white, chess960=False, fresh=True) as other:
        assert other.pid != pid


def test_no_engine_outlives_its_pool(engine, pool):
    with pool.lend(engine("A"), chess960=False) as lent:
        pid = lent.pid
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_wins_and_draws_are_adjudicated(engine, task, pool):
    rules = Rules(win=WinRule(count=2, cp=500), draw=DrawRule(move=1, count=2, cp=10))
    players = engine("A", "--score", "700"), engine("B", "--score", "-700")
    record = play(task(*players, fen=STARTING_FEN, rules=rules), pool)
    assert (record.result, record.termination, len(record.moves)) == ("1-0", "adjudication", 4)


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1", "1-0", "adjudication: tablebase win for white"),
        ("k7/8/8/8/8/8/8/K5r1 b - - 10 80", "0-1", "adjudication: tablebase win for black"),
        ("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", "1/2-1/2", "adjudication: tablebase draw"),
    ],
)
def test_what_tables_know_ends_a_game(engine, task, pool, fen, result, reason):
    record = play(task(engine("A"), engine("B"), fen=fen, rules=Rules(tables=PACKAGE, max_moves=90)), pool)
    assert (record.result, record.termination, record.reason) == (result, "adjudication", reason)
    assert len(record.moves) == 1


def test_a_win_that_comes_too_late_for_the_fifty_move_rule_is_a_draw_by_tables():
    rook = chess.Board("7k/8/8/8/8/8/8/KR6 w - - 0 1")
    tables = open_tables(PACKAGE)
    assert table_verdict(rook, tables) == ("1-0", "adjudication: tablebase win for white")
    rook.halfmove_clock = 90
    assert table_verdict(rook, tables) == ("1/2-1/2", "adjudication: tablebase draw by the fifty-move rule")


def test_a_win_on_the_last_half_move_is_played_out_since_distances_are_rounded():
    tables = open_tables(PACKAGE)
    queen = chess.Board("5Q2/7K/8/8/8/8/3p4/4k3 w - - 65 100")  # takes 36 half-moves, of which the table says 35
    assert tables.probe_dtz(Position.from_board(queen)) == 35
    assert table_verdict(queen, tables) is None
    queen.halfmove_clock = 64
    assert table_verdict(queen, tables) == ("1-0", "adjudication: tablebase win for white")


def test_tables_leave_alone_what_they_do_not_know():
    tables = open_tables(PACKAGE)
    assert table_verdict(chess.Board(), tables) is None
    assert table_verdict(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), tables) is None


def test_a_result_without_a_distance_counts_only_after_a_zeroing_move(tmp_path):
    (tmp_path / "KRvK.rtbw").write_bytes((Path(PACKAGE_TABLES) / "KRvK.rtbw").read_bytes())
    tables = open_tables(str(tmp_path))
    rook = chess.Board("7k/8/8/8/8/8/8/KR6 w - - 0 1")
    assert table_verdict(rook, tables) == ("1-0", "adjudication: tablebase win for white")
    rook.halfmove_clock = 1
    assert table_verdict(rook, tables) is None


def test_each_engine_gets_its_own_time_control_and_a_new_game(engine, task, pool, tmp_path):
    log = tmp_path / "commands"
    limited = task(engine("A", "--log", str(log)), engine("B"), rules=Rules(max_moves=1))
    play(replace(limited, white_control=parse_time_control("40/60+0.5")), pool)
    commands = log.read_text().splitlines()
    assert "ucinewgame" in commands
    assert "go wtime 60000 btime 60000 winc 500 binc 500 movestogo 40" in commands
    assert f"position fen {limited.opening.fen}" in commands


def test_chess960_castling_is_understood(engine, task, pool):
    fen = chess.Board.from_chess960_pos(5).fen()
    record = play(task(engine("A"), engine("B"), fen=fen, chess960=True, rules=Rules(max_moves=20)), pool)
    assert record.failure == ""
    assert record.warnings == ()


# ---------------------------------------------------------------- starting


def test_an_engine_says_who_it_is(engine):
    identity = identify(engine("Somebody"))
    assert (identity.id_name, identity.author) == ("Somebody", "The tests")
    assert len(identity.fingerprint) == 16


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (EngineSpec("X", ("/no/such/program",)), "cannot start X"),
        (EngineSpec("X", ("true",)), "exited with code 0 before it"),
        (EngineSpec("X", ("sh", "-c", "echo help >&2; exit 7")), "exited with code 7.*last words: help"),
    ],
)
def test_what_is_no_engine_is_refused_with_a_sentence(spec, sentence):
    with pytest.raises(MatchError, match=sentence):
        identify(spec)


def test_a_silent_program_is_refused_after_a_while(engine, monkeypatch):
    from cythera.match.uci.process import EngineProcess

    spec = engine("X", "--fault", "silent")
    process = EngineProcess("X", spec.argv())
    with pytest.raises(EngineError, match=r"did not say uciok within 0\.3 seconds") as caught:
        process.handshake(timeout_s=0.3)
    assert caught.value.kind == EngineError.HANG
    process.kill()


def test_options_are_checked_before_they_are_sent(engine):
    with pytest.raises(MatchError, match="do you mean Hash"):
        start(engine("A").with_options({"Hsh": "64"}))


def test_an_engine_that_cannot_play_chess960_is_not_asked_to(engine):
    with pytest.raises(MatchError, match="does not play Chess960"):
        start(engine("A", "--no-960"), chess960=True)


# ---------------------------------------------------------------- pondering, logs, positions


def sent(folder):
    """The commands of a log, in order."""
    (path,) = folder.glob("*.log")
    return [line.split(" > ", 1)[1] for line in path.read_text().splitlines() if " > " in line]


def test_an_engine_ponders_on_the_reply_it_expects(engine, task, pool, tmp_path):
    # Both engines choose alike, so every expectation comes true.
    white = replace(engine("A"), log=str(tmp_path))
    record = play(task(white, engine("B"), rules=Rules(max_moves=3), ponder=True), pool)
    assert (record.failure, record.warnings, len(record.moves)) == ("", (), 6)
    commands = [words.split()[0] for words in sent(tmp_path) if words.startswith(("go", "ponderhit", "stop"))]
    assert commands.count("ponderhit") == 2  # at moves 2 and 3
    assert sum(words.startswith("go ponder") for words in sent(tmp_path)) == 3


def test_an_engine_that_expected_another_reply_is_stopped_and_asked_again(engine, task, pool, tmp_path):
    white = replace(engine("A", "--seed", "1"), log=str(tmp_path))
    record = play(task(white, engine("B", "--seed", "2"), rules=Rules(max_moves=4), ponder=True), pool)
    assert (record.failure, record.warnings, len(record.moves)) == ("", (), 8)
    assert "stop" in sent(tmp_path)


def test_an_engine_that_cannot_ponder_is_refused(engine, task, pool):
    with pytest.raises(MatchError, match="A cannot ponder: it has no option Ponder"):
        play(task(engine("A", "--no-ponder"), engine("B"), ponder=True), pool)


def test_the_log_has_both_directions(engine, task, pool, tmp_path):
    play(task(replace(engine("A"), log=str(tmp_path)), engine("B"), rules=Rules(max_moves=1)), pool)
    (path,) = tmp_path.glob("A-*.log")
    text = path.read_text()
    assert re.search(r"^ +\d+\.\d{3} A > uci$", text, re.M)
    assert re.search(r"^ +\d+\.\d{3} A < uciok$", text, re.M)
    assert re.search(r"^ +\d+\.\d{3} A < bestmove ", text, re.M)


def test_a_side_resigns_by_its_own_score_alone(engine, task, pool):
    rules = Rules(resign=ResignRule(count=3, cp=500), max_moves=20)
    record = play(task(engine("A", "--score", "10"), engine("B", "--score", "-500"), rules=rules), pool)
    assert (record.result, record.reason, len(record.moves)) == ("1-0", "adjudication: black resigns", 6)


def test_the_details_of_a_move_and_the_final_position_are_written(engine, task, pool):
    record = play(task(engine("A"), engine("B"), "60+1", rules=Rules(max_moves=1)), pool)
    text = game_text(record, event="e", time_controls=("60+1", "60+1"), details=DETAILS)
    first = record.moves[0]
    assert re.search(r"seldepth=4, nodes=123, nps=\d+, left=6\d\.\d{3}s, pv=\"\S+\"", text.replace("\n", " "))
    assert first.left_ms == pytest.approx(61_000 - first.time_ms)
    board = chess.Board(record.opening.fen)
    for move in record.moves:
        board.push_uci(move.uci)
    found = chess.Board()
    operations = found.set_epd(final_position(record).strip())
    assert found.fen() == board.fen()
    assert operations["c0"] == "A - B 1/2-1/2, adjudication: 1 moves have been played"
