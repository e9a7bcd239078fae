"""Arrays of games and positions: what they hold, and what they refuse."""

import chess
import numpy as np
import pytest

import cythera
from cythera import InvalidFenError, Position, arrays
from cythera.games import parse_games

GAMES = (
    '[WhiteElo "2500"]\n[BlackElo "2400"]\n[Result "1-0"]\n\n'
    '1. e4 {[%clk 0:01:00][%eval 0.3]} e5 2. Nf3 {[%eval #3]} 1-0\n\n'
    '[Result "0-1"]\n\n1. d4 d5 2. c5 0-1\n\n'
    '[FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]\n\n'
    '1. O-O-O O-O {[%clk 0:00:09.5]} 1/2-1/2\n\n'
    '[Variant "Chess960"]\n[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]\n\n'
    '1. Ng3 Ng6 2. O-O O-O *\n\n'
)
FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/8/8/8/8/5k2/8/4K2q w - - 99 120",
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


@pytest.mark.parametrize("workers", [1, 2])
def test_games_as_arrays(path, workers):
    games = list(cythera.read_games(path))
    found = arrays.read_arrays(path, fields=arrays.FIELDS, workers=workers)
    assert len(found) == len(games) == 3
    assert found.offsets.tolist() == [0, 3, 5, 9]
    assert found.results.tolist() == [2, 1, -1]
    assert found.ratings.tolist() == [[2500, 2400], [0, 0], [0, 0]]
    assert found.places.tolist() == [game.offset for game in games]
    for number, game in enumerate(games):
        first, last = found.offsets[number : number + 2]
        assert found.moves[first:last].tolist() == list(game.words)
        boards = found.positions[first + number : last + number + 1]
        positions = list(game.positions())
        assert arrays.fens(boards) == [position.fen() for position in positions]
        assert found.keys[first + number : last + number + 1].tolist() == [position.key for position in positions]
    assert np.isnan(found.clocks).tolist() == [False, True, True, True, False, True, True, True, True]
    assert found.clocks[[0, 4]].tolist() == [60.0, 9.5]
    assert found.evals.tolist() == [30, -32768, 31997] + [-32768] * 6


def test_evaluations_of_any_size_fit_16_bits(tmp_path):
    path = tmp_path / "games.pgn"
    texts = ["512.3", "-512.3", "#2", "#-20000", "-0.07"]
    moves = ["e4", "e5", "d4", "d5", "c4"]
    path.write_text(" ".join(f"{move} {{[%eval {text}]}}" for move, text in zip(moves, texts, strict=True)))
    evals = arrays.read_arrays(path, fields=("evals",)).evals
    assert evals.tolist() == [20000, -20000, 31998, -22001, -7]


def test_dtypes_are_those_documented(path):
    found = arrays.read_arrays(path, fields=arrays.FIELDS)
    names = ("moves", "offsets", "results", "ratings", "keys", "clocks", "evals")
    kinds = {name: getattr(found, name).dtype for name in names}
    assert kinds == {
        "moves": np.uint16, "offsets": np.int64, "results": np.int8, "ratings": np.int16, "keys": np.uint64,
        "clocks": np.float32, "evals": np.int16,
    }  # fmt: skip
    assert found.positions.dtype == arrays.POSITION
    assert arrays.POSITION.itemsize == 112
    assert arrays.read_arrays(path).keys is None


def test_many_blocks_are_joined(path, tmp_path):
    many = tmp_path / "many.pgn"
    many.write_text(GAMES * 4000)
    found = arrays.read_arrays(many, fields=("keys",))
    assert len(found) == 12_000
    assert found.offsets[-1] == len(found.moves) == 36_000
    assert len(found.keys) == 48_000
    assert (found.moves.reshape(-1, 9) == found.moves[:9]).all()
    assert len(arrays.read_arrays(many, limit=1)) < 12_000


def test_bad_games_are_told(path):
    problems = []
    assert len(arrays.read_arrays(path, on_problem=problems.append)) == 3
    assert [(problem.game, problem.line) for problem in problems] == [(2, 9)]


def test_no_game_gives_empty_arrays(tmp_path):
    path = tmp_path / "empty.pgn"
    path.write_text("")
    found = arrays.read_arrays(path, fields=arrays.FIELDS)
    assert (len(found), len(found.moves), found.offsets.tolist(), len(found.positions)) == (0, 0, [0], 0)


def test_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="unknown field 'boards': there are keys, positions, clocks, evals"):
        arrays.read_arrays("x.pgn", fields=("boards",))


def test_positions_go_to_arrays_and_back():
    boards = arrays.positions(FENS)
    assert arrays.fens(boards) == [Position(fen).fen() for fen in FENS]
    assert arrays.keys(boards).tolist() == [Position(fen).key for fen in FENS]
    double = ["bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]
    assert arrays.fens(arrays.positions(double, chess960=True)) == [Position(double[0], chess960=True).fen()]
    with pytest.raises(InvalidFenError, match="row 1: the FEN is empty"):
        arrays.positions([chess.STARTING_FEN, ""])


def test_planes_are_the_pieces():
    planes = arrays.planes(arrays.positions(FENS))
    assert planes.shape == (5, 12, 8, 8)
    for fen, plane in zip(FENS, planes, strict=True):
        board = chess.Board(fen)
        for square, piece in board.piece_map().items():
            assert plane[piece.piece_type - 1 + 6 * (not piece.color), square // 8, square % 8]
        assert plane.sum() == len(board.piece_map())
    assert (arrays.planes(FENS) == planes).all()


def test_batches_agree_with_single_positions():
    boards = arrays.positions(FENS)
    moves, offsets = arrays.legal_moves(boards)
    for number, fen in enumerate(FENS):
        found = arrays.uci_texts(moves[offsets[number] : offsets[number + 1]])
        assert found == [move.uci() for move in Position(fen).legal_moves()]
    assert arrays.perft(boards, 3).tolist() == [Position(fen).perft(3) for fen in FENS]
    from cythera.net.load import net_for

    net = net_for()
    assert arrays.evaluate(boards).tolist() == [net.with_endgames(Position(fen)) for fen in FENS]
    assert arrays.evaluate(boards, net, endgames=False).tolist() == [net.evaluate(Position(fen)) for fen in FENS]
    assert arrays.perft(FENS[0], 2).tolist() == [400]


def test_move_squares_take_moves_apart():
    (game,) = parse_games("1. e4 d5 2. exd5 Nf6 3. Nf3 Nxd5 4. Be2 g6 5. O-O *")
    sources, targets, flags = arrays.move_squares(np.asarray(game.words))
    assert (sources[2], targets[2], flags[2]) == (chess.E4, chess.D5, arrays.MOVE_FLAGS["capture"])
    assert (sources[8], targets[8], flags[8]) == (chess.E1, chess.H1, arrays.MOVE_FLAGS["castling"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn", 2), ("castling", 16), ("castling", 1), ("en_passant", 3), ("en_passant", 200), ("chess960", 7),
        ("bitboards", 0), ("bitboards", 2**64 - 1),
    ],
)  # fmt: skip
def test_rows_that_are_no_position_are_refused(field, value):
    boards = arrays.positions(FENS[2:])
    boards[1][field] = value
    if field == "castling" and value == 1:
        boards[1]["rooks"] = 64
    for call in (arrays.fens, arrays.keys, arrays.legal_moves, arrays.evaluate, lambda rows: arrays.perft(rows, 1)):
        with pytest.raises(ValueError, match="row 1 of the positions is not a position"):
            call(boards)


def test_random_bytes_never_crash():
    rows = np.random.default_rng(1).integers(0, 256, (500, 112), np.uint8)
    boards = rows.view(arrays.POSITION).reshape(-1)
    for start in range(0, 500, 50):
        with pytest.raises(ValueError, match="not a position"):
            arrays.legal_moves(boards[start : start + 50])


def test_arrays_of_another_dtype_are_refused():
    with pytest.raises(TypeError, match=r"positions must be an array of cythera\.arrays\.POSITION, got float64"):
        arrays.keys(np.zeros(3))
    assert len(arrays.legal_moves(arrays.positions([]))[0]) == 0
    assert arrays.keys(arrays.positions(FENS)[::2]).tolist() == [Position(fen).key for fen in FENS[::2]]
