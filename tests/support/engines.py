"""What the tests of the Python API share."""

import random
import threading

import chess

from support.uci import PATIENCE_S


def some_boards(count, seed=7):
    """Positions of random games, with their history, some of them finished."""
    rng = random.Random(seed)
    boards, board = [], chess.Board()
    while len(boards) < count:
        if board.is_game_over() or board.ply() > 60:
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
        boards.append(board.copy())
    return boards


def threads_of_ours():
    return [thread for thread in threading.enumerate() if thread.name.startswith("cythera")]


def wait_for_no_threads():
    for thread in threads_of_ours():
        thread.join(timeout=PATIENCE_S)
    assert not threads_of_ours()
