# Switches: every technique of the search by name, so that it can be turned off: to measure what it
# is worth (`Without` in a match, docs/measurements.md), and to leave the plain search that the lab
# checks. A switch that concerns what is learned stops the learning: reading stays free of tests.

cdef enum:                      # the number of a bit in `features`, in the order of SWITCH_NAMES
    USE_QUIESCENCE
    USE_TABLE                   # any use of the table at all
    USE_TABLE_CUTS
    USE_DEEPER                  # a deeper entry stands for a shallower search
    USE_TABLE_SCORE             # a table score corrects the static evaluation
    USE_CAREFUL_STORE           # keep the old move on a fail-low, and deep results from shallow ones
    USE_HASH_MOVE
    USE_VICTIMS
    USE_LOSING_LAST
    USE_CAPTURE_HISTORY
    USE_KILLERS
    USE_THREATS                 # in ordering, and as an index of the quiet history
    USE_QUIET_HISTORY
    USE_CONT_HISTORY
    USE_PAWN_HISTORY
    USE_CORRECTION
    USE_ASPIRATION
    USE_MATE_DISTANCE
    USE_IMPROVING
    USE_RAZORING
    USE_REVERSE_FUTILITY
    USE_NULL_MOVE
    USE_INTERNAL_REDUCTION
    USE_PROBCUT
    USE_LATE_MOVE_PRUNING
    USE_FUTILITY
    USE_HISTORY_PRUNING
    USE_EXCHANGE_PRUNING
    USE_REDUCED_DEPTH           # pruning goes by the depth a move would be reduced to
    USE_SINGULAR
    USE_MULTICUT                # and less depth for a hash move that is not singular
    USE_DOUBLE_EXTENSION
    USE_REDUCTIONS
    USE_NODE_KIND               # reductions by kind of node: cut, once a PV, capture in the table
    USE_HISTORY_REDUCTION
    USE_RESEARCH_DEPTH          # deeper or shallower after a reduced search
    USE_QUIESCENCE_PRUNING
    USE_REPLY_HISTORY           # a reply that nothing beats is a good one
    USE_EVALUATION_HISTORY      # a quiet move is judged by what it did to the evaluation
    USE_HINDSIGHT               # depth given back, or more taken, once the reduced move is on the board
    USE_SOFT_BOUNDS             # what beats beta by far is believed by halves
    USE_DOUBT                   # less reduction where the evaluation has been wrong
    USE_RESEARCH_HISTORY        # a search again at full depth teaches the continuations
    USE_CYCLES                  # a move that would repeat a position is worth a draw at least
    SWITCH_COUNT

cdef tuple SWITCH_NAMES = (
    "quiescence", "table", "table cuts", "deeper", "table score", "careful store", "hash move",
    "victims", "losing captures last", "capture history", "killers", "threats",
    "quiet history", "continuation history", "pawn history", "correction",
    "aspiration", "mate distance", "improving", "razoring", "reverse futility", "null move",
    "internal reduction", "probcut", "late-move pruning", "futility", "history pruning",
    "exchange pruning", "reduced depth", "singular extension", "multicut", "double extension",
    "reductions", "node kind", "history reduction", "re-search depth", "quiescence pruning",
    "reply history", "evaluation history", "hindsight", "soft bounds", "doubt", "re-search history",
    "upcoming repetition",
)
FEATURES = {name: 1 << i for i, name in enumerate(SWITCH_NAMES)}


cdef u64 USE_ALL = (<u64>1 << SWITCH_COUNT) - 1
