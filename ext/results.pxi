# Results: what the core hands to Python, with named fields.

from operator import itemgetter as _itemgetter


class _Result(tuple):
    """A tuple whose items have names, like those of collections.namedtuple, which takes a tenth of a millisecond of the
    engine's start for each."""
    __slots__ = ()
    _fields = ()

    def __new__(cls, *values, **named):
        values += tuple([named.pop(field) for field in cls._fields[len(values):] if field in named])
        if named or len(values) != len(cls._fields):
            raise TypeError(f"the values of {cls.__name__} must be {', '.join(cls._fields)}")
        return tuple.__new__(cls, values)

    def __getnewargs__(self):
        return tuple(self)

    def __repr__(self):
        fields = [f"{field}={value!r}" for field, value in zip(self._fields, self)]
        return f"{type(self).__name__}({', '.join(fields)})"


def _named(name, str fields, about):
    members = {"__slots__": (), "__doc__": about, "__module__": "cythera.core", "_fields": tuple(fields.split())}
    for i, field in enumerate(members["_fields"]):
        members[field] = property(_itemgetter(i))
    return type(name, (_Result,), members)


Tunable = _named("Tunable", "name default low high about", "A search parameter: default, range and meaning.")

SearchLine = _named(
    "SearchLine", "moves score bound depth seldepth",
    "A line that a search found. `moves` are UCI texts, `score` is from the side to move, and `bound` says that it is "
    "'exact', a 'lower' or an 'upper' bound, or 'none' if not one move was searched.")

NodeRecord = _named(
    "NodeRecord", "parent ply iteration line node_type move excluded alpha beta depth score exit_reason nodes",
    "A node of a recorded search. `parent` is the index of an earlier record, or -1; `line` which line of several, "
    "from 0; `node_type` is one of NODE_TYPES, `exit_reason` one of EXIT_REASONS; `move` and `excluded` are move "
    "words; `nodes` were searched below it.")

EvaluationTerm = _named(
    "EvaluationTerm", "name white_mg white_eg black_mg black_eg",
    "A term of the classical evaluation: centipawns for both sides, in the middlegame and in the endgame.")

TracedEvaluation = _named(
    "TracedEvaluation", "terms phase scale score",
    "The classical evaluation of a position. `phase` runs from FULL_PHASE (all pieces) to 0, the endgame half counts "
    "`scale` / FULL_SCALE, and `score` is the whole from the side to move.")

SelfPlayGame = _named(
    "SelfPlayGame", "fen chess960 result ending moves",
    "A game record, read. `ending` is one of END_…; `moves` has the UCI text and White's score of each ply.")

TableComparison = _named(
    "TableComparison", "positions results close far example",
    "A range of positions probed in two ways: how many there are, how many results differ, how many distances differ "
    "by one and by more, and the FEN of the first difference, or None.")

PackedTable = _named(
    "PackedTable", "single_value header block_index sizes blocks",
    "One side of an endgame table, compressed. `single_value` is the value of all positions if they have but one, else "
    "None; `header` is without its flags.")
