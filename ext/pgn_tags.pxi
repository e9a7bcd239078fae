# Tags of a game: `[Name "value"]`, several on a line and cut off ones too.

cdef inline bint is_tag_character(u8 c) noexcept nogil:
    return is_alnum(c) or c == c"_" or c == c"+" or c == c"#" or c == c"=" or c == c":" or c == c"-"


cdef bint is_tag(const u8* p, const u8* end) noexcept nogil:
    """Whether a tag begins here: bracket, name, quotation mark."""
    if p[0] != c"[":
        return False
    p += 1
    while p < end and is_blank(p[0]):
        p += 1
    if not is_alnum(p[0]):
        return False
    while is_tag_character(p[0]):
        p += 1
    if not is_blank(p[0]) and p[0] != c'"':
        return False
    while p < end and is_blank(p[0]):
        p += 1
    return p[0] == c'"'


cdef inline bint is_event(const u8* p, const u8* end) noexcept nogil:
    return p[0] == c"[" and end - p > 8 and memcmp(p + 1, b"Event", 5) == 0 and is_tag(p, end)


cdef int number_at(const u8* p, u32 length) noexcept nogil:
    """A rating: digits alone, at most 9999; else 0."""
    cdef int value = 0
    cdef u32 i
    if length == 0 or length > 4:
        return 0
    for i in range(length):
        if CHARS[p[i]] != CHAR_DIGIT:
            return 0
        value = 10 * value + p[i] - 48
    return value


cdef int result_at(const u8* p, u32 length) noexcept nogil:
    if length == 3 and p[1] == c"-":
        if p[0] == c"1" and p[2] == c"0":
            return 2
        if p[0] == c"0" and p[2] == c"1":
            return 0
    if length >= 3 and memcmp(p, b"1/2", 3) == 0:
        return 1
    return RESULT_UNKNOWN


cdef void note_tag(Scanner* s, GameSpan* g, u32 number) noexcept nogil:
    """Keeps of a tag what scanning and arrays need."""
    cdef const Tag* tag = &s.tags[number]
    cdef const u8* name = s.data + tag.name
    cdef const u8* value = s.data + tag.value
    if tag.name_length == 6 and memcmp(name, b"Result", 6) == 0:
        g.tag_result = <u8>result_at(value, tag.value_length)
    elif tag.name_length == 3 and memcmp(name, b"FEN", 3) == 0:
        g.fen = number - g.tag + 1
    elif tag.name_length == 7 and memcmp(name, b"Variant", 7) == 0:
        g.variant = 0
        if tag.value_length and not (tag.value_length == 8 and memcmp(value + 1, b"tandard", 7) == 0):
            g.variant = number - g.tag + 1
    elif tag.name_length == 8 and memcmp(name + 5, b"Elo", 3) == 0:
        if memcmp(name, b"White", 5) == 0:
            g.elos[WHITE] = <i16>number_at(value, tag.value_length)
        elif memcmp(name, b"Black", 5) == 0:
            g.elos[BLACK] = <i16>number_at(value, tag.value_length)


cdef const u8* read_tag(Scanner* s, GameSpan* g, const u8* p, const u8* end) noexcept nogil:
    """Reads the tag that begins here; returns where it ends, NULL without memory. Its value ends at the quotation mark
    before the bracket, or with the line."""
    cdef Tag* tag
    cdef const u8* line_end = find_byte(p, end, 10)
    cdef const u8* value
    cdef const u8* q
    if not grow(<void**>&s.tags, &s.tag_room, s.tag_count + 1, sizeof(Tag)):
        return NULL
    tag = &s.tags[s.tag_count]
    p += 1
    while is_blank(p[0]):
        p += 1
    tag.name = <u32>(p - s.data)
    while is_tag_character(p[0]):
        p += 1
    tag.name_length = <u32>(p - s.data) - tag.name
    while p[0] != c'"':
        p += 1
    value = p + 1
    p = value
    while p < line_end:
        if p[0] == c"\\" and p + 1 < line_end:
            p += 2
            continue
        if p[0] == c'"':
            q = p + 1
            while q < line_end and is_blank(q[0]):
                q += 1
            if q < line_end and q[0] == c"]":
                break
        p += 1
    tag.value = <u32>(value - s.data)
    if p >= line_end:           # cut off: what there is of it
        p = line_end
        while p > value and (is_blank((p - 1)[0]) or (p - 1)[0] == c"]" or (p - 1)[0] == c'"'):
            p -= 1
        tag.value_length = <u32>(p - value)
        p = line_end
    else:
        tag.value_length = <u32>(p - value)
        p = find_byte(p, line_end, c"]") + 1
    note_tag(s, g, s.tag_count)
    s.tag_count += 1
    return p


cdef int scan_tags(Scanner* s) noexcept nogil:
    """Finds the next game and reads its tags; moves are next."""
    cdef const u8* p = s.data + s.at
    cdef const u8* end = s.data + s.size
    cdef GameSpan* g
    cdef bint is_parted = False         # a blank line came after a tag
    if not grow(<void**>&s.games, &s.game_room, s.game_count + 1, sizeof(GameSpan)):
        return SCAN_MEMORY
    g = &s.games[s.game_count]
    memset(g, 0, sizeof(GameSpan))
    g.tag = s.tag_count
    g.node = s.node_count
    g.note = s.note_count
    g.result = g.tag_result = RESULT_UNKNOWN
    while True:                         # at the beginning of a line
        if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:
            p += 3
        if p[0] == c"%" or (p[0] == c";" and s.tag_count == g.tag):
            p = find_byte(p, end, 10)
        while p < end and is_blank(p[0]):
            p += 1
        if p >= end:
            break
        if p[0] == 10:
            is_parted = True
            p += 1
            continue
        if s.tag_count == g.tag:
            g.start = <u32>(p - s.data)
            is_parted = False
        if p[0] != c"[":
            break
        if is_tag(p, end):
            if is_parted and is_event(p, end):
                break
            p = read_tag(s, g, p, end)
            if p == NULL:
                return SCAN_MEMORY
            is_parted = False
            while p < end and is_blank(p[0]):
                p += 1
            if p < end and p[0] == c"[":        # another one on the same line
                continue
        p = find_byte(p, end, 10)       # what is left of the line, or what is no tag
        if p < end:
            p += 1
        is_parted = False
    s.at = <u32>(p - s.data)
    g.text = s.at
    g.tags = s.tag_count - g.tag
    if p >= end:
        if not s.is_last:
            return SCAN_MORE
        if g.tags == 0:
            return SCAN_END
    return SCAN_SETUP if g.fen or g.variant else SCAN_GAME
