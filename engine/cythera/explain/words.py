"""Explanations in sentences and tables. Pure: an explanation in, text out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cythera.analyse.live import numbered
from cythera.board.scores import Score

if TYPE_CHECKING:
    import chess

    from cythera.explain.explanation import Choice, Explanation, Term, Threat

SIDES = {"w": "White", "b": "Black"}
PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen"}
ARTICLES = {1: "a", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
SHOWN_PLIES = 8
NOTABLE_CP = 10.0  # a change of a term worth a word
MOST_TERMS = 4


def sentences_of(e: Explanation) -> Iterator[str]:
    """What is to be said, most important first."""
    board = e.position().to_board()
    us, them = SIDES[e.turn], SIDES["b" if e.turn == "w" else "w"]
    choice = f"{e.best.san} ({standing(e.best.score, us, them)})"
    yield f"{us} to move. The engine plays {choice}, expecting {line(e.best, board)}."
    if said := exchanged(e.material["best"]):
        yield f"In that line {said}."
    if e.move is not None:
        yield judged(e, board, us, them)
        if said := exchanged(e.material["move"]):
            yield f"In that line {said}."
    elif e.asked:
        yield f"{e.asked} is the engine's own choice."
    if e.others:
        names = [f"{other.san} ({other.score}{f', {other.word}' if other.word else ''})" for other in e.others]
        only = e.others[0].word in ("mistake", "blunder")
        yield f"{'It is the only good move; next are' if only else 'Next best are'} {' and '.join(names)}."
    else:
        yield "It is the only legal move."
    for threat in e.threats:
        yield threat_sentence(threat, e.turn)
    if e.position().is_check():
        yield f"{us} is in check, so there is no passing to see what {them} threatens."
    yield changes(e.terms)


def standing(score: Score, us: str, them: str) -> str:
    """A score in words, for the side to move.

    >>> standing(Score(cp=-250), "White", "Black"), standing(Score(mate=2), "White", "Black")
    ('-2.50: Black is winning', '#+2: White mates in 2')
    """
    if score.mate is not None:
        winner = us if score.value > 0 else them
        return f"{score}: {winner} mates in {abs(score.mate)}" if score.mate else f"{score}: mate"
    assert score.cp is not None
    ahead = us if score.cp > 0 else them
    size = abs(score.cp)
    if size < 25:
        return f"{score}: about equal"
    words = "is slightly better" if size < 75 else "is better" if size < 175 else "is winning"
    return f"{score}: {ahead} {words}"


def line(choice: Choice, board: chess.Board) -> str:
    dots = " …" if len(choice.line_san) > SHOWN_PLIES else ""
    return numbered(list(choice.line_san[:SHOWN_PLIES]), board) + dots


def judged(e: Explanation, board: chess.Board, us: str, them: str) -> str:
    """The move that was asked about: how bad, and what answers it."""
    move = e.move
    assert move is not None
    given = f"{100 * move.loss:.0f} % of the game's points"
    if move.word:
        verdict = f"{move.san} is {'an' if move.word[0] in 'aeiou' else 'a'} {move.word}: it gives away {given}"
    elif move.loss >= 0.01:
        verdict = f"{move.san} is nearly as good: it gives away {given}"
    else:
        verdict = f"{move.san} is as good"
    if len(move.line_san) < 2:
        return f"{verdict} ({standing(move.score, us, them)})."
    answer = "It is refuted by" if move.word in ("mistake", "blunder") else "The answer is"
    return f"{verdict} ({standing(move.score, us, them)}). {answer} {move.line_san[1]}: {line(move, board)}."


def threat_sentence(threat: Threat, turn: str) -> str:
    side = SIDES[threat.side]
    moves = " ".join(threat.line_san[:5])
    if threat.side == turn:
        if not threat.is_real:
            return f"{threat.after} makes no direct threat."
        return f"{threat.after} threatens {threat.line_san[0]} ({gain(threat)}): {moves}."
    if not threat.is_real:
        return f"{side} threatens nothing at once."
    return f"{side} threatens {threat.line_san[0]} ({gain(threat)}): {moves}."


def gain(threat: Threat) -> str:
    if threat.score.mate is not None and threat.score.value > 0:
        return f"mate in {threat.score.mate}"
    return f"worth {threat.gain_cp / 100:.1f} pawns"


def exchanged(change: dict[str, int]) -> str:
    """What is exchanged, and what each side loses or gets besides.

    >>> exchanged({"P": -2, "n": -1}), exchanged({"Q": -1, "q": -1, "p": -1}), exchanged({})
    ('White loses two pawns, Black loses a knight', 'queens are exchanged, Black loses a pawn', '')
    """
    traded = {x: min(-change.get(x.upper(), 0), -change.get(x, 0)) for x in "qrbnp"}
    rest = {piece: count + max(0, traded[piece.lower()]) for piece, count in change.items()}
    parts = []
    names = [f"{PIECES[x]}s" for x in "qrbnp" if traded[x] > 0]
    if names:
        parts.append(f"{' and '.join(names)} are exchanged")
    for name, letters in (("White", "QRBNP"), ("Black", "qrbnp")):
        lost = [counted(-rest[x], x) for x in letters if rest.get(x, 0) < 0]
        won = [counted(rest[x], x) for x in letters if rest.get(x, 0) > 0]
        if lost:
            parts.append(f"{name} loses {' and '.join(lost)}")
        if won:
            parts.append(f"{name} gets {' and '.join(won)}")
    return ", ".join(parts)


def counted(count: int, letter: str) -> str:
    name = PIECES[letter.lower()]
    return f"{ARTICLES.get(count, str(count))} {name}{'s' if count > 1 else ''}"


def changes(terms: tuple[Term, ...]) -> str:
    """The terms that change most along the engine's line."""
    known = (term for term in terms if abs(term.change) >= NOTABLE_CP and term.name != "tempo")  # whose turn it is
    notable = sorted(known, key=lambda term: -abs(term.change))
    if not notable:
        return "Along the line no term of the evaluation changes much."
    parts = [f"{term.name} {pawns(term.change)}" for term in notable[:MOST_TERMS]]
    return f"What changes most along the line, for White in pawns: {', '.join(parts)}."


def pawns(centipawns: float) -> str:
    """
    >>> pawns(-12.4), pawns(0.2)
    ('-0.12', '0.00')
    """
    return f"{centipawns / 100:+.2f}" if round(centipawns) else "0.00"


def terms_rows(e: Explanation) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of the table of terms, the sum last."""
    headings = ["term", "now", f"after {e.best.san}", "change"]
    if e.move is not None:
        headings += [f"after {e.move.san}", "change"]
    rows = [row(term.name, term.start, term.end, term.end_of_move) for term in e.terms]
    total = [sum(term.start for term in e.terms), sum(term.end for term in e.terms)]
    last = sum(term.end_of_move or 0.0 for term in e.terms) if e.move is not None else None
    rows.append(row("sum", total[0], total[1], last))
    return headings, rows


def row(name: str, start: float, end: float, last: float | None) -> list[str]:
    cells = [name, pawns(start), pawns(end), pawns(end - start)]
    return cells if last is None else [*cells, pawns(last), pawns(last - start)]


def terms_text(e: Explanation) -> str:
    """The table as plain text."""
    headings, rows = terms_rows(e)
    widths = [max(len(one[at]) for one in (headings, *rows)) for at in range(len(headings))]

    def aligned(cells: list[str]) -> str:
        first = f"{cells[0]:<{widths[0]}}"
        return "  ".join([first, *(f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))])

    return "\n".join([aligned(headings), "-" * (sum(widths) + 2 * len(widths) - 2), *map(aligned, rows)])
