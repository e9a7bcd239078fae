"""The index of games: building, exploring, finding, counting, and damaged files."""

import io
import json
import os
import sys

import chess
import pytest

from cythera import CytheraError, Position
from cythera.__main__ import main
from cythera.games import GameIndex, explorer, open_index, read_games
from cythera.games import index as index_module
from cythera.games.index import build_index
from cythera.games.query import material_bounds


def game(white, black, moves, result="1-0", *, ratings=(0, 0), date="2024.01.02", extra=""):
    elo = f'[WhiteElo "{ratings[0]}"]\n[BlackElo "{ratings[1]}"]\n' if any(ratings) else ""
    tags = f'[Event "Cup"]\n[White "{white}"]\n[Black "{black}"]\n[Date "{date}"]\n[Result "{result}"]\n'
    return f"{tags}{elo}{extra}\n{moves} {result}\n\n"


GAMES = (
    game("Ann Lee", "Bob", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {here} 4. Ba4", ratings=(2500, 2400))
    + game("Bob", "Cid", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "0-1", ratings=(2400, 2300),
           date="2020.??.??")
    + game("Cid", "Ann Lee", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "1/2-1/2", ratings=(2300, 2500))
    + game("Dan", "Eve", "1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6", "1/2-1/2", extra='[ECO "C65"]\n')
    + game("Eve", "Dan", "1. d4 Ke4")
    + game("Eve", "Dan", "1. Kd2 Ke5 2. Ra2 Kd5 3. Kc3 Kd6", "*", extra='[FEN "8/8/3k4/8/8/8/8/R3K3 w - - 0 1"]\n')
    + game("Ann Lee", "Dan", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8", "1/2-1/2")
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    (folder / "games.pgn").write_text(GAMES)
    build_index([folder / "games.pgn"], folder / "games.cyi")
    return folder


@pytest.fixture
def index(folder):
    return GameIndex(folder / "games.cyi")


def after(*moves):
    position = Position()
    for san in moves:
        position.push_san(san)
    return position


def rows(found):
    names = ("games", "white", "draws", "black", "rating")
    return {row["san"]: tuple(row[name] for name in names) for row in found["moves"]}


def test_the_index_has_the_games_without_the_bad_one(index):
    assert len(index) == 6
    assert index.summary(0) == {
        "game": 0, "white": "Ann Lee", "black": "Bob", "white_rating": 2500, "black_rating": 2400, "result": "1-0",
        "date": "2024.01.02", "event": "Cup", "eco": "C70", "opening": "Ruy Lopez, Morphy Defence", "plies": 7,
        "file": index.files[0],
    }  # fmt: skip
    assert index.summary(1)["date"] == "2020.??.??"
    assert index.summary(3)["eco"] == "C65"
    assert index.moves(0)[:2] == ["e2e4", "e7e5"]
    with pytest.raises(IndexError, match="game must be between 0 and 5, got 6"):
        index.summary(6)


def test_the_explorer_counts_moves_results_and_ratings(index):
    found = explorer(index, Position())
    assert rows(found) == {"e4": (3, 1, 1, 1, 2400), "Nf3": (2, 0, 2, 0, 0)}
    assert (found["games"], found["white"], found["draws"], found["black"]) == (5, 1, 3, 1)
    assert [sample["white"] for sample in found["moves"][0]["samples"]] == ["Ann Lee", "Cid", "Bob"]
    json.dumps(found)


def test_transpositions_meet(index):
    found = index.explore(after("e4", "e5", "Nf3", "Nc6"))
    assert rows(found) == {"Bb5": (2, 1, 1, 0, 2450), "Bc4": (1, 0, 1, 0, 2400)}
    assert found["opening"].startswith("King's Knight Opening")


def test_a_game_that_repeats_a_position_counts_once(index):
    assert rows(index.explore(after("Nf3")))["Nf6"][0] == 1


def test_positions_of_one_game_and_beyond_the_table_are_found(index, folder, tmp_path):
    najdorf = after("e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3")
    assert rows(index.explore(najdorf)) == {"a6": (1, 0, 0, 1, 2350)}
    build_index([folder / "games.pgn"], tmp_path / "shallow.cyi", depth=1)
    shallow = GameIndex(tmp_path / "shallow.cyi")
    for line in ([], ["e4"], ["e4", "e5", "Nf3", "Nc6"], ["a3"]):
        assert rows(shallow.explore(after(*line))) == rows(index.explore(after(*line)))
    assert index.explore("8/8/8/8/8/5k2/8/4K2q w - - 0 1")["moves"] == []


def test_many_occurrences_go_by_way_of_the_disk(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(index_module, "BATCH", 5)
    build_index([folder / "games.pgn"], tmp_path / "x.cyi")
    assert (tmp_path / "x.cyi").read_bytes() == (folder / "games.cyi").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["x.cyi"]


@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({"player": "ann"}, [0, 2, 5]), ({"white": "ann"}, [0, 5]), ({"black": "BOB"}, [0]),
        ({"result": "1/2-1/2"}, [2, 3, 5]),
        ({"opening": "sicilian"}, [1]), ({"opening": "Ruy Lopez"}, [0, 3]), ({"eco": "C6"}, [3]), ({"eco": "c70"}, [0]),
        ({"min_rating": 2400}, [0]), ({"year": (2019, 2021)}, [1]), ({"player": "dan", "result": "*"}, [4]),
        ({"position": after("e4", "e5", "Nf3", "Nc6")}, [0, 2, 3]), ({"material": "KRvK"}, [4]),
        ({"material": "KvKR*"}, [4]),
        ({"material": "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"}, [0, 1, 2, 3, 5]),
        ({"material": "KQ*vKR*", "eco": "B"}, [1]),
        ({"position": Position(), "result": "0-1"}, [1]), ({"player": "nobody"}, []), ({}, [0, 1, 2, 3, 4, 5]),
        ({"position": Position(), "material": "KRvK"}, []),
    ],
)  # fmt: skip
def test_games_are_found(index, options, games):
    assert [found.game for found in index.find(**options)] == games


def test_every_position_is_found_in_the_games_that_have_it(folder, index):
    games = list(read_games(folder / "games.pgn"))
    keys = [[position.key for position in game.positions()] for game in games]
    for game in games:
        for position in game.positions():
            expected = [(number, at.index(position.key)) for number, at in enumerate(keys) if position.key in at]
            assert index.with_position(position) == expected


def test_the_half_move_of_a_find_is_told(index):
    assert [found.ply for found in index.find(position=after("e4", "e5", "Nf3", "Nc6"))] == [4, 4, 4]
    fens = [chess.Board("8/8/3k4/8/8/8/8/R3K3 w - - 0 1")]
    assert index.find(position=fens[0])[0].ply == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"material": "KRKR"}, "material must be written like KRPvKR"),
        ({"material": "KXvK"}, "each side of the material must be K"),
        ({"result": "2-0"}, "the result must be one of"), ({"eco": "F1"}, "an ECO code must be a letter A to E"),
    ],
)  # fmt: skip
def test_questions_that_cannot_be_are_refused(index, options, message):
    with pytest.raises(CytheraError, match=message):
        index.find(**options)


def test_material_is_taken_either_way_round():
    first, second = material_bounds("KQvKR*").tolist()
    assert first[10:] + first[:10] == second


def test_games_are_read_from_their_file(index, folder):
    games = list(read_games(folder / "games.pgn"))
    for number, expected in enumerate(games):
        assert index.game(number).source == expected.source
    assert index.game(0).comments[6] == "here"


def test_games_are_read_from_another_folder_and_from_beside_the_index(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "a.pgn").write_text(GAMES)
    monkeypatch.chdir(first)
    build_index(["a.pgn"], "a.cyi")
    monkeypatch.chdir(tmp_path)
    assert GameIndex(first / "a.cyi").game(0).white == "Ann Lee"
    first.rename(second)
    assert GameIndex(second / "a.cyi").game(0).white == "Ann Lee"
    (second / "a.pgn").unlink()
    with pytest.raises(CytheraError, match=r"cannot read .*a\.pgn: No such file"):
        GameIndex(second / "a.cyi").game(0)


def test_the_index_of_a_pgn_file_is_made_when_it_is_missing_or_old(tmp_path):
    path = tmp_path / "mine.pgn"
    path.write_text(GAMES)
    made = []
    assert len(open_index(path, on_making=made.append)) == 6
    assert len(open_index(path, on_making=made.append)) == len(open_index(tmp_path / "mine.cyi")) == 6
    assert made == [path]
    path.write_text(GAMES + GAMES)
    stamp = (tmp_path / "mine.cyi").stat().st_mtime + 10
    os.utime(path, (stamp, stamp))
    assert len(open_index(path, on_making=made.append)) == 12
    assert made == [path, path]
    build_index([path, path], tmp_path / "mine.cyi")
    os.utime(tmp_path / "mine.cyi", (stamp, stamp))
    with pytest.raises(CytheraError, match=r"mine\.cyi is the index of other games"):
        open_index(path)


def test_games_of_standard_input_are_indexed_but_not_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GAMES.encode())))
    assert build_index(["-"], tmp_path / "a.cyi").games == 6
    with pytest.raises(CytheraError, match="came from standard input and cannot be read again"):
        GameIndex(tmp_path / "a.cyi").game(0)


def test_a_file_that_changed_is_noticed(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text(GAMES)
    build_index([path], tmp_path / "a.cyi")
    path.write_text(GAMES.replace("Nc6 3. Bb5 a6", "d6 3. Bb5 c6"))
    with pytest.raises(CytheraError, match=r"a\.pgn has changed since the index was made"):
        GameIndex(tmp_path / "a.cyi").game(0)


def test_stats(index):
    found = index.stats(top=2)
    assert (found["games"], found["plies"], found["years"]) == (6, 43, [2020, 2024])
    assert found["results"] == {"1-0": 1, "1/2-1/2": 3, "0-1": 1, "*": 1}
    assert found["players"] == [("Ann Lee", 3), ("Dan", 3)]
    assert found["mean_rating"] == 2400
    assert len(found["openings"]) == 2


def test_damaged_files_are_refused_by_a_sentence(folder, tmp_path):
    whole = (folder / "games.cyi").read_bytes()
    for name, data in (
        ("empty", b""), ("text", b"hello " * 50), ("cut", whole[:-5]), ("head", whole[:64]),
        ("table", whole[:-200] + b"?" * 200), ("offsets", whole[:64] + b"\xff" * 64 + whole[128:]),
    ):  # fmt: skip
        path = tmp_path / name
        path.write_bytes(data)
        try:
            index = GameIndex(path)
        except CytheraError as error:
            assert "games index" in str(error)
        else:  # other moves than the games had: nothing is found, and nothing breaks
            assert name == "offsets"
            index.find(position=after("e4", "e5"))
            index.find(material="KRvK")
    with pytest.raises(CytheraError, match="cannot read"):
        GameIndex(tmp_path / "missing")


def test_an_index_of_nothing_is_refused(tmp_path):
    (tmp_path / "a.pgn").write_text("")
    with pytest.raises(CytheraError, match="there is no game in"):
        build_index([tmp_path / "a.pgn"], tmp_path / "a.cyi")
    with pytest.raises(CytheraError, match="the depth must be between 1 and 500, got 0"):
        build_index([tmp_path / "a.pgn"], tmp_path / "a.cyi", depth=0)
    assert not (tmp_path / "a.cyi").exists()


def test_the_command(folder, tmp_path, capsys):
    index = str(tmp_path / "b.cyi")
    assert main(["games", "index", str(folder / "games.pgn"), "-o", index]) == 0
    said = capsys.readouterr()
    assert "6 games, 1 left out" in said.out
    assert "1... Ke4 is not a legal move" in said.err
    assert main(["games", "explore", index, "--moves", "1. e4 e5"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:2] == ["Nf3", "2"]
    assert main(["games", "explore", index, "--moves", "a3"]) == 1
    assert main(["games", "find", index, "--player", "ann", "--limit", "1"]) == 0
    assert "3 of 6 games, 1 shown" in capsys.readouterr().out
    assert main(["games", "find", index, "--opening", "Ruy", "--pgn"]) == 0
    assert "{ here }" in capsys.readouterr().out
    assert main(["games", "find", index, "--material", "KRvK", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["found"] == 1
    assert main(["games", "stats", index]) == 0
    assert "6 games, 43 half-moves" in capsys.readouterr().out
    (tmp_path / "mine.pgn").write_text(GAMES)
    assert main(["games", "stats", str(tmp_path / "mine.pgn")]) == 0
    said = capsys.readouterr()
    assert "6 games, 43 half-moves" in said.out
    assert "making the index of" in said.err
    (tmp_path / "no.pgn").write_text("nothing")
    assert main(["games", "stats", str(tmp_path / "no.pgn")]) == 2
    assert "there is no game in" in capsys.readouterr().err
    assert main(["games", "index", "-"]) == 2
    assert "need a name for their index" in capsys.readouterr().err
    assert main(["games", "find", index, "--year", "soon"]) == 2
    assert main(["games", "find", index, "--fen", "nonsense"]) == 2
