"""News that waits for a player's daily letter: kept for him by match until the hour he wished."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from referee.moments import zone_named
from referee.service import notes
from referee.service.letters import Notice, PressLetter
from referee.service.ports import Player, Step
from referee.service.remembered import News


def waits_for_digest(letter: object) -> bool:
    """Whether a letter can wait: press, and what tells a reader something who owes nothing."""
    if isinstance(letter, PressLetter):
        return True
    return isinstance(letter, Notice) and letter.form is None and letter.frame.deadline is None


def _told(letter: object, now: datetime) -> News:
    if isinstance(letter, PressLetter):
        lines = (f"From {letter.sender} to {letter.to}.", letter.answer)
        return News(letter.title, tuple(line for line in lines if line), now, letter.text)
    assert isinstance(letter, Notice)  # nothing else waits
    why = (f"The reason given: {letter.reason}",) if letter.reason else ()
    by = (f"Done by: {letter.by}.",) if letter.by else ()
    return News(letter.title, (*letter.sentences, *why, *by), now)


def waiting(step: Step) -> dict[str, datetime]:
    """Whose letters wait, "match|player", and until when."""
    return notes.DAILY_LETTERS.of().read(step) or {}


def gather(step: Step, match: str, player: Player, hour: str, letter: object, now: datetime) -> None:
    """Keep what a letter would have told for the player's next daily letter of this match."""
    news, due = notes.NEWS.of(match, player.id), waiting(step)
    news.keep(step, [*(news.read(step) or ()), _told(letter, now)])
    due.setdefault(f"{match}|{player.id}", _next(hour, player.zone, now))
    notes.DAILY_LETTERS.of().keep(step, due)


def taken_out(step: Step, match: str, player: int) -> list[News]:
    """What was kept for a player's daily letter; it is kept no longer."""
    kept = notes.NEWS.of(match, player).read(step)
    notes.NEWS.of(match, player).forget(step)
    others = {key: at for key, at in waiting(step).items() if key != f"{match}|{player}"}
    notes.DAILY_LETTERS.of().keep(step, others or None)
    return kept or []


def _next(hour: str, zone: str, now: datetime) -> datetime:
    """The next time the clock shows an hour in a zone."""
    here = zone_named(zone) or UTC
    hours, minutes = map(int, hour.split(":"))
    for day in range(3):
        at = (now.astimezone(here) + timedelta(days=day)).replace(hour=hours, minute=minutes, second=0, microsecond=0)
        if at.astimezone(UTC) > now:
            return at.astimezone(UTC)
    raise AssertionError("every clock shows every hour within three days")
