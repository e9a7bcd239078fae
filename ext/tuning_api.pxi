# Tuning for Python: search parameters, weights of the classical evaluation, and both taken apart.

def evaluation_terms(Board board not None):
    """The classical evaluation taken apart, for people and for tuning.

    Returns (terms, phase, scale, score): terms is a list of (name, white_mg, white_eg, black_mg,
    black_eg) in centipawns; phase runs from 24 (all pieces) to 0; the endgame half counts scale / 64;
    score is the whole from the side to move.
    """
    cdef i16 trace[2 * WEIGHT_COUNT]
    cdef int phase, scale, score, offset = 0, colour, i, count
    cdef long sums[4]
    score = classical_traced(&board.pos, trace, &phase, &scale)
    terms = []
    for name, size in WEIGHT_NAMES:
        count = size
        for i in range(4):
            sums[i] = 0
        for colour in range(2):
            for i in range(offset, offset + count):
                sums[2 * colour] += trace[colour * WEIGHT_COUNT + i] * mg_of(W[i])
                sums[2 * colour + 1] += trace[colour * WEIGHT_COUNT + i] * eg_of(W[i])
        terms.append((name, sums[0], sums[1], sums[2], sums[3]))
        offset += count
    return terms, phase, scale, score


def set_tunable(str name, int value):
    """Changes a number of the search, for all searches of the process."""
    for i, (known, _, low, high, _) in enumerate(TUNABLES):
        if known == name:
            if not low <= value <= high:
                raise ValueError(f"{name} is from {low} to {high}, not {value}")
            TUNABLE_VALUES[<int>i][0] = value
            fill_reductions()
            return
    raise KeyError(name)


def set_tunables(list values not None):
    """Changes all numbers of the search at once, in the order of TUNABLES; for tuning, where each side of a game
    has its own. Raises ValueError, and changes nothing, if one is out of its range."""
    cdef int i, value
    if len(values) != len(TUNABLES):
        raise ValueError(f"there are {len(TUNABLES)} numbers, not {len(values)}")
    for value, (name, _, low, high, _) in zip(values, TUNABLES):
        if not low <= value <= high:
            raise ValueError(f"{name} is from {low} to {high}, not {value}")
    for i in range(len(TUNABLES)):
        TUNABLE_VALUES[i][0] = values[i]
    fill_reductions()


def get_tunables():
    """The present numbers of the search, by name."""
    return {row[0]: TUNABLE_VALUES[<int>i][0] for i, row in enumerate(TUNABLES)}


def decision(str name not None, *arguments):
    """One of the search's decisions by name, with the arguments that DECISIONS names."""
    cdef int values[4]
    cdef int i
    if name not in DECISIONS:
        raise KeyError(f"unknown decision {name!r}; available: {', '.join(DECISIONS)}")
    if len(arguments) != len(DECISIONS[name]):
        raise TypeError(f"{name} takes {len(DECISIONS[name])} arguments ({', '.join(DECISIONS[name])}), "
                        f"got {len(arguments)}")
    for i in range(len(arguments)):
        values[i] = arguments[i]
    return DECISION_FUNCTIONS[<int>list(DECISIONS).index(name)](values)


def get_weights():
    """The weights of the classical evaluation: [(name, [(mg, eg), …]), …] in the order of the table."""
    cdef int i, offset = 0, count
    found = []
    for name, size in WEIGHT_NAMES:
        count = size
        found.append((name, [(mg_of(W[i]), eg_of(W[i])) for i in range(offset, offset + count)]))
        offset += count
    return found


def set_weights(pairs):
    """Replaces all weights, given flat as (mg, eg) in the order of the table, for this process."""
    cdef int i, mg, eg
    pairs = [(int(a), int(b)) for a, b in pairs]
    if len(pairs) != WEIGHT_COUNT:
        raise ValueError(f"there are {WEIGHT_COUNT} weights, not {len(pairs)}")
    for mg, eg in pairs:
        if not -8000 <= mg <= 8000 or not -8000 <= eg <= 8000:
            raise ValueError(f"a weight of {mg},{eg} is out of all proportion")
    for i in range(WEIGHT_COUNT):
        mg, eg = pairs[i]
        W[i] = mg + eg * 65536
    fill_placement()
