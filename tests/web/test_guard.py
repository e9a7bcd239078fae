"""Only this machine's own page is served: hosts, origins, headers."""

import pytest
from support.web import Talker

from cythera.web.guard import objection

FOREIGN_HOSTS = [
    "evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil.example",
    "192.168.1.1:{port}", "0.0.0.0:{port}", "127.0.0.1@evil.example", "127.0.0.1:{port}:80", "localhost:", "",
]  # fmt: skip
FOREIGN_ORIGINS = [
    "http://evil.example", "http://evil.example:{port}", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "null",
    "http://localhost:{port}", "file://", "",
]  # fmt: skip


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_is_refused(server, host):
    status, _, body = server.get("/", {"Host": host.format(port=server.port)})
    assert (status, body.split(":")[0]) == (403, "Refused")


OWN_HOSTS = ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}", "localhost"]


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_every_name_of_loopback_is_served(server, host):
    assert server.get("/lab.css", {"Host": host.format(port=server.port)})[0] == 200


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_is_refused(server, origin):
    headers = {"Host": server.host, "Origin": origin.format(port=server.port)}
    assert server.get("/lab.css", headers)[0] == 403


def test_a_request_without_a_host_or_with_two_is_refused():
    assert objection([], is_socket=False) is not None
    assert objection([(b"host", b"localhost"), (b"host", b"evil.example")], is_socket=False) is not None
    assert objection([(b"host", b"localhost"), (b"origin", b"http://localhost")], is_socket=False) is None
    twice = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example")]
    assert objection(twice, is_socket=False) is not None


@pytest.mark.parametrize(
    ("mode", "status"), [("navigate", 200), ("no-cors", 403), ("cors", 403), ("websocket", 403)]
)  # fmt: skip
def test_a_strangers_page_may_link_here_and_nothing_more(server, mode, status):
    headers = {"Host": server.host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode}
    assert server.get("/lab.css", headers)[0] == status


def refused(server, **options):
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    with pytest.raises(InvalidStatus) as caught, connect(f"ws://{server.host}/ws", **options):
        pass
    return caught.value.response.status_code == 403


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_socket_of_a_foreign_page_is_refused(server, origin):
    assert refused(server, additional_headers={"Origin": origin.format(port=server.port)})
    assert not server.tabs


def test_a_socket_without_an_origin_is_refused(server):
    assert refused(server)


def test_a_socket_by_a_foreign_name_is_refused(server):
    # A name that an attacker has pointed at 127.0.0.1: Host and Origin agree, and both are foreign.
    from websockets.client import ClientProtocol
    from websockets.uri import parse_uri

    uri = parse_uri(f"ws://rebound.example:{server.port}/ws")
    request = ClientProtocol(uri, origin=f"http://rebound.example:{server.port}").connect()
    assert request.headers["Host"].startswith("rebound.example")
    assert server.get("/ws", dict(request.headers.raw_items()))[0] == 403
    assert not server.tabs


def test_the_same_handshake_by_our_own_name_is_accepted(server):
    Talker(server).close()


def test_every_answer_has_a_strict_policy(server):
    for path in ("/lab.css", "/nothing", "/static/nothing.js"):
        headers = server.get(path)[1]
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["connect-src"] == f"'self' ws://{server.host}"
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_only_loopback_is_listened_on(server):
    assert server.listener.getsockname()[0] == "127.0.0.1"


OUTSIDE = ["/static/../cli.py", "/static/..%2fcli.py", "/static//etc/passwd", "/cli.py", "/static/", "/page"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_but_the_page_is_served(server, path):
    assert server.get(path)[0] == 404


def test_nothing_can_be_posted(server):
    assert server.get("/", method="POST")[0] == 405
