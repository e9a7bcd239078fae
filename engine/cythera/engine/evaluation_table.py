"""The evaluation put into words: a table, term by term, for both sides."""

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.core import FULL_PHASE, FULL_SCALE, EvaluationTerm, Net, TracedEvaluation, evaluation_terms
from cythera.net.load import CLASSICAL, net_for

NAME_WIDTH = 22


def explain(position: Position, eval_file: str = CLASSICAL) -> str:
    """The evaluation as tables: the classical one term by term, and for a net what each piece is worth to it."""
    net = net_for(eval_file)
    if net is None:
        return classical_table(position)
    return f"{classical_table(position)}\n\n{neural_table(position, net)}"


def neural_table(position: Position, net: Net) -> str:
    """The board with what each piece is worth to the net: the change of its evaluation when it is taken off.

    Values are in pawns, for the side that has the piece. The kings have none.
    """
    values = net.piece_values(position)
    rows = ["What the net gives for each piece, in pawns: the change when it is taken off", ""]
    board = dict(zip(range(64), squares(position), strict=True))
    rule = "  +" + "-------+" * 8
    for rank in range(7, -1, -1):
        pieces = "".join(f"|   {board[8 * rank + file]:4}" for file in range(8))
        worths = "".join(f"|{worth_text(values.get(8 * rank + file))}" for file in range(8))
        rows += [rule, f"{rank + 1} {pieces}|", f"  {worths}|"]
    rows += [rule, "  " + "".join(f"    {file}   " for file in "abcdefgh"), ""]
    said, used = (Score(cp=cp).white(position.turn) for cp in (net.evaluate(position), net.with_endgames(position)))
    if said != used:
        rows.append(f"The net says {said} pawns for White; with this material the search takes {used}.")
    else:
        rows.append(f"The net says {said} pawns for White, and that is what the search uses.")
    return "\n".join(rows)


def squares(position: Position) -> "list[str]":
    """The pieces as letters from a1 to h8, a space where there is none."""
    ranks = position.fen().split()[0].split("/")
    expanded = ["".join(" " * int(letter) if letter.isdigit() else letter for letter in rank) for rank in ranks]
    return list("".join(reversed(expanded)))


def worth_text(value: "int | None") -> str:
    return " " * 7 if value is None else f"{value / 100:+6.2f} "


def classical_table(position: Position) -> str:
    """The classical evaluation as a table: each term for White and Black, and what it adds now.

    Middlegame and endgame values are in pawns. "Now" weighs the two by the pieces left and counts
    for White. Terms that are nothing for both sides are left out.

    >>> print(classical_table(Position("8/8/4k3/8/8/4P3/4K3/8 w - - 0 1")).splitlines()[-1])  # doctest: +ELLIPSIS
    Total ... pawns for White
    """
    found = evaluation_terms(position)
    header = f"{'':{NAME_WIDTH}}|      White      |      Black      |    Difference   |   Now\n"
    header += f"{'Term':{NAME_WIDTH}}|  middle     end |  middle     end |  middle     end |"
    rule = "-" * NAME_WIDTH + "+" + ("-" * 17 + "+") * 3 + "-" * 8
    lines = [header, rule]
    lines += [row(term, found) for term in found.terms if any(term[1:])]
    total = EvaluationTerm("Sum", *(sum(column) for column in list(zip(*found.terms, strict=True))[1:]))
    lines += [rule, row(total, found), ""]
    lines.append(f"By the pieces left, the middlegame counts {found.phase}/{FULL_PHASE}, the endgame the rest.")
    if found.scale != FULL_SCALE:
        lines.append(f"The endgame's part counts {found.scale}/{FULL_SCALE}: this material is hard to win with.")
    if position.is_check():
        lines.append("The side to move is in check: the search looks further before it trusts this.")
    white = Score(cp=found.score).white(position.turn)
    lines.append(f"Total {white} pawns for White")
    return "\n".join(lines)


def row(term: EvaluationTerm, found: TracedEvaluation) -> str:
    difference = term.white_mg - term.black_mg, term.white_eg - term.black_eg
    pairs = ((term.white_mg, term.white_eg), (term.black_mg, term.black_eg), difference)
    cells = "".join(f"| {pawns(a)} {pawns(b)} " for a, b in pairs)
    return f"{readable(term.name):{NAME_WIDTH}}{cells}|{pawns(tapered(term, found))}"


def tapered(term: EvaluationTerm, found: TracedEvaluation) -> float:
    """Centipawns for White: the term's middlegame and endgame values weighted by what is on the board."""
    mg, eg = term.white_mg - term.black_mg, term.white_eg - term.black_eg
    return (mg * found.phase + eg * found.scale / FULL_SCALE * (FULL_PHASE - found.phase)) / FULL_PHASE


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
