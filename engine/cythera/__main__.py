"""The `cythera` command: a subcommand if the first word names one, else the UCI engine."""

import sys

# Name -> (module with `main(argv) -> exit code`, one line of help). Modules load only when called.
COMMANDS = {
    "perft": ("cythera.cli.perft", "count move sequences from a position"),
    "match": ("cythera.match.cli", "play engines against each other"),
    "openings": ("cythera.match.openings_cli", "make an opening file for matches"),
    "lab": ("cythera.lab.cli", "textbook search algorithms, run, compared and drawn"),
}


def main(argv: list[str] | None = None) -> int:
    args = sys.argv[1:] if argv is None else argv
    if args and args[0] in COMMANDS:
        from importlib import import_module

        from cythera.errors import CytheraError

        try:
            return int(import_module(COMMANDS[args[0]][0]).main(args[1:]))
        except CytheraError as error:
            print(f"cythera {args[0]}: {error}", file=sys.stderr)
            return 2
    from cythera import uci

    return uci.main(args)


if __name__ == "__main__":
    sys.exit(main())
