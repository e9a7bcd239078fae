"""Nothing a Python caller passes crashes the process or leaves a broken board behind."""

import inspect
import pickle
import random
import subprocess
import sys
import threading

import pytest

from cythera import Move, Position
from cythera.core import build_info, keys_from_scratch


class Text(str):
    """A string that lies about itself."""

    __slots__ = ()

    def __str__(self):
        return "lies"

    def __len__(self):
        return 10**9

    def __getitem__(self, item):
        return "x"

    def split(self, *args):
        return ["lies"] * 6


class Number(int):
    def __index__(self):
        raise RuntimeError("no index today")

    def __int__(self):
        raise RuntimeError("no int today")


class Liar:
    """Answers everything with itself, and has a move's method."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __bool__(self):
        raise RuntimeError("neither true nor false")

    def __eq__(self, other):
        raise RuntimeError("no comparisons")

    __hash__ = None


class Uci:
    """A move object whose uci() says what it was told to say."""

    def __init__(self, answer):
        self.answer = answer

    def uci(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


HOSTILE = [
    None,
    True,
    0,
    -1,
    63,
    64,
    65_536,
    2**31,
    2**63,
    2**64,
    -(10**40),
    1.5,
    float("nan"),
    float("inf"),
    1j,
    "",
    "e2e4",
    "e7e8q",
    "\x00",
    "\ud800\udfff",
    "e2e\U0001f600",
    "♔" * 1000,
    "e2e4" * 250_000,
    b"e2e4",
    bytearray(b"x"),
    [],
    (),
    {},
    ("e2e4",),
    object(),
    object,
    Exception("x"),
    len,
    Text("e2e4"),
    Text("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    Number(5),
    Liar(),
    Uci("e2e4"),
    Uci(None),
    Uci(5),
    Uci(Text("e2e4")),
    Uci("\ud800" * 4),
    Uci(KeyError("inside")),
    Move.__new__(Move),
    Position.__new__(Position),
    Position,
]
METHODS = sorted(name for name in dir(Position) if not name.startswith("__") and callable(getattr(Position, name)))


def sane(position):
    """The position is whole: keys, moves and FEN fit each other."""
    assert keys_from_scratch(position) == (position.key, position.pawn_key, *position.nonpawn_keys)
    assert Position(position.fen(shredder=True), chess960=position.chess960) == position
    for move in position.legal_moves():
        position.push(move)
        assert position.pop() == move


def call(function, *args, **kwargs):
    """Calls with whatever; any exception will do, a crash will not."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def test_any_argument_to_any_method_is_answered_or_refused():
    assert len(METHODS) > 25
    for name in METHODS:
        for value in HOSTILE:
            position = Position()
            call(getattr(position, name), value)
            sane(position)


def test_random_arguments_in_random_number_are_answered_or_refused():
    rng = random.Random(99)
    position = Position()
    for _ in range(30_000):
        name = rng.choice(METHODS)
        args = [rng.choice(HOSTILE) for _ in range(rng.randrange(4))]
        names = ("chess960", "shredder", "listed", "threads", "kind", "threshold", "history", "size", "nonsense")
        kwargs = {rng.choice(names): rng.choice(HOSTILE)} if rng.random() < 0.2 else {}
        call(getattr(position, name), *args, **kwargs)
        if rng.random() < 0.01:
            sane(position)
            position = Position()
    sane(position)


def test_any_argument_to_the_constructor_is_answered_or_refused():
    for value in HOSTILE:
        for other in HOSTILE:
            call(Position, value, chess960=other)
        call(Position, value, value)
        call(Position, nonsense=value)


def test_a_position_that_was_never_initialised_is_the_start():
    position = Position.__new__(Position)
    assert position == Position()
    sane(position)
    assert Position.__new__(Position, 1, 2, x=3) == Position()


def test_a_position_may_be_initialised_again():
    position = Position()
    position.push("e2e4")
    position.__init__("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert position.history() == []
    sane(position)


def test_a_move_that_was_never_made_is_no_move():
    move = Move.__new__(Move)
    assert (str(move), move.promotion, move.from_square, move.is_capture) == ("0000", None, 0, False)
    position = Position()
    assert not position.is_legal(move)
    with pytest.raises(ValueError, match="'0000' is not a legal move"):
        position.push(move)
    assert pickle.loads(pickle.dumps(move)) == move


def test_moves_of_one_position_are_checked_in_another():
    rng = random.Random(3)
    strangers = [*Position().legal_moves(), *Position("8/P3k3/8/8/8/8/8/R3K2R w KQ - 0 1").legal_moves()]
    position = Position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    for _ in range(2000):
        call(position.push, rng.choice(strangers))
        call(position.see, rng.choice(strangers), 0)
        call(position.gives_check, rng.choice(strangers))
        if rng.random() < 0.5:
            call(position.push, rng.choice(position.legal_moves() or [None]))
    sane(position)


def test_a_pickle_with_made_up_numbers_is_refused_or_harmless(core):
    for args in ((None, 5), ("e2e4", -1), ("e2e4", 65_536), ("e2e4", 2**70), (5, 5), ("e2e4", None)):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            core.restore_move(*args)
    board = core.Board()
    for word in range(0, 65_536, 7):
        forged = core.restore_move("e2e4", word)
        board.push(forged)  # the text counts, never the word
        board.pop()
    assert board.fen() == core.Board().fen()


def test_subclasses_that_lie_fool_only_themselves():
    class Joker(Position):
        def legal_moves(self, kind="all"):
            return Position("8/P3k3/8/8/8/8/8/R3K2R w KQ - 0 1").legal_moves()

        def copy(self):
            return Position("8/P3k3/8/8/8/8/8/R3K2R w KQ - 0 1")

        def is_stalemate(self):
            return "maybe"

    joker = Joker()
    assert joker.perft(3) == 8902
    assert joker.perft(4, threads=2) == 197_281
    assert sum(joker.divide(3, 2).values()) == 8902
    assert joker.is_draw() is False
    sane(Position(joker.fen()))


def test_a_subclass_of_str_is_read_as_the_text_it_holds():
    assert Position(Text("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    position = Position()
    position.push(Text("e2e4"))
    position.push(Uci(Text("e7e5")))
    assert position.history() == ["e2e4", "e7e5"]


def test_a_move_object_that_changes_the_position_while_it_is_read_breaks_nothing():
    position = Position()

    class Meddler:
        def uci(self):
            position.set_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
            return "e2e4"

    for method in (
        position.push, position.see, position.gives_check, position.parse_move, position.is_legal,
    ):  # fmt: skip
        position.set_fen(Position().fen())
        call(method, Meddler())
        sane(position)


def test_threads_may_count_while_others_move_the_pieces():
    position = Position()
    stop = threading.Event()

    def shuffle():
        while not stop.is_set():
            position.push("g1f3")
            position.pop()

    mover = threading.Thread(target=shuffle)
    mover.start()
    try:
        counts = {position.perft(3, threads=4) for _ in range(50)}
    finally:
        stop.set()
        mover.join()
    start, moved = Position(), Position()
    moved.push("g1f3")
    assert counts <= {start.perft(3), moved.perft(3)}


LEAK = """
import resource
from cythera import Position

def work():
    position = Position()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 40:
        position.push(move)
    position.copy().history()
    for wrong in (lambda: position.push("nonsense"), lambda: Position("nonsense")):
        try:
            wrong()
        except ValueError:
            pass
    position.perft(3, threads=2)

for _ in range(200):
    work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(1500):
    work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_boards_do_not_leak():
    pytest.importorskip("resource")
    if build_info()["debug"]:
        pytest.skip("sanitizers keep freed memory for a while, and look for leaks themselves")
    grown = int(subprocess.run([sys.executable, "-c", LEAK], capture_output=True, check=True).stdout)
    grown_kib = grown // 1024 if sys.platform == "darwin" else grown
    assert grown_kib < 2048  # one leaked stack of states each time would be 20 MB


def test_every_method_has_a_docstring_or_a_name_that_says_it_all():
    silent = {"is_check", "is_checkmate", "is_stalemate"}
    for name in METHODS:
        if not name.startswith("_") and name not in silent:
            assert inspect.getdoc(getattr(Position, name)), name
