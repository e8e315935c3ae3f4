"""Vacant seats: their players have resigned and nobody has taken them over, so nobody is waited for."""

from __future__ import annotations

from referee.service import notes
from referee.service.match.dummies import is_dummy
from referee.service.match.playing import Playing
from referee.service.ports import Step

VACANT = "a seat whose player has resigned"
"""What the log names as the cause of a turn that is played at once."""


def vacant_seats(step: Step, playing: Playing) -> frozenset[str]:
    """The seats that are played at once: none while the match stands still, or where no person would be left to play."""
    match = playing.row.name
    gone = frozenset(notes.RESIGNED.every(step, match))
    if not gone or playing.row.status != "running":
        return frozenset()
    living = set(playing.game.living(playing.outcome.state)) or set(playing.created.seats)
    held = {m.seat for m in step.members(match) if m.status == "playing" and m.seat in living}
    return gone if any(not is_dummy(step, match, seat) for seat in held - gone) else frozenset()
