# Moves for Python: their UCI text, and the class Move.

cdef str move_text(const Position* pos, Move16 m):
    """UCI text: castling as the king's two-step in standard chess, king takes rook in Chess960."""
    cdef int to_sq = to_of(m)
    if flags_of(m) == CASTLE and not pos.chess960:
        to_sq = castle_king_to(2 * colour_of(pos.board[from_of(m)]) + (to_sq < from_of(m)))
    if is_promotion(m):
        return square_name(from_of(m)) + square_name(to_sq) + "nbrq"[m >> 12 & 3]
    return square_name(from_of(m)) + square_name(to_sq)


cdef int parse_square(str text, int at) noexcept:
    """The square written at an offset of `text`, or NO_SQ."""
    cdef int f = ord(text[at]) - 97
    cdef int r = ord(text[at + 1]) - 49
    return 8 * r + f if 0 <= f <= 7 and 0 <= r <= 7 else <int>NO_SQ


cdef Move16 find_move(const Position* pos, str text) noexcept:
    """The legal move that `text` (UCI) names, or NO_MOVE. Both notations of castling are accepted."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks
    cdef int count, i, from_sq, to_sq, promotion = -1
    cdef Move16 castle = NO_MOVE
    if not 4 <= len(text) <= 5:
        return NO_MOVE
    from_sq = parse_square(text, 0)
    to_sq = parse_square(text, 2)
    if len(text) == 5:
        promotion = "nbrq".find(text[4])
        if promotion < 0:
            return NO_MOVE
    if from_sq == NO_SQ or to_sq == NO_SQ:
        return NO_MOVE
    masks = masks_of(pos)
    count = generate_all(pos, &masks, moves)
    for i in range(count):
        if from_of(moves[i]) != from_sq or is_promotion(moves[i]) != (promotion >= 0):
            continue
        if to_of(moves[i]) == to_sq and (promotion < 0 or (moves[i] >> 12 & 3) == promotion):
            return moves[i]
        # Castling written as the king's two-step: an ordinary king move has precedence.
        if (flags_of(moves[i]) == CASTLE and to_sq != from_sq
                and to_sq == castle_king_to(2 * pos.side + (to_of(moves[i]) < from_sq))):
            castle = moves[i]
    return castle


cdef class Move:
    """A move: its UCI text and its properties.

    Equal to another move, or to a string, with the same UCI text.
    """
    cdef readonly str uci_text
    cdef Move16 word

    def __cinit__(self, *args, **kwargs):
        self.uci_text = "0000"      # until wrap_move sets it; no position has this move
        self.word = NO_MOVE

    def __init__(self, *args, **kwargs):
        raise TypeError("moves come from Position.legal_moves() and Position.parse_move()")

    @property
    def from_square(self):
        """0 (a1) to 63 (h8)."""
        return from_of(self.word)

    @property
    def to_square(self):
        """0 (a1) to 63 (h8); for castling, the square of the rook."""
        return to_of(self.word)

    @property
    def promotion(self):
        """The letter of the piece promoted to (`n`, `b`, `r`, `q`), or None."""
        return "nbrq"[self.word >> 12 & 3] if is_promotion(self.word) else None

    @property
    def is_capture(self):
        return is_capture(self.word)

    @property
    def is_castling(self):
        return flags_of(self.word) == CASTLE

    @property
    def is_en_passant(self):
        return flags_of(self.word) == EN_PASSANT

    def uci(self):
        """The move as UCI writes it, like `e7e8q`."""
        return self.uci_text

    def __str__(self):
        return self.uci_text

    def __repr__(self):
        return f"Move({self.uci_text!r})"

    def __eq__(self, other):
        if isinstance(other, Move):
            return self.uci_text == (<Move>other).uci_text
        if isinstance(other, str):
            return self.uci_text == other
        return NotImplemented

    def __hash__(self):
        return hash(self.uci_text)

    def __reduce__(self):
        return restore_move, (self.uci_text, int(self.word))


cdef Move wrap_move(const Position* pos, Move16 m):
    cdef Move move = Move.__new__(Move)
    move.uci_text = move_text(pos, m)
    move.word = m
    return move


def restore_move(str uci_text not None, int word):
    """Rebuilds a pickled move."""
    cdef Move move = Move.__new__(Move)
    if not 0 <= word <= 0xFFFF:
        raise ValueError(f"a move word must be between 0 and {0xFFFF}, got {word}")
    move.uci_text = uci_text
    move.word = <Move16>word
    return move
