# Board and Move: the position as Python sees it. Everything a caller passes is checked here;
# below, nothing is.

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef enum:
    STACK_START = 64        # states allocated with a new board
    MAX_GAME_PLIES = 1 << 20

cdef str START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


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
    """The legal move that `text` (UCI) names, or NO_MOVE. Either way of writing castling will do."""
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
        # The king's own way of writing castling gives way to an ordinary king move.
        if flags_of(moves[i]) == CASTLE and to_sq == castle_king_to(2 * pos.side + (to_of(moves[i]) < from_sq)):
            castle = moves[i]
    return castle


cdef class Move:
    """A move: its UCI text, and what kind of move it is.

    Equal to another move, or to a string, with the same UCI text.
    """
    cdef readonly str uci_text
    cdef Move16 word

    def __init__(self):
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


def restore_move(str uci_text, int word):
    """Rebuilds a pickled move."""
    cdef Move move = Move.__new__(Move)
    move.uci_text = uci_text
    move.word = <Move16>word
    return move


cdef class Board:
    """The compiled position with its history. `cythera.Position` is the class to use."""
    cdef Position pos
    cdef int capacity

    def __cinit__(self, *args, **kwargs):
        self.capacity = STACK_START
        self.pos.stack = <State*>malloc(STACK_START * sizeof(State))
        if self.pos.stack == NULL:
            raise MemoryError
        parse_fen(&self.pos, START_FEN, False)

    def __init__(self, fen=None, *, chess960=False):
        self.set_fen(START_FEN if fen is None else fen, chess960=chess960)

    def __dealloc__(self):
        free(self.pos.stack)

    cdef int reserve(self, int extra) except -1:
        """Makes room on the stack for `extra` more states."""
        cdef State* grown
        cdef int wanted = self.pos.depth + extra
        if wanted <= self.capacity:
            return 0
        if wanted > MAX_GAME_PLIES:
            raise OverflowError(f"a game cannot be longer than {MAX_GAME_PLIES} half-moves here")
        wanted = max(wanted, 2 * self.capacity)
        grown = <State*>realloc(self.pos.stack, wanted * sizeof(State))
        if grown == NULL:
            raise MemoryError
        self.pos.stack = grown
        self.capacity = wanted
        return 0

    cdef int copy_from(self, Board other) except -1:
        cdef State* stack
        self.reserve(other.pos.depth - self.pos.depth)
        stack = self.pos.stack
        self.pos = other.pos
        self.pos.stack = stack
        memcpy(stack, other.pos.stack, other.pos.depth * sizeof(State))
        return 0

    cdef Move16 to_word(self, object move) except? 0:
        """The legal move that a string, a Move or a chess.Move names."""
        cdef Move16 m
        cdef str text
        if isinstance(move, str):
            text = move
        elif isinstance(move, Move):
            text = (<Move>move).uci_text
        elif hasattr(move, "uci"):
            text = str(move.uci())
        else:
            raise TypeError(f"a move is a UCI string or a move object, not {type(move).__name__}")
        m = find_move(&self.pos, text)
        if m == NO_MOVE:
            raise IllegalMoveError(f"{text[:20]!r} is not a legal move in {format_fen(&self.pos, False)}")
        return m

    def set_fen(self, str fen not None, *, bint chess960=False):
        """Sets up a position, forgetting the history. On an error the old one stays."""
        cdef Position spare
        parse_fen(&spare, fen, chess960)
        spare.stack = self.pos.stack
        self.pos = spare

    def fen(self, *, bint shredder=False):
        """The position as FEN: X-FEN castling letters, or Shredder's with `shredder=True`."""
        return format_fen(&self.pos, shredder)

    def push(self, move):
        """Plays a legal move, given as UCI string or move object."""
        cdef Move16 m = self.to_word(move)
        self.reserve(1)
        make(&self.pos, m)

    def pop(self):
        """Takes back the last move and returns it; a null move comes back as None."""
        cdef Move16 m = self.pos.st.move
        if self.pos.depth == 0:
            raise IndexError("there is no move to take back")
        if m == NULL_MOVE:
            unmake_null(&self.pos)
            return None
        unmake(&self.pos)
        return wrap_move(&self.pos, m)

    def push_null(self):
        """Passes the move to the other side; not possible in check."""
        if checkers_of(&self.pos):
            raise IllegalMoveError("the side to move is in check and cannot pass")
        self.reserve(1)
        make_null(&self.pos)

    def legal_moves(self, str kind="all"):
        """The legal moves as a list: `"all"`, `"noisy"` (captures and promotions) or `"quiet"`."""
        cdef Move16 moves[MAX_MOVES]
        cdef Masks masks = masks_of(&self.pos)
        cdef int i, count
        if kind == "all":
            count = generate_all(&self.pos, &masks, moves)
        elif kind == "noisy":
            count = generate_noisy(&self.pos, &masks, moves)
        elif kind == "quiet":
            count = generate_quiets(&self.pos, &masks, moves)
        else:
            raise ValueError(f"kind is 'all', 'noisy' or 'quiet', not {kind!r}")
        return [wrap_move(&self.pos, moves[i]) for i in range(count)]

    def parse_move(self, move):
        """The legal move that a UCI string or move object names."""
        return wrap_move(&self.pos, self.to_word(move))

    def is_legal(self, move):
        """Whether a UCI string or move object names a legal move."""
        try:
            self.to_word(move)
        except IllegalMoveError:
            return False
        return True

    def is_legal_word(self, int word):
        """Whether a 16-bit move word, as in the transposition table, is legal here: exact."""
        cdef Masks masks = masks_of(&self.pos)
        if not 0 <= word <= 0xFFFF:
            raise ValueError(f"a move word has 16 bits, {word} has not")
        return is_legal(&self.pos, &masks, <Move16>word)

    def move_words(self):
        """The legal moves as 16-bit words: from | to << 6 | flags << 12."""
        cdef Move16 moves[MAX_MOVES]
        cdef Masks masks = masks_of(&self.pos)
        cdef int i, count = generate_all(&self.pos, &masks, moves)
        return [int(moves[i]) for i in range(count)]

    def gives_check(self, move):
        """Whether a legal move puts the other king in check."""
        return gives_check(&self.pos, self.to_word(move))

    def see(self, move, int threshold=0):
        """Whether the exchange a move starts wins at least `threshold` centipawns."""
        if not -100_000 <= threshold <= 100_000:
            raise ValueError(f"threshold is in centipawns, {threshold} is out of all proportion")
        return see_at_least(&self.pos, self.to_word(move), threshold)

    def is_check(self):
        return checkers_of(&self.pos) != 0

    def is_checkmate(self):
        return checkers_of(&self.pos) != 0 and count_legal(&self.pos) == 0

    def is_stalemate(self):
        return checkers_of(&self.pos) == 0 and count_legal(&self.pos) == 0

    def is_repetition(self, int count=3):
        """Whether the position now stands on the board for at least the `count`-th time."""
        return repetitions(&self.pos) + 1 >= count

    def is_fifty_moves(self):
        """A hundred half-moves without capture or pawn move, and not checkmate."""
        return fifty_moves(&self.pos)

    def is_insufficient_material(self):
        """Neither side has the material to mate."""
        return insufficient_material(&self.pos)

    def is_draw(self):
        """Stalemate, insufficient material, threefold repetition or the fifty-move rule."""
        return (self.is_stalemate() or insufficient_material(&self.pos)
                or self.is_repetition(3) or fifty_moves(&self.pos))

    def attackers(self, bint white, int square):
        """The squares, 0 (a1) to 63 (h8), of a side's pieces that attack a square."""
        if not 0 <= square <= 63:
            raise ValueError(f"squares run from 0 (a1) to 63 (h8), not {square}")
        return squares_of(attackers_to(&self.pos, square, occupied_of(&self.pos))
                          & self.pos.colours[WHITE if white else BLACK])

    def threatened(self, bint white):
        """The squares of a side's pieces that a lesser enemy piece attacks."""
        cdef u64 by_pawns, by_minors, by_rooks
        return squares_of(threats_by(&self.pos, BLACK if white else WHITE, &by_pawns, &by_minors, &by_rooks))

    def piece_at(self, int square):
        """The FEN letter of the piece on a square, or None."""
        if not 0 <= square <= 63:
            raise ValueError(f"squares run from 0 (a1) to 63 (h8), not {square}")
        return None if self.pos.board[square] == EMPTY else PIECE_LETTERS[self.pos.board[square]]

    def history(self):
        """The moves played since the position was set up; a null move is `"0000"`."""
        cdef Board copy = Board.__new__(Board)
        cdef list moves = []
        cdef Move16 m
        copy.copy_from(self)
        while copy.pos.depth:
            m = copy.pos.st.move
            if m == NULL_MOVE:
                unmake_null(&copy.pos)
                moves.append("0000")
            else:
                unmake(&copy.pos)
                moves.append(move_text(&copy.pos, m))
        moves.reverse()
        return moves

    def root_fen(self):
        """The FEN of the position that was set up, before the moves in the history."""
        cdef Board copy = Board.__new__(Board)
        copy.copy_from(self)
        while copy.pos.depth:
            if copy.pos.st.move == NULL_MOVE:
                unmake_null(&copy.pos)
            else:
                unmake(&copy.pos)
        return format_fen(&copy.pos, False)

    def copy(self):
        """An independent copy, history included."""
        cdef Board twin = type(self).__new__(type(self))
        twin.copy_from(self)
        return twin

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return (self.pos.st.key == (<Board>other).pos.st.key
                and self.pos.chess960 == (<Board>other).pos.chess960
                and format_fen(&self.pos, True) == format_fen(&(<Board>other).pos, True))

    def __hash__(self):
        return hash(self.pos.st.key)

    @property
    def key(self):
        """The 64-bit Zobrist key: pieces, side to move, castling rights, legal en passant."""
        return self.pos.st.key

    @property
    def pawn_key(self):
        return self.pos.st.pawn_key

    @property
    def nonpawn_keys(self):
        """The keys of White's and of Black's pieces other than pawns."""
        return self.pos.st.nonpawn_keys[WHITE], self.pos.st.nonpawn_keys[BLACK]

    def keys_from_scratch(self):
        """All four keys computed anew; they must equal the incremental ones."""
        cdef State st = self.pos.st
        compute_keys(&self.pos, &st)
        return st.key, st.pawn_key, st.nonpawn_keys[WHITE], st.nonpawn_keys[BLACK]

    @property
    def turn(self):
        """`"w"` or `"b"`."""
        return "w" if self.pos.side == WHITE else "b"

    @property
    def chess960(self):
        return bool(self.pos.chess960)

    @property
    def halfmove_clock(self):
        return self.pos.st.rule50

    @property
    def fullmove_number(self):
        return (self.pos.start_ply + self.pos.depth) // 2 + 1

    def perft(self, int depth, int threads=1, *, bint listed=False):
        """Counts the move sequences of `depth` plies. `listed` writes the last ply's moves too."""
        cdef Board copy
        cdef u64 total
        cdef int plies = depth
        check_perft_depth(depth)
        if threads < 1:
            raise ValueError(f"threads is at least 1, not {threads}")
        if threads > 1 and depth >= 3:
            return perft_threaded(self, depth, threads, listed)
        copy = Board.__new__(Board)
        copy.copy_from(self)
        copy.reserve(plies + 1)
        with nogil:
            total = perft(&copy.pos, plies, listed)
        return total

    def divide(self, int depth, int threads=1):
        """Perft by first move: a dict from UCI text to count."""
        cdef Board copy
        cdef Move move
        check_perft_depth(depth)
        if depth < 1:
            raise ValueError("divide needs a depth of at least 1")
        copy = Board.__new__(Board)
        copy.copy_from(self)
        copy.reserve(1)
        counts = {}
        for move in self.legal_moves():
            make(&copy.pos, move.word)
            counts[move.uci_text] = copy.perft(depth - 1, threads)
            unmake(&copy.pos)
        return counts


cdef list squares_of(u64 squares):
    cdef list found = []
    while squares:
        found.append(ctz(squares))
        squares = without_lowest(squares)
    return found


cdef int check_perft_depth(int depth) except -1:
    if not 0 <= depth <= 60:
        raise ValueError(f"perft depth is from 0 to 60, not {depth}")
    return 0


def perft_threaded(Board root, int depth, int threads, bint listed):
    """Subtrees two plies down are handed out to threads one by one."""
    import threading
    jobs = []
    twin = root.copy()
    for first in twin.legal_moves():
        twin.push(first)
        jobs += [(first, second) for second in twin.legal_moves()]
        twin.pop()
    jobs.reverse()
    counts = []

    def work():
        cdef Board board = root.copy()
        cdef u64 total = 0
        cdef Move first, second
        cdef int plies = depth - 2
        board.reserve(depth + 1)
        while True:
            try:
                first, second = jobs.pop()      # atomic under the GIL
            except IndexError:
                break
            make(&board.pos, first.word)
            make(&board.pos, second.word)
            with nogil:
                total += perft(&board.pos, plies, listed)
            unmake(&board.pos)
            unmake(&board.pos)
        counts.append(total)

    helpers = [threading.Thread(target=work) for _ in range(threads - 1)]
    for helper in helpers:
        helper.start()
    work()
    for helper in helpers:
        helper.join()
    return sum(counts)


def build_info():
    """Facts about this build: variant flags and compiler."""
    return {
        "pext": bool(USE_PEXT),
        "debug": bool(DEBUG_BUILD),
        "compiler": (<bytes>COMPILER).decode(),
        "state_bytes": sizeof(State),
        "position_bytes": sizeof(Position),
    }
