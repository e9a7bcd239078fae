"""`cythera path`: what to paste into a chess GUI."""

import argparse
import os
import shutil
import sys
import sysconfig
from pathlib import Path

from cythera.errors import CytheraError

NAME = "cythera.exe" if os.name == "nt" else "cythera"


def program() -> Path:
    """The executable that starts the engine; raises CytheraError if there is none."""
    started = Path(sys.argv[0])
    found = shutil.which("cythera")
    for path in (started, Path(sysconfig.get_path("scripts")) / NAME, Path(found) if found else None):
        if path is not None and path.name.lower() in (NAME, "cythera") and path.is_file():
            return path.resolve()
    raise CytheraError("the program `cythera` is not installed; `pip install .` puts it beside this Python")


def main(argv: list[str]) -> int:
    argparse.ArgumentParser(
        prog="cythera path", description="Print the full path of the engine, to paste into a chess GUI."
    ).parse_args(argv)
    print(program())
    if sys.stdout.isatty():
        print("Paste this line into your GUI's dialog for a new UCI engine; it needs no arguments.", file=sys.stderr)
    return 0
