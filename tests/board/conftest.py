"""Both builds of the core, for tests that must hold in each."""

from importlib import import_module

import pytest

from cythera import IllegalMoveError, InvalidFenError, _cpu


@pytest.fixture(scope="session", params=["generic", "v3"])
def core(request):
    """A compiled core: the build for any CPU, and the x86-64-v3 one where it can run."""
    if request.param == "v3" and not _cpu.supports_v3():
        pytest.skip("this CPU does not run the x86-64-v3 build")
    try:
        module = import_module(f"cythera._core_{request.param}")
    except ImportError:
        if request.param == "generic":
            raise
        pytest.skip("the x86-64-v3 build is not installed")
    module.install_errors(InvalidFenError, IllegalMoveError)
    return module
