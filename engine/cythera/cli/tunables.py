"""`cythera tunables`: the search parameters as JSON, for `cythera tune search` and for people."""

import argparse
import json

from cythera.core import TUNABLES


def main(argv: list[str]) -> int:
    argparse.ArgumentParser(
        prog="cythera tunables", description="List the search parameters as JSON: name, default, range, meaning."
    ).parse_args(argv)
    rows = [
        {"name": row.name, "default": row.default, "min": row.low, "max": row.high, "about": row.about}
        for row in TUNABLES
    ]
    print("[\n" + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n]")
    return 0
