"""A match in words and numbers: what goes in the JSON file and what people paste in a commit message."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cythera.match.stats.elo import Interval, estimate
from cythera.match.stats.ratings import RatingList, rate

if TYPE_CHECKING:
    from cythera.match.runner import Match

LARGEST_MARGIN = 500  # Elo; beyond this an interval says nothing


def summary(match: "Match") -> dict[str, Any]:
    """The result as JSON: standings, and for each meeting pentanomial, Elo and LLR."""
    tally, sprt = match.tally, match.config.sprt
    found: dict[str, Any] = {
        "games": tally.games,
        "planned": len(match.schedule),
        "verdict": match.verdict,
        "standings": {
            name: {"wins": one.wins, "draws": one.draws, "losses": one.losses} for name, one in tally.engines.items()
        },
        "failures": [[who, what, times] for (who, what), times in tally.failures.items()],
        "warnings": [[who, what, times] for (who, what), times in tally.warnings.items()],
        "meetings": [],
    }
    for meeting in tally.meetings.values():
        entry: dict[str, Any] = {"engines": [meeting.one, meeting.other], "pentanomial": list(meeting.pentanomial)}
        if sum(meeting.pentanomial):
            numbers = estimate(meeting.pentanomial)
            entry |= {"elo": _json(numbers.elo), "normalised_elo": _json(numbers.normalised_elo), "los": numbers.los}
            if sprt:
                entry["llr"] = sprt.llr(meeting.pentanomial)
        found["meetings"].append(entry)
    if len(tally.engines) > 2 and tally.games:
        found["ratings"] = {one.name: [one.elo, one.margin] for one in rating_list(match).rated}
    return found


def _json(interval: Interval) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in (interval.value, interval.low, interval.high)]


def margin_text(margin: float) -> str:
    """Half the width of a rating's interval; a few games leave it unknown.

    >>> margin_text(31.4), margin_text(1600.0)
    ('31', '>500')
    """
    return f"{margin:.0f}" if margin <= LARGEST_MARGIN else f">{LARGEST_MARGIN}"


def rating_list(match: "Match") -> RatingList:
    return rate(match.tally.engines, match.tally.results, match.config.anchors)


def final_lines(match: "Match") -> list[str]:
    """The result as plain text."""
    config, tally = match.config, match.tally
    if not tally.games:
        return ["No game was finished."]
    lines = _pair_lines(match) if len(config.engines) == 2 else _list_lines(match)
    controls = {str(config.control_of(spec)) for spec in config.engines}
    if len(controls) == 1:
        conditions = controls.pop()
    else:
        conditions = ", ".join(f"{spec.name} {config.control_of(spec)}" for spec in config.engines)
    lines.append(f"At     {conditions}, {Path(match.book_name).name}, seed {config.seed}")
    for (who, what), times in sorted(tally.failures.items()):
        lines.append(f"Faults {who}: {what} in {times} game{'s' if times > 1 else ''}")
    for (who, what), times in sorted(tally.warnings.items()):
        first = tally.examples[who, what]
        lines.append(f"Warned {who}: {what}, {times} time{'s' if times > 1 else ''}, first {first}")
    if match.earlier:
        lines.append(f"Replay {match.same_games} of {tally.games} games are the same as before")
        lines += [f"       {change}" for change in match.changed]
    if match.stopped:
        lines.append(f"Stopped after {tally.games} of {len(match.schedule)} games.")
    return lines


def _pair_lines(match: "Match") -> list[str]:
    config = match.config
    meeting = match.tally.first_meeting
    total = meeting.total
    lines = [f"{meeting.one} - {meeting.other}"]
    if sum(meeting.pentanomial):
        numbers = estimate(meeting.pentanomial)
        lines.append(f"Elo    {numbers.elo} (95 %), normalised {numbers.normalised_elo}, LOS {numbers.los:.1%}")
    if config.sprt:
        lines.append(f"SPRT   {sprt_text(match)}")
    lines.append(
        f"Games  {total.games}: +{total.wins} ={total.draws} -{total.losses}, {total.points / total.games:.1%}, "
        f"draws {total.draws / total.games:.1%}"
    )
    lines.append(f"Pairs  {list(meeting.pentanomial)}")
    return lines


def sprt_text(match: "Match") -> str:
    """`LLR 1.23 (-2.94, 2.94) [0, 5] normalised`, with the decision once there is one."""
    sprt = match.config.sprt
    assert sprt is not None
    low, high = sprt.bounds
    llr = round(sprt.llr(match.tally.first_meeting.pentanomial), 2) + 0.0  # never -0.00
    decided = {"H0": ": H0 accepted, failed", "H1": ": H1 accepted, passed", None: ""}[match.verdict]
    return f"LLR {llr:.2f} ({low:.2f}, {high:.2f}) [{sprt.elo0:g}, {sprt.elo1:g}] {sprt.model}{decided}"


def _list_lines(match: "Match") -> list[str]:
    table = rating_list(match)
    width = max(len("engine"), *(len(one.name) for one in table.rated))
    lines = [f"{'':3} {'engine':{width}} {'Elo':>7} {'±':>5} {'games':>6} {'score':>6}  better than the next"]
    for place, one in enumerate(table.rated, 1):
        after = table.rated[place].name if place < len(table.rated) else None
        sure = f"{table.superiority[one.name][after]:.1%}" if after else ""
        margin = margin_text(one.margin) if one.name not in match.config.anchors else "-"
        share = one.points / one.games if one.games else 0.0
        lines.append(f"{place:2}. {one.name:{width}} {one.elo:7.1f} {margin:>5} {one.games:6} {share:6.1%}  {sure:>6}")
    lines.append(f"White  {table.white_advantage:+.0f} Elo; draws between equals {table.draw_rate:.0%}")
    return lines
