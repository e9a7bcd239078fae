"""Many thousands of lines of rubbish, to a live process: it answers, keeps its wits and lives on."""

import random
import string

import chess
import pytest
from support.uci import MIDDLEGAME, Talk, check_pv

LINES = 20_000
BATCH = 250

VOCABULARY = (
    "uci isready ucinewgame setoption position go stop ponderhit debug register d eval flip compiler help name value "
    "startpos fen moves e2e4 e7e5 e1g1 e8c8 a7a8q 0000 infinite ponder wtime btime winc binc movestogo depth nodes "
    "mate movetime searchmoves perft Hash Threads Clear MultiPV Move Overhead UCI_Chess960 UCI_ShowWDL UCI_Elo "
    "UCI_LimitStrength Skill Level Slow Mover nodestime Ponder OwnBook Book File SyzygyPath true false w b KQkq HAha "
    "- 0 1 -1 2 7 99999999999999999999 1e9 nan ² ½ é 好 \x00 \x1b[2J 8/8/8/8/8/8/8/8 4k3/8/8/8/8/8/8/4K3"
)
WORDS = VOCABULARY.split(" ")
WHOLE = (
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    f"position fen {MIDDLEGAME}",
    f"position fen {MIDDLEGAME} moves e1g1 b7b6",
    "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
    "go depth 3",
    "go nodes 50 searchmoves e2e4 d2d4",
    "go wtime 5 btime 5 winc 1 binc 1",
    "go infinite",
    "go ponder wtime 10 btime 10",
    "setoption name MultiPV value 3",
    "setoption name Hash value 1",
    "setoption name Threads value 2",
    "setoption name UCI_Chess960 value true",
    "setoption name Skill Level value 3",
    "stop",
    "ponderhit",
    "eval",
    "d",
)


def is_tame(line):
    """Leaves out what would only cost time or memory, or rightly end the process, or write files."""
    words = line.split()
    heavy = {"quit", "bench", "perft", "Hash", "Threads", "Log", "lOG", "log", "LOG"} & set(words)
    return not heavy or line in WHOLE


def rubbish(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(WHOLE)
    if kind == 1:
        return " ".join(rng.choices(WORDS, k=rng.randrange(1, 9)))
    if kind == 2:
        return rng.choice(["position", "go", "setoption name", "eval", "d"]) + " " + " ".join(rng.choices(WORDS, k=4))
    if kind == 3:  # a good line with a few letters changed
        letters = list(rng.choice(WHOLE))
        for _ in range(rng.randrange(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice(string.printable)
        return "".join(letters).replace("\n", " ").replace("\r", " ")
    if kind == 4:
        words = rng.choice(WHOLE).split()
        rng.shuffle(words)
        return " ".join(words)
    return "".join(chr(rng.choice([rng.randrange(1, 256), rng.randrange(256, 0xD7FF)])) for _ in range(20))


def as_bytes(rng, line):
    data = line.replace("\n", " ").encode()
    if rng.random() < 0.05:
        data = bytes(byte ^ (1 << rng.randrange(8)) if rng.random() < 0.1 else byte for byte in data)
        if not is_tame(data.decode("utf-8", "replace")):
            return b"\n"
        data = data.replace(b"\n", b" ")
    return data + rng.choice([b"\n", b"\r\n", b" \n"])


def catch_up(talk, mark):
    """Ends what is running and hears everything up to a mark of our own; rubbish may say isready too."""
    talk.send("stop", "go perft 0", mark)  # perft waits for the search to be over
    talk.until(f"info string error: unknown command {mark!r}")


@pytest.mark.parametrize("seed", [1, 2])
def test_rubbish_is_survived(seed, tmp_path):
    rng = random.Random(seed)
    talk = Talk(cwd=tmp_path)
    sent = 0
    while sent < LINES // 2:
        lines = [line for line in (rubbish(rng) for _ in range(BATCH)) if is_tame(line)]
        sent += len(lines)
        talk.send_bytes(b"".join(as_bytes(rng, line) for line in lines))
        catch_up(talk, f"batch-{sent}")
    assert not any("failed" in line for line in talk.said if line.startswith("info string error")), [
        line for line in talk.said if "failed" in line
    ]
    # It still plays chess.
    for option in ("MultiPV value 1", "UCI_Chess960 value false", "Skill Level value 20", "nodestime value 0",
                   "UCI_LimitStrength value false", "UCI_ShowWDL value false"):  # fmt: skip
        talk.send(f"setoption name {option}")
    talk.send("ucinewgame")
    catch_up(talk, "last")
    infos, best = talk.go("depth 5", f"fen {MIDDLEGAME}")
    for info in infos:
        check_pv(chess.Board(MIDDLEGAME), info)
    assert best[1] == infos[-1]["pv"][0]
    assert talk.end() == 0


def test_a_line_of_a_megabyte_is_only_a_line(talk):
    talk.send("position startpos moves " + "e2e4 " * 200_000)
    assert talk.ask("x" * 1_000_000)[-1].startswith("info string error: unknown command 'xxx")
    assert talk.go("depth 2")[1][0] == "bestmove"


def test_a_game_of_a_thousand_moves_is_taken(talk):
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert talk.ask("position startpos moves " + " ".join(shuffle * 250)) == []
    assert talk.go("depth 4")[1][0] == "bestmove"
