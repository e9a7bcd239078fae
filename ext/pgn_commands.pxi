# Commands inside comments: `[%clk 0:10:03.5]`, `[%eval 0.17]`, `[%eval #-3,20]`.

cdef enum:
    LARGEST_EVAL = 1_000_000_000     # centipawns, and moves to mate

ctypedef struct Evaluation:
    i32 value               # for White: centipawns, or moves to mate, negative if Black mates
    bint is_mate


cdef inline bint is_break(u8 c) noexcept nogil:
    return is_blank(c) or c == 10


cdef const u8* find_command(const u8* p, const u8* end, const char* name) noexcept nogil:
    """What stands after `[%name ` in a comment, or NULL."""
    cdef size_t length = strlen(name)
    while True:
        p = find_byte(p, end, c"[")
        if end - p < <Py_ssize_t>length + 3:
            return NULL
        p += 1
        if p[0] == c"%" and memcmp(p + 1, name, length) == 0 and is_break(p[length + 1]):
            p += length + 2
            while p < end and is_break(p[0]):
                p += 1
            return p


cdef double read_clock(const u8* text, u32 size, const char* name) noexcept nogil:
    """Seconds of a clock command, -1 if there is none."""
    cdef const u8* end = text + size
    cdef const u8* p = find_command(text, end, name)
    cdef double total = 0, part = 0, scale = 1      # part / scale is as near to the decimals as a double can be
    cdef int colons = 0
    if p == NULL or CHARS[p[0]] != CHAR_DIGIT:
        return -1
    while p < end:
        if CHARS[p[0]] == CHAR_DIGIT:
            part = 10 * part + (p[0] - 48)
        elif p[0] == c":" and colons < 2:
            total = 60 * (total + part)
            part = 0
            colons += 1
        elif p[0] == c".":
            p += 1
            while CHARS[p[0]] == CHAR_DIGIT:
                part = 10 * part + (p[0] - 48)
                scale *= 10
                p += 1
            break
        else:
            break
        p += 1
    if p >= end or p[0] != c"]":
        return -1
    return total + part / scale


cdef bint read_eval(const u8* text, u32 size, Evaluation* found) noexcept nogil:
    """Reads an evaluation command; False if there is none."""
    cdef const u8* end = text + size
    cdef const u8* p = find_command(text, end, b"eval")
    cdef i64 value = 0
    cdef bint is_negative = False
    cdef int decimals = -1
    if p == NULL:
        return False
    found.is_mate = p[0] == c"#"
    p += found.is_mate
    if p[0] == c"-" or p[0] == c"+":
        is_negative = p[0] == c"-"
        p += 1
    if CHARS[p[0]] != CHAR_DIGIT and p[0] != c".":
        return False
    while p < end and decimals < 2:
        if CHARS[p[0]] == CHAR_DIGIT:
            if value < LARGEST_EVAL:
                value = 10 * value + p[0] - 48
            if decimals >= 0:
                decimals += 1
        elif p[0] == c"." and decimals < 0 and not found.is_mate:
            decimals = 0
        else:
            break
        p += 1
    while p < end and CHARS[p[0]] == CHAR_DIGIT:
        p += 1
    if p >= end or (p[0] != c"]" and p[0] != c","):
        return False
    if not found.is_mate:
        decimals = 0 if decimals < 0 else decimals
        while decimals < 2:
            value *= 10
            decimals += 1
    value = LARGEST_EVAL if value > LARGEST_EVAL else value
    found.value = <i32>-value if is_negative else <i32>value
    return True
