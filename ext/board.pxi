# Board: the position for Python. Everything a caller passes is validated here, and nothing below. Methods call no
# overridable method where the result reaches C: a subclass may return anything.

from cpython.unicode cimport PyUnicode_FromObject

cdef enum:
    STACK_START = 64            # states allocated with a new board
    MAX_GAME_PLIES = 32_000     # with the longest half-move clock of a FEN below 65,536
    MAX_SEE_THRESHOLD = 100_000     # centipawns

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
cdef Position START_POSITION    # of a new Board, even one made without __init__
parse_fen(&START_POSITION, START_FEN, False)


cdef class Board:
    """The compiled position with its history. `cythera.Position` is the class to use."""
    cdef Position pos
    cdef int capacity

    def __cinit__(self, *args, **kwargs):
        self.pos = START_POSITION
        self.capacity = STACK_START
        self.pos.stack = <State*>malloc(STACK_START * sizeof(State))
        if self.pos.stack == NULL:
            raise MemoryError

    def __init__(self, fen=None, *, chess960=False):
        self.set_fen(START_FEN if fen is None else fen, chess960=chess960)

    def __dealloc__(self):
        free(self.pos.stack)

    cdef int reserve(self, int extra) except -1:
        """Makes room on the stack for `extra` more states."""
        cdef State* grown
        cdef int wanted = self.pos.depth + extra
        if wanted > MAX_GAME_PLIES:
            raise OverflowError(f"a game must be at most {MAX_GAME_PLIES} half-moves long")
        if wanted <= self.capacity:
            return 0
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

    cdef Board snapshot(self):
        """A plain Board of the same position and history, whatever subclass this is."""
        cdef Board copy = Board.__new__(Board)
        copy.copy_from(self)
        return copy

    cdef Move16 to_word(self, object move) except? 0:
        """The legal move that a string, a Move or a chess.Move names."""
        cdef Move16 m
        cdef str text
        if isinstance(move, str):
            text = exact_str(move)
        elif isinstance(move, Move):
            text = (<Move>move).uci_text
        elif hasattr(move, "uci"):
            text = exact_str(move.uci())
        else:
            raise TypeError(f"a move must be a UCI string or a move object, got {type(move).__name__}")
        m = find_move(&self.pos, text)
        if m == NO_MOVE:
            m = find_san(&self.pos, text)
            if m != NO_MOVE:
                raise IllegalMoveError(f"a move must be in UCI notation, like {move_text(&self.pos, m)!r}, "
                                       f"got {text[:20]!r}: push_san() and parse_san() read SAN")
            raise IllegalMoveError(f"{text[:20]!r} is not a legal move in {format_fen(&self.pos, False)}")
        return m

    cdef Move16 san_to_word(self, object san) except? 0:
        """The legal move that a text in standard algebraic notation names."""
        cdef bytes text = exact_str(san).strip().encode("utf-8", "replace")
        cdef const u8* start = <const u8*><const char*>text
        cdef const u8* stop = start
        cdef Move16 m = NO_MOVE
        cdef int code = read_figurine(&self.pos, start, &m, &stop)
        if code == SAN_SYNTAX:
            code = read_san(&self.pos, start, &m, &stop)
        while stop[0] == c"!" or stop[0] == c"?":
            stop += 1
        if stop[0] == c"e" and (stop[1] == c"p" or stop[1] == c"."):
            stop += harmless_word(stop)
        if code == SAN_FOUND and stop - start == len(text):
            return m
        shown = repr(exact_str(san)[:20])
        fen = format_fen(&self.pos, False)
        if code == SAN_SYNTAX or stop - start != len(text):
            raise IllegalMoveError(f"{shown} is not a move in standard algebraic notation")
        if code == SAN_AMBIGUOUS:
            raise IllegalMoveError(f"{shown} can be more than one move in {fen}")
        if code == SAN_NO_PROMOTION:
            raise IllegalMoveError(f"{shown} does not say what the pawn becomes in {fen}")
        raise IllegalMoveError(f"{shown} is not a legal move in {fen}")

    def set_fen(self, fen, *, bint chess960=False):
        """Sets up a position without history. An error leaves the old one."""
        cdef Position spare
        parse_fen(&spare, exact_str(fen), chess960)
        spare.stack = self.pos.stack
        self.pos = spare

    def fen(self, *, bint shredder=False):
        """The position as FEN, with X-FEN castling letters, or Shredder-FEN with `shredder=True`."""
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
            raise IndexError("no move to take back")
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
            raise ValueError(f"kind must be 'all', 'noisy' or 'quiet', got {kind!r}")
        return [wrap_move(&self.pos, moves[i]) for i in range(count)]

    def parse_move(self, move):
        """The legal move that a UCI string or move object names."""
        return wrap_move(&self.pos, self.to_word(move))

    def parse_san(self, san):
        """The legal move that a text in standard algebraic notation names, like `Nf3`, `exd5` or `O-O`."""
        return wrap_move(&self.pos, self.san_to_word(san))

    def push_san(self, san):
        """Plays a move given in standard algebraic notation, and returns it."""
        cdef Move16 m = self.san_to_word(san)
        cdef Move move = wrap_move(&self.pos, m)
        self.reserve(1)
        make(&self.pos, m)
        return move

    def san(self, move):
        """A legal move, given as UCI string or move object, in standard algebraic notation."""
        return san_text(&self.pos, self.to_word(move))

    def variation_san(self, moves):
        """Moves played one after the other from here, as text with move numbers: `1. e4 e5 2. Nf3`."""
        cdef Board line = self.snapshot()
        cdef list words = []
        cdef int ply
        cdef Move16 m
        for move in moves:
            ply = line.pos.start_ply + line.pos.depth
            m = line.to_word(move)
            if line.pos.side == WHITE:
                words.append(f"{ply // 2 + 1}.")
            elif not words:
                words.append(f"{ply // 2 + 1}...")
            words.append(san_text(&line.pos, m))
            line.reserve(1)
            make(&line.pos, m)
        return " ".join(words)

    def is_legal(self, move):
        """Whether a UCI string or move object names a legal move."""
        try:
            self.to_word(move)
        except IllegalMoveError:
            return False
        return True

    def gives_check(self, move):
        """Whether a legal move puts the other king in check."""
        return gives_check(&self.pos, self.to_word(move))

    def see(self, move, int threshold=0):
        """Whether the exchange a move starts wins at least `threshold` centipawns."""
        if not -MAX_SEE_THRESHOLD <= threshold <= MAX_SEE_THRESHOLD:
            raise ValueError(f"threshold must be between {-MAX_SEE_THRESHOLD} and {MAX_SEE_THRESHOLD} centipawns, "
                             f"got {threshold}")
        return see_at_least(&self.pos, self.to_word(move), threshold)

    def is_check(self):
        return checkers_of(&self.pos) != 0

    def is_checkmate(self):
        return checkers_of(&self.pos) != 0 and count_legal(&self.pos) == 0

    def is_stalemate(self):
        return checkers_of(&self.pos) == 0 and count_legal(&self.pos) == 0

    def is_repetition(self, int count=3):
        """Whether the position occurs for at least the `count`-th time."""
        return repetitions(&self.pos) + 1 >= count

    def is_fifty_moves(self):
        """Whether a hundred half-moves passed without capture or pawn move, and it is not checkmate."""
        return fifty_moves(&self.pos)

    def is_insufficient_material(self):
        """Whether neither side has the material to mate."""
        return insufficient_material(&self.pos)

    def is_draw(self):
        """Whether it is stalemate or a draw by material, threefold repetition or the fifty-move rule."""
        return ((checkers_of(&self.pos) == 0 and count_legal(&self.pos) == 0)
                or insufficient_material(&self.pos) or repetitions(&self.pos) >= 2 or fifty_moves(&self.pos))

    def attackers(self, side, int square):
        """The squares, 0 (a1) to 63 (h8), of a side's pieces that attack a square. The side is
        `"w"` or `"b"`, or True for White and False for Black."""
        cdef int colour = colour_from(side)
        if not 0 <= square <= 63:
            raise ValueError(f"square must be between 0 (a1) and 63 (h8), got {square}")
        return squares_of(attackers_to(&self.pos, square, occupied_of(&self.pos))
                          & self.pos.colours[colour])

    def threatened(self, side):
        """The squares of a side's pieces that a lesser enemy piece attacks."""
        cdef u64 by_pawns, by_minors, by_rooks
        return squares_of(threats_by(&self.pos, colour_from(side) ^ 1, &by_pawns, &by_minors, &by_rooks))

    def piece_at(self, int square):
        """The FEN letter of the piece on a square, or None."""
        if not 0 <= square <= 63:
            raise ValueError(f"square must be between 0 (a1) and 63 (h8), got {square}")
        return None if self.pos.board[square] == EMPTY else PIECE_LETTERS[self.pos.board[square]]

    def history(self):
        """The moves played since the position was set up; a null move is `"0000"`."""
        cdef Board copy = self.snapshot()
        cdef list moves = []
        cdef Move16 m
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
        cdef Board copy = self.snapshot()
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
        """Counts the move sequences of `depth` plies. `listed` generates the moves of the last ply too."""
        cdef Board copy
        cdef u64 total
        check_perft(depth, threads)
        if depth >= 5 or (threads > 1 and depth >= 3):      # a long count must notice Ctrl-C
            return perft_threaded(&self.pos, depth, threads, listed)
        copy = self.snapshot()
        copy.reserve(depth + 1)
        with nogil:
            total = perft(&copy.pos, depth, listed)
        return total

    def divide(self, int depth, int threads=1):
        """Perft by first move: a dict from UCI text to count."""
        cdef Board copy
        cdef Move16 m
        check_perft(depth, threads)
        if depth < 1:
            raise ValueError(f"divide depth must be at least 1, got {depth}")
        copy = self.snapshot()
        copy.reserve(1)
        counts = {}
        for m in legal_words(&copy.pos):
            text = move_text(&copy.pos, m)
            make(&copy.pos, m)
            counts[text] = copy.perft(depth - 1, threads)
            unmake(&copy.pos)
        return counts


cdef str exact_str(object text):
    """A string as exactly `str`: a subclass (numpy.str_, say) is copied without calling its methods."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {type(text).__name__}")
    return PyUnicode_FromObject(text)


cdef str san_text(const Position* pos, Move16 m):
    cdef char text[SAN_LENGTH]
    return text[:write_san(pos, m, text)].decode("ascii")


cdef Move16 find_san(const Position* pos, str text):
    """The legal move a text names in standard algebraic notation, or NO_MOVE."""
    cdef bytes raw = text.encode("utf-8", "replace")
    cdef const u8* stop
    cdef Move16 m = NO_MOVE
    if read_san(pos, <const u8*><const char*>raw, &m, &stop) != SAN_FOUND or stop[0]:
        return NO_MOVE
    return m


cdef int colour_from(object side) except -1:
    if side is True or side == "w":
        return WHITE
    if side is False or side == "b":
        return BLACK
    raise ValueError(f"a side must be 'w' or 'b', or True for White and False for Black, got {side!r}")


cdef list legal_words(const Position* pos):
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int i, count = generate_all(pos, &masks, moves)
    return [int(moves[i]) for i in range(count)]


cdef list squares_of(u64 squares):
    cdef list found = []
    while squares:
        found.append(ctz(squares))
        squares = without_lowest(squares)
    return found
