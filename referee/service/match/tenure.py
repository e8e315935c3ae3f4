"""Who played a seat when: kept beside the log, for a seat's orders count for the record of whoever held it."""

from __future__ import annotations

import msgspec

from referee.service.ports import Step


class _Tenure(msgspec.Struct, frozen=True, array_like=True):
    """A person who played a seat, and the last entry of the log in his time."""

    player: int
    until: int


def end_tenure(step: Step, match: str, seat: str, player: int, head: int) -> None:
    """A person has the seat no longer from after an entry of the log on; 0 for a dummy."""
    before = _kept(step, match, seat)
    step.put_note(match, seat, "tenures", msgspec.json.encode([*before, _Tenure(player, head)]).decode())


def holders(step: Step, match: str, seat: str) -> tuple[tuple[int, int], ...]:
    """Those who played a seat before its present player: each with the last entry in his time."""
    return tuple((tenure.player, tenure.until) for tenure in _kept(step, match, seat))


def _kept(step: Step, match: str, seat: str) -> list[_Tenure]:
    return msgspec.json.decode(step.note(match, seat, "tenures") or "[]", type=list[_Tenure])
