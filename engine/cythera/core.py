"""The compiled core, in the build that suits this CPU.

`CYTHERA_VARIANT=generic` (or `v3`, `v4`) in the environment forces one. The choice is made here and
nowhere else, and nothing else imports a `_core_*` module.
"""

import os

from cythera import _cpu
from cythera.errors import CytheraError, IllegalMoveError, InvalidFenError, OptionError

NAMES = ("generic", "v3", "v4")  # each runs on fewer CPUs than the one before
TYPE_CHECKING = False


def choose_variant() -> str:
    """The name of the build to load: the forced one, or the best this CPU runs."""
    forced = os.environ.get("CYTHERA_VARIANT", "")
    if not forced:
        return "v4" if _cpu.supports_v4() else "v3" if _cpu.supports_v3() else "generic"
    if forced not in NAMES:
        raise CytheraError(f"CYTHERA_VARIANT is {forced!r}; it can be {' or '.join(NAMES)}")
    return forced


def load(name: str) -> object:
    try:
        return __import__(f"cythera._core_{name}", fromlist=("",))  # importlib would cost half a millisecond
    except ImportError as error:
        if name != "generic" and "CYTHERA_VARIANT" not in os.environ:
            return load(NAMES[NAMES.index(name) - 1])  # not all variants were built
        raise CytheraError(
            f"the compiled core ({name} build) cannot be loaded: {error}. "
            "Install Cythera with `pip install .` (a C compiler is needed)."
        ) from error


if TYPE_CHECKING:
    from cythera._core_generic import (
        DECISIONS,
        EXIT_REASONS,
        FEATURE_TEXTS,
        FEATURES,
        NODE_TYPES,
        TUNABLES,
        Arrangement,
        Board,
        BookCounter,
        EndgameTables,
        GameCursor,
        Move,
        MoveStore,
        Net,
        PgnBlock,
        PgnGame,
        PolyglotBook,
        Searcher,
        TableSolver,
        TableWalker,
        Trainer,
        batch_evaluate,
        batch_keys,
        batch_legal_counts,
        batch_legal_moves,
        batch_perft,
        block_counts,
        block_games,
        block_keys,
        block_notes,
        block_positions,
        build_info,
        check_intervals,
        check_net,
        decision,
        evaluation_terms,
        get_tunables,
        get_weights,
        has_upcoming_repetition,
        is_legal_word,
        keys_from_scratch,
        material_name,
        move_words,
        pack_fens,
        polyglot_key_of,
        prefetched_key,
        self_play,
        set_tunable,
        set_tunables,
        set_weights,
        shuffle,
        table_name,
        uci_of_move_word,
        unpack_fens,
    )

    VARIANT = "generic"
else:
    _core = load(choose_variant())
    VARIANT = _core.__name__.rpartition("_")[2]  # the build in use
    _core.install_errors(InvalidFenError, IllegalMoveError)
    DECISIONS = _core.DECISIONS
    EXIT_REASONS = _core.EXIT_REASONS
    FEATURE_TEXTS = _core.FEATURE_TEXTS
    FEATURES = _core.FEATURES
    NODE_TYPES = _core.NODE_TYPES
    TUNABLES = _core.TUNABLES
    Arrangement = _core.Arrangement
    Board = _core.Board
    BookCounter = _core.BookCounter
    EndgameTables = _core.EndgameTables
    GameCursor = _core.GameCursor
    Move = _core.Move
    MoveStore = _core.MoveStore
    Net = _core.Net
    PgnBlock = _core.PgnBlock
    PgnGame = _core.PgnGame
    PolyglotBook = _core.PolyglotBook
    Searcher = _core.Searcher
    TableSolver = _core.TableSolver
    TableWalker = _core.TableWalker
    Trainer = _core.Trainer
    batch_evaluate = _core.batch_evaluate
    batch_keys = _core.batch_keys
    batch_legal_counts = _core.batch_legal_counts
    batch_legal_moves = _core.batch_legal_moves
    batch_perft = _core.batch_perft
    block_counts = _core.block_counts
    block_games = _core.block_games
    block_keys = _core.block_keys
    block_notes = _core.block_notes
    block_positions = _core.block_positions
    build_info = _core.build_info
    check_intervals = _core.check_intervals
    check_net = _core.check_net
    decision = _core.decision
    evaluation_terms = _core.evaluation_terms
    get_tunables = _core.get_tunables
    get_weights = _core.get_weights
    has_upcoming_repetition = _core.has_upcoming_repetition
    is_legal_word = _core.is_legal_word
    keys_from_scratch = _core.keys_from_scratch
    material_name = _core.material_name
    move_words = _core.move_words
    pack_fens = _core.pack_fens
    polyglot_key_of = _core.polyglot_key_of
    prefetched_key = _core.prefetched_key
    self_play = _core.self_play
    set_tunable = _core.set_tunable
    set_tunables = _core.set_tunables
    set_weights = _core.set_weights
    shuffle = _core.shuffle
    table_name = _core.table_name
    uci_of_move_word = _core.uci_of_move_word
    unpack_fens = _core.unpack_fens

__all__ = [
    "DECISIONS", "EXIT_REASONS", "FEATURES", "FEATURE_TEXTS", "NODE_TYPES", "TUNABLES", "VARIANT", "Arrangement",
    "Board", "BookCounter", "EndgameTables", "GameCursor", "Move", "MoveStore", "Net", "PgnBlock", "PgnGame",
    "PolyglotBook", "Searcher", "TableSolver", "TableWalker", "Trainer", "batch_evaluate", "batch_keys",
    "batch_legal_counts", "batch_legal_moves", "batch_perft", "block_counts", "block_games", "block_keys",
    "block_notes", "block_positions", "build_info", "check_intervals", "check_net", "choose_variant", "decision",
    "evaluation_terms", "features_without", "get_tunables", "get_weights", "has_upcoming_repetition",
    "is_legal_word", "keys_from_scratch", "material_name", "move_words", "pack_fens", "polyglot_key_of",
    "prefetched_key", "self_play", "set_tunable", "set_tunables", "set_weights", "shuffle", "table_name",
    "uci_of_move_word", "unpack_fens",
]  # fmt: skip


def features_without(names: str) -> int:
    """The search features, as the searcher takes them, with the named ones (separated by commas) switched off."""
    features = sum(FEATURES.values())
    for name in filter(None, (" ".join(part.lower().split()) for part in names.split(","))):
        if name not in FEATURES:
            raise OptionError(f"unknown search feature {name[:40]!r} in Without; available: {', '.join(FEATURES)}")
        features &= ~FEATURES[name]
    return features
