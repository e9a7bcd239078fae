"""`cythera web` as people start it, and what its files promise."""

import doctest
import json
import os
import pkgutil
import re
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest
from support.web import START, need_libraries

import cythera.web
from cythera.__main__ import main as cythera_command
from cythera.cli import web as cli

HERE = Path(cythera.web.__file__).parent
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "engine" / "cythera" / "web" / "page"
IS_BUILT = (HERE / "static" / "index.html").exists()


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules([str(HERE)], "cythera.web.")])
def test_doctests_hold_in(name):
    need_libraries()
    assert doctest.testmod(import_module(name)).failed == 0


def test_without_the_page_it_says_how_to_build_it(tmp_path, monkeypatch, capsys):
    need_libraries()
    monkeypatch.setattr(cli, "HERE", tmp_path)
    assert cythera_command(["web", "--no-browser"]) == 2
    assert "Install npm" in capsys.readouterr().err
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "package.json").write_text("{}")
    assert cythera_command(["web", "--no-browser"]) == 2
    assert f"cd {tmp_path / 'page'} && npm ci && npm run build" in capsys.readouterr().err


def test_without_its_libraries_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert cythera_command(["web", "--no-browser"]) == 2
    assert 'pip install "cythera[web]"' in capsys.readouterr().err


def test_a_port_that_is_taken_is_an_error_if_it_was_asked_for():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(cli.WebError, match=f"cannot use port {port}"):
            cli.listen(port)


def test_without_a_wish_the_next_free_port_is_taken():
    with cli.listen(None) as first, cli.listen(None) as second:
        ports = [listener.getsockname()[1] for listener in (first, second)]
    assert cli.PORT <= ports[0] < ports[1] < cli.PORT + cli.PORTS_TRIED


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_is_none_is_refused(port, capsys):
    with pytest.raises(SystemExit):
        cli.options(["--port", port])
    assert "--port" in capsys.readouterr().err


@pytest.mark.skipif(not IS_BUILT, reason="the page is not built: npm run build in engine/cythera/web/page")
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_it_and_what_it_thinks_about_with_a_goodbye():
    need_libraries()
    from websockets.sync.client import connect

    command = [sys.executable, "-m", "cythera", "web", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
        with urlopen(f"http://127.0.0.1:{port}/") as page:
            assert page.status == 200
        with connect(f"ws://127.0.0.1:{port}/ws", origin=f"http://127.0.0.1:{port}") as tab:
            tab.send(json.dumps({"type": "analyse", "id": 1, "fen": START}))
            while "lines" not in [message["type"] for message in json.loads(tab.recv(timeout=60))]:
                pass
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (0, "Goodbye.\n", "")


def test_the_usage_names_it(capsys):
    assert cythera_command(["--help"]) == 0
    assert "cythera web" in capsys.readouterr().out


@pytest.mark.source
def test_the_lock_names_no_registry_and_pins_everything():
    lock = json.loads((PAGE / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert {"node_modules/@lichess-org/chessground", "node_modules/chessops", "node_modules/esbuild"} <= set(packages)
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert entry["integrity"].startswith("sha512-"), name


@pytest.mark.source
def test_the_sources_of_the_page_name_no_other_server():
    for path in (PAGE / "src").iterdir():
        for address in re.findall(r"(?:https?|wss?)://[^\s'\"`]*", path.read_text(encoding="utf-8")):
            assert address in ("http://www.w3.org/2000/svg", "ws://${location.host}/ws"), f"{path.name}: {address}"


@pytest.mark.skipif(not IS_BUILT, reason="the page is not built: npm run build in engine/cythera/web/page")
def test_the_page_is_small():
    import gzip

    files = [path for path in (HERE / "static").iterdir() if path.name != "sources.txt"]
    assert {path.name for path in files} == {"index.html", "main.js", "style.css", "icon.svg"}
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 300_000
