"""Ctrl-C in the UCI program: it ends the program, but never in the middle of something."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from signal import SIGINT, default_int_handler, getsignal, signal
    from types import FrameType
else:
    from _signal import SIGINT, default_int_handler, getsignal, signal  # `signal` itself imports enum: 2 ms


class Interrupts:
    """SIGINT raises KeyboardInterrupt in a `with` block of this, once, and nowhere else.

    Elsewhere it would leave a thread half started or a lock held; it is remembered until the next block.
    """

    def __init__(self) -> None:
        self.is_allowed = False
        self.is_waiting = False  # one came outside a block
        self.is_raised = False

    def install(self) -> None:
        """Takes the signal over, if it has its usual meaning and this is the main thread."""
        if getsignal(SIGINT) is default_int_handler:
            try:
                signal(SIGINT, self.handle)
            except ValueError:  # not the main thread, which alone gets signals
                return

    def handle(self, number: int, frame: "FrameType | None") -> None:
        self.is_waiting = True
        self.raise_if_allowed()

    def raise_if_allowed(self) -> None:
        if self.is_waiting and self.is_allowed and not self.is_raised:
            self.is_raised = True
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.is_allowed = True
        self.raise_if_allowed()

    def __exit__(self, *exc: object) -> None:
        self.is_allowed = False
