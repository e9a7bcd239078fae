# Arrays: many games and positions at once, as numpy arrays without a Python object for each move.
#
# A position in an array is 112 bytes (PackedBoard, `cythera.arrays.POSITION`). What comes from outside is checked
# before anything is computed from it.

from libc.math cimport NAN

cdef enum:
    PACKED_BOARD = 112
    NO_EVAL = -32_768               # evaluations of moves, 16 bits each
    PACKED_MATE = MATE              # less the moves, not plies, to mate
    LONGEST_PACKED_MATE = 9_999
    LARGEST_PACKED_EVAL = 20_000

ctypedef struct PackedBoard:
    u64 bitboards[12]           # White's pawns, knights, bishops, rooks, queens, king; then Black's
    u16 halfmove_clock
    u16 fullmove_number         # 65,535 for all that are later
    u8 turn                     # 0 White, 1 Black
    u8 castling                 # bits: White's kingside, queenside, Black's kingside, queenside
    u8 en_passant               # the square, where a capture is legal; else 64
    u8 chess960
    u8 rooks[4]                 # where the rook of each right stands; else 64
    u8 unused[4]


cdef void pack_board(const Position* pos, int ply, PackedBoard* packed) noexcept nogil:
    """`ply` is counted from move 1, as in FEN."""
    cdef int i, number = ply // 2 + 1
    for i in range(6):
        packed.bitboards[i] = pos.pieces[i] & pos.colours[WHITE]
        packed.bitboards[i + 6] = pos.pieces[i] & pos.colours[BLACK]
    packed.halfmove_clock = pos.st.rule50
    packed.fullmove_number = <u16>(65535 if number > 65535 else number)
    packed.turn = <u8>pos.side
    packed.castling = pos.st.castling
    packed.en_passant = pos.st.ep
    packed.chess960 = pos.chess960
    for i in range(4):
        packed.rooks[i] = pos.castle_rook[i] if pos.st.castling >> i & 1 else <u8>NO_SQ
        packed.unused[i] = 0


cdef bint unpack_board(const PackedBoard* packed, Position* pos) noexcept nogil:
    """Sets up a position; False if there can be none such."""
    cdef int i, colour, sq, right, ksq, pawns
    cdef u64 rest, all_pieces = 0
    clear_position(pos)
    for i in range(12):
        rest = packed.bitboards[i]
        if rest & all_pieces:
            return False
        all_pieces |= rest
        while rest:
            put_piece(pos, make_piece(i >= 6, i % 6), ctz(rest))
            rest = without_lowest(rest)
    if pos.pieces[PAWN] & (RANK_1 | RANK_8) or packed.turn > 1 or packed.castling > 15 or packed.chess960 > 1:
        return False
    for colour in range(2):
        pawns = popcount(pieces_of(pos, colour, PAWN))
        if popcount(pieces_of(pos, colour, KING)) != 1 or popcount(pos.colours[colour]) > 16 or pawns > 8:
            return False
    pos.side = packed.turn
    pos.chess960 = packed.chess960
    if attackers_to(pos, king_square(pos, pos.side ^ 1), all_pieces) & pos.colours[pos.side]:
        return False
    for right in range(4):
        if not packed.castling >> right & 1:
            continue
        sq = packed.rooks[right]
        colour = right >> 1
        ksq = king_square(pos, colour)
        if (sq > 63 or rank_of(sq) != 7 * colour or rank_of(ksq) != 7 * colour or (sq < ksq) != (right & 1)
                or pos.board[sq] != make_piece(colour, ROOK)):
            return False
        if not pos.chess960 and (file_of(ksq) != 4 or file_of(sq) != (0 if right & 1 else 7)):
            return False
        add_castling_right(pos, right, sq)
    sq = packed.en_passant
    if sq != NO_SQ:
        if sq > 63 or relative_rank(pos.side, sq) != 5:
            return False
        if all_pieces & (square_bit(sq) | square_bit(sq + 8 - 16 * pos.side)):
            return False
        if not pieces_of(pos, pos.side ^ 1, PAWN) & square_bit(sq ^ 8):
            return False
        pos.st.passed = <u8>sq
        if some_en_passant_is_legal(pos, sq):
            pos.st.ep = <u8>sq
    pos.st.rule50 = packed.halfmove_clock if packed.halfmove_clock <= LARGEST_CLOCK else <u16>LARGEST_CLOCK
    pos.start_ply = 2 * (packed.fullmove_number - 1 if packed.fullmove_number else 0) + pos.side
    compute_keys(pos, &pos.st)
    return True


cdef PackedBoard EMPTY_RECORD


cdef const PackedBoard* packed_boards(const u8[::1] boards, Py_ssize_t count) except NULL:
    """The records of an array of bytes that must hold `count` of them."""
    if boards.shape[0] != count * PACKED_BOARD:
        raise ValueError(f"{count} positions have {count * PACKED_BOARD} bytes, got {boards.shape[0]}")
    if count == 0:
        return <const PackedBoard*>&EMPTY_RECORD
    if <size_t>&boards[0] % sizeof(u64):
        raise ValueError("the positions must be aligned to 8 bytes")
    return <const PackedBoard*>&boards[0]


cdef int raise_bad(Py_ssize_t at) except -1:
    raise ValueError(f"row {at} of the positions is not a position")


def pack_fens(fens, u8[::1] boards, *, bint chess960=False):
    """Positions given as FENs, written to an array of bytes."""
    cdef Position pos
    cdef Py_ssize_t at = 0
    packed_boards(boards, len(fens))
    for fen in fens:
        try:
            parse_fen(&pos, exact_str(fen), chess960)
        except InvalidFenError as error:
            raise InvalidFenError(f"row {at}: {error}") from None
        pack_board(&pos, pos.start_ply, <PackedBoard*>&boards[at * PACKED_BOARD])
        at += 1


def unpack_fens(const u8[::1] boards):
    """The FENs of positions."""
    cdef Position pos
    cdef Py_ssize_t i, count = boards.shape[0] // PACKED_BOARD
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef list fens = []
    for i in range(count):
        if not unpack_board(&packed[i], &pos):
            raise_bad(i)
        fens.append(format_fen(&pos, False))
    return fens


def batch_keys(const u8[::1] boards, u64[::1] keys, *, bint polyglot=False):
    """The Zobrist key of each position, or its key in Polyglot books."""
    cdef Position pos
    cdef Py_ssize_t i, count = keys.shape[0]
    cdef Py_ssize_t bad = -1
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef u64* out = &keys[0] if count else NULL
    with nogil:
        for i in range(count):
            if not unpack_board(&packed[i], &pos):
                bad = i
                break
            out[i] = polyglot_key(&pos) if polyglot else pos.st.key
    if bad >= 0:
        raise_bad(bad)


def batch_legal_counts(const u8[::1] boards, i64[::1] counts):
    """How many legal moves each position has."""
    cdef Position pos
    cdef Py_ssize_t i, count = counts.shape[0]
    cdef Py_ssize_t bad = -1
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef i64* out = &counts[0] if count else NULL
    with nogil:
        for i in range(count):
            if not unpack_board(&packed[i], &pos):
                bad = i
                break
            out[i] = count_legal(&pos)
    if bad >= 0:
        raise_bad(bad)


def batch_legal_moves(const u8[::1] boards, const i64[::1] offsets, u16[::1] moves):
    """The legal moves of each position, those of position i from offsets[i] to offsets[i + 1]."""
    cdef Position pos
    cdef Masks masks
    cdef Move16 found[MAX_MOVES]
    cdef Py_ssize_t i, count = offsets.shape[0] - 1
    cdef Py_ssize_t bad = -1, room = moves.shape[0]
    cdef int legal
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef const i64* begin = &offsets[0]
    cdef u16* out = &moves[0] if room else NULL
    with nogil:
        for i in range(count):
            if not unpack_board(&packed[i], &pos):
                bad = i
                break
            masks = masks_of(&pos)
            legal = generate_all(&pos, &masks, found)
            if begin[i] < 0 or begin[i] + legal != begin[i + 1] or begin[i + 1] > room:
                bad = i
                break
            if legal:
                memcpy(out + begin[i], found, legal * sizeof(Move16))
    if bad >= 0:
        raise_bad(bad)


def batch_evaluate(Net net not None, const u8[::1] boards, i32[::1] scores, *, bint endgames=True):
    """The net's evaluation of each position in centipawns from the side to move; `endgames` scales it by what is known
    of endgames, as the search does."""
    cdef Position pos
    cdef Py_ssize_t i, count = scores.shape[0]
    cdef Py_ssize_t bad = -1
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef i32* out = &scores[0] if count else NULL
    with nogil:
        for i in range(count):
            if not unpack_board(&packed[i], &pos):
                bad = i
                break
            out[i] = neural_plain(&net.network, &pos, 0)
            if endgames:
                out[i] = with_endgames(&pos, out[i])
    if bad >= 0:
        raise_bad(bad)


def batch_perft(const u8[::1] boards, int depth, u64[::1] counts):
    """Perft of each position."""
    cdef Position pos
    cdef State states[64]
    cdef Py_ssize_t i, count = counts.shape[0]
    cdef bint is_well = True
    cdef const PackedBoard* packed = packed_boards(boards, count)
    cdef u64* out = &counts[0] if count else NULL
    check_perft(depth, 1)
    for i in range(count):
        with nogil:
            is_well = unpack_board(&packed[i], &pos)
            if is_well:
                pos.stack = states
                out[i] = perft(&pos, depth, False)
        if not is_well:
            raise_bad(i)
        PyErr_CheckSignals()


cdef inline void play_word(Position* pos, Move16 m) noexcept nogil:
    if m == NULL_MOVE:
        make_null(pos)
    else:
        make(pos, m)


# Games of a block. Those with faults are left out; the block must not be one of trees.

cdef int check_flat(PgnBlock block) except -1:
    if block.s.mode == PGN_TREE:
        raise ValueError("the block must be read with mode 'moves' or 'full'")
    return 0


def block_counts(PgnBlock block not None):
    """(games without faults, their half-moves)."""
    cdef u32 i
    cdef Py_ssize_t games = 0, plies = 0
    check_flat(block)
    for i in range(block.s.game_count):
        if block.s.games[i].fault == 0:
            games += 1
            plies += block.s.games[i].nodes
    return games, plies


def block_games(PgnBlock block not None, u16[::1] moves, i64[::1] plies, i8[::1] results, i16[:, ::1] ratings,
                i64[::1] offsets):
    """Fills arrays: all moves one after the other, and of each game its half-moves, its result (2 White won, 1 drawn,
    0 Black won, -1 not known), the two ratings (0 not known) and the byte of the file it begins at."""
    cdef u32 i
    cdef Py_ssize_t at = 0, game = 0
    cdef const GameSpan* g
    cdef int result
    check_flat(block)
    for i in range(block.s.game_count):
        g = &block.s.games[i]
        if g.fault:
            continue
        if (at + <Py_ssize_t>g.nodes > moves.shape[0] or game >= plies.shape[0] or game >= results.shape[0]
                or game >= ratings.shape[0] or game >= offsets.shape[0] or ratings.shape[1] != 2):
            raise ValueError("the arrays are too small: see block_counts")
        if g.nodes:
            memcpy(&moves[at], block.s.moves + g.node, g.nodes * sizeof(Move16))
        at += g.nodes
        plies[game] = g.nodes
        result = g.tag_result if g.tag_result != RESULT_UNKNOWN else g.result
        results[game] = <i8>(-1 if result == RESULT_UNKNOWN else result)
        ratings[game, 0] = g.elos[WHITE]
        ratings[game, 1] = g.elos[BLACK]
        offsets[game] = block.offset + g.start
        game += 1


def block_positions(PgnBlock block not None, u8[::1] boards):
    """All positions of the games, the first and the last of each included, as records."""
    cdef u32 i, ply
    cdef Py_ssize_t at = 0
    cdef const GameSpan* g
    cdef Position pos
    cdef State states[2]
    cdef PackedBoard* out
    games, plies = block_counts(block)
    packed_boards(boards, games + plies)
    for i in range(block.s.game_count):
        g = &block.s.games[i]
        if g.fault:
            continue
        block.start_of(i, &pos)
        pos.stack = states
        out = <PackedBoard*>&boards[at * PACKED_BOARD]
        with nogil:
            pack_board(&pos, g.starts_at_ply, out)
            for ply in range(g.nodes):
                pos.depth = 0
                play_word(&pos, block.s.moves[g.node + ply])
                pack_board(&pos, <int>(g.starts_at_ply + ply + 1), out + ply + 1)
        at += g.nodes + 1


def block_keys(PgnBlock block not None, u64[::1] keys):
    """The Zobrist keys of all positions of the games, the first and the last of each included."""
    cdef u32 i, ply
    cdef Py_ssize_t at = 0
    cdef const GameSpan* g
    cdef Position pos
    cdef State states[2]
    games, plies = block_counts(block)
    if keys.shape[0] != games + plies:
        raise ValueError(f"keys must have {games + plies} elements, got {keys.shape[0]}")
    cdef u64* out = &keys[0] if games else NULL
    for i in range(block.s.game_count):
        g = &block.s.games[i]
        if g.fault:
            continue
        block.start_of(i, &pos)
        pos.stack = states
        with nogil:
            out[at] = pos.st.key
            for ply in range(g.nodes):
                pos.depth = 0
                play_word(&pos, block.s.moves[g.node + ply])
                out[at + ply + 1] = pos.st.key
        at += g.nodes + 1


cdef i16 packed_eval(const Evaluation* found) noexcept nogil:
    """Centipawns up to LARGEST_PACKED_EVAL; PACKED_MATE - n for mate in n moves, the negative of it by Black."""
    cdef i32 size = -found.value if found.value < 0 else found.value
    if found.is_mate:
        size = PACKED_MATE - (size if size < LONGEST_PACKED_MATE else <i32>LONGEST_PACKED_MATE)
    elif size > LARGEST_PACKED_EVAL:
        size = LARGEST_PACKED_EVAL
    return <i16>-size if found.value < 0 else <i16>size


def block_notes(PgnBlock block not None, f32[::1] clocks, i16[::1] evals):
    """For each move the clock beside it in seconds (NaN without) and the evaluation for White (see packed_eval; -32768
    without)."""
    cdef u32 i, j
    cdef Py_ssize_t at = 0
    cdef const GameSpan* g
    cdef const Note* note
    cdef double seconds
    cdef Evaluation found
    games, plies = block_counts(block)
    if clocks.shape[0] != plies or evals.shape[0] != plies:
        raise ValueError(f"clocks and evals must have {plies} elements")
    cdef f32* clock = &clocks[0] if plies else NULL
    cdef i16* evaluation = &evals[0] if plies else NULL
    for at in range(plies):
        clock[at] = NAN
        evaluation[at] = NO_EVAL
    at = 0
    with nogil:
        for i in range(block.s.game_count):
            g = &block.s.games[i]
            if g.fault:
                continue
            for j in range(g.note, g.note + g.notes):
                note = &block.s.notes[j]
                if note.kind != NOTE_COMMENT or note.node == 0:
                    continue
                seconds = read_clock(block.s.data + note.start, note.length, b"clk")
                if seconds >= 0 and clock[at + note.node - 1] != clock[at + note.node - 1]:
                    clock[at + note.node - 1] = <f32>seconds
                if evaluation[at + note.node - 1] == NO_EVAL and read_eval(
                        block.s.data + note.start, note.length, &found):
                    evaluation[at + note.node - 1] = packed_eval(&found)
            at += g.nodes


# Games kept as moves (the index): searching by playing them again.

cdef bint has_material(const Position* pos, const u8* bounds, Py_ssize_t rows) noexcept nogil:
    """Whether the pieces on the board fit one of the patterns, rows of 20 bounds."""
    cdef int colour, pt, count
    cdef Py_ssize_t row, at
    cdef bint fits
    for row in range(rows):
        fits = True
        for colour in range(2):
            for pt in range(5):
                count = popcount(pieces_of(pos, colour, pt))
                at = 20 * row + 2 * (5 * colour + pt)
                if count < bounds[at] or count > bounds[at + 1]:
                    fits = False
        if fits:
            return True
    return False


cdef class MoveStore:
    """Games as one array of moves, each from offsets[i] to offsets[i + 1]; from the usual start, or, if starts[i] is
    not negative, from that position of `boards`."""
    cdef tuple owners                   # what the pointers point into
    cdef const u16* moves
    cdef const i64* offsets
    cdef const i32* starts
    cdef const PackedBoard* boards
    cdef Py_ssize_t count

    def __cinit__(self, const u16[::1] moves, const i64[::1] offsets, const i32[::1] starts, const u8[::1] boards):
        cdef Py_ssize_t i, board_count = boards.shape[0] // PACKED_BOARD
        self.count = starts.shape[0]
        if self.count + 1 != offsets.shape[0]:
            raise ValueError(f"{self.count} games need {self.count + 1} offsets, got {offsets.shape[0]}")
        self.boards = packed_boards(boards, board_count)
        self.owners = (moves, offsets, starts, boards)
        self.moves = &moves[0] if moves.shape[0] else NULL
        self.offsets = &offsets[0]
        self.starts = &starts[0] if self.count else NULL
        if self.offsets[0] != 0 or self.offsets[self.count] != moves.shape[0]:
            raise ValueError("the offsets do not fit the moves")
        for i in range(self.count):
            if self.offsets[i + 1] < self.offsets[i] or self.starts[i] >= board_count:
                raise ValueError(f"game {i} is damaged")

    def __len__(self):
        return self.count

    cdef bint begin(self, Py_ssize_t game, Position* pos) noexcept nogil:
        if self.starts[game] < 0:
            pos[0] = START_POSITION
            return True
        return unpack_board(&self.boards[self.starts[game]], pos)

    cdef bint advance(self, Position* pos, Move16 m) noexcept nogil:
        """Plays a stored move, which a damaged file may have made impossible: False then."""
        cdef Masks masks
        if m == NULL_MOVE:
            pos.depth = 0
            make_null(pos)
            return True
        masks = masks_of(pos)
        if not is_legal(pos, &masks, m):
            return False
        pos.depth = 0
        make(pos, m)
        return True

    def find_position(self, Board board not None, i32[::1] plies, Py_ssize_t first, Py_ssize_t last):
        """For the games from `first` to `last`: the half-move at which a position stands on the board, or -1. A game is
        played until it has fewer pieces, or has moved a pawn that stands on its first square in the position: then
        it cannot come there any more."""
        cdef Py_ssize_t game, i
        cdef Position pos
        cdef State states[2]
        cdef u64 key = board.pos.st.key
        cdef u64 unmoved = board.pos.pieces[PAWN] & (
            (board.pos.colours[WHITE] & RANK_2) | (board.pos.colours[BLACK] & RANK_7))
        cdef int pieces = popcount(occupied_of(&board.pos))
        if not 0 <= first <= last <= self.count or plies.shape[0] < last - first:
            raise ValueError("the range does not fit the games")
        cdef i32* found = &plies[0] if first < last else NULL
        with nogil:
            for game in range(first, last):
                found[game - first] = -1
                if not self.begin(game, &pos):
                    continue
                pos.stack = states
                i = self.offsets[game]
                while True:
                    if pos.st.key == key:
                        found[game - first] = <i32>(i - self.offsets[game])
                        break
                    if unmoved & ~pos.pieces[PAWN] or popcount(occupied_of(&pos)) < pieces:
                        break
                    if i == self.offsets[game + 1] or not self.advance(&pos, self.moves[i]):
                        break
                    i += 1

    def find_material(self, const u8[:, ::1] bounds, int least_plies, i32[::1] plies, Py_ssize_t first,
                      Py_ssize_t last):
        """For the games from `first` to `last`: the half-move at which the material of a pattern is on the board and
        stays so for `least_plies`, or -1. Each pattern is a row: at least and at most this many of each piece, White's
        pawn, knight, bishop, rook, queen, then Black's."""
        cdef Py_ssize_t game, i
        cdef Position pos
        cdef State states[2]
        cdef int since
        cdef bint changed
        if not 0 <= first <= last <= self.count or plies.shape[0] < last - first or bounds.shape[1] != 20:
            raise ValueError("the range does not fit the games")
        cdef i32* found = &plies[0] if first < last else NULL
        cdef const u8* limits = &bounds[0, 0] if bounds.shape[0] else NULL
        cdef Py_ssize_t rows = bounds.shape[0]
        with nogil:
            for game in range(first, last):
                found[game - first] = -1
                if not self.begin(game, &pos):
                    continue
                pos.stack = states
                i = self.offsets[game]
                since = -1
                changed = True
                while True:
                    if changed:
                        if not has_material(&pos, limits, rows):
                            since = -1
                        elif since < 0:
                            since = <int>(i - self.offsets[game])
                    if since >= 0 and (i - self.offsets[game] - since + 1 >= least_plies
                                       or i == self.offsets[game + 1]):
                        found[game - first] = since
                        break
                    if i == self.offsets[game + 1]:
                        break
                    changed = is_capture(self.moves[i]) or is_promotion(self.moves[i])
                    if not self.advance(&pos, self.moves[i]):
                        break
                    i += 1

    def keys(self, Py_ssize_t game, u64[::1] keys):
        """The keys of the positions of a game, as many as the array takes; returns how many there are."""
        cdef Position pos
        cdef State states[2]
        cdef Py_ssize_t i, count = 0
        if not 0 <= game < self.count:
            raise IndexError(f"game must be between 0 and {self.count - 1}, got {game}")
        if not self.begin(game, &pos):
            return 0
        pos.stack = states
        i = self.offsets[game]
        while count < keys.shape[0]:
            keys[count] = pos.st.key
            count += 1
            if i == self.offsets[game + 1] or not self.advance(&pos, self.moves[i]):
                break
            i += 1
        return count

    def uci(self, Py_ssize_t game):
        """The moves of a game as UCI texts."""
        cdef Position pos
        cdef Py_ssize_t i
        if not 0 <= game < self.count:
            raise IndexError(f"game must be between 0 and {self.count - 1}, got {game}")
        if not self.begin(game, &pos):
            return []
        return [uci_of_word(self.moves[i], pos.chess960) for i in range(self.offsets[game], self.offsets[game + 1])]


def uci_of_move_word(int word, *, bint chess960=False):
    """The UCI text of a 16-bit move word."""
    if not 0 <= word <= 0xFFFF:
        raise ValueError(f"word must be between 0 and 65535, got {word}")
    return uci_of_word(<Move16>word, chess960)
