"""The evaluation put into words: a table, term by term, for both sides."""

from cythera.core import evaluation_terms
from cythera.position import Position
from cythera.scores import Score

FULL_PHASE = 24
FULL_SCALE = 64
NAME_WIDTH = 22


def explain(position: Position) -> str:
    """The classical evaluation as a table: each term for White and Black, and what it adds now.

    Middlegame and endgame values are in pawns. "Now" weighs the two by the pieces left and counts
    for White. Terms that are nothing for both sides are left out.

    >>> print(explain(Position("8/8/4k3/8/8/4P3/4K3/8 w - - 0 1")).splitlines()[-1])  # doctest: +ELLIPSIS
    Total ... pawns for White
    """
    terms, phase, scale, score = evaluation_terms(position)
    header = f"{'':{NAME_WIDTH}}|      White      |      Black      |    Difference   |   Now\n"
    header += f"{'Term':{NAME_WIDTH}}|  middle     end |  middle     end |  middle     end |"
    rule = "-" * NAME_WIDTH + "+" + ("-" * 17 + "+") * 3 + "-" * 8
    lines = [header, rule]
    for name, white_mg, white_eg, black_mg, black_eg in terms:
        if white_mg or white_eg or black_mg or black_eg:
            lines.append(row(readable(name), white_mg, white_eg, black_mg, black_eg, phase, scale))
    white_mg, white_eg, black_mg, black_eg = (sum(column) for column in list(zip(*terms, strict=True))[1:])
    lines += [rule, row("Sum", white_mg, white_eg, black_mg, black_eg, phase, scale), ""]
    lines.append(f"By the pieces left, the middlegame counts {phase}/{FULL_PHASE}, the endgame the rest.")
    if scale != FULL_SCALE:
        lines.append(f"The endgame's part counts {scale}/{FULL_SCALE}: this material is hard to win with.")
    if position.is_check():
        lines.append("The side to move is in check: the search looks further before it trusts this.")
    white = Score(cp=score).white(position.turn)
    lines.append(f"Total {white} pawns for White")
    return "\n".join(lines)


def row(name: str, white_mg: int, white_eg: int, black_mg: int, black_eg: int, phase: int, scale: int) -> str:
    mg, eg = white_mg - black_mg, white_eg - black_eg
    now = (mg * phase + eg * scale / FULL_SCALE * (FULL_PHASE - phase)) / FULL_PHASE
    pairs = ((white_mg, white_eg), (black_mg, black_eg), (mg, eg))
    cells = "".join(f"| {pawns(a)} {pawns(b)} " for a, b in pairs)
    return f"{name:{NAME_WIDTH}}{cells}|{pawns(now)}"


def readable(name: str) -> str:
    return name.replace("psqt", "placement").replace("_", " ")


def pawns(centipawns: float) -> str:
    return f"{centipawns / 100:7.2f}" if round(centipawns) else "   0.00"


def mirrored_fen(fen: str) -> str:
    """The same position with colours exchanged: a symmetric evaluation gives it the same score.

    >>> mirrored_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    'rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1'
    """
    board, turn, castling, en_passant, *counters = fen.split()
    swapped = castling.swapcase()
    # White's rights are written first.
    castling = "".join(sorted(swapped, key=str.islower)) if swapped != "-" else "-"
    if en_passant != "-":
        en_passant = en_passant[0] + ("6" if en_passant[1] == "3" else "3")
    mirrored = "/".join(reversed(board.swapcase().split("/")))
    return " ".join([mirrored, "b" if turn == "w" else "w", castling, en_passant, *counters])
