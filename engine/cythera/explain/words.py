"""Explanations in sentences and tables. Pure: an explanation in, text out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cythera.analyse.endings import table_phrase
from cythera.board.scores import Score
from cythera.common.text import numbered_moves

if TYPE_CHECKING:
    import chess

    from cythera.explain.explanation import Choice, Explanation, Term, Threat
    from cythera.explain.worth import Worth

SIDES = {"w": "White", "b": "Black"}
PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen"}
ARTICLES = {1: "a", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
NOTABLE_CP = 10.0  # a change of a term worth a word
MOST_TERMS = 4
NOTABLE_WORTH_CP = 25  # a change of a piece's worth to the net
SAID_WORTHS = 3
SHOWN_WORTHS = 10
DECIDED_CP = 600
# Motifs that can be said of a move: "Nc7+ is a fork of king and rook".
NAMED = (
    "double check", "discovered check", "discovered attack", "fork", "skewer", "pin", "removal of the defender",
    "deflection", "trapped piece", "promotion",
)  # fmt: skip


def sentences_of(e: Explanation) -> Iterator[str]:
    """What is to be said, most important first. Moves are named wherever "it" could be another."""
    board = e.position().to_board()
    us, them = SIDES[e.turn], SIDES["b" if e.turn == "w" else "w"]
    choice = f"{e.best.san} ({standing(e.best.score, us, them)})"
    yield f"{us} to move. The engine plays {choice}, expecting {line(e.best, board)}."
    if known := table_phrase(board):
        yield f"{known[0].upper()}{known[1:]}."
    yield from idea(e.best, us)
    said = exchanged(e.material["best"])
    if said and not e.is_mate and (not e.best.wins or "exchanged" in said):
        yield f"In that line {said}."
    if e.move is not None:
        yield from judged(e, board, us, them)
        if e.move.score.mate is None and (said := exchanged(e.material["move"])):
            yield f"In the line of {e.move.san} {said}."
    elif e.asked:
        yield f"{e.asked} is the engine's own choice."
    if e.others:
        names = [f"{other.san} ({other.score}{f', {other.word}' if other.word else ''})" for other in e.others]
        only = e.others[0].word in ("mistake", "blunder")
        begun = f"{e.best.san} is the only good move; next are" if only else "Next best are"
        yield f"{begun} {' and '.join(names)}."
    else:
        yield f"{e.best.san} is the only legal move."
    for threat in e.threats:
        yield threat_sentence(threat, e.turn)
    if e.position().is_check():
        yield f"{us} is in check, so there is no passing to see what {them} threatens."
    if not e.is_mate:
        yield net_changes(e) if e.worths else changes(e.terms)


def idea(choice: Choice, us: str) -> Iterator[str]:
    """What the best line does, if it has a name."""
    mate = next((motif for motif in choice.motifs if motif.name in ("back-rank mate", "smothered mate")), None)
    if mate is not None:
        yield f"{mate.san} is {mate.text}."
    if choice.score.mate is not None or not choice.wins:
        return
    motif = next((motif for motif in choice.motifs if motif.name in NAMED), None)
    result = f"{us} wins {'back ' if choice.wins_back else ''}{choice.wins}."
    if motif is None:
        yield result
    elif motif.name == "trapped piece":
        yield f"After {motif.san} {motif.text}: {result}"
    else:
        yield f"{motif.san} is {motif.text}: {result}"


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
    dots = " …" if len(choice.line_san) > len(choice.shown_san) else ""
    return numbered_moves(list(choice.shown_san), board.fullmove_number, board.turn) + dots


def judged(e: Explanation, board: chess.Board, us: str, them: str) -> Iterator[str]:
    """The move that was asked about: how bad, what it allows or misses, and what answers it."""
    move = e.move
    assert move is not None
    given = f"{100 * move.loss:.0f} % of the game's points"
    if move.word:
        verdict = f"{move.san} is {'an' if move.word[0] in 'aeiou' else 'a'} {move.word}: it gives away {given}"
    elif move.loss >= 0.01:
        verdict = f"{move.san} is nearly as good: it gives away {given}"
    else:
        verdict = f"{move.san} is as good"
    yield f"{verdict} ({standing(move.score, us, them)})."
    if move.reason and not move.reason.startswith("the answer is"):
        yield f"{move.san} {move.reason}."
    if len(move.line_san) >= 2:
        first, answer = move.line_san[:2]
        if answer.rstrip("+#") == first.rstrip("+#"):  # Nxe5 Nxe5: say whose
            first, answer = f"{us}'s {first}", f"{them}'s {answer}"
        is_refuted = move.word in ("mistake", "blunder")
        said = f"{answer} refutes {first}" if is_refuted else f"The answer to {first} is {answer}"
        yield f"{said}: {line(move, board)}."


def threat_sentence(threat: Threat, turn: str) -> str:
    """
    >>> from cythera.explain.explanation import Threat
    >>> threat_sentence(Threat("b", "", ("Nc2+", "Kd1", "Nxa1"), Score(cp=400), 450, True, "a rook", "a fork"), "w")
    'Black threatens Nc2+, a fork, winning a rook: Nc2+ Kd1 Nxa1.'
    """
    who = threat.after if threat.side == turn else SIDES[threat.side]
    if not threat.is_real:
        return f"{who} makes no direct threat." if threat.side == turn else f"{who} threatens nothing at once."
    moves = " ".join(threat.line_san[:5])
    if threat.motif == "promotion":
        return f"{who} threatens to promote: {moves}."
    named = f", {threat.motif}" if threat.motif else ""
    if threat.score.mate is not None:
        count = f"mate in {threat.score.mate}"
        if len(threat.line_san) == 1:
            return f"{who} threatens {moves} ({threat.motif or count})."
        return f"{who} threatens {count}{named}: {moves}."
    wins = f", winning {threat.wins}" if threat.wins else ""
    return f"{who} threatens {threat.line_san[0]}{named}{wins}: {moves}."


def exchanged(change: dict[str, int]) -> str:
    """What is exchanged, and what each side loses or gets besides.

    >>> exchanged({"P": -2, "n": -1}), exchanged({"Q": -1, "q": -1, "p": -1}), exchanged({})
    ('White loses two pawns, Black loses a knight', 'queens are exchanged, Black loses a pawn', '')
    >>> exchanged({"B": -1, "n": -1, "p": -1})
    'a bishop is exchanged for a knight, Black loses a pawn'
    """
    traded = {x: min(-change.get(x.upper(), 0), -change.get(x, 0)) for x in "qrbnp"}
    rest = {piece: count + max(0, traded[piece.lower()]) for piece, count in change.items()}
    parts = []
    names = [f"{PIECES[x]}s" for x in "qrbnp" if traded[x] > 0]
    if names:
        parts.append(f"{' and '.join(names)} are exchanged")
    for bishop, knight in (("B", "n"), ("b", "N")):
        count = min(-rest.get(bishop, 0), -rest.get(knight, 0))
        if count > 0:
            parts.append("a bishop is exchanged for a knight" if count == 1 else "bishops are exchanged for knights")
            rest[bishop] += count
            rest[knight] += count
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


def net_changes(e: Explanation) -> str:
    """What the net's evaluation changes by along the engine's line, and the pieces that change most."""
    start, end = e.net_cp[0], e.net_cp[1]
    whole = f"Along the line the net's evaluation goes from {pawns(start)} to {pawns(end)} for White"
    notable = [worth for worth in by_change(e, 1) if worth.ends[0] is not None][:SAID_WORTHS]
    if not notable or is_decided(e):
        return f"{whole}."
    parts = [f"{piece_name(worth)} {pawns(worth.ends[0][1] - worth.start)}" for worth in notable if worth.ends[0]]
    return f"{whole}; of the pieces that stay, these change most in worth to their own side: {', '.join(parts)}."


def is_decided(e: Explanation) -> bool:
    """Whether the game is decided: then what single pieces are worth to the net says little."""
    return any(abs(total) >= DECIDED_CP for total in e.net_cp)


def by_change(e: Explanation, lines: int) -> list[Worth]:
    """The pieces whose worth changes notably in the first lines, most changed first."""
    changed = [(max(map(abs, worth.changes[:lines])), worth) for worth in e.worths]
    return [worth for most, worth in sorted(changed, key=lambda pair: -pair[0]) if most >= NOTABLE_WORTH_CP]


def piece_name(worth: Worth) -> str:
    """A piece by colour and squares, as `White's queen h5 (on d1)`."""
    side = "White's" if worth.piece.isupper() else "Black's"
    name = f"{side} {PIECES[worth.piece.lower()]} {worth.square}"
    end = worth.ends[0]
    return name if end is None or end[0] == worth.square else f"{name} (on {end[0]})"


def pawns(centipawns: float) -> str:
    """
    >>> pawns(-12.4), pawns(0.2)
    ('-0.12', '0.00')
    """
    return f"{centipawns / 100:+.2f}" if round(centipawns) else "0.00"


Table = tuple[list[str], list[list[str]]]  # headings and rows


def tables_of(e: Explanation, classical: bool = False) -> list[Table]:
    """What changes in the evaluation that plays, unless the line mates; the classical terms if they are asked for."""
    tables = []
    if not e.is_mate and not (e.worths and is_decided(e)):
        tables.append(worths_table(e) if e.worths else terms_table(e))
    if classical and (e.worths or e.is_mate):
        tables.append(terms_table(e))
    return tables


def headings_of(e: Explanation, first: str) -> list[str]:
    headings = [first, "now", f"after {e.best.san}", "change"]
    return headings if e.move is None else [*headings, f"after {e.move.san}", "change"]


def worths_table(e: Explanation) -> Table:
    """The pieces whose worth to the net changes most, for the side that has them, and its whole evaluation."""
    rows = []
    for worth in by_change(e, len(e.net_cp))[:SHOWN_WORTHS]:
        cells = [piece_name(worth), pawns(worth.start)]
        for end in worth.ends:
            if end is None:
                cells += ["taken", pawns(-worth.start)]
            else:
                cells += [pawns(end[1]), pawns(end[1] - worth.start)]
        rows.append(cells)
    cells = ["evaluation for White", pawns(e.net_cp[0])]
    for total in e.net_cp[1:]:
        cells += [pawns(total), pawns(total - e.net_cp[0])]
    return headings_of(e, "worth to the net"), [*rows, cells]


def terms_table(e: Explanation) -> Table:
    """The terms of the classical evaluation, for White, the sum last."""
    rows = [row(term.name, term.start, term.end, term.end_of_move) for term in e.terms]
    total = [sum(term.start for term in e.terms), sum(term.end for term in e.terms)]
    last = sum(term.end_of_move or 0.0 for term in e.terms) if e.move is not None else None
    rows.append(row("sum", total[0], total[1], last))
    return headings_of(e, "classical term"), rows


def row(name: str, start: float, end: float, last: float | None) -> list[str]:
    cells = [name, pawns(start), pawns(end), pawns(end - start)]
    return cells if last is None else [*cells, pawns(last), pawns(last - start)]


def tables_text(e: Explanation, classical: bool = False) -> list[str]:
    """The tables as plain text."""
    return [aligned(headings, rows) for headings, rows in tables_of(e, classical)]


def aligned(headings: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(one[at]) for one in (headings, *rows)) for at in range(len(headings))]

    def joined(cells: list[str]) -> str:
        first = f"{cells[0]:<{widths[0]}}"
        return "  ".join([first, *(f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))])

    return "\n".join([joined(headings), "-" * (sum(widths) + 2 * len(widths) - 2), *map(joined, rows)])
