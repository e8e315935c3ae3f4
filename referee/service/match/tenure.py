"""Who played a seat when: kept beside the log, for a seat's orders count for the record of whoever held it."""

from __future__ import annotations

from referee.service import notes
from referee.service.ports import Step
from referee.service.remembered import Tenure


def end_tenure(step: Step, match: str, seat: str, player: int, head: int) -> None:
    """A person has the seat no longer from after an entry of the log on; 0 for a dummy."""
    before = _kept(step, match, seat)
    notes.TENURES.of(match, seat).keep(step, [*before, Tenure(player, head)])


def holders(step: Step, match: str, seat: str) -> tuple[tuple[int, int], ...]:
    """Those who played a seat before its present player: each with the last entry in his time."""
    return tuple((tenure.player, tenure.until) for tenure in _kept(step, match, seat))


def _kept(step: Step, match: str, seat: str) -> list[Tenure]:
    return notes.TENURES.of(match, seat).read(step) or []
