"""What is done about the late: grace, slots that wait on call, and who is told that somebody is late."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from referee.core.question import Question
from referee.core.record import Answered
from referee.service.base.letters import Notice
from referee.service.base.ports import Alarm
from referee.service.base.times import both_stamps, iso
from referee.service.match.clocks import next_period
from referee.service.match.members import everybody, masters_of, may_know, owner_of
from referee.service.match.playing import BareHand, read_log
from referee.service.match.sheets import draft_of
from referee.service.match.slot_life import GRACE, Happening, State, happens
from referee.service.post import tray
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post


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
