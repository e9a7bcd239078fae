"""The `cythera` command: a subcommand if the first word names one, else the UCI engine."""

import sys

from cythera.cli.commands import COMMANDS


def usage() -> str:
    from cythera import __version__

    lines = [
        f"Cythera {__version__}, a chess engine.",
        "",
        "  cythera             the UCI engine: what a chess GUI starts, or type help",
        "  cythera UCI-COMMAND one UCI command and exit, e.g. cythera go movetime 1000",
        *(f"  cythera {name:11} {about}" for name, (_, about) in COMMANDS.items()),
        "",
        "Run `cythera COMMAND --help` for details.",
    ]
    return "\n".join(lines)


def run(args: list[str]) -> int:
    """The command of the command line; returns its exit code."""
    if args and args[0] in COMMANDS:
        from importlib import import_module

        from cythera.errors import CytheraError

        try:
            return int(import_module(COMMANDS[args[0]][0]).main(args[1:]))
        except CytheraError as error:
            print(f"cythera {args[0]}: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130
    if args and args[0] in ("-h", "--help"):
        print(usage())
        return 0
    if args and args[0] in ("-V", "--version"):
        from cythera import __version__

        print(f"Cythera {__version__}")
        return 0
    from cythera.uci import program

    return program.main(args)


def main(argv: list[str] | None = None) -> int:
    try:
        code = run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:  # `cythera … | head`: nobody reads the rest
        sys.stdout = None
        return 141


if __name__ == "__main__":
    sys.exit(main())
