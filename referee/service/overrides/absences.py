"""ABSENCE: a player says when he is away. Short ones are granted at once, longer ones by the game master."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from msgspec.structs import replace

from referee.moments import Unclear, days, zone_named
from referee.service.clock.away import away_of, keep_away
from referee.service.clock.clocks import move, table_of
from referee.service.clock.slot_life import DEADLINE, Happening
from referee.service.letters import Notice
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.base import log, notify
from referee.service.ports import Player, Step
from referee.service.remembered import Away
from referee.service.times import both_stamps, iso, stamp
from referee.service.timetable import Absence, falls_due, local_moment

_SLOTS = 3


def announce_absence(
    office: Office, step: Step, playing: Playing, player: Player, seat: str, first: str, last: str
) -> Result:
    """Take an absence from one day to another, both included. A long one waits for the game master."""
    match, now = playing.row.name, office.clock.now()
    where = zone_named(player.zone) or UTC
    try:
        begin, end = days(f"{first} - {last}", now.astimezone(where).date())
    except Unclear as wrong:
        return Denied(str(wrong))
    span = Absence(local_moment(begin, time(), where), local_moment(end + timedelta(days=1), time(), where))
    if end < begin or span.back <= now:
        return Denied("Name two days to come, the first one first: ABSENCE FROM 2026-12-20 TO 2027-01-02.")
    kept = tuple(a for a in away_of(step, match, seat) if a.back > now)
    if len(kept) >= _SLOTS:
        return Denied(f"You have {_SLOTS} absences on file, and there can be no more; NO ABSENCE 1 takes one back.")
    if any(a.away < span.back and span.away < a.back for a in kept):
        return Denied("You are away then already; ABSENCE alone lists what is on file, NO ABSENCE 1 takes one back.")
    free = min(set(range(1, _SLOTS + 1)) - {a.number for a in kept})
    number = (end - begin).days + 1
    asks = number > playing.settings.absence_days
    entry = Away(free, span.away.astimezone(UTC), span.back.astimezone(UTC), "asked" if asks else "granted")
    keep_away(step, match, seat, (*kept, entry))
    if asks:
        return _ask(office, step, playing, player, seat, entry, number)
    return _grant(office, step, playing, seat, "", seat, entry, player.zone)


def _ask(office: Office, step: Step, playing: Playing, player: Player, seat: str, entry: Away, days: int) -> Result:
    """Lay a long absence before the game masters."""
    masters = [m for m in step.members(playing.row.name) if m.role == "gm"]
    for member in masters:
        master = step.player(member.player)
        if master is None:
            continue
        said = (
            f"{seat} asks to be away {_when(entry, master.zone)}: {days} days, more than this match grants by itself.",
            f"APPROVE ABSENCE {seat} grants it, REFUSE ABSENCE {seat} does not. Until then it does not count.",
        )
        lines = (f"APPROVE ABSENCE {seat}", f"REFUSE ABSENCE {seat}")
        framed = frame(office, step, playing, member, master)
        letter = Notice(framed, "an absence to approve", said, "", player.name, lines=lines)
        unique = f"absence.{seat}.{iso(entry.away)}.{iso(office.clock.now())}"
        post(office, step, master, Mail("notice", f"{seat} asks to be away", letter, unique), About(playing, member))
    limit = f"{playing.settings.absence_days:g}"
    sentence = (
        f"Absence {entry.number}, {_when(entry, player.zone)}, is longer than {limit} days, so the game master is asked. "
        "It does not count until it is approved."
    )
    return Done((sentence,), playing)


def _grant(
    office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str, entry: Away, zone: str
) -> Done:
    """An absence counts: deadlines that would fall into it move behind it, and everybody is told of those."""
    playing = log(
        office,
        step,
        playing,
        f"ABSENCE {seat} {iso(entry.away)} to {iso(entry.back)}",
        by,
        reason,
        f"player of {seat}" if by == seat else "",
    )
    moved = _moved(office, step, playing, seat, entry)

    def told(zone: str) -> tuple[str, ...]:
        first = f"{seat} is away {_when(entry, zone)}; no deadline of {seat} falls into that time."
        return (first, *(f"{seat} now has until {both_stamps(due, zone)}." for due in moved))

    notify(office, step, playing, f"{seat} will be away", told, by, reason, about=seat)
    return Done((f"Absence {entry.number} is noted. {told(zone)[0]}", *told(zone)[1:]), playing)


def _moved(office: Office, step: Step, playing: Playing, seat: str, entry: Away) -> list[datetime]:
    """Move the running deadlines of a seat that fall into an absence."""
    moved, span = [], Absence(entry.away, entry.back)
    for alarm in step.alarms(playing.row.name):
        if alarm.kind != DEADLINE or alarm.seat != seat or not span.away <= alarm.due_at < span.back:
            continue
        asked = next((q for q in playing.outcome.open if q.key == alarm.key), None)
        if asked is None:
            continue
        length, table = playing.settings.length(asked.pace), table_of(playing, alarm.key)
        due = max(falls_due(alarm.due_at - length, length, replace(table, least_hours=0), (span,)), alarm.due_at)
        move(step, playing, alarm, due, office.clock.now(), Happening.AWAY)
        moved.append(due)
    return moved


def _when(entry: Away, zone: str) -> str:
    return f"from {stamp(entry.away, zone)} to {stamp(entry.back, zone)}"


def list_absences(office: Office, step: Step, playing: Playing, player: Player, seat: str) -> tuple[str, ...]:
    """What a player has on file, one sentence each."""
    kept = [a for a in away_of(step, playing.row.name, seat) if a.back > office.clock.now()]
    state = {"granted": "", "asked": "; the game master has not approved it yet"}
    said = tuple(f"Absence {a.number}: {_when(a, player.zone)}{state[a.state]}." for a in kept)
    return said or ("You have no absence on file; ABSENCE FROM 2026-12-20 TO 2027-01-02 announces one.",)


def cancel_absence(office: Office, step: Step, playing: Playing, player: Player, seat: str, number: int) -> Result:
    """Take an absence back. A deadline that it has moved stays where it is."""
    kept = away_of(step, playing.row.name, seat)
    gone = next((a for a in kept if a.number == number and a.back > office.clock.now()), None)
    if gone is None:
        listed = " ".join(list_absences(office, step, playing, player, seat))
        return Denied(f"You have no absence {number} on file. {listed}")
    keep_away(step, playing.row.name, seat, tuple(a for a in kept if a is not gone))
    sentence = f"Absence {number}, {_when(gone, player.zone)}, is taken back; deadlines that were told stay."
    return Done((sentence,), playing)


def _asked(step: Step, playing: Playing, seat: str) -> Away | None:
    return next((a for a in away_of(step, playing.row.name, seat) if a.state == "asked"), None)


def approve(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Grant the absence a seat asked for."""
    asked = _asked(step, playing, seat)
    if asked is None:
        return Denied(f"{seat} asks for no absence.")
    kept = away_of(step, playing.row.name, seat)
    granted = replace(asked, state="granted")
    keep_away(step, playing.row.name, seat, tuple(granted if a is asked or a == asked else a for a in kept))
    return _grant(office, step, playing, by, reason, seat, granted, "UTC")


def refuse(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Refuse the absence a seat asked for; everybody is told that it does not count."""
    asked = _asked(step, playing, seat)
    if asked is None:
        return Denied(f"{seat} asks for no absence.")
    kept = away_of(step, playing.row.name, seat)
    keep_away(step, playing.row.name, seat, tuple(a for a in kept if a != asked))
    playing = log(office, step, playing, f"REFUSE ABSENCE {seat}", by, reason)

    def told(zone: str) -> tuple[str, ...]:
        return (f"The absence of {seat} {_when(asked, zone)} is not approved.",)

    notify(office, step, playing, "an absence is not approved", told, by, reason, about=seat)
    return Done(told("UTC"), playing)
