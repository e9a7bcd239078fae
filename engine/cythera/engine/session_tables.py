"""The endgame tables of a session."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.core import Searcher
    from cythera.engine.options import Options
    from cythera.tables.probing import Tables

MOST_PIECES = 7  # of any tables there are


class SessionTables:
    """Finds the tables that the options name when they are first needed, gives them to searchers, and reports each
    folder and file that cannot be used once."""

    def __init__(self, options: "Options") -> None:
        self.options = options
        self.named: tuple[str, bool] | None = None  # the options that `tables` was found by
        self.tables: Tables | None = None
        self.problems: list[str] = []  # not yet reported
        self.reported: set[str] = set()  # paths of damaged files

    def load(self) -> bool:
        """Finds the tables of SyzygyPath and of the package; whether that was still to be done. Their files are opened
        when they are first probed."""
        named = (self.options.text("SyzygyPath"), bool(self.options["SyzygyBuiltin"]))
        if named == self.named:
            return False
        from cythera.tables.probing import tables_on

        self.tables = tables_on(named[0], package=named[1], problems=self.problems)
        self.named = named
        return True

    @property
    def found(self) -> "Tables":
        self.load()
        assert self.tables is not None
        return self.tables

    def use(self, searcher: "Searcher", pieces: int = MOST_PIECES) -> None:
        """Gives a searcher the tables with this many pieces at most."""
        searcher.set_tables(
            self.found.core,
            limit=min(pieces, self.options.number("SyzygyProbeLimit")),
            depth=self.options.number("SyzygyProbeDepth"),
            fifty_move_rule=bool(self.options["Syzygy50MoveRule"]),
        )

    def take_problems(self) -> list[str]:
        """What has been found to be wrong with folders and files since the last call, a sentence each."""
        problems, self.problems = self.problems, []
        for path, reason in self.tables.problems() if self.tables is not None else ():
            if path not in self.reported:
                self.reported.add(path)
                problems.append(f"cannot use {path}: {reason}; playing without it")
        return problems
