"""Tactical motifs of a line, found on the board: forks, pins, skewers, discoveries, mates and the like.

A line is given with the side to move, whose line it is: the motifs are what this side does to the other.
A motif is named only if the line shows it, for instance a fork if one of the forked pieces is then taken.
Boards are those of python-chess; nothing is searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.exchanges import NAMES, VALUES, exchange_gain, is_winnable, taken_by

if TYPE_CHECKING:
    import chess

LONGEST = 9  # plies of a line that are looked at
SLIDERS = (3, 4, 5)
BEATEN = 3  # a piece, as against a pawn, is worth as much


@dataclass(frozen=True)
class Motif:
    """A motif: its name, the ply of the line and the move (SAN) that make it, and a noun phrase for it."""

    name: str
    ply: int
    san: str
    text: str


@dataclass(frozen=True)
class Step:
    """A move of the side whose line it is, with the boards around it and the moves that follow."""

    ply: int
    move: chess.Move
    san: str
    before: chess.Board
    after: chess.Board
    rest: tuple[chess.Move, ...]  # the answer first

    @property
    def square(self) -> int:
        """Where the piece that moved stands afterwards."""
        import chess

        if self.before.is_castling(self.move):
            file = 6 if self.before.is_kingside_castling(self.move) else 2
            return chess.square(file, chess.square_rank(self.move.from_square))
        return self.move.to_square

    def later_captures(self) -> Iterator[tuple[int, int]]:
        """From and to squares of the captures that pay, which this side makes later in the line."""
        board = self.after.copy()
        for at, move in enumerate(self.rest):
            if at % 2 == 1 and taken_by(board, move) and exchange_gain(board, move) > 0:
                yield move.from_square, move.to_square
            board.push(move)


def find_motifs(board: chess.Board, moves: Sequence[str]) -> list[Motif]:
    """The motifs of a line for the side that begins it, in their order, mates first.

    >>> import chess
    >>> board = chess.Board("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1")
    >>> [(one.name, one.san, one.text) for one in find_motifs(board, ["b5c7", "e8d7", "c7a8"])]
    [('fork', 'Nc7+', 'a fork of king and rook'), ('hanging piece', 'Nxa8', 'the rook on a8')]
    """
    steps = list(steps_of(board, moves))
    found = list(mates(board, moves))
    for step in steps:
        for look in (
            double_check, discovery, fork, skewer, pin, removal, deflection, trap, promotion, capture,
        ):  # fmt: skip
            said = look(step)
            if said is not None:
                found.append(said)
    return found


def steps_of(board: chess.Board, moves: Sequence[str]) -> Iterator[Step]:
    board = board.copy()
    parsed = []
    boards = []
    for text in moves[:LONGEST]:
        move = board.parse_uci(text)
        boards.append(board.copy())
        parsed.append(move)
        board.push(move)
    boards.append(board)
    for ply in range(0, len(parsed), 2):
        move = parsed[ply]
        san = boards[ply].san(move)
        yield Step(ply, move, san, boards[ply], boards[ply + 1], tuple(parsed[ply + 1 :]))


# Mates


def mates(board: chess.Board, moves: Sequence[str]) -> Iterator[Motif]:
    """The mate at the end of a line, by its pattern if it has one that everybody knows."""
    end = board.copy()
    sans = []
    for text in moves:
        move = end.parse_uci(text)
        sans.append(end.san(move))
        end.push(move)
    if not end.is_checkmate() or len(moves) % 2 == 0:
        return
    pattern = "back-rank mate" if is_back_rank(end) else "smothered mate" if is_smothered(end) else "mate"
    ply = len(moves) - 1
    count = ply // 2 + 1
    text = f"mate in {count}" if pattern == "mate" else f"a {pattern}"
    yield Motif(pattern, ply, sans[ply], text)


def is_back_rank(board: chess.Board) -> bool:
    """Mate along the king's first rank, with pawns of its own in front of it.

    >>> import chess
    >>> is_back_rank(chess.Board("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"))
    True
    """
    import chess

    king = board.king(board.turn)
    checkers = list(board.checkers())
    if king is None or len(checkers) != 1:
        return False
    rank = chess.square_rank(king)
    if rank != (0 if board.turn else 7) or chess.square_rank(checkers[0]) != rank:
        return False
    if board.piece_type_at(checkers[0]) not in (chess.ROOK, chess.QUEEN):
        return False
    front = 1 if board.turn else 6
    around = chess.SquareSet(chess.BB_KING_ATTACKS[king])
    neighbours = [square for square in around if chess.square_rank(square) == front]
    own = [square for square in neighbours if board.color_at(square) == board.turn]
    return len(own) >= 2 or len(own) == len(neighbours)


def is_smothered(board: chess.Board) -> bool:
    """Mate by a knight, with the king walled in by its own pieces."""
    import chess

    king = board.king(board.turn)
    checkers = list(board.checkers())
    if king is None or len(checkers) != 1 or board.piece_type_at(checkers[0]) != chess.KNIGHT:
        return False
    return all(board.color_at(square) == board.turn for square in chess.SquareSet(chess.BB_KING_ATTACKS[king]))


# Double attacks


def targets(board: chess.Board, square: int) -> list[int]:
    """What a piece attacks that it would be worth taking, or that is in check; `board` has the other side to move."""
    import chess

    us = not board.turn
    value = VALUES[board.piece_type_at(square) or chess.KING]
    found = []
    for target in board.attacks(square):
        kind = board.piece_type_at(target)
        if kind is None or board.color_at(target) == us:
            continue
        if kind == chess.KING or VALUES[kind] > value:
            found.append(target)
        elif not board.is_attacked_by(not us, target):
            found.append(target)  # not defended
    return found


def fork(step: Step) -> Motif | None:
    """One piece attacks two or more that are worth taking, and takes one of them."""
    import chess

    board = step.after
    if is_winnable(board, step.square):
        return None
    forked = targets(board, step.square)
    pieces = [square for square in forked if board.piece_type_at(square) != chess.PAWN]
    if len(pieces) < 2:
        return None
    if step.rest and not any(to in forked and start == step.square for start, to in step.later_captures()):
        return None
    kinds = sorted((board.piece_type_at(square) or 0 for square in pieces), reverse=True)
    return Motif("fork", step.ply, step.san, f"a fork of {listed([NAMES[kind] for kind in kinds])}")


def listed(names: Sequence[str]) -> str:
    """
    >>> listed(["king", "rook", "rook"]), listed(["knight", "knight"])
    ('king and two rooks', 'two knights')
    """
    parts = []
    for name in dict.fromkeys(names):
        count = names.count(name)
        parts.append(name if count == 1 else f"{ {2: 'two', 3: 'three'}.get(count, str(count)) } {name}s")
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def double_check(step: Step) -> Motif | None:
    if len(step.after.checkers()) < 2:
        return None
    return Motif("double check", step.ply, step.san, "a double check")


def discovery(step: Step) -> Motif | None:
    """A piece steps aside, and another behind it attacks: a check, or something that it then takes."""
    import chess

    us = step.before.turn
    if step.before.is_castling(step.move) or len(step.after.checkers()) > 1:
        return None
    for slider in chess.SquareSet(step.after.occupied_co[us]):
        if slider == step.square or step.after.piece_type_at(slider) not in SLIDERS:
            continue
        new = step.after.attacks(slider) & ~step.before.attacks(slider)
        line = chess.SquareSet(chess.ray(slider, step.move.from_square))
        for target in new & line:
            kind = step.after.piece_type_at(target)
            if kind is None or step.after.color_at(target) == us:
                continue
            if kind == chess.KING:
                return Motif("discovered check", step.ply, step.san, "a discovered check")
            is_taken = any((start, to) == (slider, target) for start, to in step.later_captures())
            if is_taken and VALUES[kind] >= BEATEN:
                name = f"the {NAMES[kind]} on {chess.square_name(target)}"
                return Motif("discovered attack", step.ply, step.san, f"a discovered attack on {name}")
    return None


# Lines


def behind(board: chess.Board, slider: int, first: int) -> int | None:
    """The piece behind `first`, seen from a slider that attacks it; None if there is none."""
    import chess

    ray = chess.ray(slider, first)
    if not ray or first not in board.attacks(slider):
        return None
    free = board.copy(stack=False)
    free.remove_piece_at(first)
    beyond = chess.SquareSet(ray) & free.attacks(slider) & ~board.attacks(slider)
    return next((square for square in beyond if board.piece_at(square)), None)


def pin(step: Step) -> Motif | None:
    """A slider comes to attack a piece that must not leave, for the king or a greater piece stands behind it."""
    import chess

    board, us = step.after, step.before.turn
    if board.piece_type_at(step.square) not in SLIDERS or is_winnable(board, step.square):
        return None
    taken = {to for _, to in step.later_captures()}
    for first in board.attacks(step.square):
        kind = board.piece_type_at(first)
        if kind is None or board.color_at(first) == us or kind == chess.KING or VALUES[kind] < BEATEN:
            continue
        second = behind(board, step.square, first)
        if second is None or board.color_at(second) == us:
            continue
        back = board.piece_type_at(second) or 0
        if VALUES[back] > VALUES[kind] and (back == chess.KING or back == chess.QUEEN) and first in taken:
            name = f"the {NAMES[kind]} on {chess.square_name(first)}"
            return Motif("pin", step.ply, step.san, f"a pin of {name} against the {NAMES[back]}")
    return None


def skewer(step: Step) -> Motif | None:
    """A slider attacks a piece that has to leave, and takes what stands behind it."""
    import chess

    board, us = step.after, step.before.turn
    if board.piece_type_at(step.square) not in SLIDERS or not step.rest or is_winnable(board, step.square):
        return None
    left = step.rest[0].from_square
    if left not in board.attacks(step.square) or board.color_at(left) == us:
        return None
    front = board.piece_type_at(left) or 0
    if front != chess.KING and VALUES[front] < VALUES[board.piece_type_at(step.square) or 0]:
        return None
    second = behind(board, step.square, left)
    if second is None or board.color_at(second) == us:
        return None
    back = board.piece_type_at(second) or 0
    if VALUES[back] > VALUES[front] or (step.square, second) not in list(step.later_captures())[:1]:
        return None
    return Motif("skewer", step.ply, step.san, f"a skewer of {listed([NAMES[front], NAMES[back]])}")


# Defenders


def removal(step: Step) -> Motif | None:
    """The only defender of a piece is taken, and then the piece."""
    import chess

    if not taken_by(step.before, step.move) or len(step.rest) < 2:
        return None
    us = step.before.turn
    taken = step.move.to_square
    target = step.rest[1].to_square
    kind = step.before.piece_type_at(target)
    if target == taken or kind is None or step.before.color_at(target) == us or VALUES[kind] < BEATEN:
        return None
    if step.rest[0].to_square == target or step.rest[0].from_square == target:
        return None
    if list(step.before.attackers(not us, target)) != [taken]:
        return None
    name = f"the {NAMES[kind]} on {chess.square_name(target)}"
    return Motif("removal of the defender", step.ply, step.san, f"the removal of the defender of {name}")


def deflection(step: Step) -> Motif | None:
    """A piece is offered to one that guards a square; it takes, and the square is used."""
    import chess

    if len(step.rest) < 2 or step.rest[0].to_square != step.square:
        return None
    us = step.before.turn
    guard, target = step.rest[0].from_square, step.rest[1].to_square
    if target == step.square or guard not in step.before.attackers(not us, target):
        return None
    later = step.after.copy()
    later.push(step.rest[0])
    if target in later.attacks(step.square):
        return None  # it guards the square from where it stands now as well
    wins = exchange_gain(later, step.rest[1])
    later.push(step.rest[1])
    if not later.is_checkmate() and wins < BEATEN:
        return None
    kind = NAMES[step.after.piece_type_at(guard) or 0]
    return Motif("deflection", step.ply, step.san, f"a deflection of the {kind} from {chess.square_name(target)}")


def trap(step: Step) -> Motif | None:
    """A piece is attacked and has no square to go to, and is taken."""
    import chess

    board, us = step.after, step.before.turn
    if board.is_check():
        return None
    taken = [to for _, to in step.later_captures()]
    for square in chess.SquareSet(board.occupied_co[not us]):
        kind = board.piece_type_at(square) or 0
        if kind in (chess.PAWN, chess.KING) or square not in board.attacks(step.square):
            continue
        moved = step.rest[0].to_square if step.rest and step.rest[0].from_square == square else square
        if moved not in taken[:1] or not has_no_escape(board, square):
            continue
        name = f"the {NAMES[kind]} on {chess.square_name(square)}"
        return Motif("trapped piece", step.ply, step.san, f"{name} is trapped")
    return None


def has_no_escape(board: chess.Board, square: int) -> bool:
    """Whether a piece of the side to move is lost where it stands and wherever it goes."""
    import chess

    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    if not is_winnable(passed, square):
        return False
    value = VALUES[board.piece_type_at(square) or 0]
    for move in board.legal_moves:
        if move.from_square != square:
            continue
        gain = VALUES.get(taken_by(board, move), 0)
        after = board.copy(stack=False)
        after.push(move)
        capture_back = max(0, max((exchange_gain(after, one) for one in captures_on(after, move.to_square)), default=0))
        if capture_back - gain < min(2, value):
            return False
    return True


def captures_on(board: chess.Board, square: int) -> Iterator[chess.Move]:
    for move in board.legal_moves:
        if move.to_square == square:
            yield move


# The rest


def promotion(step: Step) -> Motif | None:
    if not step.move.promotion:
        return None
    if step.rest and step.rest[0].to_square == step.square:
        return None
    return Motif("promotion", step.ply, step.san, f"the promotion {step.san}")


def capture(step: Step) -> Motif | None:
    """A piece is taken that was not defended well enough."""
    import chess

    kind = taken_by(step.before, step.move)
    if not kind or exchange_gain(step.before, step.move) < min(VALUES[kind], 2):
        return None
    if step.ply and is_recapture(step):
        return None
    name = f"the {NAMES[kind]} on {chess.square_name(step.move.to_square)}"
    return Motif("hanging piece", step.ply, step.san, name)


def is_recapture(step: Step) -> bool:
    last = step.before.peek()
    before = step.before.copy()
    before.pop()
    return last.to_square == step.move.to_square and bool(taken_by(before, last))
