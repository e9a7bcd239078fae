"""What the tests of the board in the browser share. Without the server's libraries they are skipped."""

import os
import shutil

import pytest
from support.browser import BROWSERS, SWITCHES, Visitor, missing
from support.web import LiveServer, Talker, need_libraries, searches, wait_until

from cythera.web import lab_process

lab_process.LONGEST_S = 120.0  # on a busy machine a process takes long to start


@pytest.fixture(scope="module")
def server():
    need_libraries()
    live = LiveServer()
    yield live
    live.end()
    assert searches() == 0


@pytest.fixture
def talker(server):
    talker = Talker(server)
    yield talker
    talker.close()
    wait_until(lambda: not server.tabs)


@pytest.fixture(scope="module")  # Playwright runs an event loop in this thread as long as it lives
def browser():
    if reason := missing():
        if os.environ.get("CYTHERA_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    need_libraries()
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visitor(browser, server):
    visitor = Visitor(browser, server)
    yield visitor
    visitor.leave()
    wait_until(lambda: not server.tabs and searches() == 0)
