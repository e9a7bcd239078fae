"""Every example in the lab's docstrings is true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import cythera.lab

MODULES = [module.name for module in pkgutil.walk_packages(cythera.lab.__path__, "cythera.lab.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    outcome = doctest.testmod(import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert outcome.failed == 0
