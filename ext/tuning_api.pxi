# Tuning for Python: search parameters, decisions, and the terms and weights of the classical evaluation.

cdef enum:
    MAX_WEIGHT = 8000               # centipawns; sums of packed weights must not overflow their halves


def evaluation_terms(Board board not None):
    """The terms of the classical evaluation as a `TracedEvaluation`, for explanations and for tuning."""
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
        terms.append(EvaluationTerm(name, sums[0], sums[1], sums[2], sums[3]))
        offset += count
    return TracedEvaluation(terms, phase, scale, score)


cdef int check_tunable(int index, int value) except -1:
    if not TUNABLE_RANGES[index][0] <= value <= TUNABLE_RANGES[index][1]:
        row = TUNABLES[index]
        raise ValueError(f"{row.name} must be between {row.low} and {row.high}, got {value}")
    return 0


def set_tunable(str name, int value):
    """Changes a search parameter, for all searches of the process that begin from now on."""
    cdef int values[TUNABLE_COUNT]
    cdef int i
    memcpy(values, &TUNED_PARAMS, sizeof(values))
    for i in range(TUNABLE_COUNT):
        if TUNABLES[i].name == name:
            check_tunable(i, value)
            values[i] = value
            set_params(values)
            return
    raise KeyError(name)


def set_tunables(list values not None):
    """Changes all search parameters at once, in the order of TUNABLES; for tuning, where each side of a game has its
    own. Raises ValueError, and changes nothing, if one is out of its range."""
    cdef int numbers[TUNABLE_COUNT]
    cdef int i
    if len(values) != TUNABLE_COUNT:
        raise ValueError(f"values must be {TUNABLE_COUNT} numbers, got {len(values)}")
    for i in range(TUNABLE_COUNT):
        numbers[i] = values[i]
        check_tunable(i, numbers[i])
    set_params(numbers)


def get_tunables():
    """The present search parameters, by name."""
    cdef const int* values = <const int*>&TUNED_PARAMS
    return {row.name: values[<int>i] for i, row in enumerate(TUNABLES)}


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
        raise ValueError(f"pairs must be {WEIGHT_COUNT} weights, got {len(pairs)}")
    for mg, eg in pairs:
        if not -MAX_WEIGHT <= mg <= MAX_WEIGHT or not -MAX_WEIGHT <= eg <= MAX_WEIGHT:
            raise ValueError(f"weights must be between {-MAX_WEIGHT} and {MAX_WEIGHT}, got {mg},{eg}")
    for i in range(WEIGHT_COUNT):
        mg, eg = pairs[i]
        W[i] = mg + eg * 65536
    fill_placement()
