"""UCI as chess: what `go` does under every limit, and that its lines are true."""

import chess
import chess.engine
import pytest
from support.uci import (
    MATE_IN_ONE,
    MATED,
    MATED_IN_ONE,
    MIDDLEGAME,
    ONE_MOVE,
    STALEMATE,
    START,
    Talk,
    check_pv,
    parse_info,
)  # fmt: skip

# Mates that a shallow search finds, with their length for the side to move.
MATES = [  # FEN, moves to mate, and a depth that finds it
    (MATE_IN_ONE, 1, 12),
    (MATED_IN_ONE, -1, 12),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, 12),
    ("5rk1/1R3R2/6pK/8/8/8/8/8 w - - 0 1", 3, 20),
    ("8/8/8/8/8/3k4/7r/3K4 b - - 0 1", 1, 12),
    ("8/8/8/8/1k6/8/1q6/3K4 b - - 0 1", 3, 20),
]

POSITIONS = (
    START,
    MIDDLEGAME,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1k4/1P6/3K4/8/8/8 w - - 90 120",
    "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
)


def pv1(infos):
    return [info for info in infos if info["multipv"] == 1]


def test_go_before_position_searches_the_starting_position(talk):
    infos, best = talk.go("depth 4")
    assert chess.Move.from_uci(best[1]) in chess.Board().legal_moves
    assert [info["depth"] for info in infos] == [1, 2, 3, 4]


def test_bestmove_names_the_first_move_of_the_last_line_and_the_answer(talk):
    infos, best = talk.go("depth 7", f"fen {MIDDLEGAME}")
    assert best == ["bestmove", infos[-1]["pv"][0], "ponder", infos[-1]["pv"][1]]


@pytest.mark.parametrize("fen", POSITIONS)
def test_every_line_is_legal_and_ends_with_the_game(talk, fen):
    board = chess.Board(fen)
    infos, best = talk.go("depth 9", f"fen {fen}")
    for info in infos:
        check_pv(board, info)
        assert {"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"} <= set(info)
    assert best[1] == infos[-1]["pv"][0]


@pytest.mark.parametrize(("fen", "moves", "depth"), MATES)
def test_a_mate_is_found_and_its_line_ends_in_it(talk, fen, moves, depth):
    board = chess.Board(fen)
    infos, _ = talk.go(f"depth {depth}", f"fen {fen}")
    for info in infos:
        check_pv(board, info)
    assert infos[-1]["score"] == ("mate", moves)
    for move in infos[-1]["pv"]:
        board.push(chess.Move.from_uci(move))
    assert board.is_checkmate()


def test_a_line_that_repeats_positions_ends_where_the_game_is_drawn(talk):
    moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    infos, _ = talk.go("depth 8", f"startpos moves {moves}")
    for info in infos:
        check_pv(board, info)


def test_a_mated_side_has_no_move(talk):
    talk.send(f"position fen {MATED}", "go depth 5")
    assert talk.until("bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]


def test_a_stalemated_side_has_no_move(talk):
    talk.send(f"position fen {STALEMATE}", "go movetime 1000")
    assert talk.until("bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]


def test_a_single_legal_move_is_played_at_once_when_the_clock_runs(talk):
    infos, best = talk.go("wtime 600000 btime 600000", f"fen {ONE_MOVE}")
    assert best[1] == "a1b2" and len(infos) == 1


def test_searchmoves_limits_the_moves(talk):
    infos, best = talk.go("depth 6 searchmoves a2a3 h2h3", "startpos")
    assert best[1] in ("a2a3", "h2h3")
    assert {info["pv"][0] for info in infos} <= {"a2a3", "h2h3"}


def test_searchmoves_may_stand_before_other_limits(talk):
    infos, best = talk.go("searchmoves a2a3 depth 3", "startpos")
    assert best[1] == "a2a3" and infos[-1]["depth"] == 3


def test_multipv_gives_different_lines_in_order(talk):
    talk.ask("setoption name MultiPV value 4")
    infos, best = talk.go("depth 6", f"fen {MIDDLEGAME}")
    last = infos[-4:]
    assert [info["multipv"] for info in last] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in last}) == 4
    scores = [info["score"][1] for info in last]
    assert scores == sorted(scores, reverse=True)
    assert best[1] == last[0]["pv"][0]
    board = chess.Board(MIDDLEGAME)
    for info in infos:
        check_pv(board, info)


def test_multipv_beyond_the_legal_moves_gives_what_there_is(talk):
    talk.ask("setoption name MultiPV value 200")
    infos, _ = talk.go("depth 3", f"fen {ONE_MOVE}")
    assert {info["multipv"] for info in infos} == {1}


@pytest.mark.parametrize("nodes", [50, 777, 4096, 25_000])
def test_a_node_limit_is_exact_with_one_thread(talk, nodes):
    infos, _ = talk.go(f"nodes {nodes}", f"fen {MIDDLEGAME}")
    assert infos[-1]["nodes"] == nodes


def test_a_single_node_still_gives_a_move(talk):
    _, best = talk.go("nodes 1", "startpos")
    assert chess.Move.from_uci(best[1]) in chess.Board().legal_moves


def test_the_mate_limit_ends_the_search_on_a_short_enough_mate(talk):
    infos, best = talk.go("mate 1", f"fen {MATE_IN_ONE}")
    assert infos[-1]["score"] == ("mate", 1) and best[1] == "a1a8"


def test_every_way_to_give_time_is_answered(talk):
    for limits in (
        "movetime 20",
        "movetime 0",
        "wtime 100",
        "btime 100",
        "wtime 100 btime 100 winc 10 binc 10",
        "wtime 100 btime 100 movestogo 1",
        "wtime 100 btime 100 movestogo 40 winc 5 binc 5",
        "wtime 1 btime 1",
        "wtime 0 btime 0",
    ):
        infos, best = talk.go(limits, "startpos")
        assert infos and chess.Move.from_uci(best[1]) in chess.Board().legal_moves, limits


def test_an_infinite_search_says_its_move_only_when_stopped(talk):
    talk.send(f"position fen {MATE_IN_ONE}", "go infinite")
    talk.until("info depth 3 ")
    talk.send("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    talk.send("stop")
    assert talk.until("bestmove")[-1] == "bestmove a1a8"


def test_an_infinite_search_without_moves_waits_for_stop_too(talk):
    talk.send(f"position fen {STALEMATE}", "go infinite", "isready")
    assert talk.until("readyok") == ["readyok"]
    talk.send("stop")
    assert talk.until("bestmove")[-1] == "bestmove (none)"


def test_stop_right_behind_go_is_obeyed(talk):
    for _ in range(50):
        talk.send("go infinite", "stop")
        assert talk.until("bestmove")[-1].startswith("bestmove ")


def test_the_next_command_may_follow_stop_at_once(talk):
    for _ in range(20):
        talk.send("position startpos", "go infinite", "stop", f"position fen {MATE_IN_ONE}", "go depth 2")
        assert talk.until("bestmove")[-1].split()[0] == "bestmove"
        assert talk.until("bestmove")[-1] == "bestmove a1a8"


def test_stop_twice_gives_one_move(talk):
    talk.send("go infinite", "stop", "stop", "stop")
    talk.until("bestmove")
    assert talk.ask("stop") == []


def test_isready_is_answered_while_thinking(talk):
    talk.send("go infinite", "isready")
    talk.until("readyok")
    talk.send("isready")
    talk.until("readyok")
    talk.send("stop")
    talk.until("bestmove")


def test_a_second_go_while_thinking_is_refused(talk):
    talk.send("go infinite")
    talk.until("info depth 2 ")
    assert any("go is not possible while the engine is searching; stop it" in line for line in talk.ask("go depth 3"))
    talk.send("stop")
    talk.until("bestmove")


def test_harmless_options_are_taken_while_thinking_and_others_refused(talk):
    talk.send("go infinite")
    talk.until("info depth 2 ")
    said = talk.ask("setoption name MultiPV value 2", "setoption name Move Overhead value 50")
    assert not any("error" in line for line in said)
    for option in ("Hash value 32", "Threads value 2", "Clear Hash"):
        said = talk.ask(f"setoption name {option}")
        assert any(line.startswith("info string error: setoption") for line in said), said
    assert any("ucinewgame is not possible while the engine is searching" in line for line in talk.ask("ucinewgame"))
    talk.send("stop")
    talk.until("bestmove")
    infos, _ = talk.go("depth 3")
    assert infos[-1]["multipv"] == 2


def test_a_position_sent_while_thinking_is_for_the_next_search(talk):
    talk.send("position startpos", "go infinite")
    talk.until("info depth 2 ")
    talk.send(f"position fen {MATE_IN_ONE}", "stop")
    assert chess.Move.from_uci(talk.until("bestmove")[-1].split()[1]) in chess.Board().legal_moves
    assert talk.go("depth 3")[1] == ["bestmove", "a1a8"]


def test_pondering_says_nothing_until_the_hit(talk):
    talk.send("position startpos moves e2e4 e7e5", "go ponder wtime 200 btime 200")
    talk.until("info depth 6 ")
    talk.send("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    talk.send("ponderhit")
    assert talk.until("bestmove")[-1].startswith("bestmove ")


def test_pondering_ends_with_stop_too(talk):
    talk.send("position startpos moves e2e4 e7e5", "go ponder wtime 60000 btime 60000", "stop")
    assert talk.until("bestmove")[-1].startswith("bestmove ")


def test_a_hit_right_behind_go_ponder_starts_the_clock(talk):
    for _ in range(30):
        talk.send("go ponder wtime 60 btime 60", "ponderhit")
        assert talk.until("bestmove")[-1].startswith("bestmove ")


def test_after_the_hit_nodes_are_still_the_clock_if_they_were_before(talk):
    talk.ask("setoption name nodestime value 100000", "setoption name Move Overhead value 0")
    talk.send("go ponder wtime 100 btime 100", "ponderhit")
    infos = [parse_info(line) for line in talk.until("bestmove") if " pv " in line]
    assert infos[-1]["nodes"] > 150_000  # by the wall clock it would have been over after 15 ms


def test_a_ponder_search_that_has_run_out_of_depth_waits_for_the_hit(talk):
    talk.send(f"position fen {MATE_IN_ONE}", "go ponder depth 2 wtime 1000 btime 1000")
    talk.until("info depth 2 ")
    talk.send("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    talk.send("ponderhit")
    assert talk.until("bestmove")[-1] == "bestmove a1a8"


def test_wdl_is_shown_when_asked_for_and_sums_to_a_thousand(talk):
    infos, _ = talk.go("depth 3")
    assert all("wdl" not in info for info in infos)
    talk.ask("setoption name UCI_ShowWDL value true")
    for position in ("startpos", f"fen {MATE_IN_ONE}", f"fen {MATED_IN_ONE}", f"fen {MIDDLEGAME}"):
        infos, _ = talk.go("depth 4", position)
        assert all(sum(info["wdl"]) == 1000 and min(info["wdl"]) >= 0 for info in infos)


def test_chess960_castling_is_written_king_takes_rook(talk):
    talk.ask("setoption name UCI_Chess960 value true")
    _, best = talk.go("depth 2 searchmoves e1h1", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert best[1] == "e1h1"
    assert talk.ask("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1") == []
    castled = "Fen: r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b "
    assert any(line.startswith(castled) for line in talk.ask("d"))


def test_standard_castling_is_written_as_the_kings_move(talk):
    _, best = talk.go("depth 2 searchmoves e1g1", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert best[1] == "e1g1"


def test_chess960_can_be_switched_on_after_the_position(talk):
    talk.ask("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "setoption name UCI_Chess960 value true")
    assert talk.go("depth 2 searchmoves e1h1")[1][1] == "e1h1"


def test_a_chess960_position_can_be_played(talk):
    talk.ask("setoption name UCI_Chess960 value true")
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = chess.Board(fen, chess960=True)
    infos, _ = talk.go("depth 7", f"fen {fen}")
    for info in infos:
        check_pv(board, info)


def test_en_passant_squares_that_no_pawn_can_use_are_accepted(talk):
    infos, _ = talk.go("depth 3", "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert infos


def test_two_threads_search_and_stop(talk):
    talk.ask("setoption name Threads value 2")
    board = chess.Board(MIDDLEGAME)
    for limits in ("depth 8", "nodes 20000", "movetime 50"):
        infos, best = talk.go(limits, f"fen {MIDDLEGAME}")
        for info in infos:
            check_pv(board, info)
        assert best[1] == infos[-1]["pv"][0]
    talk.send("go infinite")
    talk.until("info depth 6 ")
    talk.send("stop")
    talk.until("bestmove")


def test_options_of_the_searcher_can_be_changed_between_searches(talk):
    for option in ("Hash value 1", "Threads value 3", "Hash value 8", "Threads value 1", "Clear Hash"):
        assert talk.ask(f"setoption name {option}") == []
        assert talk.go("depth 4")[1][0] == "bestmove"
    assert talk.ask("ucinewgame") == []


def test_python_chess_plays_and_analyses_with_it():
    import sys

    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "cythera"]) as engine:
        engine.configure({"Threads": 1, "Hash": 2, "Move Overhead": 5, "UCI_ShowWDL": True})
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            limit = chess.engine.Limit(nodes=300) if board.turn else chess.engine.Limit(white_clock=1, black_clock=1)
            board.push(engine.play(board, limit, game=1).move)
        lines = engine.analyse(chess.Board(MIDDLEGAME), chess.engine.Limit(depth=5), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        with engine.analysis(chess.Board(MATE_IN_ONE)) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        assert analysis.wait().move == chess.Move.from_uci("a1a8")
        assert engine.play(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), chess.engine.Limit(nodes=100)).move


def test_it_plays_itself_to_the_end_of_a_game_without_a_false_line(talk):
    board = chess.Board()
    talk.ask("setoption name Hash value 1")
    while not board.is_game_over(claim_draw=True) and board.ply() < 200:
        moves = " ".join(move.uci() for move in board.move_stack)
        infos, best = talk.go("nodes 400", f"startpos moves {moves}" if moves else "startpos")
        for info in infos:
            check_pv(board, info)
        if infos and infos[-1]["bound"] == "exact":
            assert best[1] == pv1(infos)[-1]["pv"][0]
        board.push_uci(best[1])


def test_parallel_conversations_do_not_disturb_each_other():
    talks = [Talk() for _ in range(3)]
    for talk in talks:
        talk.send(f"position fen {MIDDLEGAME}", "go nodes 3000")
    answers = [talk.until("bestmove")[-1] for talk in talks]
    assert len(set(answers)) == 1
    for talk in talks:
        assert talk.end() == 0
