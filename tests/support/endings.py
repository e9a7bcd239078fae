"""Random positions of endings."""

import chess


def random_position(random, name, *, en_passant=False):
    """A legal chess.Board with the pieces of a table's name, either colour, either side to move."""
    while True:
        sides = name.split("v")
        if random.random() < 0.5:
            sides.reverse()
        board = chess.Board(None)
        for letter in sides[0] + sides[1].lower():
            ranks = range(8, 56) if letter in "Pp" else range(64)
            board.set_piece_at(random.choice(ranks), chess.Piece.from_symbol(letter))
        board.turn = random.random() < 0.5
        if chess.popcount(board.occupied) != len(name) - 1:
            continue
        if en_passant:
            rank = 3 if board.turn == chess.BLACK else 4
            pawns = [sq for sq in board.pieces(chess.PAWN, not board.turn) if chess.square_rank(sq) == rank]
            if not pawns:
                continue
            board.ep_square = pawns[0] + (8 if board.turn == chess.WHITE else -8)
            if not board.is_valid() or not board.has_legal_en_passant():
                continue
        if board.is_valid():
            return board


class Game:
    """How a won ending was played. `late` is by how many half-moves the worst part of it was longer than its table
    says, a part being what lies between two zeroing moves; not above 1 where the table counts in moves."""

    def __init__(self, result, late, plies):
        self.result = result
        self.late = late
        self.plies = plies


def play_out(searcher, tables, position, **limits):
    """Plays a won position to its end: the searcher has the side to move, a table defends as long as it can.

    A part in which the searcher announces a mate has until that mate instead.
    """
    from cythera.board.scores import MATE, MATE_FOUND
    from cythera.tables import move_verdicts

    winner, start = position.turn, 0
    deadline, late = tables.probe_dtz(position), -1000
    for ply in range(1000):
        if position.turn == winner:
            moves, score, *_ = searcher.go(position, **limits)[0]
            if score >= MATE_FOUND:
                deadline = max(deadline, ply - start + MATE - score)
            position.push(moves[0])
        else:
            position.push(next(iter(move_verdicts(position, tables))))
        if position.outcome() is not None:
            break
        if position.halfmove_clock == 0:
            late = max(late, ply + 1 - start - deadline)
            start = ply + 1
            distance = tables.probe_dtz(position)
            deadline = abs(distance) if distance else 0
    late = max(late, ply + 1 - start - deadline)
    expected = "1-0" if winner == "w" else "0-1"
    return Game("won" if position.outcome() == expected else str(position.outcome()), late, ply + 1)
