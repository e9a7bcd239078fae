"""What a tab hears: at most RATE messages a second, and of each subject only the latest.

A search reports as often as it likes; a page can be slow, or asleep. So reports wait here under the
name of their subject, where a newer one takes the place of an older one. Nothing piles up.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

Message = dict[str, Any]

RATE = 10  # messages in any second
SPAN_S = 1.02  # a second, and a little for the way
STEP_S = 0.15  # between messages that can wait; leaves three per second for those that should not


class Outbox:
    """Messages on their way to one tab. `run` sends them, until it is cancelled."""

    def __init__(self, send: Callable[[str], Awaitable[None]], now: Callable[[], float] = monotonic) -> None:
        self._send = send
        self._now = now
        self._waiting: dict[str, Callable[[], Message]] = {}
        self._sent: deque[float] = deque([-SPAN_S] * RATE, maxlen=RATE)
        self._wake = asyncio.Event()  # there is something to send, or it is time to
        self._is_urgent = False

    def put(self, subject: str, message: Message | Callable[[], Message], *, urgent: bool = True) -> None:
        """Leaves a message, in place of an earlier one on the same subject.

        A function is called when its message is sent. What is not urgent keeps its distance.
        """
        self._waiting[subject] = message if callable(message) else lambda: message
        self._is_urgent |= urgent
        self._wake.set()

    def drop(self, subject: str) -> None:
        """Takes back what has not been sent."""
        self._waiting.pop(subject, None)

    def delay_s(self) -> float:
        """How long the next message has to wait."""
        at = self._sent[0] + SPAN_S
        if not self._is_urgent:
            at = max(at, self._sent[-1] + STEP_S)
        return at - self._now()

    async def run(self) -> None:
        """Sends what there is when its time has come. (No `wait_for`: before Python 3.12 it can miss
        being cancelled, and the tab would wait for its end forever.)"""
        alarm: asyncio.TimerHandle | None = None
        while True:
            await self._wake.wait()
            self._wake.clear()
            if alarm is not None:
                alarm.cancel()
            if not self._waiting:
                continue
            if (delay_s := self.delay_s()) > 0:
                alarm = asyncio.get_running_loop().call_later(delay_s, self._wake.set)
                continue
            waiting, self._waiting, self._is_urgent = self._waiting, {}, False
            self._sent.append(self._now())
            messages = [message() for message in waiting.values()]
            await self._send(json.dumps(messages, separators=(",", ":")))
