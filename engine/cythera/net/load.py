"""Which evaluation a searcher uses: the net of the package, another net, or the classical evaluation.

The value of the option EvalFile says it: `builtin`, `classical`, or the path of a net. The words have no
angle brackets: python-chess reads a default of `<default>` as `>`.
"""

import os

from cythera.core import Net, Searcher
from cythera.net import file as nets

DEFAULT = "builtin"
CLASSICAL = "classical"
ALIASES = {"": DEFAULT, "<default>": DEFAULT, "<classical>": CLASSICAL}
SHIPPED = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "data", "cythera.net"))  # noqa: PTH100, PTH118, PTH120

shipped: list[Net] = []  # the package's net, once it was asked for


def net_for(eval_file: str = DEFAULT) -> Net | None:
    """The net that a value of EvalFile stands for, None for the classical evaluation; raises NetError."""
    eval_file = ALIASES.get(eval_file, eval_file)
    if eval_file == CLASSICAL:
        return None
    if eval_file != DEFAULT:
        return loaded(eval_file)
    if not shipped:
        shipped.append(loaded(SHIPPED))
    return shipped[0]


def loaded(path: str) -> Net:
    file = nets.read(path, quick=True)
    return Net(file.payload, file.hidden, file.scale, file.kings or None)


def described(eval_file: str) -> str:
    """An evaluation in a few words, with the net's name, size and the beginning of its hash."""
    if net_for(eval_file) is None:
        return "classical evaluation"
    file = nets.read(SHIPPED if ALIASES.get(eval_file, eval_file) == DEFAULT else eval_file)
    kings = f", {file.king_buckets} king buckets" if file.kings else ""
    return f"net {file.name or 'without a name'}, {file.hidden} units per side{kings}, {file.digest[:12]}"


def new_searcher(
    hash_mib: int = 16, threads: int = 1, eval_file: str = DEFAULT, *, tables: bool = False
) -> Searcher:
    """A searcher that evaluates as asked; raises NetError. With `tables` it uses the endgame tables of the package."""
    net = net_for(eval_file)
    searcher = Searcher(hash_mib, threads)
    if net is not None:
        searcher.set_net(net)
    if tables:
        from cythera.tables.probing import package_tables

        searcher.set_tables(package_tables().core)
    return searcher
