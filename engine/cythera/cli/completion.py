"""`cythera completion`: shell completion for bash, zsh and fish.

The printed script calls `cythera completion --words …`, which answers from the parsers of the commands
themselves, so that it is never out of date.
"""

import argparse
import contextlib
import io
from importlib import import_module
from typing import NoReturn

SHELLS = {
    "bash": '''_cythera() {
    local IFS=$'\\n'
    COMPREPLY=($(cythera completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _cythera cythera''',
    "zsh": '''#compdef cythera
_cythera() {
    local -a found
    found=("${(@f)$(cythera completion --words "${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
    if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _cythera cythera''',
    "fish": '''function __cythera
    set -l words (commandline -opc) (commandline -ct)
    cythera completion --words $words[2..-1] 2>/dev/null
end
complete -c cythera -a "(__cythera)"''',
}

EPILOG = """\
examples:
  eval "$(cythera completion bash)"                             # in ~/.bashrc
  cythera completion zsh > ~/.zfunc/_cythera                    # a folder of your fpath
  cythera completion fish > ~/.config/fish/completions/cythera.fish"""


class _Captured(Exception):  # noqa: N818 - not an error
    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def parser_of(words: list[str]) -> argparse.ArgumentParser | None:
    """The parser that the command of these words would use; the command itself is not run."""
    from cythera.cli.commands import COMMANDS

    if not words or words[0] not in COMMANDS:
        return None

    def capture(self: argparse.ArgumentParser, *args: object, **kwargs: object) -> NoReturn:
        raise _Captured(self)

    original = argparse.ArgumentParser.parse_args
    argparse.ArgumentParser.parse_args = capture  # type: ignore[method-assign]
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            import_module(COMMANDS[words[0]][0]).main(words[1:])
    except _Captured as captured:
        return captured.parser
    except (Exception, SystemExit):
        return None
    finally:
        argparse.ArgumentParser.parse_args = original  # type: ignore[method-assign]
    return None


def candidates(words: list[str]) -> list[str]:
    """What the last word can be completed to; nothing where a file name or a value is expected.

    >>> candidates(["ma"])
    ['match']
    >>> candidates(["match", "--gau"])
    ['--gauntlet']
    """
    from cythera.cli.commands import COMMANDS

    *before, last = words or [""]
    if not before:
        return sorted(name for name in COMMANDS if name.startswith(last))
    if before == ["tune"]:
        from cythera.cli.tune import TOOLS

        return sorted(name for name in TOOLS if name.startswith(last))
    parser = parser_of(before)
    if parser is None:
        return []
    found: set[str] = set()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            chosen = next((word for word in before[1:] if word in action.choices), None)
            if chosen is None:
                found |= set(action.choices)
            else:
                found |= {text for one in action.choices[chosen]._actions for text in one.option_strings}
        elif before[-1] in action.option_strings and action.nargs != 0:
            return sorted(str(one) for one in action.choices or () if str(one).startswith(last))
        elif action.option_strings:
            found |= set(action.option_strings)
        elif action.choices:
            found |= {str(one) for one in action.choices}
    return sorted(text for text in found if text.startswith(last) and (last or not text.startswith("-")))


def main(argv: list[str]) -> int:
    if argv[:1] == ["--words"]:
        print("\n".join(candidates(argv[1:])))
        return 0
    parser = argparse.ArgumentParser(
        prog="cythera completion",
        description="Print a script that completes commands and options in your shell.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=sorted(SHELLS))
    print(SHELLS[parser.parse_args(argv).shell])
    return 0
