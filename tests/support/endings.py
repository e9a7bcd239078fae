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
