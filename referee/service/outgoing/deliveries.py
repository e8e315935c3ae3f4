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


def delivery_sentence(step: Step, player: Player) -> str:
    """When the last letter of a player came and how long it and those before it took."""
    arrivals = _arrivals(step, player)
    if not arrivals:
        return "No reply of yours to my letters has reached me yet."
    last, *before = arrivals
    said = f"Your last letter reached me on {stamp(last.at, player.zone)}, {_took(last)}"
    others = ", ".join(_brief(arrival) for arrival in before)
    return f"{said}; those before it took {others}." if others else f"{said}."


def _took(arrival: Arrival) -> str:
    if arrival.seconds is None:
        return "without a date of its own"
    if arrival.seconds < 0:
        return f"dated {_span(-arrival.seconds)} ahead of my clock"
    return f"{_span(arrival.seconds)} after it was dated"


def _brief(arrival: Arrival) -> str:
    return "no time that can be told" if arrival.seconds is None or arrival.seconds < 0 else _span(arrival.seconds)


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 60 else length(timedelta(seconds=seconds))
