"""Deadlines, reminders and the dice of a beacon: each is rung when it is due; and what is done about who is late then."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.question import Question
from referee.core.record import Answered, Opened, Record, Sealed
from referee.kit.wording import counted
from referee.mail import addressed
from referee.service.base import notes
from referee.service.base.letter_facts import Notice, Reminder
from referee.service.base.note_values import Stalls
from referee.service.base.office import At, Office, WayStep, go, in_spite, way_step
from referee.service.base.ports import Alarm, Conflict, MatchRow, NotNow, Overtaken, Stalled, Step
from referee.service.base.times import both_stamps, iso
from referee.service.house.membership import warn_or_give_up
from referee.service.house.replacements import look_after
from referee.service.intake.confirmations import tend
from referee.service.intake.keepers_digest import send_digest
from referee.service.intake.undelivered import out_of_reach, tell_masters
from referee.service.match.bots import think_over, thinking_since
from referee.service.match.clocks import THOUGHT_OVER, next_period, set_alarms
from referee.service.match.members import everybody, masters_of, may_know, owner_of
from referee.service.match.playing import BareHand, Playing, Stuck, load, read_log, remember
from referee.service.match.sheets import draft_of, drawers_of
from referee.service.match.slot_life import (
    DEADLINE,
    DICE,
    GRACE,
    REMINDER,
    RINGS_WHILE,
    AlarmKind,
    Happening,
    State,
    borne,
    happens,
    question_of,
    row_of,
    state_when,
)
from referee.service.match.suspension import due_now, go_on, ringing
from referee.service.post import subjects
from referee.service.post.delivery import delivery_sentence
from referee.service.post.frames import form_for, frame
from referee.service.post.post import About, Mail, post, send_gathered
from referee.service.post.subjects import reminder
from referee.service.turn.advance import (
    Underway,
    bot_answers,
    halt,
    look_after_then,
    look_again,
    release,
    run,
    think_ahead,
    underway,
)
from referee.service.turn.clock_overrides import resume_match
from referee.service.turn.mended_rules import ready
from referee.service.turn.writer import THE_CLOCK, Hand

# ---------------------------------------------------------------- who is late


def _open(hand: BareHand, key: str) -> Question[Any] | None:
    return next((question for question in hand.playing.outcome.open if question.key == key), None)


def _on_call(hand: BareHand, asked: Question[Any]) -> bool:
    return asked.wants_orders and hand.playing.settings.late == "on call"


def _grace_of(hand: BareHand, alarm: Alarm, asked: Question[Any]) -> timedelta:
    """The grace that was promised with a deadline; none, where it is strict, for a player who was late the last time too."""
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
    alone = {m.seat for m in hand.step.members(alarm.match) if m.status == "playing"} == {alarm.seat}
    own = (
        "Your time is over, and you can still play.",
        "The match waits for you: nobody else plays who could end your slot."
        if alone
        else f"As long as you do not, any other player may end your slot with ROLL OUT {alarm.seat}.",
    )
    for member, player in everybody(hand.step, alarm.match):
        late = member.seat == alarm.seat and member.status == "playing"
        title = "you are late" if late else f"{alarm.seat} is late"
        framed = frame(hand, member, player)
        letter = Notice(framed, title, own if late else others)
        unique = f"{alarm.key}.call.{iso(alarm.due_at)}"
        subject = subjects.late(framed) if late else title
        post(hand, player, Mail("notice", subject, letter, unique), About(hand.playing, member))


_ENDED_BY_OTHERS = "then any other player may end the slot with ROLL OUT {}"


def _tell_late(hand: BareHand, alarm: Alarm, days: int = 0) -> None:
    """Tell the late player how long his orders still count."""
    found = owner_of(hand.step, alarm.match, alarm.seat)
    if found is None:
        return
    member, player = found
    since = f" {counted(days, 'days')} ago" if days else ""
    first, asked = f"Your time was over{since}, and you can still play.", _open(hand, alarm.key)
    if alarm.kind == GRACE:
        on_call = asked is not None and _on_call(hand, asked)
        after = _ENDED_BY_OTHERS.format(alarm.seat) if on_call else "anything later does not count"
        then = f"Your grace ends at {both_stamps(alarm.due_at, player.zone)}; {after}."
    else:
        then = f"Any other player may end your slot with ROLL OUT {alarm.seat} before you do."
    framed = frame(hand, member, player)
    letter = Notice(framed, "you are late", (first, then))
    unique = f"{alarm.key}.you.{days}.{iso(alarm.due_at)}"
    post(hand, player, Mail("notice", subjects.late(framed), letter, unique), About(hand.playing, member))


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


# ---------------------------------------------------------------- the dice of a sealed match fall
# Its round was found, or was waited for long enough.


_AHEAD = timedelta(days=1)
"""Looks for rounds that lie further ahead than this are due when they are."""


def found_now(at: At, limit: int) -> list[Alarm]:
    """The looks for rounds that are due later, of which the round was found meanwhile."""
    if at.office.randomness is None:
        return []
    beacon, now = at.office.randomness.beacon, at.now
    later = (alarm for alarm in at.step.due_alarms(now + _AHEAD, limit, DICE) if alarm.due_at > now)
    return [alarm for alarm in later if beacon.found(int(alarm.key))]


def _thought_over(at: At, limit: int) -> list[Alarm]:
    """One sheet that a bot thinks over: a part of a second, and then letters are looked for again."""
    later = at.step.due_alarms(at.now + THOUGHT_OVER, limit, AlarmKind.BOT)
    return [alarm for alarm in later if (row := at.step.match(alarm.match)) and row.status == "running"][:1]


def dice_fall(hand: Hand, alarm: Alarm) -> None:
    """Open the seal by its round, or without it after the longest wait, and run on; else look again soon."""
    seal, before = hand.playing.outcome.sealed, underway(alarm).looks(hand.now.timestamp())
    opened = _opened(hand.office, seal, before) if seal else None
    if seal and opened is None:
        look_again(hand.step, alarm, seal.round, before, hand.now)
    else:
        _fall(hand, [opened] if opened else [], before)


def _fall(hand: Hand, opened: Sequence[Record], before: Underway) -> None:
    """The clock goes on, letters that were held come back, and what was under way is run to its end."""
    go_on(hand)
    hand.save(status="running")
    release(hand.step, hand.match)
    run(hand, opened, before.cause, at_deadline=before.at_deadline, by=before.by, asked=set(before.asked))
    for key, seat in before.seats.items():
        if hand.waits:
            look_after_then(hand.step, hand.match, seat, key)
        else:
            look_after(hand, seat, key)


def _opened(office: Office, seal: Sealed, so_far: Underway) -> Opened | None:
    """The round, or why there is none; None while it may still come."""
    number = seal.again or seal.number
    if office.randomness is None:
        return Opened(number, why="the beacon is set up no longer")
    beacon, longest = office.randomness.beacon, office.randomness.longest
    beacon.seek(seal.round)
    signature = beacon.found(seal.round)
    if signature is not None:
        return Opened(number, signature.hex())
    if not so_far.waited or timedelta(seconds=so_far.waited) < longest:
        return None
    minutes = longest.total_seconds() / 60
    return Opened(number, why=f"no relay of {beacon.name} brought round {seal.round} within {minutes:g} minutes")


# ---------------------------------------------------------------- the clock's work
# Events that fall due, in the order in which they fell due. Deadlines are rows; a scan finds them.


_log = logging.getLogger(__name__)
_MOST_WAITING = 1000


_AT_ONCE = 20
"""So many alarms are rung before letters are looked for again: each may take some hundredths of a second."""


Duty = Callable[[str, Callable[[], int]], int]
"""Does a piece of work under a name."""


def scan(office: Office, limit: int = _AT_ONCE, duty: Duty = lambda _, work: work()) -> int:
    """Everything that is due, for the desk that keeps house: work of no match, and the alarms; gives the number of alarms done.

    Each is a `duty` of its own, so that one that fails keeps no other up.
    """
    duty("daily letter", lambda: send_digest(office))
    duty("gathered letters", lambda: send_gathered(office))
    duty("kept letters", lambda: tend(office))
    return duty("deadlines", lambda: ring_due(office, limit))


def ring_due(office: Office, limit: int = _AT_ONCE) -> int:
    """Ring what is due, one transaction each; how many alarms were done.

    While players cannot be heard or told, what would end somebody's time waits (match.suspension); so do the alarms of a
    match that another desk has, and of one to which letters wait that came before.
    An alarm is cleared in the transaction of its work, so a crash in the middle repeats it and never loses it.
    A match that cannot be run on is shunted to its game masters and does not hold up the others.
    """
    with office.look() as at:
        due = [*due_now(at.step, office.clock.now(), limit), *found_now(at, limit)]
        came = _came_first(at) if due else {}
        due = due or _thought_over(at, limit)
    may = [alarm for alarm in due if all(came.get(match, alarm.due_at) >= alarm.due_at for match in (alarm.match, ""))]
    first, then = office.share.parted("alarms", may, lambda alarm: alarm.match, limit)
    return _ring_all(office, first) or _ring_all(office, then)


def _ring_all(office: Office, due: Sequence[Alarm]) -> int:
    """Ring these, those of a match one after the other; how many were done."""
    of_match: dict[str, list[Alarm]] = {}
    for alarm in due:
        of_match.setdefault(alarm.match, []).append(alarm)
    done = 0
    for match, alarms in of_match.items():
        with office.store.hold([match]) as mine:
            done += sum(_rung(office, alarm) for alarm in alarms) if match in mine else 0
    return done


def ring_overdue(office: Office, before: datetime, matches: Collection[str]) -> bool:
    """Ring what fell due in these matches before a moment; False while another desk has one of them."""
    with office.store.look() as step:
        rings = ringing(step, office.clock.now())
        due = [a for match in matches for a in step.alarms(match) if a.due_at < before and rings(a)]
    names = {alarm.match for alarm in due}
    if not due:
        return True
    with office.store.hold(sorted(names)) as mine:
        for alarm in sorted(due, key=lambda alarm: alarm.due_at) if mine >= names else ():
            _rung(office, alarm)
    return mine >= names


def _came_first(at: At) -> dict[str, datetime]:
    """When the first letter came that waits, for each match that is written to; "" for the plain address.

    Where more wait than are looked at, any match may be written to by the others.
    """
    came: dict[str, datetime] = {}
    waiting = at.step.waiting(_MOST_WAITING)
    for letter in waiting:
        match = addressed(letter.recipient, at.office.address)
        came[match] = min(letter.received_at, came.get(match, letter.received_at))
    if len(waiting) == _MOST_WAITING:
        last = waiting[-1].received_at
        came[""] = min(last, came.get("", last))
    return came


def _rung(office: Office, alarm: Alarm) -> int:
    """Ring an alarm, again where somebody else wrote first; 0 when that is so whenever it is tried, and it stands as it stood."""
    try:
        if alarm.kind == AlarmKind.BOT and _thinks(office, alarm):
            return 1
        in_spite(lambda: ring(office, alarm), Overtaken)
    except Overtaken:
        return 0
    except (Conflict, Stalled) as problem:  # it takes too long, or meets what another wrote: it is tried again
        _stalled(office, alarm, problem)
    except NotNow:  # no fault of the match; everything else that is due would fail alike
        raise
    except Exception as problem:  # a broken match must not stop the clocks of the others
        _log.exception("%s %s of %s failed", alarm.kind, alarm.key, alarm.match)
        shunt(office, alarm.match, _why(problem))
    return 1


def _thinks(office: Office, alarm: Alarm) -> bool:
    """Go on with the sheets of bots before the transaction in which they are played; whether more is to be tried, after letters."""
    with office.look() as at:
        row = at.step.match(alarm.match)
        if row is None or row.status != "running":
            return False
        playing = load(at, row)
        if think_over(at.step, playing, alarm.key, at.now):
            return True
        if thinking_since(playing) is None:
            return False
    more = False
    with suppress(_Undone), office.step() as at:
        row = at.step.match(alarm.match)
        more = row is not None and row.status == "running" and think_ahead(BareHand(office, at.step, ready(at, row)))
        raise _Undone
    return more


class _Undone(Exception):
    """A transaction has shown what was to be foreseen, and is undone."""


def _why(problem: Exception) -> str:
    return str(problem) if isinstance(problem, Stuck) else f"{type(problem).__name__}: {problem}"


def _stalled(office: Office, alarm: Alarm, problem: Conflict | Stalled) -> None:
    """Another wrote first, the machine stood still, or the turn takes longer to reckon than the database waits.

    Some tries, then a person is asked: what meets them whenever it is tried is at fault itself.
    """
    what = f"{alarm.kind} {alarm.key}"
    with office.store.step() as step:
        before = notes.STALLS.of(alarm.match).read(step)
        times = 1 + (before.times if before is not None and before.what == what else 0)
        notes.STALLS.of(alarm.match).keep(step, Stalls(what, times))
    _log.warning("%s of %s was given up by the database, for the %d. time: %s", what, alarm.match, times, problem)
    if times >= office.limits.attempts:
        why = f"The database gave it up {times} times: {problem}"
        shunt(office, alarm.match, why)


def shunt(office: Office, match: str, why: str) -> None:
    """Stop a match that cannot be run on, and tell its game masters."""
    with office.step() as at:
        row = at.step.match(match)
        if row is not None:
            halt(at, row, why)


def _deadline(hand: Hand, alarm: Alarm) -> None:
    if lives_on(hand, alarm):
        outlive(hand, alarm)
    else:
        _close_for_him(hand, alarm, Happening.DEADLINE_PASSED, "deadline")


def _grace(hand: Hand, alarm: Alarm) -> None:
    if not end_of_grace(hand, alarm):
        _close_for_him(hand, alarm, Happening.GRACE_OVER, "end of grace")


def _close_for_him(hand: Hand, alarm: Alarm, why: Happening, said: str) -> None:
    """Play what is on file, and look whether the player has abandoned his seat."""
    hand.close((alarm.key,), why, f"{said} {iso(alarm.due_at)}")
    if hand.waits:
        look_after_then(hand.step, alarm.match, alarm.seat, alarm.key)
    else:
        look_after(hand, alarm.seat, alarm.key)


def _mind(hand: Hand, alarm: Alarm) -> None:
    hand.close((alarm.key,), Happening.DELAY_OVER, "orders complete")


def _resume(hand: Hand, alarm: Alarm) -> None:
    with hand.signing(THE_CLOCK, "the pause is over"):
        resume_match(hand)


def _later_than(step: Step, alarm: Alarm) -> list[Alarm]:
    """The alarms of the same question that follow this one."""
    return [a for a in borne(step.alarms(alarm.match), question_of(alarm)) if a.kind in (DEADLINE, REMINDER)]


def _remind(hand: Hand, alarm: Alarm) -> None:
    key = question_of(alarm)
    found = owner_of(hand.step, alarm.match, alarm.seat)
    if found is None or all(question.key != key for question in hand.playing.outcome.open):
        set_alarms(hand)
        return
    row_of(state_when(hand.playing.row, hand.step.alarms(alarm.match), key, Happening.REMINDED), Happening.REMINDED)
    if any(later.due_at <= hand.now for later in _later_than(hand.step, alarm)):
        return  # the clock jumped: a nearer reminder, or the deadline itself, is due as well
    member, player = found
    framed = frame(hand, member, player)
    on_file = drawers_of(hand.playing, alarm.seat)
    ends = [later.due_at for later in _later_than(hand.step, alarm) if later.kind == DEADLINE]
    span = min(ends, default=hand.now) - hand.now
    delivery = delivery_sentence(hand.step, player, span, bool(on_file))
    letter = Reminder(framed, on_file, form_for(hand.step, hand.playing, alarm.seat), delivery)
    unique = f"{alarm.key}|{iso(alarm.due_at)}"
    post(hand, player, Mail("reminder", reminder(framed), letter, unique), About(hand.playing, member))
    why = out_of_reach(hand, player.addresses[0])
    if why:
        left = framed.deadline.left if framed.deadline else "no time"
        said = (
            f"{alarm.seat} owes {framed.title} and has {left}, but letters to {player.addresses[0]} come back.",
            "DEADLINE gives him more time, REPLACE gives his seat to somebody else.",
        )
        subject, title = f"{alarm.seat} cannot be reached", "a player who owes cannot be reached"
        tell_masters(hand, alarm.match, player.addresses[0], "unreachable", title, subject, said, why, unique)


def _in_play(handle: Callable[[Hand, Alarm], None]) -> Handler:
    """With a hand on the match; raises Stuck where it cannot be played, so that what is due keeps its place."""

    def handled(at: At, row: MatchRow, alarm: Alarm) -> Playing | None:
        playing = ready(at, row)
        if playing.fault:
            raise Stuck(playing.fault)
        hand = Hand(at.office, at.step, playing, by=THE_CLOCK)
        handle(hand, alarm)
        return None if hand.playing is playing else hand.playing

    return handled


Handler = Callable[[At, MatchRow, Alarm], Playing | None]

HANDLERS: Mapping[AlarmKind, Handler] = {
    AlarmKind.DEADLINE: _in_play(_deadline),
    AlarmKind.REMINDER: _in_play(_remind),
    AlarmKind.MIND: _in_play(_mind),
    AlarmKind.GRACE: _in_play(_grace),
    AlarmKind.OVERDUE: _in_play(remind_late),
    AlarmKind.RESUME: _in_play(_resume),
    AlarmKind.FORMING: warn_or_give_up,
    AlarmKind.DICE: _in_play(dice_fall),
    AlarmKind.BOT: _in_play(bot_answers),
}
"""The act of an alarm that rings; gives the match if it was run on."""


# ---------------------------------------------------------------- the way of an alarm


class Ringing(msgspec.Struct, frozen=True):
    """An alarm on its way, and its match."""

    at: At
    alarm: Alarm
    row: MatchRow | None = None


class Rung(msgspec.Struct, frozen=True):
    """The end of an alarm's way: its match, if it was run on."""

    changed: Playing | None = None


class Fact(Enum):
    """A fact known of an alarm when it has passed a step."""

    STANDS = "it stands as it was found"
    RENEWED = "its match is as the rules of today have it"
    TAKEN = "nobody else will ring it"
    MEANT = "its match is in the state for it"
    DONE = "nothing is left to do"


def _stands(so: Ringing) -> Ringing | Rung:
    """An alarm that was rung, moved or dropped since it was found is nothing to do."""
    return so if so.alarm in so.at.step.alarms(so.alarm.match) else Rung()


def _renewed(so: Ringing) -> Ringing:
    """A match that runs is played anew where rules have been mended since."""
    row = so.at.step.match(so.alarm.match)
    if row is not None and row.status == "running":
        playing = ready(so.at, row)
        row = playing.row
        if not playing.fault:
            remember(playing)  # the handler asks for it again
    return replace(so, row=row)


def _taken(so: Ringing) -> Ringing | Rung:
    """It is taken off in the transaction of its work, so a crash in the middle repeats it and never loses it."""
    return so if so.at.step.take_alarm(so.alarm) else Rung()


def _meant(so: Ringing) -> Ringing | Rung:
    """It rings only while its match is in the state for it: a deadline while the match runs."""
    return so if so.row is not None and so.row.status == RINGS_WHILE[AlarmKind(so.alarm.kind)] else Rung()


def _done(so: Ringing) -> Rung:
    """Its work is done. At a deadline the slot goes into grace or on call, or is closed, and the match runs on with the orders
    on file."""
    assert so.row is not None  # it is in the state for it
    return Rung(HANDLERS[AlarmKind(so.alarm.kind)](so.at, so.row, so.alarm))


F = Fact
STEPS: tuple[WayStep[Ringing, Ringing | Rung], ...] = (
    way_step("it still stands", _stands, finds=F.STANDS,
             why="first of all: another desk, or a letter, may have done its work since it was found"),
    way_step("rules of today", _renewed, F.STANDS, finds=F.RENEWED,
             why="before it is taken: a match played anew may owe nothing at that moment, and drops it"),
    way_step("it is taken", _taken, F.STANDS, F.RENEWED, finds=F.TAKEN,
             why="before its match is looked at, so that one which does not ring any more is gone"),
    way_step("its match", _meant, F.RENEWED, F.TAKEN, finds=F.MEANT,
             why="as it stands when it was played anew, which may have ended or halted it"),
    way_step("its work", _done, F.TAKEN, F.MEANT, finds=F.DONE,
             why="last, in the same transaction"),
)  # fmt: skip
"""In this order. The needs of a step, one before it has found; each finds something of its own, so that none can be left out."""


def ring(office: Office, alarm: Alarm) -> None:
    """Do what one alarm is for, if it still stands, also where mended rules have played the match anew."""
    with office.step() as at:
        changed = go(STEPS, Ringing(at, alarm), Rung).changed
        ran = (*((changed.row.name,) if changed else ()), *at.step.grown)
    if changed is not None:
        remember(changed)
    for match in dict.fromkeys(ran):
        office.ran(match)
