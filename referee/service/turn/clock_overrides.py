"""Overrides of the clock by a game master: deadlines moved, slots closed, the match paused, its clock set."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import msgspec

from referee.core.event import Ruled
from referee.core.record import Happened
from referee.moments import hour_at, span_at, words_of
from referee.service.base.ports import Alarm
from referee.service.base.times import both_stamps, length, stamp
from referee.service.match.clock_words import CLOCK_WORDS, clock_sentences, read_clock
from referee.service.match.clocks import move, set_alarms, table_of, too_far
from referee.service.match.members import YOURS, keeps_quiet, persons, refuse_beacon, refuse_clock
from referee.service.match.playing import THE_PLAYERS
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.sheets import debts
from referee.service.match.slot_life import TOLD, AlarmKind, Happening, State, slot_state
from referee.service.match.suspension import seek_again, start_clock, stop_clock
from referee.service.turn.advance import SEALED, WAY_OUT, play_at_once, release
from referee.service.turn.farewell import farewell
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- the game master and the clock
# Deadlines, pauses, rolling out, processing, excusing, ruling, announcing, ending.


def move_deadline(hand: Hand, seat: str = "", later: timedelta | None = None, until: datetime | None = None) -> Told:
    """Move the deadline of one seat or of all who owe something. Never earlier than a player was told."""
    alarms = [a for a in hand.step.alarms(hand.match) if a.kind in TOLD and (not seat or a.seat == seat)]
    need(alarms, f"No deadline is running for {seat or 'anybody'}, so there is none to move.")
    moved = [(a, until or table_of(hand.playing, a.key).later(a.due_at, later or timedelta())) for a in alarms]
    heed(too_far((due for _, due in moved), hand.now))
    for alarm, due in moved:
        promised = f"{alarm.seat} was told {stamp(alarm.due_at, 'UTC')}, and a deadline never moves earlier than that"
        need(due >= alarm.due_at, f"{promised}; name a later time, or an amount such as +12h.")
    for alarm, due in moved:
        move(hand.step, hand.playing, alarm, due, hand.now, Happening.MOVED)

    def told(zone: str) -> Told:
        return tuple(
            f"{a.seat} now has until {both_stamps(due, zone)}; it was {stamp(a.due_at, zone)}." for a, due in moved
        )

    def told_to_all(zone: str) -> Told:
        has = f"until {both_stamps(until, zone)}" if until is not None else f"{length(later or timedelta())} more"
        return (f"Everybody who has a deadline has {has}; {YOURS}",)

    hand.log(f"DEADLINE: {' '.join(told('UTC'))}")
    said = hand.tell("a deadline was moved", told, about=seat, others=None if seat else told_to_all)
    return told_to_all("UTC") if hand.by == THE_PLAYERS and keeps_quiet(hand.playing) else said


def pause(hand: Hand, span: timedelta | None = None) -> Told:
    """Stop the clock; everybody keeps the time he had left. With a span it resumes by itself."""
    need(hand.status == "running", f"{hand.match} is {hand.status}; only a running match can be paused.")
    stop_clock(hand.step, hand.playing.row, hand.now, Happening.PAUSED)
    hand.save(status="paused")
    if span:
        hand.step.set_alarm(Alarm(hand.match, AlarmKind.RESUME, "pause", hand.now + span))

    def told(zone: str) -> Told:
        stands = "The clock stands still. Orders are still taken and answered; no turn runs."
        if span is None:
            return (stands, "It goes on when the game master resumes it.")
        return (stands, f"It goes on by itself at {both_stamps(hand.now + span, zone)}, or earlier when resumed.")

    hand.log("PAUSE")
    return hand.tell("the match is paused", told)


def resume_match(hand: Hand) -> Told:
    """Let the clock run again with the time everybody had left."""
    was = hand.status
    need(was in ("paused", "shunted"), f"{hand.match} is {was}; only a paused match can be resumed.")
    need(not hand.playing.fault, f"{hand.match} cannot be run on yet: {hand.playing.fault}. {WAY_OUT}")
    if hand.playing.outcome.sealed:  # it waits again; nothing may come into the log before the dice fall
        hand.save(status=SEALED, trouble="")
        seek_again(hand.step, hand.playing.row, hand.now)
        waits = (
            "It waits for its dice again; the clock runs on, with the time everybody had left, when they have fallen."
        )
        return hand.tell("the match goes on", (waits,))
    start_clock(hand)
    hand.save(status="running", trouble="")
    hand.log("RESUME")
    set_alarms(hand)
    stopped = "was paused" if was == "paused" else "could not be run on"
    said = (f"The clock runs again. Everybody has the time he had left when the match {stopped}.",)
    hand.tell("the match goes on", said, forms=True)
    release(hand.step, hand.match)
    play_at_once(hand, "the match goes on")
    return said


def _need_running(hand: Hand) -> None:
    need(hand.status == "running", f"{hand.match} is {hand.status}; RESUME it first.")


def roll_out(hand: Hand, seat: str) -> Told:
    """Play a seat's turn at once from draft, late instruction, standing orders, default."""
    mine = debts(hand.playing, seat)
    waiting = ", ".join(sorted({q.seat for q in hand.playing.outcome.open})) or "nobody"
    need(mine, f"{seat} owes nothing now; we wait for {waiting}.")
    _need_running(hand)
    hand.log(f"ROLL OUT {seat}")
    said = hand.tell(f"{seat} is rolled out", (f"{seat}'s turn is played from what is on file.",), about=seat)
    keys = [question.key for question in mine]
    hand.close(keys, Happening.ROLLED_OUT, f"rolled out by {hand.by}", f"the game master {hand.by}")
    return said


def roll_out_late(hand: Hand, seat: str) -> Told:
    """End a slot that is overdue, at the word of any other player, where slots wait on call."""
    if hand.playing.settings.late != "on call":
        raise Denial("Only a game master can roll out another player; ROLL OUT alone ends your own slot.")
    alarms = hand.step.alarms(hand.match)
    states = {q.key: slot_state(hand.playing.row, alarms, q.key) for q in debts(hand.playing, seat)}
    late = [key for key, state in states.items() if state is State.ON_CALL]
    if State.IN_GRACE in states.values():
        raise Denial(f"{seat} still has grace; when it is over any other player may end the slot of {seat}.")
    if not late or hand.status != "running":
        raise Denial(f"{seat} is not late, so only {seat} or a game master can end the slot of {seat}.")
    hand.close(late, Happening.CALLED, f"rolled out by {hand.by}", hand.by)
    said = (f"{hand.by} ended the slot of {seat}; the orders on file are played.",)
    return hand.tell(f"{seat} is rolled out", said)  # it says who owes what by then


def process(hand: Hand, phase: str) -> Told:
    """Run the phase that waits, naming it, so that the order cannot race the clock."""
    waits = hand.playing.outcome.phase
    if waits is None:
        raise Denial("The match is over; there is nothing to process.")
    right = f'The phase that waits is {waits.key} ({waits.title}); write PROCESS "{waits.key}".'
    need(phase.casefold() in (waits.key.casefold(), waits.title.casefold()), right)
    _need_running(hand)
    hand.log(f"PROCESS {waits.key}")
    hand.close([q.key for q in hand.playing.outcome.open], Happening.ROLLED_OUT, f"processed by {hand.by}")
    return (f"{waits.title} was run.",)


def excuse(hand: Hand, seat: str) -> Told:
    """Put on record that a seat's lateness was not its player's fault."""
    seats = hand.playing.created.seats
    need(seat in seats, f"{seat} is no seat of {hand.match}; the seats are {', '.join(seats)}.")
    hand.log(f"EXCUSE {seat}")
    said = f"{seat}'s lateness in {hand.match} is excused and does not count against its player."
    return hand.tell(f"{seat} is excused", (said,), about=seat)


def rule(hand: Hand, text: str, citing: str = "") -> Told:
    """Publish a ruling; it stands in the log and in the next report."""
    need(not hand.playing.outcome.over, "The match is over; nothing is left to rule on.")
    record = Happened(hand.playing.codec.raw(Ruled(text, hand.by, citing)))
    hand.add([record], f"game master {hand.by}")
    hand.tell("a ruling", (text, *((f"It cites {citing}.",) if citing else ())))
    return ("The ruling was published.",)


def announce(hand: Hand, text: str) -> Told:
    """Send a message to everybody in the match."""
    hand.log(f"ANNOUNCE: {text}")
    hand.tell("an announcement", (text,))
    return ("Your message went to everybody.",)


def terminate(hand: Hand) -> Told:
    """End the match without a winner; its archive stays."""
    need(hand.status != "over", "The match is over already.")
    hand.save(status="over")
    hand.log("TERMINATE")
    alone = persons(hand.step, hand.match) == {hand.player.id}
    who = "The players" if hand.by == THE_PLAYERS else hand.player.name if alone else "The game master"
    ended = f"{who} ended the match; nobody won."
    farewell(hand, ended)
    return (ended,)


# ---------------------------------------------------------------- CLOCK, DAYS, GRACE and HOLIDAYS
# A game master changes the clock of a match; deadlines that were told stay.


def pieces_of(written: str) -> list[str]:
    """The settings in a line: `slot 48h, days Mon, Tue and Fri, 18:00` are three. A bare hour is the clock."""
    pieces: list[str] = []
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        part = re.sub(r"^at\s+(?=\d)", "", part, flags=re.IGNORECASE)
        if _is_hour(part):
            part = f"clock {part}"
        if part.partition(" ")[0].casefold() in CLOCK_WORDS or not pieces:
            pieces.append(part)
        else:
            pieces[-1] += f" {part}"
    return pieces


def _is_hour(part: str) -> bool:
    """A fixed hour, which no `12h` is and no date."""
    words = words_of(part)
    found = hour_at(words, 0)
    return found is not None and (found[1] > 1 or ("." not in words[0] and span_at(words, 0) is None))


def set_clock(hand: Hand, written: str) -> Told:
    """Change settings of the clock for deadlines to come; everybody is told what holds from then on."""
    before = hand.playing.settings
    settings = read_clock(before, pieces_of(written), hand.player.zone, hand.now)
    heed(refuse_clock(hand.playing.game, settings) or refuse_beacon(hand.office, settings, before))
    same = settings.manners.anonymous == before.manners.anonymous
    need(same, "Whether a match is anonymous is settled when it is created, and cannot be changed once it has begun.")
    hand.save(settings=msgspec.to_builtins(settings))
    hand.log(f"CLOCK {written}")
    odd = settings.slots.odd_ends(hand.now)
    sentences = (*clock_sentences(settings), *odd, "Deadlines that were told already stay as they are.")
    return hand.tell("the clock is set", sentences)
