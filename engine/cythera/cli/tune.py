"""`cythera tune`: evaluation weights (`eval`), the WDL model (`wdl`) and search parameters (`search`)."""

import sys

TOOLS = {
    "eval": ("cythera.cli.tune_eval", "fit the classical evaluation to self-play games (Texel's method)"),
    "wdl": ("cythera.cli.tune_wdl", "fit the chances of win, draw and loss by score (WDL model)"),
    "search": ("cythera.cli.tune_search", "tune search parameters by games (SPSA)"),
}


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in TOOLS:
        asked = bool(argv) and argv[0] in ("-h", "--help")
        lines = ["usage: cythera tune {eval,wdl,search} …", ""]
        lines += [f"  {name:<8} {about}" for name, (_, about) in TOOLS.items()]
        print("\n".join(lines), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    from importlib import import_module

    return int(import_module(TOOLS[argv[0]][0]).main(argv[1:]))
