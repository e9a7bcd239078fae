# Scores: the values a search returns, in centipawns from the side to move.

cdef enum:
    MAX_MATE_PLY = 250                  # longest mate a score can express

cpdef enum:                             # for Python too
    MATE = 32000                        # mate on the board; mate in n plies is MATE - n
    MATE_FOUND = MATE - MAX_MATE_PLY    # from here on a score is a mate
    INFINITE = 32001                    # beyond every score
    TABLEBASE_WIN = 20000               # an endgame table says win; known in n plies it is TABLEBASE_WIN - n
    TABLEBASE_FOUND = TABLEBASE_WIN - MAX_MATE_PLY      # from here on a score is a win by tables, or a mate

cdef enum:
    DRAW = 0
    NO_SCORE = 32002                    # no static evaluation; no cutoff
    MAX_EVAL = TABLEBASE_FOUND - 1      # largest score that is neither


cdef inline int mated_in(int ply) noexcept nogil:
    return ply - MATE


cdef inline int mate_in(int ply) noexcept nogil:
    return MATE - ply


cdef inline bint is_mate_score(int score) noexcept nogil:
    return score >= MATE_FOUND or score <= -MATE_FOUND


cdef inline bint is_decisive(int score) noexcept nogil:
    """A mate, or a win or loss by endgame tables: nothing that an evaluation can say."""
    return score >= TABLEBASE_FOUND or score <= -TABLEBASE_FOUND


cdef inline int clamp_eval(int score) noexcept nogil:
    if score > MAX_EVAL:
        return MAX_EVAL
    if score < -MAX_EVAL:
        return -MAX_EVAL
    return score


cdef inline int score_to_table(int score, int ply) noexcept nogil:
    """Mates and table wins are stored as distance from the node instead of the root."""
    if score >= TABLEBASE_FOUND:
        return score + ply
    if score <= -TABLEBASE_FOUND:
        return score - ply
    return score


cdef inline int score_from_table(int score, int ply) noexcept nogil:
    if score >= TABLEBASE_FOUND:
        return score - ply
    if score <= -TABLEBASE_FOUND:
        return score + ply
    return score
