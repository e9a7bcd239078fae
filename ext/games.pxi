# Games as data: self-play for Python, and positions from game records for tuning and training.

cdef enum:
    FILTER_FROM_PLY = 16            # earlier positions are not learned from
    MAX_DATA_NODES = 100_000_000
    MAX_RANDOM_PLIES = 40
    OPENING_TRIES = 1000            # random openings after which even a lopsided one is played


def self_play(Searcher searcher not None, Board start not None, u64 seed, *, int nodes=1000, int random_plies=8,
              int max_start_score=300, int start_nodes=0):
    """Plays one game from `start` after random plies; returns (record, nodes searched, seconds in the search).

    Starts that a search of `start_nodes` (0: of `nodes`) finds worse than `max_start_score` for a side are not used.
    The same seed, settings and build give the same game. The searcher's table and histories are
    cleared first.
    """
    cdef u8 record[GAME_HEADER + PLY_BYTES * (MAX_GAME + 2)]
    cdef Worker* w = searcher.workers[0]
    cdef u64 state = seed
    cdef u64 searched = 0, search_us = 0
    cdef int length, tries = 0, plies
    searcher.check_idle()
    if searcher.worker_count != 1:
        raise ValueError(f"self-play needs a searcher with one thread, got {searcher.worker_count}")
    if not 1 <= nodes <= MAX_DATA_NODES:
        raise ValueError(f"nodes must be between 1 and {MAX_DATA_NODES}, got {nodes}")
    if not 0 <= start_nodes <= MAX_DATA_NODES:
        raise ValueError(f"start_nodes must be between 0 and {MAX_DATA_NODES}, got {start_nodes}")
    if not 0 <= random_plies <= MAX_RANDOM_PLIES:
        raise ValueError(f"random_plies must be between 0 and {MAX_RANDOM_PLIES}, got {random_plies}")
    start_nodes = start_nodes if start_nodes else nodes
    searcher.clear()
    searcher.running = True
    try:
        with nogil:
            while True:
                set_worker_position(w, &start.pos)
                # Half of the games start one ply later, so that both sides move first equally often.
                plies = random_plies + <int>(splitmix(&state) >> 63) if random_plies else 0
                tries += 1
                if (random_plies == 0
                        or random_opening(w, &state, plies, nodes, start_nodes, max_start_score, &search_us)
                        or tries > OPENING_TRIES):
                    break
            w.pos.depth = 0         # the random plies are not part of the game
            w.pos.st.plies_from_null = 0
            w.pos.st.move = NO_MOVE
            w.pos.start_ply = start.pos.start_ply + start.pos.depth + plies
            length = play_game(w, record, nodes, &searched, &search_us)
    finally:
        searcher.running = False
    return (<char*>record)[:length], searched, search_us / 1e6


cdef class GameCursor:
    """Iterates over the positions of concatenated game records.

    Raises ValueError at a record that is damaged. Used through `cythera.training.game_file`.
    """
    cdef const u8[::1] data
    cdef Py_ssize_t at              # of the present record
    cdef int plies, ply, result
    cdef Position pos
    cdef State* states

    def __cinit__(self, const u8[::1] data):
        self.data = data
        self.at = -1
        self.states = <State*>malloc((MAX_GAME + 1026) * sizeof(State))
        if self.states == NULL:
            raise MemoryError
        self.pos.stack = self.states

    def __dealloc__(self):
        free(self.states)

    cdef int next_game(self, Py_ssize_t at) except -1:
        """Sets up the record at an offset; 0 at the end of the data."""
        cdef const u8* record
        if at == self.data.shape[0]:
            return 0
        if at + GAME_HEADER > self.data.shape[0]:
            raise ValueError(f"the game at byte {at} is truncated")
        record = &self.data[at]
        self.plies = record[GAME_PLIES] | record[GAME_PLIES + 1] << 8
        self.result = record[GAME_RESULT]
        if (at + GAME_HEADER + PLY_BYTES * self.plies > self.data.shape[0] or self.plies > MAX_GAME + 1000
                or self.result > RESULT_WHITE or not unpack_position(record, &self.pos)):
            raise ValueError(f"the game at byte {at} is damaged")
        self.at = at
        self.ply = 0
        return 1

    cdef Py_ssize_t end_of_game(self) noexcept:
        return self.at + GAME_HEADER + PLY_BYTES * self.plies

    cdef Move16 move_at_ply(self, int* score) noexcept:
        cdef const u8* word = &self.data[self.at + GAME_HEADER + PLY_BYTES * self.ply]
        score[0] = <i16>(word[2] | word[3] << 8)
        return <Move16>(word[0] | word[1] << 8)

    cdef int advance(self) except -1:
        """Plays the ply the cursor stands at; raises if it is not legal."""
        cdef Masks masks = masks_of(&self.pos)
        cdef int score
        cdef Move16 m = self.move_at_ply(&score)
        if not is_legal(&self.pos, &masks, m):
            raise ValueError(f"ply {self.ply} of the game at byte {self.at} is not legal")
        make(&self.pos, m)
        self.ply += 1
        return 0

    def offsets(self):
        """Where each game begins."""
        cdef Py_ssize_t at = 0
        found = []
        while self.next_game(at):
            found.append(at)
            at = self.end_of_game()
        return found

    def game(self, Py_ssize_t at):
        """The game at an offset as a `SelfPlayGame`."""
        cdef int score
        cdef Move16 m
        if at < 0 or not self.next_game(at):
            raise IndexError(at)
        fen = format_fen(&self.pos, False)
        chess960 = bool(self.pos.chess960)
        moves = []
        while self.ply < self.plies:
            m = self.move_at_ply(&score)
            text = move_text(&self.pos, m)
            self.advance()
            moves.append((text, score))
        result = ("0-1", "1/2-1/2", "1-0")[self.result]
        return SelfPlayGame(fen, chess960, result, self.data[at + GAME_ENDING], moves)

    cdef bint is_quiet_here(self) noexcept:
        """Whether a static evaluation can be learned from the position: quiet, not in check, no mate score."""
        cdef int score
        cdef Move16 m = self.move_at_ply(&score)
        return (self.pos.start_ply + self.pos.depth >= FILTER_FROM_PLY and not is_capture(m) and not is_promotion(m)
                and abs_int(score) < MATE_FOUND and checkers_of(&self.pos) == 0)

    cdef u64 game_hash(self) noexcept:
        """A hash of the present record, the same for the same game in any file."""
        cdef u64 state = 0, word
        cdef Py_ssize_t at
        for at in range(self.at, self.end_of_game(), 4):   # a record is a multiple of 4 bytes long
            word = 0
            memcpy(&word, &self.data[at], 4)
            state ^= word
            state = splitmix(&state)
        return state

    cdef void write_record(self, u8* out, u32 game) noexcept:
        """The present position as a training record."""
        cdef int score, result = self.result, us = self.pos.side
        cdef i16 ours
        self.move_at_ply(&score)
        ours = <i16>(score if us == WHITE else -score)
        pack_position(&self.pos, out)
        memcpy(out + RECORD_SCORE, &ours, 2)
        out[RECORD_RESULT] = <u8>(result if us == WHITE else 2 - result)
        out[RECORD_SIDE] = <u8>us
        memcpy(out + RECORD_GAME, &game, 4)

    def training_records(self, u8[:, ::1] records, Py_ssize_t front, Py_ssize_t back, u32 first_game, u64 seed,
                         double share):
        """Writes the quiet positions of all games: those for training from `front` upwards, those for validation
        from `back` downwards, by game.

        Games cut off by length are left out, since their result is not known. `share` of the games, chosen by
        `seed` and their contents, are for validation. Returns (front, back, training games, validation games).
        Raises ValueError if there is not enough space, or at a damaged game.
        """
        cdef Py_ssize_t at = 0, place
        cdef u64 chosen
        cdef u32 game = first_game
        cdef bint validates
        cdef int counts[2]
        counts[0] = counts[1] = 0
        if records is None or records.shape[1] != RECORD_BYTES or not 0 <= front <= back <= records.shape[0]:
            raise ValueError(f"records must have {RECORD_BYTES} bytes each and 0 <= front <= back <= their number")
        if not 0 <= share <= 1:
            raise ValueError(f"share must be between 0 and 1, got {share}")
        while self.next_game(at):
            at = self.end_of_game()
            game += 1
            if self.data[self.at + GAME_ENDING] == END_LENGTH:
                continue
            if back - front < self.plies:
                raise ValueError("not enough space for the records")
            chosen = self.game_hash() ^ seed
            validates = <double>(splitmix(&chosen) >> 11) < share * 9007199254740992.0
            counts[validates] += 1
            while self.ply < self.plies:
                if self.is_quiet_here():
                    if validates:
                        back -= 1
                        place = back
                    else:
                        place = front
                        front += 1
                    self.write_record(&records[place, 0], game - 1)
                self.advance()
        return front, back, counts[0], counts[1]

    def tuning_rows(self, i16[::1] indices, i16[::1] counts, i64[::1] row_ends, f32[::1] facts, u64 seed, int keep):
        """Fills arrays with the sparse features of quiet positions, one in `keep` at random.

        `facts` gets four numbers per row: phase, scale / FULL_SCALE, result (White's, 0 to 1), White's score in
        centipawns. Returns (rows, entries, next offset): call again from there.
        """
        cdef i16 trace[2 * WEIGHT_COUNT]
        cdef Py_ssize_t rows = 0, entries = 0, at = 0 if self.at < 0 else self.at
        cdef int i, difference, phase, scale, score
        cdef u64 state = seed
        if keep < 1 or counts.shape[0] < indices.shape[0] or facts.shape[0] < 4 * row_ends.shape[0]:
            raise ValueError("keep must be at least 1, counts as long as indices, facts four times as long as row_ends")
        while self.next_game(at):
            if rows + self.plies > row_ends.shape[0] or entries + self.plies * 200 > indices.shape[0]:
                break
            while self.ply < self.plies:
                if mulhi(splitmix(&state), keep) == 0 and self.is_quiet_here():
                    self.move_at_ply(&score)
                    classical_traced(&self.pos, trace, &phase, &scale)
                    for i in range(WEIGHT_COUNT):
                        difference = trace[i] - trace[WEIGHT_COUNT + i]
                        if difference:
                            indices[entries] = <i16>i
                            counts[entries] = <i16>difference
                            entries += 1
                    facts[4 * rows] = phase
                    facts[4 * rows + 1] = scale / <f32>FULL_SCALE
                    facts[4 * rows + 2] = self.result / 2.0
                    facts[4 * rows + 3] = score
                    row_ends[rows] = entries
                    rows += 1
                self.advance()
            at = self.end_of_game()
        self.at = at
        return rows, entries, at
