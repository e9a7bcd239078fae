# Switches: every technique of the search by name, so that it can be turned off: to measure what it
# is worth (`Without` in a match, docs/measurements.md), and to leave the plain search that the lab
# checks. A switch that concerns what is learned stops the learning: reading stays free of tests.

cdef enum:                      # the number of a bit in `features`, in the order of SWITCH_NAMES
    USE_QUIESCENCE
    USE_TT                   # any use of the table at all
    USE_TT_CUTOFFS
    USE_DEEPER_TT                  # a deeper entry stands for a shallower search
    USE_TT_SCORE_AS_EVAL             # a table score corrects the static evaluation
    USE_TT_REPLACEMENT           # keep the old move on a fail-low, and deep results from shallow ones
    USE_TT_MOVE
    USE_MVV
    USE_SEE_ORDERING
    USE_CAPTURE_HISTORY
    USE_KILLERS
    USE_THREATS                 # in ordering, and as an index of the quiet history
    USE_BUTTERFLY_HISTORY
    USE_CONTINUATION_HISTORY
    USE_PAWN_HISTORY
    USE_CORRECTION_HISTORY
    USE_ASPIRATION_WINDOWS
    USE_MATE_DISTANCE_PRUNING
    USE_IMPROVING
    USE_RAZORING
    USE_RFP
    USE_NMP
    USE_IIR
    USE_PROBCUT
    USE_LMP
    USE_FUTILITY_PRUNING
    USE_HISTORY_PRUNING
    USE_SEE_PRUNING
    USE_LMR_DEPTH           # pruning goes by the depth a move would be reduced to
    USE_SINGULAR_EXTENSIONS
    USE_MULTICUT                # and less depth for a hash move that is not singular
    USE_DOUBLE_EXTENSIONS
    USE_LMR
    USE_CUT_NODE_LMR               # reductions by kind of node: cut, once a PV, capture in the table
    USE_HISTORY_LMR
    USE_DEEPER_RESEARCH          # deeper or shallower after a reduced search
    USE_QS_PRUNING
    USE_FAIL_LOW_HISTORY           # a reply that nothing beats is a good one
    USE_EVAL_HISTORY      # a quiet move is judged by what it did to the evaluation
    USE_HINDSIGHT               # depth given back, or more taken, once the reduced move is on the board
    USE_FAIL_HIGH_BLENDING             # what beats beta by far is believed by halves
    USE_CORRECTION_LMR                   # less reduction where the evaluation has been wrong
    USE_POST_LMR_HISTORY        # a search again at full depth teaches the continuations
    USE_UPCOMING_REPETITION                  # a move that would repeat a position is worth a draw at least
    SWITCH_COUNT

cdef tuple SWITCH_NAMES = (
    "quiescence", "tt", "tt cutoffs", "deeper tt entries", "tt score as eval", "tt replacement", "tt move",
    "mvv", "see ordering", "capture history", "killers", "threats",
    "butterfly history", "continuation history", "pawn history", "correction history",
    "aspiration windows", "mate distance pruning", "improving", "razoring", "rfp", "nmp",
    "iir", "probcut", "lmp", "futility pruning", "history pruning",
    "see pruning", "lmr depth", "singular extensions", "multicut", "double extensions",
    "lmr", "cut-node lmr", "history lmr", "deeper re-search", "qs pruning",
    "fail-low history", "eval history", "hindsight", "fail-high blending", "correction lmr", "post-lmr history",
    "upcoming repetition",
)
FEATURES = {name: 1 << i for i, name in enumerate(SWITCH_NAMES)}


cdef u64 USE_ALL = (<u64>1 << SWITCH_COUNT) - 1
