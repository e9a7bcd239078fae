"""Shows a match while it runs: a live table on a terminal, a line now and then elsewhere."""

import math
import sys
import time
from typing import TYPE_CHECKING

from cythera.match.game_data import GameRecord
from cythera.match.report import final_lines, margin_text, rating_list, sprt_text
from cythera.match.stats.elo import estimate

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

    from cythera.match.runner import Match

REFRESHES_PER_SECOND = 2  # drawing takes milliseconds of processor time from the engines
PLAIN_INTERVAL_S = 10.0


class QuietWatcher:
    """Shows nothing."""

    def begin(self, match: "Match") -> None:
        pass

    def game(self, match: "Match", record: GameRecord) -> None:
        pass

    def end(self, match: "Match") -> None:
        pass


class PlainWatcher(QuietWatcher):
    """A line every few seconds, for logs; faults at once; the result at the end."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._next = math.inf if quiet else 0.0

    def game(self, match: "Match", record: GameRecord) -> None:
        if record.failure:
            print(f"game {record.index + 1}: {record.reason}", file=sys.stderr, flush=True)
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PLAIN_INTERVAL_S
            print(status_line(match), flush=True)

    def end(self, match: "Match") -> None:
        print("\n".join(final_lines(match)), flush=True)


class LiveWatcher(QuietWatcher):
    """The table on a terminal."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._live: Live | None = None
        self._match: Match | None = None
        self._next_s = 0.0
        self._drawn: RenderableType = ""

    def begin(self, match: "Match") -> None:
        from rich.live import Live

        self._match = match
        self._drawn = standings(match)
        self._live = Live(
            console=self._console,
            get_renderable=self._renderable,
            refresh_per_second=REFRESHES_PER_SECOND,
            transient=True,
        )
        self._live.start()

    def game(self, match: "Match", record: GameRecord) -> None:
        if record.failure:
            self._console.print(
                f"game {record.index + 1}: {record.reason}", style="yellow", highlight=False, markup=False
            )
        # Drawn here and not in the thread that refreshes, because the tally belongs to this one.
        now = time.monotonic()
        if now >= self._next_s:
            self._drawn = standings(match)
            self._next_s = time.monotonic() + 1 / REFRESHES_PER_SECOND

    def end(self, match: "Match") -> None:
        if self._live:
            self._live.stop()
        for line in final_lines(match):
            self._console.print(line, highlight=False, markup=False)

    def _renderable(self) -> "RenderableType":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        assert self._match is not None
        match = self._match
        done, planned = match.tally.games, len(match.schedule)
        bar = ProgressBar(total=planned, completed=done, width=40)
        return Group(self._drawn, Text(f"{done}/{planned} games, {time_left(match)}"), bar)


def standings(match: "Match") -> "RenderableType":
    """All numbers of the match so far as a rich table."""
    from rich.markup import escape
    from rich.table import Table

    if len(match.config.engines) > 2:
        return _rating_table(match)
    meeting = match.tally.first_meeting
    total = meeting.total
    table = Table(title=escape(f"{meeting.one} - {meeting.other}"), title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row("Games", f"+{total.wins} ={total.draws} -{total.losses}")
    table.add_row("Pairs", str(list(meeting.pentanomial)))
    if sum(meeting.pentanomial):
        numbers = estimate(meeting.pentanomial)
        table.add_row("Elo", str(numbers.elo))
        table.add_row("Normalised", str(numbers.normalised_elo))
        table.add_row("LOS", f"{numbers.los:.1%}")
    if match.config.sprt:
        table.add_row("SPRT", sprt_text(match))
    if match.tally.failures:
        faults = (f"{who}: {what} {times}x" for (who, what), times in sorted(match.tally.failures.items()))
        table.add_row("Faults", "\n".join(faults))
    return table


def _rating_table(match: "Match") -> "RenderableType":
    from rich.table import Table

    table = Table("engine", title_justify="left")
    for heading in ("Elo", "±", "games", "+", "=", "-"):
        table.add_column(heading, justify="right")
    if match.tally.games:
        for one in rating_list(match).rated:
            score = match.tally.engines[one.name]
            numbers = (f"{one.elo:.1f}", margin_text(one.margin), one.games, score.wins, score.draws, score.losses)
            table.add_row(one.name, *map(str, numbers))
    return table


def status_line(match: "Match") -> str:
    """The score so far in one line."""
    done, planned = match.tally.games, len(match.schedule)
    parts = [f"{done}/{planned} games"]
    if len(match.config.engines) == 2:
        meeting = match.tally.first_meeting
        total = meeting.total
        parts.append(f"+{total.wins} ={total.draws} -{total.losses}")
        if sum(meeting.pentanomial):
            parts.append(f"Elo {estimate(meeting.pentanomial).elo}")
        if match.config.sprt:
            parts.append(sprt_text(match))
    elif done:
        rated = rating_list(match).rated
        parts.append(", ".join(f"{one.name} {one.elo:+.0f} ± {margin_text(one.margin)}" for one in rated))
    parts.append(time_left(match))
    return ", ".join(parts)


def time_left(match: "Match") -> str:
    fresh = match.tally.games - match.resumed
    if fresh <= 0:
        return "time left unknown"
    elapsed_s = time.monotonic() - match.began
    left_s = round(elapsed_s / fresh * (len(match.schedule) - match.tally.games))
    hours, rest = divmod(left_s, 3600)
    clock = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    return f"{'at most ' if match.config.sprt else ''}{clock} left"
