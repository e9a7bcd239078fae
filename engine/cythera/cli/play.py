"""`cythera play`: a game against the engine in the terminal."""

from __future__ import annotations

import argparse
import os
import random
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import chess.pgn

from cythera.api import Engine
from cythera.engine.levels import NAMES, elo_of_name
from cythera.engine.limits import Limit
from cythera.engine.options import MAX_ELO
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from collections.abc import Callable

HELP = """\
Moves are written e4, Nf3, O-O, exd8=Q or e2e4, g1f3, e1g1, e7d8q. Other words:
  undo            take back your last move
  hint            what the engine would play for you
  level club      change the level: a name or an Elo
  levels          list the levels
  moves           list your legal moves
  board, flip     show the board, from the other side
  fen             the position as text
  save [FILE]     save the game as PGN
  resign, new, quit"""

HINT_LIMIT = Limit(time_s=0.5)

# Colours of the squares, their light and dark with the last move, and of the pieces (256-colour codes).
LIGHT, DARK, LIGHT_MOVED, DARK_MOVED = 187, 101, 186, 143
WHITE_PIECE, BLACK_PIECE = 231, 16


class Leave(Exception):  # noqa: N818  # it is no error
    """The player wants to go."""


class TerminalGame:
    """One game: the board, both players, and the words that are understood at the prompt."""

    def __init__(
        self,
        engine: Engine,
        say: Callable[[str], object],
        *,
        level: str = "club",
        human: chess.Color = chess.WHITE,
        fen: str = chess.STARTING_FEN,
        move_time_s: float = 1.0,
        colours: bool = False,
        figures: bool = True,
    ) -> None:
        self.engine = engine
        self.say = say
        self.human = human
        self.fen = fen
        self.move_time_s = move_time_s
        self.colours = colours
        self.figures = figures
        self.flipped = human == chess.BLACK
        self.resigned = False
        self.level = level
        self.board = chess.Board(fen)
        self.set_level(level)
        self.words: dict[str, Callable[[str], object]] = {
            "undo": self.undo,
            "hint": self.hint,
            "level": self.announce_level,
            "levels": lambda rest: self.say(level_list()),
            "moves": lambda rest: self.say(" ".join(sorted(map(self.board.san, self.board.legal_moves)))),
            "board": lambda rest: self.show(),
            "flip": self.flip,
            "fen": lambda rest: self.say(self.board.fen()),
            "save": self.save,
            "resign": self.resign,
            "new": self.new,
            "help": lambda rest: self.say(HELP),
            "?": lambda rest: self.say(HELP),
            "quit": self.leave,
            "exit": self.leave,
        }

    # What the player says

    def hear(self, text: str) -> None:
        """Obeys a word or plays a move, and answers it."""
        word, _, rest = text.strip().partition(" ")
        if not word:
            return
        if word.lower() in self.words:
            self.words[word.lower()](rest.strip())
            return
        if self.is_over():
            self.say("The game is over; say new, save or quit.")
            return
        if self.board.turn != self.human:  # the engine's answer has failed before
            self.answer()
            return
        try:
            move = read_move(self.board, text)
        except ValueError as error:
            self.say(str(error))
            return
        self.board.push(move)
        self.answer()

    def answer(self) -> None:
        """Lets the engine move if it is its turn, and shows where the game stands."""
        while not self.is_over() and self.board.turn != self.human:
            played = self.engine.play(self.board, Limit(time_s=self.move_time_s))
            number = f"{self.board.fullmove_number}{'.' if self.board.turn else '…'}"
            self.say(f"\nCythera plays {number} {self.board.san(played.move)}")
            self.board.push(played.move)
        self.show()

    def undo(self, rest: str) -> None:
        if self.resigned:
            self.resigned = False
            self.show()
            return
        plies = 1 if self.board.turn != self.human else 2
        if len(self.board.move_stack) < plies:
            self.say("There is nothing to take back.")
            return
        for _ in range(plies):
            self.board.pop()
        self.show()

    def hint(self, rest: str) -> None:
        if self.is_over():
            self.say("The game is over.")
            return
        line = self.engine.analyse(self.board, HINT_LIMIT)
        self.say(f"{self.board.variation_san(line.pv[:5])}  ({line.white_score} for White)")

    def set_level(self, text: str) -> None:
        elo = elo_of_name(text)
        self.engine.limit_strength(elo=None if elo == MAX_ELO else elo)
        self.level = text.lower()

    def announce_level(self, text: str) -> None:
        if text:
            self.set_level(text)
        self.say(f"Level: {self.described_level()}.")

    def described_level(self) -> str:
        elo = self.engine.elo
        if elo is None:
            return "full strength"
        return f"{self.level} (Elo about {elo})" if self.level in NAMES else f"Elo {elo}"

    def flip(self, rest: str) -> None:
        self.flipped = not self.flipped
        self.show()

    def save(self, rest: str) -> None:
        now = datetime.now(timezone.utc).astimezone()
        path = Path(rest or f"cythera-{now:%Y%m%d-%H%M%S}.pgn")
        try:
            path = path.expanduser()
            with path.open("a", encoding="utf-8") as file:
                print(self.pgn(f"{now:%Y.%m.%d}"), file=file, end="\n\n")
        except (OSError, RuntimeError, ValueError) as error:  # an unknown home folder, an impossible file name
            self.say(f"The game cannot be saved to {path}: {getattr(error, 'strerror', None) or error}.")
        else:
            self.say(f"Saved to {path}.")

    def resign(self, rest: str) -> None:
        if not self.is_over():
            self.resigned = True
            self.show()

    def new(self, rest: str) -> None:
        self.board = chess.Board(self.fen)
        self.resigned = False
        self.engine.new_game()
        self.answer()

    def leave(self, rest: str) -> None:
        raise Leave

    # What the player sees

    def is_over(self) -> bool:
        return self.outcome() is not None

    def outcome(self) -> tuple[str, str] | None:
        """Result and how it came about, or None while the game goes on."""
        board = self.board
        if self.resigned:
            return ("0-1", "resignation") if self.human == chess.WHITE else ("1-0", "resignation")
        if ended := board.outcome():
            return ended.result(), ended.termination.name.lower().replace("_", " ")
        if board.is_repetition(3):
            return "1/2-1/2", "threefold repetition"
        if board.is_fifty_moves():
            return "1/2-1/2", "the fifty-move rule"
        return None

    def ending(self, result: str, how: str) -> str:
        if result == "1/2-1/2":
            return f"A draw by {how}: {result}."
        won = (result == "1-0") == (self.human == chess.WHITE)
        return f"{'You win' if won else 'Cythera wins'} by {how}: {result}."

    def show(self) -> None:
        self.say("\n" + draw(self.board, flipped=self.flipped, colours=self.colours, figures=self.figures))
        if outcome := self.outcome():
            self.say(f"\n{self.ending(*outcome)} Say save to keep the game, new for another, undo or quit.")
        elif self.board.is_check():
            self.say("\nCheck!")

    def pgn(self, date: str) -> str:
        game = chess.pgn.Game.from_board(self.board)
        name = "Cythera" if self.engine.elo is None else f"Cythera (Elo {self.engine.elo})"
        players = ("You", name) if self.human == chess.WHITE else (name, "You")
        game.headers.update(
            Event="A game in the terminal",
            Site="?",
            Date=date,
            Round="-",
            White=players[0],
            Black=players[1],
            Result=(self.outcome() or ("*", ""))[0],
        )
        return str(game)


def read_move(board: chess.Board, text: str) -> chess.Move:
    """A move from SAN or UCI; raises ValueError with a message."""
    text = text.strip().rstrip("!?").replace("0-0-0", "O-O-O").replace("0-0", "O-O")
    for parse, written in ((board.parse_san, text), (board.parse_uci, text.lower())):
        try:
            move = parse(written)
        except chess.AmbiguousMoveError:
            raise ValueError(f"More than one piece can play {text}; say which, as in Nbd2 or b1d2.") from None
        except ValueError:
            continue
        if move:  # not a null move, which both would take
            return move
    raise ValueError(f"{text[:40]} is not a move here. Say moves for a list, help for help.")


def draw(board: chess.Board, *, flipped: bool, colours: bool, figures: bool) -> str:
    """The board as text; with `colours`, for a terminal of 256 colours."""
    last = board.peek() if board.move_stack else None
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    lines = []
    for rank in ranks:
        cells = [cell(board, chess.square(file, rank), last, colours, figures) for file in files]
        lines.append(f" {rank + 1} " + "".join(cells))
    letters = (" " if colours else "") + (" " if colours else "").join(f" {'abcdefgh'[file]}" for file in files)
    return "\n".join([*lines, "   " + letters])


def cell(board: chess.Board, square: int, last: chess.Move | None, colours: bool, figures: bool) -> str:
    piece = board.piece_at(square)
    if not colours:
        empty = "·" if figures else "."
        return " " + (empty if piece is None else piece.unicode_symbol() if figures else piece.symbol())
    light = (chess.square_file(square) + chess.square_rank(square)) % 2 == 1
    moved = last is not None and square in (last.from_square, last.to_square)
    back = (LIGHT_MOVED if light else DARK_MOVED) if moved else (LIGHT if light else DARK)
    if piece is None:
        return f"\x1b[48;5;{back}m   \x1b[0m"
    # Both colours are drawn with the filled figures: on a coloured square the hollow ones look empty.
    symbol = chess.Piece(piece.piece_type, chess.BLACK).unicode_symbol() if figures else piece.symbol()
    return f"\x1b[48;5;{back};38;5;{WHITE_PIECE if piece.color else BLACK_PIECE}m {symbol} \x1b[0m"


def level_list() -> str:
    lines = [f"  {name:10} {'full strength' if elo == MAX_ELO else f'Elo about {elo}'}" for name, elo in NAMES.items()]
    return "\n".join([*lines, "or an Elo from 800 up. The figures are rough (see docs/levels.md)."])


def can_print_figures() -> bool:
    try:
        "♔·…".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cythera play", description="Play a game against Cythera in the terminal.")
    parser.add_argument("--level", default="club", help=f"{', '.join(NAMES)}, or an Elo (default: club)")
    parser.add_argument("--colour", "--color", choices=["white", "black", "random"], default="white",
                        help="your colour (default: white)")  # fmt: skip
    parser.add_argument("--movetime", type=float, default=1.0, metavar="SECONDS",
                        help="longest time per move of the engine (default: 1)")  # fmt: skip
    parser.add_argument("--fen", default=chess.STARTING_FEN, metavar="FEN", help="start from this position")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed, to repeat a game against a level")
    parser.add_argument("--ascii", action="store_true", help="letters instead of piece symbols")
    args = parser.parse_args(argv)
    if not 0 < args.movetime <= 3600:
        parser.error(f"--movetime must be above 0 and at most 3600, got {args.movetime:g}")
    return args


def main(argv: list[str]) -> int:
    args = options(argv)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    seed = args.seed if args.seed is not None else random.randrange(1 << 31)
    human = {"white": chess.WHITE, "black": chess.BLACK}.get(args.colour, bool(seed % 2))
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        board = chess.Board(args.fen)
        if not board.is_valid():
            raise ValueError("it is not a possible position")
    except ValueError as error:
        raise CytheraError(f"--fen: {error}") from None
    with Engine(seed=seed) as engine:
        game = TerminalGame(
            engine,
            print,
            level=args.level,
            human=human,
            fen=args.fen,
            move_time_s=args.movetime,
            colours=terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb",
            figures=not args.ascii and can_print_figures(),
        )
        colour = "White" if human else "Black"
        print(f'You play {colour}; level {game.described_level()}. Type "help" for a list of commands.')
        converse(game)
    print("Goodbye.")
    return 0


def converse(game: TerminalGame) -> None:
    """Asks for words until the player leaves."""
    try:
        game.answer()
        while True:
            number = f"{game.board.fullmove_number}{'.' if game.board.turn else '…'}"
            try:
                game.hear(input(f"\n{number} " if not game.is_over() else "\n> "))
            except CytheraError as error:
                game.say(str(error))
    except (EOFError, KeyboardInterrupt):
        print()
    except Leave:
        pass
