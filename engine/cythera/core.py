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
        raise CytheraError(f"CYTHERA_VARIANT must be {' or '.join(NAMES)}, got {forced!r}")
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
    from cythera._core_generic import *  # noqa: F403
    from cythera._core_generic import FEATURES

    VARIANT = "generic"
else:
    _core = load(choose_variant())
    VARIANT = _core.__name__.rpartition("_")[2]  # the build in use
    _core.install_errors(InvalidFenError, IllegalMoveError)
    globals().update({name: value for name, value in vars(_core).items() if name[0] != "_"})


def features_without(names: str) -> int:
    """The search features, as the searcher takes them, with the named ones (separated by commas) switched off."""
    features = sum(FEATURES.values())
    for name in filter(None, (" ".join(part.lower().split()) for part in names.split(","))):
        if name not in FEATURES:
            raise OptionError(f"unknown search feature {name[:40]!r} in Without; available: {', '.join(FEATURES)}")
        features &= ~FEATURES[name]
    return features
