"""Both builds of the core, for tests that must hold in each."""

from importlib import import_module

import pytest

from cythera import IllegalMoveError, InvalidFenError, _cpu


@pytest.fixture(scope="session", params=["generic", "v3", "v4"])
def core(request):
    """A compiled core: the build for any CPU, and the x86-64-v3 and v4 ones where they can run."""
    if request.param != "generic" and not getattr(_cpu, f"supports_{request.param}")():
        pytest.skip(f"this CPU does not run the x86-64-{request.param} build")
    try:
        module = import_module(f"cythera._core_{request.param}")
    except ImportError:
        if request.param == "generic":
            raise
        pytest.skip(f"the x86-64-{request.param} build is not installed")
    module.install_errors(InvalidFenError, IllegalMoveError)
    return module
