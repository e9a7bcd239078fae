"""For all tests: Ctrl-C works. A shell that starts something in the background has it ignored, and what we
start would inherit that."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
