"""The clock's work: what falls due, in the order in which it fell due. Deadlines are rows; a scan finds them."""

from __future__ import annotations

from referee.service.advance import close, form_for, owner_of, set_alarms
from referee.service.frames import drawers_of, frame
from referee.service.letters import Reminder
from referee.service.moderate import resume_match
from referee.service.office import Office
from referee.service.playing import Playing, load, remember
from referee.service.ports import Alarm, Step
from referee.service.post import post
from referee.service.times import iso

__all__ = ["scan"]


def scan(office: Office, limit: int = 100) -> int:
    """Do everything that is due, one transaction each; returns how many alarms were done.

    An alarm is cleared in the transaction of its work, so a crash in the middle repeats it and never loses it.
    """
    with office.store.look() as step:
        due = step.due_alarms(office.clock.now(), limit)
    for alarm in due:
        ring(office, alarm)
    return len(due)


def ring(office: Office, alarm: Alarm) -> None:
    """Do what one alarm is for, if it still stands."""
    changed: Playing | None = None
    with office.store.step() as step:
        if not any(a == alarm for a in step.alarms(alarm.match)):
            return
        step.clear_alarms(alarm.match, alarm.kind, alarm.key)
        row = step.match(alarm.match)
        if (
            row is None
            or row.status not in ("running", "paused")
            or (row.status == "paused") != (alarm.kind == "resume")
        ):
            return
        playing = load(office, step, row)
        match alarm.kind:
            case "deadline":
                cause = f"deadline {iso(alarm.due_at)}"
                changed = close(office, step, playing, (alarm.key,), True, cause).playing
            case "mind":
                changed = close(office, step, playing, (alarm.key,), False, "orders complete").playing
            case "reminder":
                _remind(office, step, playing, alarm)
            case "resume":
                resume_match(office, step, playing, "the clock", "the pause is over")
    if changed is not None:
        remember(changed)
        office.ran(changed.row.name)


def _remind(office: Office, step: Step, playing: Playing, alarm: Alarm) -> None:
    key = alarm.key.partition("|")[0]
    found = owner_of(step, alarm.match, alarm.seat)
    if found is None or all(question.key != key for question in playing.outcome.open):
        set_alarms(office, step, playing)
        return
    member, player = found
    framed = frame(office, step, playing, member, player)
    letter = Reminder(framed, drawers_of(playing, alarm.seat), form_for(playing, alarm.seat))
    left = framed.deadline.left if framed.deadline else "no time"
    subject = f"{left} left for {framed.title}"
    post(office, step, player, "reminder", subject, letter, f"{alarm.key}|{iso(alarm.due_at)}", playing, member)
