"""One tree of exceptions. Every message is a sentence for a person."""


class CytheraError(Exception):
    """Anything Cythera raises on purpose."""


class InvalidFenError(CytheraError, ValueError):
    """A FEN that is malformed, or describes a position that cannot be."""


class IllegalMoveError(CytheraError, ValueError):
    """A move that cannot be played in the position it was given for."""


class OptionError(CytheraError, ValueError):
    """An option that does not exist or a value it cannot have."""


class NetError(CytheraError):
    """A net file that is missing, damaged, or of a kind this version does not know."""
