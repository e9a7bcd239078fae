# Search results: lines and recorded nodes of a search, made into Python objects.

BOUND_NAMES = ("none", "upper", "lower", "exact")
NODE_TYPES = ("pv", "cut", "all")
cdef tuple EXIT_NAMES = tuple(EXIT_REASONS)


cdef list line_moves(Board root, const RootMove* line):
    """The moves of a line as UCI text, cut where they end the game or would not be legal."""
    cdef Board board = root.snapshot()
    cdef Masks masks
    cdef list texts = []
    cdef int i
    board.reserve(line.pv_length)
    for i in range(line.pv_length):
        masks = masks_of(&board.pos)
        if not is_legal(&board.pos, &masks, line.pv[i]):
            break
        texts.append(move_text(&board.pos, line.pv[i]))
        make(&board.pos, line.pv[i])
        if board.is_draw():
            break
    return texts


cdef list search_lines(Board root, const Worker* w, int multipv):
    """The best lines of a thread as `SearchLine`s."""
    cdef list lines = []
    cdef const RootMove* line
    cdef int i, score, shown
    for i in range(min_int(multipv, w.root_count)):
        line = &w.root_moves[i]
        score = line.score if line.score != -INFINITE else line.previous
        if score == -INFINITE:
            if i == 0:
                # No move was finished: nothing is known, unless it is by tables.
                lines.append(SearchLine(line_moves(root, line), shown_score(w, line, 0),
                                        "exact" if w.shared.root_known else "none", 0, 0))
            break
        shown = shown_score(w, line, score)
        lines.append(SearchLine(
            line_moves(root, line),
            shown,
            BOUND_NAMES[line.bound if shown == score else BOUND_EXACT],
            w.completed_depth if i or w.completed_depth == w.root_depth else w.root_depth,
            line.seldepth,
        ))
    return lines


cdef list node_records(const Recorder* r):
    """The nodes of the last finished iteration as `NodeRecord`s."""
    cdef list nodes = []
    cdef const Record* record
    cdef int i
    for i in range(r.kept_count if r.stopped else r.count):
        record = &r.kept[i] if r.stopped else &r.records[i]
        nodes.append(NodeRecord(
            record.parent, record.ply, record.iteration, record.line, NODE_TYPES[record.node_type], record.move,
            record.excluded, record.alpha, record.beta, record.depth, record.score, EXIT_NAMES[record.exit_reason],
            record.nodes))
    return nodes
