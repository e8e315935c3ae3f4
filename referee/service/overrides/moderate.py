"""The game master and the clock: deadlines, pauses, rolling out, processing, excusing, ruling, announcing, ending."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from referee.core.event import Ruled
from referee.core.record import Happened
from referee.service.clock.clocks import move, set_alarms, table_of
from referee.service.clock.slot_life import TOLD, AlarmKind, Happening, State, slot_state
from referee.service.clock.standing_still import seek_again, start_clock, stop_clock
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.playing import Playing, play_on
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.frames import debts
from referee.service.overrides.base import THE_PLAYERS, TOO_FAR, YOURS, is_too_far, log, notify
from referee.service.ports import Alarm, Step
from referee.service.times import both_stamps, length, stamp
from referee.service.turns.advance import close, plays_at_once, run
from referee.service.turns.awaiting import SEALED
from referee.service.turns.farewell import farewell
from referee.service.turns.halting import WAY_OUT, release


def move_deadline(
    office: Office,
    step: Step,
    playing: Playing,
    by: str,
    reason: str,
    seat: str = "",
    later: timedelta | None = None,
    until: datetime | None = None,
) -> Result:
    """Move the deadline of one seat or of all who owe something. Never earlier than a player was told."""
    match, now = playing.row.name, office.clock.now()
    alarms = [a for a in step.alarms(match) if a.kind in TOLD and (not seat or a.seat == seat)]
    if not alarms:
        who = seat or "anybody"
        return Denied(f"No deadline is running for {who}, so there is none to move.")
    moved = [(a, until or table_of(playing, a.key).later(a.due_at, later or timedelta())) for a in alarms]
    if is_too_far((due for _, due in moved), now):
        return Denied(TOO_FAR)
    for alarm, due in moved:
        if due < alarm.due_at:
            promised = stamp(alarm.due_at, "UTC")
            return Denied(
                f"{alarm.seat} was told {promised}, and a deadline never moves earlier than that; "
                "name a later time, or an amount such as +12h."
            )
    for alarm, due in moved:
        move(step, playing, alarm, due, now, Happening.MOVED)

    def told(zone: str) -> tuple[str, ...]:
        return tuple(
            f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}." for a, due in moved
        )

    sentences = told("UTC")
    playing = log(office, step, playing, f"DEADLINE: {' '.join(sentences)}", by, reason)

    def told_to_all(zone: str) -> tuple[str, ...]:
        has = f"until {both_stamps(until, zone)}" if until is not None else f"{length(later or timedelta())} more"
        return (f"Everybody who has a deadline has {has}; {YOURS}",)

    others = None if seat else told_to_all
    notify(office, step, playing, "a deadline was moved", told, by, reason, about=seat, others=others)
    return Done(told_to_all("UTC") if by == THE_PLAYERS and keeps_quiet(playing) else sentences, playing)


def pause(office: Office, step: Step, playing: Playing, by: str, reason: str, span: timedelta | None = None) -> Result:
    """Stop the clock; everybody keeps the time he had left. With a span it resumes by itself."""
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; only a running match can be paused.")
    match, now = playing.row.name, office.clock.now()
    stop_clock(step, playing.row, now, Happening.PAUSED)
    row = replace(playing.row, status="paused")
    step.save_match(row)
    if span:
        step.set_alarm(Alarm(match, AlarmKind.RESUME, "pause", now + span))

    def told(zone: str) -> tuple[str, ...]:
        stands = "The clock stands still. Orders are still taken and answered; no turn runs."
        if span is None:
            return (stands, "It goes on when the game master resumes it.")
        return (stands, f"It goes on by itself at {both_stamps(now + span, zone)}, or earlier when resumed.")

    playing = log(office, step, replace(playing, row=row), "PAUSE", by, reason)
    notify(office, step, playing, "the match is paused", told, by, reason)
    return Done(told("UTC"), playing)


def resume_match(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Result:
    """Let the clock run again with the time everybody had left."""
    if playing.row.status not in ("paused", "shunted"):
        return Denied(f"{playing.row.name} is {playing.row.status}; only a paused match can be resumed.")
    if playing.fault:
        return Denied(f"{playing.row.name} cannot be run on yet: {playing.fault}. {WAY_OUT}")
    if playing.outcome.sealed:
        return _seek_again(office, step, playing, by, reason)
    stopped = "was paused" if playing.row.status == "paused" else "could not be run on"
    start_clock(step, playing, office.clock.now())
    row = replace(playing.row, status="running", trouble="")
    step.save_match(row)
    playing = log(office, step, replace(playing, row=row), "RESUME", by, reason)
    set_alarms(office, step, playing)
    sentences = (f"The clock runs again. Everybody has the time he had left when the match {stopped}.",)
    notify(office, step, playing, "the match goes on", sentences, by, reason, forms=True)
    release(step, row.name)
    if plays_at_once(step, playing):
        playing = run(office, step, playing, (), "the match goes on").playing
    return Done(sentences, playing)


def _seek_again(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Result:
    """A match that was stopped while it waited for its dice waits again; nothing may come into the log before they fall."""
    row = replace(playing.row, status=SEALED, trouble="")
    step.save_match(row)
    seek_again(step, row, office.clock.now())
    playing = replace(playing, row=row)
    sentences = (
        "It waits for its dice again; the clock runs on, with the time everybody had left, when they have fallen.",
    )
    notify(office, step, playing, "the match goes on", sentences, by, reason)
    return Done(sentences, playing)


def roll_out(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Play a seat's turn at once from draft, late instruction, standing orders, default."""
    mine = debts(playing, seat)
    if not mine:
        return Denied(f"{seat} owes nothing now; we wait for {_waiting(playing)}.")
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; RESUME it first.")
    playing = log(office, step, playing, f"ROLL OUT {seat}", by, reason)
    said = (f"{seat}'s turn is played from what is on file.",)
    notify(office, step, playing, f"{seat} is rolled out", said, by, reason, about=seat)
    ran = close(
        office,
        step,
        playing,
        [q.key for q in mine],
        Happening.ROLLED_OUT,
        f"rolled out by {by}",
        f"the game master {by}",
    )
    return Done(said, ran.playing)


def roll_out_late(office: Office, step: Step, playing: Playing, by: str, seat: str) -> Result:
    """End a slot that is overdue, at the word of any other player, where slots wait on call."""
    if playing.settings.late != "on call":
        return Denied("Only a game master can roll out another player; ROLL OUT alone ends your own slot.")
    alarms = step.alarms(playing.row.name)
    states = {q.key: slot_state(playing.row, alarms, q.key) for q in debts(playing, seat)}
    late = [key for key, state in states.items() if state is State.ON_CALL]
    if State.IN_GRACE in states.values():
        return Denied(f"{seat} still has grace; when it is over any other player may end the slot of {seat}.")
    if not late or playing.row.status != "running":
        return Denied(f"{seat} is not late, so only {seat} or a game master can end the slot of {seat}.")
    sentence = f"{by} ended the slot of {seat}; what was on file is played."
    ran = close(office, step, playing, late, Happening.CALLED, f"rolled out by {by}", by)
    notify(office, step, ran.playing, f"{seat} is rolled out", (sentence,), by)  # it says who owes what by then
    return Done((sentence,), ran.playing)


def _waiting(playing: Playing) -> str:
    return ", ".join(sorted({q.seat for q in playing.outcome.open})) or "nobody"


def process(office: Office, step: Step, playing: Playing, by: str, reason: str, phase: str) -> Result:
    """Run the phase that waits, naming it, so that the order cannot race the clock."""
    now_waiting = playing.outcome.phase
    if now_waiting is None:
        return Denied("The match is over; there is nothing to process.")
    if phase.casefold() not in (now_waiting.key.casefold(), now_waiting.title.casefold()):
        return Denied(
            f'The phase that waits is {now_waiting.key} ({now_waiting.title}); write PROCESS "{now_waiting.key}".'
        )
    if playing.row.status != "running":
        return Denied(f"{playing.row.name} is {playing.row.status}; RESUME it first.")
    playing = log(office, step, playing, f"PROCESS {now_waiting.key}", by, reason)
    keys = [question.key for question in playing.outcome.open]
    ran = close(office, step, playing, keys, Happening.ROLLED_OUT, f"processed by {by}")
    return Done((f"{now_waiting.title} was run.",), ran.playing)


def excuse(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Put on record that a seat's lateness was not its player's fault."""
    if seat not in playing.created.seats:
        return Denied(f"{seat} is no seat of {playing.row.name}; the seats are {', '.join(playing.created.seats)}.")
    playing = log(office, step, playing, f"EXCUSE {seat}", by, reason)
    sentence = f"{seat}'s lateness in {playing.row.name} is excused and does not count against its player."
    notify(office, step, playing, f"{seat} is excused", (sentence,), by, reason, about=seat)
    return Done((sentence,), playing)


def rule(office: Office, step: Step, playing: Playing, by: str, text: str, citing: str = "") -> Result:
    """Publish a ruling; it stands in the log and in the next report."""
    if playing.outcome.over:
        return Denied("The match is over; nothing is left to rule on.")
    record = Happened(playing.codec.raw(Ruled(text, by, citing)))
    playing = play_on(office, step, playing, [record], f"game master {by}")
    notify(office, step, playing, "a ruling", (text, *((f"It cites {citing}.",) if citing else ())), by)
    return Done(("The ruling was published.",), playing)


def announce(office: Office, step: Step, playing: Playing, by: str, text: str) -> Result:
    """Send a message to everybody in the match."""
    playing = log(office, step, playing, f"ANNOUNCE: {text}", by, "")
    notify(office, step, playing, "an announcement", (text,), by)
    return Done(("Your message went to everybody.",), playing)


def terminate(office: Office, step: Step, playing: Playing, by: str, reason: str) -> Result:
    """End the match without a winner; its archive stays."""
    if playing.row.status == "over":
        return Denied("The match is over already.")
    row = replace(playing.row, status="over")
    step.save_match(row)
    playing = log(office, step, replace(playing, row=row), "TERMINATE", by, reason)
    ended = f"{'The players' if by == THE_PLAYERS else 'The game master'} ended the match; nobody won."
    farewell(office, step, playing, ended, reason)
    return Done((ended,), playing)
