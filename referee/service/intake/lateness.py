"""What is done about the late, and about addresses that letters come back from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from referee.core.question import Question
from referee.core.record import Answered
from referee.mail import Letter, Route
from referee.mail.address import unmasked
from referee.mail.reading.identity import Bounce, bounce_in
from referee.service.base import notes
from referee.service.base.letters import Notice
from referee.service.base.office import At, Office
from referee.service.base.ports import Alarm, LetterIn, LetterOut, Step
from referee.service.base.remembered import Failures
from referee.service.base.times import both_stamps, iso
from referee.service.match.clocks import next_period
from referee.service.match.members import everybody, masters_of, may_know, owner_of
from referee.service.match.playing import BareHand, load, read_log
from referee.service.match.sheets import draft_of
from referee.service.match.slot_life import GRACE, Happening, State, happens
from referee.service.post import tray
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.post.tray import mark_of

# ---------------------------------------------------------------- bounces
# Which address a letter that came back speaks of, and how much it counts against that address.


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


# ---------------------------------------------------------------- letters that could not be delivered
# The game masters are told, so that a silent player is not taken for a lazy one.


_MENDS = "REPLACE gives his seat to somebody else; DEADLINE gives him more time."
_NO_WITNESS = "It asked that address to witness the log. NO WITNESS takes it off, and WITNESS names another; nothing waits for it."


def report_undelivered(office: Office, letter: LetterOut, reason: str) -> None:
    """Tell the game masters of a match that one of its letters is given up; never about such a notice itself."""
    if letter.kind in ("undelivered", "unreachable"):
        return
    with office.step() as at:
        count(at, Bounce(letter.recipient.lower(), True, reason))
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


# ---------------------------------------------------------------- slots that outlive their deadline
# Grace, slots that wait on call, and who is told that somebody is late.


def _open(hand: BareHand, key: str) -> Question[Any] | None:
    return next((question for question in hand.playing.outcome.open if question.key == key), None)


def _on_call(hand: BareHand, asked: Question[Any]) -> bool:
    return asked.wants_orders and hand.playing.settings.late == "on call"


def _grace_of(hand: BareHand, alarm: Alarm, asked: Question[Any]) -> timedelta:
    """The grace that was promised with a deadline; none, where it is strict, for who was late the last time too."""
    hours, _, strict = alarm.payload.partition(" ")
    if not hours or (strict and _late_last_time(hand, asked)):
        return timedelta()
    return timedelta(hours=float(hours))


def _late_last_time(hand: BareHand, asked: Question[Any]) -> bool:
    """Whether the last slot of this seat was closed after its deadline."""
    alive = read_log(hand.playing.game, hand.step.entries_of(hand.match, Answered)).alive()
    answers = [e.record for e in alive if isinstance(e.record, Answered) and e.record.seat == asked.seat]
    whole = [answer for answer in answers if answer.key.rpartition("/")[2].startswith("orders")]
    return bool(whole) and whole[-1].late_by > 0


def lives_on(hand: BareHand, alarm: Alarm) -> bool:
    """Whether a question outlives its deadline: by grace, or until its player is rolled out.

    An order sheet on file is played at the deadline in any case.
    """
    asked = _open(hand, alarm.key)
    if asked is None or (asked.wants_orders and draft_of(hand.playing, asked) is not None):
        return False
    return _on_call(hand, asked) or bool(_grace_of(hand, alarm, asked))


def outlive(hand: BareHand, alarm: Alarm) -> None:
    """A question has outlived its deadline: its periods are counted, its grace begins, and who is concerned is told."""
    asked = _open(hand, alarm.key)
    assert asked is not None  # lives_on has looked
    grace, passed, period = _grace_of(hand, alarm, asked), Happening.DEADLINE_PASSED, next_period(alarm)
    if not grace:
        happens(hand.step, hand.playing.row, alarm.key, passed, State.ON_CALL, [period])
        _call(hand, alarm)
        return
    ends = msgspec.structs.replace(alarm, kind=GRACE, due_at=alarm.due_at + grace)
    happens(hand.step, hand.playing.row, alarm.key, passed, State.IN_GRACE, [ends, period])
    if ends.due_at > hand.now:
        _tell_late(hand, ends)
        _tell_others(hand, ends)


def end_of_grace(hand: BareHand, alarm: Alarm) -> bool:
    """Whether a slot whose grace is over goes on, on call; then everybody is told."""
    asked = _open(hand, alarm.key)
    if asked is None or not _on_call(hand, asked) or draft_of(hand.playing, asked) is not None:
        return False
    happens(hand.step, hand.playing.row, alarm.key, Happening.GRACE_OVER, State.ON_CALL)
    _call(hand, alarm)
    return True


def remind_late(hand: BareHand, alarm: Alarm) -> None:
    """Another full period is over: its player alone is told, once."""
    key, _, full = alarm.key.partition("|")
    if _open(hand, key) is None:
        return
    happens(hand.step, hand.playing.row, key, Happening.PERIOD_FULL, sets=[next_period(alarm)])
    late = next((a for a in hand.step.alarms(alarm.match) if a.kind == GRACE and a.key == key), None)
    if alarm.due_at + timedelta(days=1) > hand.now:
        _tell_late(hand, late or msgspec.structs.replace(alarm, key=key), int(full))


def _call(hand: BareHand, alarm: Alarm) -> None:
    others = (
        f"{alarm.seat}'s time is over, and {alarm.seat} can still play.",
        f"As long as {alarm.seat} does not, any other player may end the slot with ROLL OUT {alarm.seat}.",
    )
    own = (
        "Your time is over, and you can still play.",
        f"As long as you do not, any other player may end your slot with ROLL OUT {alarm.seat}.",
    )
    for member, player in everybody(hand.step, alarm.match):
        late = member.seat == alarm.seat and member.status == "playing"
        title = "you are late" if late else f"{alarm.seat} is late"
        framed = frame(hand, member, player)
        letter = Notice(framed, title, own if late else others)
        unique = f"{alarm.key}.call.{iso(alarm.due_at)}"
        subject = tray.late(framed) if late else title
        post(hand, player, Mail("notice", subject, letter, unique), About(hand.playing, member))


_ENDED_BY_OTHERS = "then any other player may end the slot with ROLL OUT {}"


def _tell_late(hand: BareHand, alarm: Alarm, days: int = 0) -> None:
    """Tell the late player how long his orders still count."""
    found = owner_of(hand.step, alarm.match, alarm.seat)
    if found is None:
        return
    member, player = found
    since = f" {days} day{'s' if days > 1 else ''} ago" if days else ""
    first, asked = f"Your time was over{since}, and you can still play.", _open(hand, alarm.key)
    if alarm.kind == GRACE:
        on_call = asked is not None and _on_call(hand, asked)
        after = _ENDED_BY_OTHERS.format(alarm.seat) if on_call else "what comes later does not count"
        then = f"Your grace ends at {both_stamps(alarm.due_at, player.zone)}; {after}."
    else:
        then = f"Any other player may end your slot with ROLL OUT {alarm.seat} before you do."
    framed = frame(hand, member, player)
    letter = Notice(framed, "you are late", (first, then))
    unique = f"{alarm.key}.you.{days}.{iso(alarm.due_at)}"
    post(hand, player, Mail("notice", tray.late(framed), letter, unique), About(hand.playing, member))


def _tell_others(hand: BareHand, alarm: Alarm) -> None:
    """Tell the others once whom we wait for and for how long; only game masters where lateness is hidden."""
    masters, asked = masters_of(hand.step, alarm.match), _open(hand, alarm.key)
    on_call = asked is not None and _on_call(hand, asked)
    then = _ENDED_BY_OTHERS.format(alarm.seat) if on_call else "then the turn runs as the rules say"
    for member, player in everybody(hand.step, alarm.match):
        if member.seat == alarm.seat and member.status == "playing":
            continue
        if not may_know(hand.playing, masters, member, player, alarm.seat):
            continue
        until = both_stamps(alarm.due_at, player.zone)
        said = (f"{alarm.seat} did not write in time and has grace until {until}; {then}.",)
        letter = Notice(frame(hand, member, player), f"{alarm.seat} is late", said)
        unique = f"{alarm.key}.late.{iso(alarm.due_at)}"
        post(hand, player, Mail("notice", f"{alarm.seat} is late", letter, unique), About(hand.playing, member))
