"""How the post runs: when a player's last letters reached us and how long they took, told to himself alone.

Who believes that he has written reads here, before his deadline, whether it came.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from referee.service import notes
from referee.service.ports import Player, Step
from referee.service.remembered import Arrival
from referee.service.times import length, stamp

_KEPT = 5


def _arrivals(step: Step, player: Player) -> list[Arrival]:
    return notes.ARRIVALS.of(player.id).read(step) or []


def arrived(step: Step, player: Player, dated: datetime | None, received: datetime) -> None:
    """Note that a letter of a player came; the last five are kept."""
    took = round((received - dated).total_seconds()) if dated else None
    newest = [Arrival(received.astimezone(UTC), took), *_arrivals(step, player)]
    notes.ARRIVALS.of(player.id).keep(step, newest[:_KEPT])


_LONG = 900
"""A letter that took more seconds than these came late."""


def delivery_sentence(step: Step, player: Player, left: timedelta, on_file: bool) -> str:
    """What a reminder says of the post, with so much time `left`: that his last letter took long, or would be late now.

    Who has nothing on file is told whether anything came at all. Else "".
    """
    last = next(iter(_arrivals(step, player)), None)
    if last is not None and 2 * abs(last.seconds or 0) > left.total_seconds():
        return _came(last, player)
    if last is None or on_file:
        return late_delivery(step, player) or ("" if on_file else "No reply of yours to my letters has reached me yet.")
    return late_delivery(step, player) or f"Your last letter reached me on {stamp(last.at, player.zone)}."


def late_delivery(step: Step, player: Player) -> str:
    """When the last letter of a player came, where it took long; "" where the post runs as it should."""
    last = next(iter(_arrivals(step, player)), None)
    return _came(last, player) if last and abs(last.seconds or 0) > _LONG else ""


def _came(last: Arrival, player: Player) -> str:
    return f"Your last letter reached me on {stamp(last.at, player.zone)}, {_took(last)}."


def _took(arrival: Arrival) -> str:
    if arrival.seconds is None:
        return "without a date of its own"
    if arrival.seconds < 0:
        return f"dated {_span(-arrival.seconds)} ahead of my clock"
    return f"{_span(arrival.seconds)} after it was dated"


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 60 else length(timedelta(seconds=seconds))
