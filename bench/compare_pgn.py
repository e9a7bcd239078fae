"""Reads PGN files with Cythera and with python-chess, and compares every game: tags, moves, variations, comments, NAGs,
clocks, evaluations.

    python bench/compare_pgn.py games.pgn more.pgn.zst
    python bench/compare_pgn.py --fast games.pgn     # main lines against rust-pgn-reader-python-binding

A difference is explained if the two agree once the text is written without what is known to be read differently, or if
both find the game bad. Differences without a reason are listed with file and line; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

import chess.pgn

from cythera.core import PgnBlock
from cythera.errors import CytheraError
from cythera.games import Game
from cythera.games.source import read_fully, streams

TAG_END = re.compile(r'"\s*\]')
COMMENT_OR_REST = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*\n?", re.MULTILINE)
COMMENT_OR_BLANK = re.compile(r"\{[^}]*\}|\n\s*\n")
COMMENT_OR_HALF = re.compile(r"\{[^}]*\}|1/2(?!-1/2)|½(?:-½)?")


class Lines:
    """A text for `chess.pgn.read_game`, which asks for nothing but lines. `number` is of the next one, from 1."""

    def __init__(self, text: str) -> None:
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.number = 1

    def readline(self) -> str:
        if self.number > len(self.lines):
            return ""
        line = self.lines[self.number - 1]
        self.number += 1
        return line + "\n" if self.number <= len(self.lines) else line


class Theirs(NamedTuple):
    """A game as python-chess reads it, with the number of its first line and of the one after its last."""

    game: chess.pgn.Game
    first: int
    end: int


class Ours(NamedTuple):
    """A game as Cythera reads it (None: left out), the line it begins or was left out at, and what is wrong."""

    game: Game | None
    line: int
    problems: list[str]


class Group(NamedTuple):
    """The smallest piece of a file that both readers begin and end with a game: nearly always one game of each."""

    ours: list[Ours]
    theirs: list[Theirs]


class Difference(NamedTuple):
    reason: str  # "" if it is not explained
    line: int
    detail: str


class Count(NamedTuple):
    """What was compared."""

    games: int = 0
    plies: int = 0
    differences: tuple[Difference, ...] = ()


def by_python_chess(text: str) -> Iterator[Theirs]:
    handle = Lines(text)
    while True:
        first = handle.number
        try:
            game = chess.pgn.read_game(cast("TextIO", handle))
        except IndexError as error:  # a main line closed by more ")" than were opened, for example
            raise CytheraError(f"python-chess ends with {error!r} in the game at line {first}") from error
        if game is None:
            return
        yield Theirs(game, first, handle.number)


def by_cythera(text: str) -> list[Ours]:
    block = PgnBlock(text.encode("utf-8", "surrogatepass"), "tree")
    problems: dict[int, list[tuple[int, str, bool]]] = {}
    for number, line, message, is_fatal in block.problems():
        problems.setdefault(number, []).append((line, message, is_fatal))
    good = {game.number: game for game in Game.of_block(block)}
    found, line, at = [], 1, 0
    for number in range(1, len(block) + 1):
        messages = [message for _, message, _ in problems.get(number, [])]
        game = good.get(number)
        if game is None:
            fatal = next(where for where, _, is_fatal in problems[number] if is_fatal)
            found.append(Ours(None, fatal, messages))
        else:
            line += block.data.count(b"\n", at, game.offset)
            at = game.offset
            found.append(Ours(game, line, messages))
    return found


def groups(text: str) -> Iterator[Group]:
    mine = by_cythera(text)
    at = 0
    group = Group([], [])
    for theirs in by_python_chess(text):
        here = []
        while at < len(mine) and mine[at].line < theirs.end:
            here.append(mine[at])
            at += 1
        if here and group.ours:
            yield group
            group = Group([], [])
        group.ours.extend(here)
        group.theirs.append(theirs)
    group.ours.extend(mine[at:])
    if group.ours or group.theirs:
        yield group


# What can differ


def header_difference(ours: chess.pgn.Game, theirs: chess.pgn.Game) -> str:
    a, b = dict(ours.headers), dict(theirs.headers)
    for name in sorted({*a, *b}):
        if a.get(name) != b.get(name):
            return f"tag {name}: {a.get(name)!r} here, {b.get(name)!r} there"
    return ""


def node_text(node: chess.pgn.GameNode) -> tuple[object, ...]:
    start = node.starting_comment if isinstance(node, chess.pgn.ChildNode) else ""
    return node.comment.strip(), start.strip(), sorted(node.nags)


def name_of(node: chess.pgn.GameNode) -> str:
    return f"half-move {node.ply()}"


def tree_difference(ours: chess.pgn.Game, theirs: chess.pgn.Game) -> str:
    """Where two trees differ, "" if they do not."""
    stack: list[tuple[chess.pgn.GameNode, chess.pgn.GameNode]] = [(ours, theirs)]
    while stack:
        a, b = stack.pop()
        if node_text(a) != node_text(b):
            return f"{name_of(b)}: {node_text(a)} here, {node_text(b)} there"
        moves = [[child.move.uci() for child in node.variations] for node in (a, b)]
        if moves[0] != moves[1]:
            return f"after {name_of(b)}: {moves[0]} here, {moves[1]} there"
        stack.extend(zip(a.variations, b.variations, strict=True))
    return ""


def note_difference(ours: Game, theirs: chess.pgn.Game) -> str:
    """Where clocks, times or evaluations of the main line differ."""
    if not any("[%" in comment for comment in ours.comments):
        return ""
    columns = zip(ours.clocks, ours.move_times, ours.evals, theirs.mainline(), strict=True)
    for clock, move_time, score, node in columns:
        their_score = node.eval()
        white = their_score.white() if their_score else None
        pairs = {
            "%clk": (clock, node.clock()),
            "%emt": (move_time, node.emt()),
            "%eval mate": (score and score.mate, white and white.mate()),
            "%eval": (score and score.cp, white and white.score()),
        }
        for name, (a, b) in pairs.items():
            if a != b:
                return f"{name} of {node.comment!r}: {a} here, {b} there"
    return ""


def difference(ours: Game, theirs: chess.pgn.Game) -> str:
    converted = ours.to_chess()
    return header_difference(converted, theirs) or tree_difference(converted, theirs) or note_difference(ours, theirs)


# Reasons. Each is the text of a game written without something that is read differently.


def with_plain_tags(game: Game, text: str) -> str:
    """Tags one per line, without backslashes; what stands after the last of them stays."""
    tags = "".join(f'[{name} "{value}"]\n' for name, value in game.headers.items())
    ends = list(TAG_END.finditer(text[: len(text) - len(moves_of(game, text))]))
    return f"{tags}\n{text[ends[-1].end() :].lstrip()}" if ends else text


def moves_of(game: Game, text: str) -> str:
    """The text after the tags."""
    rest = text.lstrip("\ufeff")
    while True:
        stripped = rest.lstrip()
        if not stripped.startswith("["):
            return stripped
        end = stripped.find("\n")
        if end < 0:
            return ""
        rest = stripped[end:]


def without_rest_comments(game: Game, text: str) -> str:
    """`; comment` as `{comment}`."""

    def braces(found: re.Match[str]) -> str:
        word = found.group()
        at_line = found.start() == 0 or found.string[found.start() - 1] == "\n"
        return f"{{{word[1:].rstrip()}}}" if word[0] == ";" and not at_line else "" if word[0] in ";%" else word

    return COMMENT_OR_REST.sub(braces, text)


def without_blank_lines(game: Game, text: str) -> str:
    moves = moves_of(game, text)
    head = text[: len(text) - len(moves)]
    return head + COMMENT_OR_BLANK.sub(lambda found: found.group() if found.group()[0] == "{" else "\n", moves)


def with_full_draws(game: Game, text: str) -> str:
    """`1/2` and `½` as `1/2-1/2`."""
    return COMMENT_OR_HALF.sub(lambda found: found.group() if found.group()[0] == "{" else "1/2-1/2", text)


def in_export_format(game: Game, text: str) -> str:
    """As Cythera writes it: agreement then says that the moves were read in a dialect python-chess has not."""
    return game.text(columns=None)


REWRITTEN: dict[str, Callable[[Game, str], str]] = {
    "tags not one per line, cut off, or with backslashes": with_plain_tags,
    "; comments": without_rest_comments,
    "blank line inside a game": without_blank_lines,
    "1/2 or ½ as the result": with_full_draws,
    "moves or signs in another dialect": in_export_format,
}


def reread(text: str) -> chess.pgn.Game | None:
    return chess.pgn.read_game(cast("TextIO", Lines(text)))


def reason_of(ours: Ours, theirs: chess.pgn.Game | None) -> str:
    """Why a game is read differently; "" if that is not known."""
    game = ours.game
    if game is None:
        return bad_reason(ours, theirs)
    alone = reread(game.source)
    if alone is not None and not difference(game, alone):
        return "games without a blank line between them"
    if any("in a variation" in text for text in ours.problems):
        return "illegal move in a variation" if theirs is not None and theirs.errors else ""
    if any("before the first move" in text for text in ours.problems):
        return "variation before the first move"
    if any("closed that was not open" in text for text in ours.problems):
        return "variation closed that was not open"
    if theirs is not None and note_difference_only(game, theirs):
        return "%clk, %emt or %eval in another form"
    text = game.source
    for reason, rewrite in REWRITTEN.items():
        text = rewrite(game, text)
        again = reread(text)
        if again is not None and not again.errors and not difference_of_texts(game, again):
            return reason
    return ""


def note_difference_only(game: Game, theirs: chess.pgn.Game) -> bool:
    converted = game.to_chess()
    return not (header_difference(converted, theirs) or tree_difference(converted, theirs))


def difference_of_texts(game: Game, theirs: chess.pgn.Game) -> str:
    converted = game.to_chess()
    for each in (converted, theirs):
        for name in ("SetUp", "Result"):
            each.headers.pop(name, None)
        each.headers.update(without_backslashes(each.headers))
    return header_difference(converted, theirs) or tree_difference(converted, theirs)


def bad_reason(ours: Ours, theirs: chess.pgn.Game | None) -> str:
    problem = next((text for text in ours.problems if "in a variation" not in text), "")
    if "not supported" in problem:
        return "left out: another variant"
    if "not understood" in problem:
        return "left out: a word that is no move"
    if "not closed" in problem:
        return "left out: comment without an end"
    if "is not text" in problem:
        return "left out: not text"
    if theirs is not None and theirs.errors:
        return "left out: illegal or ambiguous move, or no legal position; an error there too"
    if "passes while in check" in problem:
        return "left out: null move in check"
    return ""


def differences(group: Group) -> Iterator[Difference]:
    if len(group.ours) == len(group.theirs) == 1 and group.ours[0].game is not None:
        found = difference(group.ours[0].game, group.theirs[0].game)
        if found:
            yield Difference(reason_of(group.ours[0], group.theirs[0].game), group.ours[0].line, found)
        return
    if len(group.ours) == len(group.theirs) == 1:
        ours, theirs = group.ours[0], group.theirs[0]
        yield Difference(bad_reason(ours, theirs.game), ours.line, f"{ours.problems} here, {theirs.game.errors} there")
        return
    counted = f"{len(group.ours)} games here, {len(group.theirs)} there"
    if not group.ours:
        is_text = not any(theirs.game.variations for theirs in group.theirs)
        yield Difference("text that is no game" if is_text else "", group.theirs[0].first, counted)
    for ours in group.ours:
        if ours.game is None:
            yield Difference(bad_reason(ours, group.theirs[0].game), ours.line, f"{counted}; {ours.problems} here")
        else:
            yield Difference(reason_of(ours, reread(ours.game.source)), ours.line, counted)


def compare(text: str) -> Count:
    games = plies = 0
    found: list[Difference] = []
    for group in groups(text):
        games += len(group.ours)
        plies += sum(len(ours.game) for ours in group.ours if ours.game is not None)
        found.extend(differences(group))
    return Count(games, plies, tuple(found))


def compare_fast(text: str) -> Count:
    """Main lines and tags against the rust package, for each game that Cythera finds."""
    import rust_pgn_reader_python_binding as package

    mine = by_cythera(text)
    good = [(ours.line, ours.game) for ours in mine if ours.game is not None]
    parsed: Any = package.parse_games_from_strings([game.source for _, game in good], num_threads=1)
    found = []
    for number, (line, game) in enumerate(good):
        theirs = parsed[number]
        if game.uci() != theirs.moves_uci():
            detail = f"{game.uci()} here, {theirs.moves_uci()} there, {theirs.parse_error}"
            found.append(Difference("", line, detail))
        elif without_backslashes(game.headers) != without_backslashes(theirs.headers):
            found.append(Difference("", line, f"{game.headers} here, {theirs.headers} there"))
    return Count(len(mine), sum(len(game) for _, game in good), tuple(found))


def without_backslashes(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value.replace("\\", "") for name, value in headers.items()}


def texts(path: Path) -> Iterator[tuple[str, str]]:
    """The text of a file, or of each member of an archive. Both readers get the same characters."""
    for name, stream in streams(path):
        parts = []
        while part := read_fully(name, stream, 1 << 24):
            parts.append(part)
        data = b"".join(parts)
        try:
            yield name, data.decode("utf-8")
        except UnicodeDecodeError:
            yield name, data.decode("latin-1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PGN, also packed")
    parser.add_argument("--fast", action="store_true", help="main lines and tags against the rust package")
    parser.add_argument("--verbose", action="store_true", help="list explained differences too")
    args = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    begin = time.process_time()
    files = games = plies = 0
    reasons: Counter[str] = Counter()
    for path in args.files:
        try:
            for name, text in texts(path):
                count = (compare_fast if args.fast else compare)(text)
                files, games, plies = files + 1, games + count.games, plies + count.plies
                for found in count.differences:
                    reasons[found.reason] += 1
                    if args.verbose or not found.reason:
                        detail = found.detail if len(found.detail) < 500 else found.detail[:500] + "…"
                        print(f"{name}:{found.line}: {found.reason or 'NOT EXPLAINED'}: {detail}", flush=True)
        except CytheraError as error:
            print(f"{path}: {error}", file=sys.stderr)
    print(f"{files} files, {games} games, {plies} half-moves, {time.process_time() - begin:.0f} s of CPU")
    for reason, number in reasons.most_common():
        print(f"{number:9}  {reason or 'not explained'}")
    return 1 if reasons[""] else 0


if __name__ == "__main__":
    sys.exit(main())
