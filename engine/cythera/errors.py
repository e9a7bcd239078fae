"""One tree of exceptions. Every message is a sentence for a person."""


class CytheraError(Exception):
    """Anything Cythera raises on purpose."""


class InvalidFenError(CytheraError, ValueError):
    """A FEN that is malformed, or describes a position that cannot be."""


class IllegalMoveError(CytheraError, ValueError):
    """A move that cannot be played in the position it was given for."""


class OptionError(CytheraError, ValueError):
    """An option that does not exist or a value it cannot have."""


class LimitError(CytheraError, ValueError):
    """A limit that cannot be, or one that would never end a search."""


class LevelError(CytheraError, ValueError):
    """A level of play that does not exist."""


class GameOverError(CytheraError, ValueError):
    """A move was asked for in a position that has none."""


class EngineBusyError(CytheraError, RuntimeError):
    """The engine is searching, and does one search at a time."""


class EngineClosedError(CytheraError, RuntimeError):
    """The engine was closed."""


class BookError(CytheraError):
    """An opening book that cannot be read."""


class NetError(CytheraError):
    """A net file that is missing, damaged, or of a kind this version does not know."""


class TableError(CytheraError):
    """A folder or file of endgame tables that cannot be used."""


class PgnError(CytheraError):
    """A file of games that cannot be read; with `strict`, a game."""
