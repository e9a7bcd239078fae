# The compiled core of Cythera, as a table of contents. One translation unit, so that the C compiler
# inlines across all of it (helpers in another extension would run at 0.56–0.72 of the speed).
# A part uses only parts above it; tests/test_layers.py checks that direction.

# Primitives
include "platform.pxi"      # integer types, bit instructions, atomics, debug assert
include "memory.pxi"        # large blocks of pages from the system
include "types.pxi"         # colours, pieces, squares, 16-bit moves
include "bitboard.pxi"      # sets of squares, shifts, lines
include "magics.pxi"        # multipliers for slider lookup without pext
include "attacks.pxi"       # attack tables
include "zobrist.pxi"       # random words for hash keys
include "scores.pxi"        # mate, draw and infinite scores
include "results.pxi"       # named results for Python

# Board
include "position.pxi"      # the board, its history, checks and pins
include "makemove.pxi"      # make and unmake
include "movegen.pxi"       # all legal moves, by kind
include "legality.pxi"      # whether a move word is legal, and whether it gives check
include "see.pxi"           # static exchange evaluation
include "draws.pxi"         # repetition, fifty moves, insufficient material
include "cycles.pxi"        # upcoming repetition, by cuckoo tables
include "threats.pxi"       # attacked squares, by lesser pieces and in all
include "perft.pxi"         # counting move sequences
include "san.pxi"           # moves in standard algebraic notation
include "pgn_scanner.pxi"   # games in PGN text: what is read of them
include "pgn_tags.pxi"      # their tags
include "pgn_moves.pxi"     # their moves, comments and variations
include "pgn_commands.pxi"  # clocks and evaluations in comments

# Endgame tables: probing
include "tables_file.pxi"   # table files in memory
include "tables_index.pxi"  # where a table keeps a position
include "tables_open.pxi"   # headers of table files, read and checked
include "tables_probe.pxi"  # win, draw, loss and distance to zeroing

# Evaluation
include "terms.pxi"         # sums of weights (generated from weights.txt)
include "pawns.pxi"         # pawn structure
include "endgame.pxi"       # king and pawn against king, scaling, mop-up
include "evaluate.pxi"      # the classical evaluation
include "network.pxi"       # the neural evaluation

# Search
include "features.pxi"      # search features and node exit reasons (generated from features.txt)
include "params.pxi"        # search parameters (generated from tunables.txt)
include "tt.pxi"            # transposition table
include "recorder.pxi"      # records the top of a search tree on request
include "worker.pxi"        # data of a search thread, and of all threads of a search
include "limits.pxi"        # time, nodes, requests to stop; the start of a search
include "history.pxi"       # move histories and correction history
include "node.pxi"          # draws, evaluation, moves and PV at a node
include "root_moves.pxi"    # root moves and their lines
include "movepick.pxi"      # moves in order, stage by stage
include "pruning.pxi"       # margins, reductions and extensions
include "tables_search.pxi"  # endgame tables at nodes and at the root
include "qsearch.pxi"       # quiescence search
include "search.pxi"        # principal variation search
include "root.pxi"          # iterative deepening, aspiration windows, MultiPV, thread voting
include "helpers.pxi"       # helper threads, which know no Python

# Self-play and training
include "records.pxi"       # packed positions, game records, training records
include "selfplay.pxi"      # whole games for data
include "trainer.pxi"       # steps of training a net

# Endgame tables: making
include "tables_solve.pxi"  # retrograde analysis
include "tables_check.pxi"  # tables compared, and checked against their own moves
include "tables_write.pxi"  # compression: pairs of symbols, Huffman codes, blocks

# Python classes
include "fen.pxi"           # positions as text
include "move.pxi"          # moves as text, and Move
include "perft_threads.pxi"  # perft by several threads
include "board.pxi"         # Board, the position with its history
include "pgn_block.pxi"     # PgnBlock, the games of a block of PGN text
include "pgn_game.pxi"      # PgnGame, one of them
include "polyglot_keys.pxi"  # the random words of Polyglot
include "polyglot.pxi"      # opening books
include "tables.pxi"        # EndgameTables
include "tables_make.pxi"   # TableContents, TableSolver, Arrangement
include "net.pxi"           # Net, the weights of a neural evaluation
include "arrays.pxi"        # many games and positions at once
include "search_results.pxi"  # lines and recorded nodes
include "searcher.pxi"      # Searcher
include "games.pxi"         # self-play and game records
include "trainer_api.pxi"   # Trainer, a net in training
include "decisions.pxi"     # decisions of the search by name (generated from features.txt)
include "tuning_api.pxi"    # search parameters and weights, read and set
include "core_info.pxi"     # facts about this build
include "testing.pxi"       # what only tests call
