"""What the tests of the board in the browser share. Without the server's libraries they are skipped."""

import pytest
from support.web import LiveServer, Talker, need_libraries, searches, wait_until


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
