"""Letters that come back: how much one counts against its address, when somebody counts as out of reach, and whom it is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from referee.mail import Letter, Route
from referee.mail.address import unmasked
from referee.mail.reading.bounces import Bounce, bounce_in
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.note_values import Failures
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, LetterOut, Step
from referee.service.match.playing import BareHand, load
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.post.tray import mark_of

_HARD, _SOFT = 1.0, 0.25
_LIMIT = 1.0
_REMEMBERED = timedelta(days=14)


def bounces_of(step: Step, row: LetterIn, letter: Letter, route: Route | None) -> tuple[Bounce, ...]:
    """The failure, if this letter is a bounce of ours.

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


def count_bounce(at: At, bounce: Bounce) -> bool:
    """Count a failure against its address, at most one a day; True when the address is out of reach from now on."""
    now = at.now
    before = notes.BOUNCES.of(bounce.address).read(at.step)
    days = _counting(before, now) if before else {}
    was, today = sum(days.values()), f"{now:%Y-%m-%d}"
    days[today] = max(days.get(today, 0.0), _HARD if bounce.hard else _SOFT)
    notes.BOUNCES.of(bounce.address).keep(at.step, Failures(days, bounce.why))
    return was < _LIMIT <= sum(days.values())


def heard_from(step: Step, address: str) -> None:
    """A writer can mostly be written to: a letter from an address halves the count against it."""
    before = notes.BOUNCES.of(address).read(step)
    if before is not None:
        halved = {day: weight / 2 for day, weight in before.days.items() if weight > _SOFT / 2}
        notes.BOUNCES.of(address).keep(step, Failures(halved, before.why) if halved else None)


def out_of_reach(at: At, address: str) -> str:
    """The last words of a server if letters to this address come back, "" while they arrive."""
    record = notes.BOUNCES.of(address.lower()).read(at.step)
    if record is None or sum(_counting(record, at.now).values()) < _LIMIT:
        return ""
    return record.why or "they came back"


def _counting(record: Failures, now: datetime) -> dict[str, float]:
    """The days that still count."""
    first = f"{now - _REMEMBERED:%Y-%m-%d}"
    return {day: weight for day, weight in record.days.items() if day >= first}


# ---------------------------------------------------------------- letters that could not be delivered
# The game masters are told, so that a silent player is not taken for a lazy one.


_MENDS = "REPLACE gives his seat to somebody else; DEADLINE gives him more time."
_NO_WITNESS = "It asked that address to witness the log. NO WITNESS takes it off, and WITNESS names another; nothing waits for it."


def report_undelivered(office: Office, letter: LetterOut, reason: str) -> None:
    """Tell the game masters of a match that one of its letters is given up; never about such a notice itself."""
    if letter.kind in ("undelivered", "unreachable"):
        return
    with office.step() as at:
        count_bounce(at, Bounce(letter.recipient.lower(), True, reason))
        sentences = (
            f"My letter to {letter.recipient} could not be delivered and is given up; it was a {letter.kind}.",
            _NO_WITNESS if letter.kind == "head" else f"He may not know what he owes. {_MENDS}",
        )
        subject = f"no way to {letter.recipient}"
        title = "a letter could not be delivered"
        tell_masters(
            at,
            letter.match,
            letter.recipient,
            "undelivered",
            title,
            subject,
            sentences,
            reason,
            str(letter.id),
        )


def warn_of(at: At, bounce: Bounce) -> None:
    """Tell the game masters of everybody's matches who has this address that letters to it come back."""
    player = at.step.player_at(bounce.address)
    if player is None:
        return
    sentences = (f"Letters to {player.name} at {bounce.address} come back. {_MENDS}",)
    unique = f"{bounce.address}.{at.now:%Y-%m-%d}"
    for match in sorted({m.match for m in at.step.memberships(player.id) if m.status == "playing"}):
        title, subject = "a player cannot be reached", f"{player.name} cannot be reached"
        tell_masters(at, match, bounce.address, "unreachable", title, subject, sentences, bounce.why, unique)


def tell_masters(
    at: At,
    match: str,
    address: str,
    kind: str,
    title: str,
    subject: str,
    sentences: Sequence[str],
    reason: str,
    unique: str,
) -> None:
    """Write to the game masters of a match about an address, but not to that address itself."""
    row = at.step.match(match) if match else None
    if row is None or at.step.last_entry(match) is None:
        return
    hand = BareHand(at.office, at.step, load(at, row))
    for member in at.step.members(match):
        player = at.step.player(member.player)
        if member.role != "gm" or player is None or address in player.addresses:
            continue
        framed = frame(hand, member, player)
        notice = Notice(framed, title, tuple(sentences), reason, at.office.name)
        post(hand, player, Mail(kind, subject, notice, unique), About(hand.playing, member))
