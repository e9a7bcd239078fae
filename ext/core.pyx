# The compiled core of Cythera, as a table of contents. One translation unit, so that the C compiler
# inlines across all of it (helpers in another extension would run at 0.56–0.72 of the speed).
# A part uses only parts above it; tests/test_layers.py holds that direction.

include "platform.pxi"      # integer types, bit instructions, debug assert
include "types.pxi"         # colours, pieces, squares, 16-bit moves
include "bitboard.pxi"      # sets of squares, shifts, lines
include "magics.pxi"        # multipliers for slider lookup without pext
include "attacks.pxi"       # attack tables
include "zobrist.pxi"       # random words for hash keys
include "position.pxi"      # the board, its history, checks and pins
include "makemove.pxi"      # playing moves and taking them back
include "movegen.pxi"       # all legal moves, by kind
include "legality.pxi"      # is a given word legal; does it check
include "see.pxi"           # static exchange evaluation
include "draws.pxi"         # repetition, fifty moves, material; threats
include "perft.pxi"         # counting move sequences
include "scores.pxi"        # what search scores mean
include "cycles.pxi"        # one move back to an earlier position
include "tunables.pxi"      # the numbers of the search (generated from tunables.txt)
include "pawns.pxi"         # pawn structure, and the weights (generated from weights.txt)
include "endgame.pxi"       # what wins with little material
include "evaluate.pxi"      # the classical evaluation
include "network.pxi"       # the neural evaluation
include "switches.pxi"      # techniques of the search, to be turned off by name
include "tt.pxi"            # transposition table
include "history.pxi"       # which moves were good before
include "recorder.pxi"      # the top of a search tree, written down on request
include "worker.pxi"        # a search thread's data, limits, corrected evaluation
include "movepick.pxi"      # moves in order, stage by stage
include "pruning.pxi"       # margins and reductions
include "qsearch.pxi"       # quiescence
include "search.pxi"        # principal variation search
include "root.pxi"          # iterative deepening, windows, several lines
include "selfplay.pxi"      # whole games for data, and their packed form
include "fen.pxi"           # positions as text
include "move.pxi"          # moves as text, and Move for Python
include "board.pxi"         # Board, the position with its history, for Python
include "net.pxi"           # Net, the weights of a neural evaluation, for Python
include "searcher.pxi"      # Searcher for Python
include "games.pxi"         # self-play and game records for Python
include "trainer.pxi"       # steps of training a net
