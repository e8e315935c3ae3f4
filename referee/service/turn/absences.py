"""A player's own time: EXTEND from his bank, ABSENCE asked for and granted, AUTOPLAY."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from msgspec.structs import replace

from referee.moments import Unclear, days, zone_named
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.match_settings import Absence, falls_due, local_moment
from referee.service.base.note_values import Away
from referee.service.base.ports import Step
from referee.service.base.times import both_stamps, iso, length, stamp
from referee.service.match.bots import OWN_BOT, autoplayed, away_seats, plays_steadily
from referee.service.match.clocks import away_of, keep_away, move, player_of, table_of, too_far
from referee.service.match.playing import Playing
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.slot_life import DEADLINE, Happening
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import play_at_once
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- EXTEND
# Each player has so much time of his own in a match, and spends it on his deadlines as he likes.


_USUAL = timedelta(hours=24)


def _spent(step: Step, playing: Playing, seat: str) -> timedelta:
    return _bank(step, playing.row.name, seat).read(step) or timedelta()


def _bank(step: Step, match: str, seat: str) -> notes.Slip[timedelta]:
    return notes.TIME_BANK.of(match, seat, player_of(step, match, seat))


def left_in_bank(step: Step, playing: Playing, seat: str) -> timedelta:
    """The rest of the time of a seat's player."""
    return max(timedelta(hours=playing.settings.bank_hours) - _spent(step, playing, seat), timedelta())


def extend(hand: Hand, wanted: timedelta | None) -> Told:
    """Move a player's own deadlines later at the cost of his bank; a day, or what is left of it, when he names no time."""
    step, playing, seat = hand.step, hand.playing, hand.seat
    left = left_in_bank(step, playing, seat)
    mine = [a for a in step.alarms(hand.match) if a.kind == DEADLINE and a.seat == seat]
    need(playing.settings.bank_hours, "There is no time bank in this match; ask the game master for more time.")
    need(mine, "No deadline of yours is running, so there is none to extend.")
    span = min(_USUAL, left) if wanted is None else wanted
    need(timedelta() < span <= left, f"Your time bank has {_said(left)} left; write EXTEND and no more than that.")
    tables = {alarm.key: table_of(playing, alarm.key) for alarm in mine}
    moved = [(alarm, tables[alarm.key].pushed(tables[alarm.key].later(alarm.due_at, span))) for alarm in mine]
    heed(too_far((due for _, due in moved), hand.now))
    for alarm, due in moved:
        move(step, playing, alarm, due, hand.now, Happening.EXTENDED)
    _bank(step, hand.match, seat).keep(step, _spent(step, playing, seat) + span)
    rest = _said(left - span)

    def told(zone: str) -> tuple[str, ...]:
        times = tuple(
            f"{seat} now has until {both_stamps(due, zone)}; it was {stamp(alarm.due_at, zone)}."
            for alarm, due in moved
        )
        return (f"{seat} spends {length(span)} of a time bank; {rest} is left in it.", *times)

    with hand.signing(seat):
        hand.log(f"EXTEND {seat} {length(span)}", f"player of {seat}")
        return hand.tell(f"{seat} takes more time", told, about=seat, zone=hand.player.zone)


def _said(span: timedelta) -> str:
    return length(span) if span >= timedelta(minutes=1) else "nothing"


# ---------------------------------------------------------------- ABSENCE
# A player says when he is away. Short ones are granted at once, longer ones by the game master.


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
    """A player's file, one sentence each."""
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


# ---------------------------------------------------------------- AUTOPLAY
# A player has a steady bot of his own play while he is away. Everybody is told, and nobody waits.


def autoplay(hand: Hand, until: datetime) -> Told:
    """Have a bot play a seat until a moment, and at once what waits for it."""
    steady = f"{hand.playing.game.title} has no steady bot yet; ABSENCE says when you are away, STANDING what is played then."
    need(plays_steadily(hand.playing.game), steady)
    need(hand.now < until, "Name a moment to come: AUTOPLAY UNTIL 3 Dec; AUTOPLAY OFF ends it.")
    heed(too_far((until,), hand.now))
    notes.AUTOPLAY.of(hand.match, hand.seat).keep(hand.step, until)
    seat = hand.seat

    def told(zone: str) -> Told:
        return (
            f"A steady bot plays {seat} for its player, who is away until {stamp(until, zone)}.",
            "His orders on file, and his standing orders, go before those of the bot. AUTOPLAY OFF, or orders of his, end it.",
        )

    with hand.signing(seat):
        hand.log(f"AUTOPLAY {seat} until {iso(until)}", f"player of {seat}")
        said = hand.tell(f"a bot plays {seat} for a while", told, zone=hand.player.zone, but=hand.player.id)
        if seat not in away_seats(hand) and hand.playing.row.status == "running":
            said = (*said, "Nobody else plays by himself now, so each of your turns is played at its deadline.")
        play_at_once(hand, OWN_BOT)
    return said


def end_autoplay(hand: Hand) -> Told:
    """A player plays by himself again; nothing where no bot plays for him."""
    if hand.seat not in autoplayed(hand):
        return ()
    notes.AUTOPLAY.of(hand.match, hand.seat).forget(hand.step)
    with hand.signing(hand.seat):
        hand.log(f"AUTOPLAY {hand.seat} off", f"player of {hand.seat}")
        said = (f"{hand.seat} is played by its player again, and by no bot.",)
        return hand.tell(f"{hand.seat} is played by its player again", said, but=hand.player.id)
