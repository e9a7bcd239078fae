"""`cythera.Engine`: typed answers, many at once, none left behind."""

import asyncio
import gc
import os
import subprocess
import sys
import threading

import chess
import chess.engine
import pytest
from support.engines import wait_for_no_threads
from support.uci import MATE_IN_ONE, MATED, MATED_IN_ONE, MIDDLEGAME, PATIENCE_S, STALEMATE

from cythera import (
    CytheraError,
    Engine,
    EngineBusyError,
    EngineClosedError,
    GameOverError,
    IllegalMoveError,
    InvalidFenError,
    Limit,
    Position,
    Score,
)  # fmt: skip

# One answer


def test_play_returns_a_chess_move_with_the_line_behind_it(engine):
    board = chess.Board(MATE_IN_ONE)
    played = engine.play(board, Limit(depth=4))
    assert played.move == chess.Move.from_uci("a1a8") and played.uci == "a1a8"
    assert played.score == Score(mate=1) and played.ponder is None
    assert played.line.pv == [played.move] and repr(played) == "Played(a1a8, #+1)"
    assert board == chess.Board(MATE_IN_ONE), "the caller's board is left alone"


def test_a_board_may_be_a_chess_board_a_position_or_a_fen(engine):
    answers = []
    for board in (chess.Board(MIDDLEGAME), Position(MIDDLEGAME), MIDDLEGAME):
        engine.new_game()
        answers.append(engine.analyse(board, Limit(nodes=3000)).moves)
    assert answers[0] == answers[1] == answers[2]


def test_the_history_of_a_board_counts(engine):
    board = chess.Board("7k/8/8/8/8/8/q7/3QK2B w - - 0 1")
    for move in ["d1d4", "h8g8", "d4d8", "g8h7", "d8d3", "h7h8", "d3d4", "h8g8", "d4d8", "g8h7", "d8d3", "h7h8"]:
        board.push_uci(move)
    line = engine.analyse(board, Limit(depth=3), searchmoves=["d3d4"])
    assert line.score == Score(cp=0), "the third repetition is a draw"
    assert engine.analyse(board.fen(), Limit(depth=3), searchmoves=["d3d4"]).score != Score(cp=0)


def test_a_line_tells_all_it_knows(engine):
    line = engine.analyse(MIDDLEGAME, Limit(nodes=5000))
    assert line.nodes == 5000 and line.depth > 3 and line.seldepth >= line.depth and line.multipv == 1
    assert line.time_s > 0 and line.nps > 0 and line.hashfull >= 0 and sum(line.wdl) == 1000
    assert line.bound in ("exact", "lower", "upper")
    assert line.move == line.pv[0] and [move.uci() for move in line.pv] == list(line.moves)
    assert line.pv is line.pv, "made once"


def test_scores_are_given_from_white_too(engine):
    line = engine.analyse("r5k1/8/8/8/8/8/8/6K1 b - - 0 1", Limit(depth=3))
    assert line.score > Score(cp=300) and line.white_score == -line.score


def test_several_lines_come_best_first(engine):
    lines = engine.analyse(MIDDLEGAME, Limit(depth=5), multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert lines == sorted(lines, key=lambda line: line.score, reverse=True)
    assert len({line.moves[0] for line in lines}) == 3


def test_lines_are_best_first_also_where_a_limit_cuts_an_iteration(engine):
    for nodes in range(300, 9000, 97):
        lines = engine.analyse(MIDDLEGAME, Limit(nodes=nodes), multipv=5)
        assert [line.multipv for line in lines] == list(range(1, len(lines) + 1))
        assert lines == sorted(lines, key=lambda line: line.score, reverse=True), nodes
        assert len({line.moves[0] for line in lines}) == len(lines)


def test_searchmoves_may_be_moves_of_any_kind(engine):
    for move in ("a2a3", chess.Move.from_uci("a2a3"), Position().parse_move("a2a3")):
        assert engine.play(Position(), Limit(depth=2), searchmoves=[move]).uci == "a2a3"
    with pytest.raises(IllegalMoveError):
        engine.play(Position(), Limit(depth=2), searchmoves=["a2a5"])


def test_a_finished_game_has_a_verdict_but_no_move(engine):
    assert engine.analyse(MATED, Limit(depth=3)).score == Score(mate=0)
    assert engine.analyse(STALEMATE, Limit(depth=3)).score == Score(cp=0)
    assert engine.analyse(MATED, Limit(depth=3)).move is None
    for fen, word in ((MATED, "checkmate"), (STALEMATE, "stalemate")):
        with pytest.raises(GameOverError, match=word):
            engine.play(fen, Limit(depth=3))
    with engine.analysis(MATED) as analysis:
        assert list(analysis) == [] and analysis.wait()[0].score == Score(mate=0)


def test_being_mated_has_a_negative_mate_score(engine):
    assert engine.analyse(MATED_IN_ONE, Limit(depth=5)).score == Score(mate=-1)


def test_chess960_moves_are_those_of_python_chess(engine):
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w H - 0 1", chess960=True)
    played = engine.play(board, Limit(depth=2), searchmoves=[chess.Move.from_uci("e1h1")])
    assert played.move in board.legal_moves and board.is_castling(played.move)


def test_limits_of_python_chess_will_do(engine):
    assert engine.analyse(MIDDLEGAME, chess.engine.Limit(nodes=700)).nodes == 700


@pytest.mark.parametrize("limit", [Limit(time_s=0.01), Limit(nodes=100), Limit(depth=3), Limit(mate=1),
                                   Limit(white_clock_s=0.2, black_clock_s=0.2, white_increment_s=0.01)])  # fmt: skip
def test_every_limit_ends_a_search(engine, limit):
    assert engine.play(MATE_IN_ONE, limit).uci == "a1a8"


def test_a_search_without_an_end_is_refused(engine):
    with pytest.raises(CytheraError, match="nothing would end this search"):
        engine.play(chess.Board(), Limit())
    assert engine.play(chess.Board(), Limit(depth=1))


def test_wrong_arguments_are_refused_and_the_engine_lives_on(engine):
    with pytest.raises(InvalidFenError):
        engine.play("rubbish", Limit(depth=1))
    with pytest.raises(TypeError):
        engine.play(3, Limit(depth=1))
    with pytest.raises(TypeError):
        engine.play(chess.Board(), 3)
    with pytest.raises(CytheraError, match="MultiPV"):
        engine.analyse(chess.Board(), Limit(depth=1), multipv=-1)
    assert engine.play(chess.Board(), Limit(depth=1))


def test_options_are_keywords_and_checked():
    with Engine(hash_mib=3, threads=2) as engine:
        assert repr(engine) == "Engine(hash_mib=3, threads=2)"
        engine.hash_mib, engine.threads = 1, 1
        assert (engine.hash_mib, engine.threads) == (1, 1)
        for name in ("hash_mib", "threads"):
            with pytest.raises(CytheraError):
                setattr(engine, name, 0)
        assert engine.play(chess.Board(), Limit(depth=2))
    for wrong in ({"hash_mib": 0}, {"threads": 5000}, {"elo": 1}, {"skill_level": 21}, {"elo": 1000, "skill_level": 1},
                  {"book": "/no/such/book.bin"}, {"hash_mib": 1 << 20}):  # fmt: skip
        with pytest.raises(CytheraError):
            Engine(**wrong)


def test_strength_can_be_limited_and_freed(engine):
    engine.limit_strength(skill_level=0)
    assert engine.elo == 800 and "elo=800" in repr(engine)
    engine.limit_strength(elo=3200)
    assert engine.elo is None
    engine.limit_strength(elo=1200)
    with pytest.raises(CytheraError, match="UCI_Elo must be between 800 and 3200, got 100"):
        engine.limit_strength(elo=100)
    assert engine.elo == 1200 and engine.play(MIDDLEGAME, Limit(depth=2)).uci
    engine.limit_strength()
    assert engine.elo is None


def test_evaluate_is_from_the_side_to_move_and_symmetric(engine):
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"
    assert engine.evaluate(fen) < Score(cp=-500) and engine.evaluate(fen.replace(" w ", " b ")) > Score(cp=500)


def test_what_one_search_learned_serves_the_next_and_new_game_forgets_it(engine):
    first = engine.analyse(MIDDLEGAME, Limit(depth=8)).nodes
    assert engine.analyse(MIDDLEGAME, Limit(depth=8)).nodes != first
    engine.new_game()
    assert engine.analyse(MIDDLEGAME, Limit(depth=8)).nodes == first


# While it thinks


def test_an_analysis_can_be_watched(engine):
    with engine.analysis(MIDDLEGAME, Limit(depth=6), multipv=2) as analysis:
        seen = list(analysis)
    assert [(line.depth, line.multipv) for line in seen] == [(depth, i) for depth in range(1, 7) for i in (1, 2)]
    assert [line.moves for line in analysis.wait()] == [line.moves for line in seen[-2:]]
    assert list(analysis) == [], "an analysis is over once"


def test_an_endless_analysis_ends_with_its_block(engine):
    with engine.analysis(MIDDLEGAME) as analysis:
        for line in analysis:
            if line.depth >= 5:
                break
    assert analysis.lines[0].depth >= 5
    assert engine.play(MATE_IN_ONE, Limit(depth=2)).uci == "a1a8", "the engine is free again"


def test_an_analysis_can_be_stopped_and_read_to_its_end(engine):
    analysis = engine.analysis(MIDDLEGAME)
    next(analysis)
    analysis.stop()
    assert all(line.moves for line in analysis) and analysis.wait()


def test_an_analysis_that_is_dropped_stops(engine):
    analysis = engine.analysis(MIDDLEGAME)
    next(analysis)
    del analysis
    gc.collect()
    wait_for_no_threads()
    assert engine.play(MATE_IN_ONE, Limit(depth=2)).uci == "a1a8"


def test_stopping_an_old_analysis_does_not_stop_a_new_search(engine):
    old = engine.analysis(MIDDLEGAME, Limit(depth=1))
    old.wait()
    for _ in range(20):
        new = engine.analysis(MIDDLEGAME, Limit(depth=6))
        old.stop()
        assert new.wait()[0].depth == 6
        old = new


def test_stop_from_another_thread_ends_a_search(engine):
    answered = threading.Event()

    def stopper():
        while not answered.wait(0.01):
            engine.stop()

    thread = threading.Thread(target=stopper)
    thread.start()
    assert engine.play(MIDDLEGAME, Limit(time_s=3600)).uci
    answered.set()
    thread.join()
    engine.stop()


def test_a_search_can_be_stopped_before_it_has_begun(engine):
    for _ in range(200):
        analysis = engine.analysis(MIDDLEGAME)
        engine.stop()
        assert analysis.wait()


def test_an_engine_thinks_about_one_thing_at_a_time(engine):
    with engine.analysis(MIDDLEGAME) as analysis:
        next(analysis)
        for call in (
            lambda: engine.play(MIDDLEGAME, Limit(depth=1)),
            lambda: engine.evaluate(MIDDLEGAME),
            engine.new_game,
            lambda: setattr(engine, "threads", 2),
            lambda: setattr(engine, "hash_mib", 4),
        ):
            with pytest.raises(EngineBusyError, match="stop it first"):
                call()


def test_an_engine_is_free_as_soon_as_it_has_answered(engine):
    for _ in range(2000):
        assert engine.play(MATE_IN_ONE, Limit(depth=1)).uci
    for _ in range(300):
        assert engine.analysis(MATE_IN_ONE, Limit(depth=1)).wait()
        assert list(engine.analysis(MATE_IN_ONE, Limit(depth=1)))

    async def scenario():
        for _ in range(300):
            await engine.play_async(MATE_IN_ONE, Limit(depth=1))

    asyncio.run(scenario())


def test_a_closed_engine_says_so_and_closing_stops_everything():
    engine = Engine(hash_mib=1)
    analysis = engine.analysis(MIDDLEGAME)
    batch = engine.analyse_many([MIDDLEGAME] * 100, Limit(time_s=3600), workers=2)
    engine.close()
    engine.close()
    assert analysis.wait()
    assert repr(engine) == "Engine(closed)"
    for call in (lambda: engine.play(MIDDLEGAME, Limit(depth=1)), lambda: engine.hash_mib, lambda: engine.threads):
        with pytest.raises(EngineClosedError, match="make a new one"):
            call()
    assert list(batch) == []
    wait_for_no_threads()


def test_ctrl_c_ends_a_blocking_search_and_the_engine_can_go_on():
    code = """
import cythera, threading, os, signal, _thread
engine = cythera.Engine(hash_mib=1)
for call in (lambda: engine.play("startpos" and cythera.Position(), cythera.Limit(time_s=3600)),
             lambda: next(iter([line for line in engine.analysis(cythera.Position())])),
             lambda: list(engine.analyse_many([cythera.Position()] * 9, cythera.Limit(time_s=3600), workers=2))):
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        print("interrupted")
    timer.join()
    engine.stop()
    for thread in threading.enumerate():
        if thread.name.startswith("cythera"):
            thread.join()
print(engine.play(cythera.Position(), cythera.Limit(depth=2)).uci)
"""
    if os.name == "nt":
        pytest.skip("signals are another thing on Windows")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.stderr == "" and done.stdout.split()[:3] == ["interrupted"] * 3 and len(done.stdout.split()) == 4


@pytest.mark.parametrize(
    "call",
    ["e.analysis(p)", "e.analysis(p, multipv=3)", "e.analyse_many([p] * 50, cythera.Limit(time_s=3600), workers=3)"],
)
def test_a_program_may_end_in_mid_search(call):
    code = (
        "import contextlib, cythera, threading; p = cythera.Position(); e = cythera.Engine(threads=2)\n"
        "def hear():\n"
        "    with contextlib.suppress(cythera.CytheraError):\n"
        "        next(a)\n"
        f"a = {call}; threading.Thread(target=hear, daemon=True).start()\n"
        "while not any(t.name.startswith('cythera') for t in threading.enumerate()): pass\n"
        "print('bye')"
    )
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
        assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")
