"""UCI for people who watch and measure: the root move at work, techniques turned off, helpers that stop."""

import chess
from support.uci import MATE_IN_ONE, START, parse_info

# White mates in two by a quiet move that leaves Black in zugzwang.
ZUGZWANG_MATE = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def test_after_three_seconds_each_root_move_is_announced_and_not_before(talk):
    talk.send(f"position fen {START}", "go infinite")
    first = talk.until("info currmove")
    assert any(" pv " in line for line in first)
    talk.send("stop")
    lines = [*first, *talk.until("bestmove")]
    announced = [line.split() for line in lines if line.startswith("info currmove")]
    for words in announced:
        assert words[3] == "currmovenumber"
        assert chess.Move.from_uci(words[2]) in chess.Board().legal_moves
        assert 1 <= int(words[4]) <= 20
    infos, _ = talk.go("depth 6")
    assert infos
    assert not any(line.startswith("info currmove") for line in talk.said[len(lines) :])


def test_after_three_seconds_scores_that_left_the_window_are_shown_as_bounds(talk):
    talk.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "go infinite")
    before = []
    while not ("lowerbound" in (line := talk.hear()) or "upperbound" in line):
        before.append(line)
    bound = parse_info(line)
    assert bound["time"] >= 3000 and bound["pv"]
    assert bound["depth"] == 1 + max(parse_info(line)["depth"] for line in before if " pv " in line)
    talk.send("stop")
    talk.until("bestmove")


def test_a_technique_can_be_turned_off_and_on_again_by_name(talk):
    def nodes():
        talk.ask("ucinewgame")
        return talk.go("depth 9", "startpos")[0][-1]["nodes"]

    whole = nodes()
    assert talk.ask("setoption name Without value NMP,  razoring") == []
    without = nodes()
    assert without != whole
    assert talk.ask("setoption name Without value") == []
    assert nodes() == whole


def test_an_unknown_technique_is_refused_and_the_old_choice_stays(talk):
    talk.ask("setoption name Without value nmp")
    before = talk.go("depth 8", "startpos")[0][-1]["nodes"]
    (complaint,) = talk.ask("setoption name Without value magic")
    assert "'magic'" in complaint
    assert "nmp" in complaint
    talk.ask("ucinewgame")
    assert talk.go("depth 8", "startpos")[0][-1]["nodes"] == before


def test_who_asks_for_a_mate_is_not_cheated_by_the_null_move(talk):
    infos, best = talk.go("mate 2", f"fen {ZUGZWANG_MATE}")
    assert infos[-1]["score"] == ("mate", 2)
    assert best[1] == "a1a6"


def test_helpers_hear_stop_after_the_main_thread_ran_out_of_depth_while_pondering(talk):
    talk.ask("setoption name Threads value 3")
    for word in ("stop", "ponderhit"):
        talk.send(f"position fen {MATE_IN_ONE}", "go ponder depth 2 wtime 60000 btime 60000")
        talk.until("info depth 2 ")
        talk.send(word)
        assert talk.until("bestmove")[-1] == "bestmove a1a8"
