"""`cythera tunables`: the search parameters as JSON, for `cythera tune search` and for people."""

import json

from cythera.core import TUNABLES


def main(argv: list[str]) -> int:
    if argv:
        print("usage: cythera tunables")
        return 0 if argv[0] in ("-h", "--help") else 2
    rows = [dict(zip(("name", "default", "min", "max", "about"), row, strict=True)) for row in TUNABLES]
    print("[\n" + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n]")
    return 0
