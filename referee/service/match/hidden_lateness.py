"""Discretion: where lateness is hidden, what tells whose time ran out is for that player and the game masters alone.

It stands in the log like everything else, and everybody can read it when the match is over.
"""

from __future__ import annotations

from referee.core.game import AnyGame, CountsLateness
from referee.core.record import Overrode, Record
from referee.service.match.playing import Playing
from referee.service.ports import MatchRow, Member, Player, Step
from referee.service.settings import ClockSettings, settings_of

_TELLING = ("ABSENCE ", "DEADLINE", "EXCUSE ", "EXTEND ", "PROPOSED ", "REFUSE ABSENCE ", "ROLL OUT ")
"""How the log calls what tells who was late, or who may be so without harm."""

YOURS = "yours is below if you have one."
"""What who may not know of the others' deadlines reads of his own."""


def hides_late(row: MatchRow) -> bool:
    """Whether who is late is to be told to nobody else now."""
    return row.status != "over" and settings_of(row.settings).hides_late


def keeps_quiet(playing: Playing) -> bool:
    """Whether who is late is to be told to nobody else now, also in the step that ends the match."""
    return playing.row.status != "over" and not playing.outcome.over and playing.settings.hides_late


def masters_of(step: Step, match: str) -> frozenset[int]:
    """The persons who are game masters of a match."""
    return frozenset(member.player for member in step.members(match) if member.role == "gm")


def may_know(playing: Playing, masters: frozenset[int], member: Member, player: Player, seat: str) -> bool:
    """Whether somebody may be told of what concerns the time of a seat; "" for that of several."""
    own = bool(seat) and member.seat == seat and member.status == "playing"
    return own or player.id in masters or not keeps_quiet(playing)


def refuse_hiding(game: AnyGame, settings: ClockSettings) -> str:
    """Why a match of a game cannot hide who is late as its settings would; "" when it can, or does not."""
    counts: object = game
    if not settings.hides_late or not isinstance(counts, CountsLateness):
        return ""
    rule = counts.lateness_rule()
    return f"The rules of {game.title} tell everybody who was late ({rule}), so lateness cannot be hidden in it."


def tells_late(record: Record) -> bool:
    """Whether a record names somebody whose time was moved, spent or over."""
    return isinstance(record, Overrode) and record.action.startswith(_TELLING)
