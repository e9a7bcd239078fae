"""What can go wrong around a match."""

from cythera.errors import CytheraError


class MatchError(CytheraError):
    """A match that cannot be played as asked for."""


class EngineError(MatchError):
    """An engine failed: `kind` is one of the words below, the message says how."""

    CRASH = "crash"
    HANG = "hang"
    PROTOCOL = "protocol violation"

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type["EngineError"], tuple[str, str]]:
        return EngineError, (self.kind, str(self))
