# Core info: facts about this build.

def build_info():
    """Facts about this build: variant flags and compiler."""
    return {
        "pext": bool(USE_PEXT),
        "debug": bool(DEBUG_BUILD),
        "compiler": (<bytes>COMPILER).decode(),
        "state_bytes": sizeof(State),
        "position_bytes": sizeof(Position),
    }


def ask_for_short_time_slices():
    """Asks the system to run this thread, and those it starts from now on, often and for a short time rather than
    seldom and long when others compete for the processor: it gets no more of it, but waits less for its turn. Returns
    whether the system took the request; Linux heeds it from 6.12 on."""
    return bool(short_slices())
