"""News that waits for a player's daily letter: kept for him by match until the hour he wished."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from referee.service.letters import Notice, PressLetter
from referee.service.ports import Player, Step
from referee.service.times import zone_named


class Kept(msgspec.Struct, frozen=True):
    """One thing that happened, as the letter would have told it at once."""

    title: str
    sentences: tuple[str, ...]
    at: datetime
    text: str = ""
    """What a player wrote."""


def waits_for_digest(letter: object) -> bool:
    """Whether a letter can wait: press, and what tells a reader something who owes nothing."""
    if isinstance(letter, PressLetter):
        return True
    return isinstance(letter, Notice) and letter.form is None and letter.frame.deadline is None


def _told(letter: object, now: datetime) -> Kept:
    if isinstance(letter, PressLetter):
        lines = (f"From {letter.sender} to {letter.to}.", letter.answer)
        return Kept(letter.title, tuple(line for line in lines if line), now, letter.text)
    assert isinstance(letter, Notice)  # nothing else waits
    why = (f"The reason given: {letter.reason}",) if letter.reason else ()
    by = (f"Done by: {letter.by}.",) if letter.by else ()
    return Kept(letter.title, (*letter.sentences, *why, *by), now)


def waiting(step: Step) -> dict[str, datetime]:
    """Whose letters wait, "match|player", and until when."""
    kept = step.note("", "", "gathered")
    return msgspec.json.decode(kept, type=dict[str, datetime]) if kept else {}


def _keep_waiting(step: Step, due: dict[str, datetime]) -> None:
    step.put_note("", "", "gathered", msgspec.json.encode(due).decode() if due else None)


def gather(step: Step, match: str, player: Player, hour: str, letter: object, now: datetime) -> None:
    """Keep what a letter would have told for the player's next daily letter of this match."""
    kept = step.note(match, str(player.id), "gathered")
    items = [*(msgspec.json.decode(kept, type=list[Kept]) if kept else []), _told(letter, now)]
    step.put_note(match, str(player.id), "gathered", msgspec.json.encode(items).decode())
    due = waiting(step)
    due.setdefault(f"{match}|{player.id}", _next(hour, player.zone, now))
    _keep_waiting(step, due)


def taken_out(step: Step, match: str, player: int) -> list[Kept]:
    """What was kept for a player's daily letter; it is kept no longer."""
    kept = step.note(match, str(player), "gathered")
    step.put_note(match, str(player), "gathered", None)
    _keep_waiting(step, {key: at for key, at in waiting(step).items() if key != f"{match}|{player}"})
    return msgspec.json.decode(kept, type=list[Kept]) if kept else []


def _next(hour: str, zone: str, now: datetime) -> datetime:
    """The next time the clock shows an hour in a zone."""
    here = zone_named(zone) or UTC
    hours, minutes = map(int, hour.split(":"))
    for day in range(3):
        at = (now.astimezone(here) + timedelta(days=day)).replace(hour=hours, minute=minutes, second=0, microsecond=0)
        if at.astimezone(UTC) > now:
            return at.astimezone(UTC)
    raise AssertionError("every clock shows every hour within three days")
