"""ABSENCE: a player says when he is away. Short ones are granted at once, longer ones by the game master."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from msgspec.structs import replace

from referee.moments import Unclear, days, zone_named
from referee.service.base.letters import Notice
from referee.service.base.remembered import Away
from referee.service.base.settings import Absence, falls_due, local_moment
from referee.service.base.times import both_stamps, iso, stamp
from referee.service.match.clocks import away_of, keep_away, move, table_of
from referee.service.match.result import Denial, Told, need
from referee.service.match.slot_life import DEADLINE, Happening
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.hand import Hand

_SLOTS = 3


def announce_absence(hand: Hand, first: str, last: str) -> Told:
    """Take an absence from one day to another, both included. A long one waits for the game master."""
    where = zone_named(hand.player.zone) or UTC
    try:
        begin, end = days(f"{first} - {last}", hand.now.astimezone(where).date())
    except Unclear as wrong:
        raise Denial(str(wrong)) from wrong
    span = Absence(local_moment(begin, time(), where), local_moment(end + timedelta(days=1), time(), where))
    ahead = end >= begin and span.back > hand.now
    need(ahead, "Name two days to come, the first one first: ABSENCE FROM 2026-12-20 TO 2027-01-02.")
    kept = tuple(a for a in _on_file(hand, hand.seat) if a.back > hand.now)
    many = f"You have {_SLOTS} absences on file, and there can be no more; NO ABSENCE 1 takes one back."
    need(len(kept) < _SLOTS, many)
    twice = "You are away then already; ABSENCE alone lists what is on file, NO ABSENCE 1 takes one back."
    need(not any(a.away < span.back and span.away < a.back for a in kept), twice)
    free = min(set(range(1, _SLOTS + 1)) - {a.number for a in kept})
    number = (end - begin).days + 1
    asks = number > hand.playing.settings.absence_days
    entry = Away(free, span.away.astimezone(UTC), span.back.astimezone(UTC), "asked" if asks else "granted")
    keep_away(hand.step, hand.match, hand.seat, (*kept, entry))
    if asks:
        return _ask(hand, entry, number)
    with hand.signing(hand.seat):
        return _grant(hand, hand.seat, entry, hand.player.zone)


def _on_file(hand: Hand, seat: str) -> tuple[Away, ...]:
    return away_of(hand.step, hand.match, seat)


def _ask(hand: Hand, entry: Away, days: int) -> Told:
    """Lay a long absence before the game masters."""
    seat, player = hand.seat, hand.player
    for member in hand.step.members(hand.match):
        master = hand.step.player(member.player) if member.role == "gm" else None
        if master is None:
            continue
        said = (
            f"{seat} asks to be away {_when(entry, master.zone)}: {days} days, more than this match grants by itself.",
            f"APPROVE ABSENCE {seat} grants it, REFUSE ABSENCE {seat} does not. Until then it does not count.",
        )
        lines = (f"APPROVE ABSENCE {seat}", f"REFUSE ABSENCE {seat}")
        framed = frame(hand, member, master)
        letter = Notice(framed, "an absence to approve", said, "", player.name, lines=lines)
        mail = Mail("notice", f"{seat} asks to be away", letter, f"absence.{seat}.{iso(entry.away)}.{iso(hand.now)}")
        post(hand, master, mail, About(hand.playing, member))
    limit = f"{hand.playing.settings.absence_days:g}"
    return (
        f"Absence {entry.number}, {_when(entry, player.zone)}, is longer than {limit} days, so the game master is asked. "
        "It does not count until it is approved.",
    )


def _grant(hand: Hand, seat: str, entry: Away, zone: str) -> Told:
    """An absence counts: deadlines that would fall into it move behind it, and everybody is told of those."""
    cause = f"player of {seat}" if hand.by == seat else ""
    hand.log(f"ABSENCE {seat} {iso(entry.away)} to {iso(entry.back)}", cause)
    moved = _moved(hand, seat, entry)

    def told(zone: str) -> Told:
        first = f"{seat} is away {_when(entry, zone)}; no deadline of {seat} falls into that time."
        return (first, *(f"{seat} now has until {both_stamps(due, zone)}." for due in moved))

    first, *others = hand.tell(f"{seat} will be away", told, about=seat, zone=zone)
    return (f"Absence {entry.number} is noted. {first}", *others)


def _moved(hand: Hand, seat: str, entry: Away) -> list[datetime]:
    """Move the running deadlines of a seat that fall into an absence."""
    moved, span, playing = [], Absence(entry.away, entry.back), hand.playing
    for alarm in hand.step.alarms(hand.match):
        if alarm.kind != DEADLINE or alarm.seat != seat or not span.away <= alarm.due_at < span.back:
            continue
        asked = next((q for q in playing.outcome.open if q.key == alarm.key), None)
        if asked is None:
            continue
        length, table = playing.settings.length(asked.pace), table_of(playing, alarm.key)
        due = max(falls_due(alarm.due_at - length, length, replace(table, least_hours=0), (span,)), alarm.due_at)
        move(hand.step, playing, alarm, due, hand.now, Happening.AWAY)
        moved.append(due)
    return moved


def _when(entry: Away, zone: str) -> str:
    return f"from {stamp(entry.away, zone)} to {stamp(entry.back, zone)}"


def list_absences(hand: Hand) -> Told:
    """What a player has on file, one sentence each."""
    kept = [a for a in _on_file(hand, hand.seat) if a.back > hand.now]
    state = {"granted": "", "asked": "; the game master has not approved it yet"}
    said = tuple(f"Absence {a.number}: {_when(a, hand.player.zone)}{state[a.state]}." for a in kept)
    return said or ("You have no absence on file; ABSENCE FROM 2026-12-20 TO 2027-01-02 announces one.",)


def cancel_absence(hand: Hand, number: int) -> Told:
    """Take an absence back. A deadline that it has moved stays where it is."""
    kept = _on_file(hand, hand.seat)
    gone = next((a for a in kept if a.number == number and a.back > hand.now), None)
    if gone is None:
        raise Denial(f"You have no absence {number} on file. {' '.join(list_absences(hand))}")
    keep_away(hand.step, hand.match, hand.seat, tuple(a for a in kept if a is not gone))
    return (f"Absence {number}, {_when(gone, hand.player.zone)}, is taken back; deadlines that were told stay.",)


def _asked(hand: Hand, seat: str) -> Away:
    asked = next((a for a in _on_file(hand, seat) if a.state == "asked"), None)
    if asked is None:
        raise Denial(f"{seat} asks for no absence.")
    return asked


def approve(hand: Hand, seat: str) -> Told:
    """Grant the absence a seat asked for."""
    asked = _asked(hand, seat)
    granted = replace(asked, state="granted")
    keep_away(hand.step, hand.match, seat, tuple(granted if a == asked else a for a in _on_file(hand, seat)))
    return _grant(hand, seat, granted, "UTC")


def refuse(hand: Hand, seat: str) -> Told:
    """Refuse the absence a seat asked for; everybody is told that it does not count."""
    asked = _asked(hand, seat)
    keep_away(hand.step, hand.match, seat, tuple(a for a in _on_file(hand, seat) if a != asked))
    hand.log(f"REFUSE ABSENCE {seat}")

    def told(zone: str) -> Told:
        return (f"The absence of {seat} {_when(asked, zone)} is not approved.",)

    return hand.tell("an absence is not approved", told, about=seat)
