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
