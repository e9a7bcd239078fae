"""Games as PGN in the export format: roster of seven tags first, moves in SAN, lines wrapped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cythera.errors import CytheraError
from cythera.games.game import build_tree

if TYPE_CHECKING:
    from cythera.games.game import Game, Node

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}


def game_text(game: Game, *, columns: int | None = 80) -> str:
    """A game with its tags, comments, NAGs and, if they were read, variations; without the blank line after it."""
    tags = {**ROSTER, **game.headers, "Result": game.result}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    header = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in tags.items())
    position = game.position(0)
    ply = 2 * (position.fullmove_number - 1) + (position.turn == "b")
    root = build_tree(game)
    words: list[str] = [brace(root.comment)] if root.comment else []
    words += nag_words(root)
    write_line(root, ply, words)
    words.append(game.result)
    return f"{header}\n{wrapped(words, columns)}\n"


def write_games(games: Iterable[Game], target: str | Path | IO[str], *, columns: int | None = 80) -> int:
    """Writes games to a file or a text stream, a blank line after each; returns how many."""
    if not isinstance(target, (str, Path)):
        return _write(games, target, columns)
    try:
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            return _write(games, file, columns)
    except OSError as error:
        raise CytheraError(f"cannot write {target}: {error.strerror or error}") from error


def _write(games: Iterable[Game], file: IO[str], columns: int | None) -> int:
    count = 0
    for game in games:
        file.write(game_text(game, columns=columns) + "\n")
        count += 1
    return count


def write_line(root: Node, ply: int, words: list[str]) -> None:
    """Appends the words of all that follows a node. By a stack, since variations may be nested deep."""
    stack: list[tuple[str, Node, int, bool]] = [("line", root, ply, True)]
    while stack:
        kind, node, at, needs_number = stack.pop()
        if kind == "close":
            words[-1] += ")"
        elif kind == "open":
            first = len(words)
            write_move(node, at, True, words)
            words[first] = f"({words[first]}"
            stack.append(("line", node, at + 1, bool(node.comment)))
        elif node.variations:
            main, *others = node.variations
            write_move(main, at, needs_number, words)
            stack.append(("line", main, at + 1, bool(main.comment or others)))
            for other in reversed(others):
                stack.append(("close", other, at, False))
                stack.append(("open", other, at, True))


def write_move(node: Node, ply: int, needs_number: bool, words: list[str]) -> None:
    if node.starting_comment:
        words.append(brace(node.starting_comment))
    if ply % 2 == 0:
        words.append(f"{ply // 2 + 1}.")
    elif needs_number:
        words.append(f"{ply // 2 + 1}...")
    words.append(node.san)
    words += nag_words(node)
    if node.comment:
        words.append(brace(node.comment))


def nag_words(node: Node) -> list[str]:
    return [f"${nag}" for nag in sorted(node.nags)]


def brace(comment: str) -> str:
    return f"{{ {comment.replace('}', ')')} }}"


def escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")


def wrapped(words: list[str], columns: int | None) -> str:
    """Words in lines; a comment is one word, so that it reads back as it was."""
    if columns is None:
        return " ".join(words)
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])
