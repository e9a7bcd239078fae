"""For all tests. Ctrl-C works: a shell that starts something in the background has it ignored, and what we start would
inherit that. Modules with costly fixtures (a browser, a translation of the core) stay together on one worker of
pytest-xdist, so that these are made once."""

import signal

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TOGETHER = ("test_generated_c", "test_page", "test_explanation", "test_index", "test_texel")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem in TOGETHER or item.path.parent.name == "web":
            item.add_marker(pytest.mark.xdist_group(f"{item.path.parent.name}/{item.path.stem}"))
