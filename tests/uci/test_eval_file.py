"""EvalFile through UCI: nets come and go, and a bad one changes nothing."""

import io

import pytest

from cythera.net import load as neural
from cythera.uci.program import Uci

POSITION = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def nodes(talk):
    talk.ask("ucinewgame")
    return talk.go("depth 7", POSITION)[0][-1]["nodes"]


def test_a_net_changes_the_search_and_the_classical_evaluation_comes_back(talk, net_file):
    talk.ask("setoption name EvalFile value <classical>")
    classical = nodes(talk)
    assert talk.ask(f"setoption name EvalFile value {net_file}") == []
    with_net = nodes(talk)
    assert with_net != classical
    assert any("net small, 32 units" in line for line in talk.ask("compiler"))
    talk.ask("setoption name EvalFile value <classical>")
    assert nodes(talk) == classical


@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign", "changed"])
def test_a_bad_net_is_named_and_the_old_evaluation_stays(talk, net_file, tmp_path, damage):
    talk.ask(f"setoption name EvalFile value {net_file}")
    before = nodes(talk)
    bad = tmp_path / "bad.net"
    content = net_file.read_bytes()
    if damage == "truncated":
        bad.write_bytes(content[: len(content) // 2])
    elif damage == "foreign":
        bad.write_bytes(b"\x7fELF" + bytes(1000))
    elif damage == "changed":
        bad.write_bytes(content[:-5] + b"\x01" + content[-4:])
    (complaint,) = talk.ask(f"setoption name EvalFile value {bad}")
    assert complaint.startswith("info string error: ")
    assert "bad.net" in complaint
    assert nodes(talk) == before


def test_eval_shows_what_each_piece_is_worth_to_the_net_beside_the_table(talk, net_file):
    talk.ask(f"setoption name EvalFile value {net_file}", f"position {POSITION}")
    lines = talk.ask("eval")
    assert any(line.startswith("Total ") for line in lines)
    assert any(line.startswith("The net says ") for line in lines)
    board = [line for line in lines if line[:2] in {f"{rank} " for rank in range(1, 9)}]
    assert len(board) == 8
    worths = [line for line in lines if line.startswith("  |")]
    assert sum(line.count(".") for line in worths) == 30  # all pieces but the kings


def test_the_evaluation_cannot_be_changed_while_the_engine_thinks(talk, net_file):
    talk.send("position startpos", "go infinite", f"setoption name EvalFile value {net_file}", "stop")
    lines = talk.until("bestmove")
    assert any("stop it first" in line for line in lines)


def test_without_its_net_the_engine_says_so_once_and_still_answers(monkeypatch, tmp_path):
    damaged = tmp_path / "cythera.net"
    damaged.write_bytes(b"no net")
    monkeypatch.setattr(neural, "SHIPPED", str(damaged))
    monkeypatch.setattr(neural, "shipped", [])
    out = io.StringIO()
    session = Uci(out)
    for line in ("isready", "isready", "position startpos", "go depth 2"):
        assert session.handle(line)
    session.wait()
    said = out.getvalue().splitlines()
    assert said[0].startswith("info string error: ") and said[0].endswith("evaluating classically")
    assert said[1:3] == ["readyok", "readyok"]
    assert said[-1].startswith("bestmove ")
    assert sum("error" in line for line in said) == 1
