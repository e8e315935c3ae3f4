"""Bounces: which address a letter that came back speaks of, and how much it counts against that address."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.mail import Letter, Route
from referee.mail.address import unmasked
from referee.mail.reading.bounces import Bounce, bounce_in
from referee.service import notes
from referee.service.office import At
from referee.service.outgoing.writing import mark_of
from referee.service.ports import LetterIn, Step
from referee.service.remembered import Failures

_HARD, _SOFT = 1.0, 0.25
_LIMIT = 1.0
_REMEMBERED = timedelta(days=14)


def bounces_of(step: Step, row: LetterIn, letter: Letter, route: Route | None) -> tuple[Bounce, ...]:
    """What failed, if this letter is a bounce of ours.

    The address it came to names the letter, and the mark shows that its writer has seen it; the failure then counts
    for whom we wrote to, whatever address the bounce names. Other bounces count for addresses of people we know.
    """
    if not letter.automatic:
        return ()
    reported = bounce_in(row.raw)
    if route is None or route.bounce is None:
        return tuple(bounce for bounce in reported if step.player_at(bounce.address))
    number = route.bounce
    if route.masked:
        number = unmasked(number, route.mark or "", notes.TOKEN_SECRET.of().read(step) or b"")
    sent = step.posted(number)
    if sent is None or route.mark != mark_of(sent):
        return ()
    address = sent.recipient.lower()
    if reported:
        worst = max(reported, key=lambda bounce: bounce.hard)
        return (Bounce(address, worst.hard, worst.why),)
    return (Bounce(address, False, letter.subject[:200]),) if _by_a_server(letter) else ()


def _by_a_server(letter: Letter) -> bool:
    """Whether a letter without a report comes from a mail server, not from a reader who is away."""
    away = any(sign.startswith("Auto-Submitted: auto-replied") for sign in letter.automatic)
    return not away and letter.sender.partition("@")[0] in ("mailer-daemon", "postmaster")


def count(at: At, bounce: Bounce) -> bool:
    """Count a failure against its address, at most one a day; True when the address is out of reach from now on."""
    now = at.now
    before = notes.BOUNCES.of(bounce.address).read(at.step)
    days = _counting(before, now) if before else {}
    was, today = sum(days.values()), f"{now:%Y-%m-%d}"
    days[today] = max(days.get(today, 0.0), _HARD if bounce.hard else _SOFT)
    notes.BOUNCES.of(bounce.address).keep(at.step, Failures(days, bounce.why))
    return was < _LIMIT <= sum(days.values())


def heard_from(step: Step, address: str) -> None:
    """Who writes can mostly be written to: a letter from an address halves what counts against it."""
    before = notes.BOUNCES.of(address).read(step)
    if before is not None:
        halved = {day: weight / 2 for day, weight in before.days.items() if weight > _SOFT / 2}
        notes.BOUNCES.of(address).keep(step, Failures(halved, before.why) if halved else None)


def out_of_reach(at: At, address: str) -> str:
    """What was said last if letters to this address come back, "" while they arrive."""
    record = notes.BOUNCES.of(address.lower()).read(at.step)
    if record is None or sum(_counting(record, at.now).values()) < _LIMIT:
        return ""
    return record.why or "they came back"


def _counting(record: Failures, now: datetime) -> dict[str, float]:
    """The days that still count."""
    first = f"{now - _REMEMBERED:%Y-%m-%d}"
    return {day: weight for day, weight in record.days.items() if day >= first}
