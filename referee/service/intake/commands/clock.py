"""Commands about time: a player's own, and a game master's hand on deadlines and on the clock of the match."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.core.order import Order
from referee.moments import Unclear, moment
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player
from referee.service.house.membership import set_clock_before
from referee.service.intake.commands.command import (
    Before,
    By,
    Command,
    Here,
    always,
    first,
    listed,
    named,
    number_in,
    span_in,
    word,
)
from referee.service.match.bots import plays_steadily
from referee.service.match.clock_words import clock_sentences
from referee.service.match.clocks import away_of
from referee.service.match.result import Denial, Told, need
from referee.service.turn import absences, clock_overrides
from referee.service.turn.absences import extend
from referee.service.turn.clock_overrides import set_clock
from referee.service.turn.writer import Hand

# ---------------------------------------------------------------- of a player


def _extend(hand: Hand, order: Order) -> Told:
    return extend(hand, span_in(order.things))


def _no_bank(hand: Hand) -> str:
    return "" if hand.playing.settings.bank_hours else "in this match there is none"


def _absence(hand: Hand, order: Order) -> Told:
    since, until = order.words_after("FROM"), order.words_after("TO")
    if order.things and not since:
        since, _, last = order.things[0].name.partition(" - ")
        until = until or last
    known = since or until
    missing = f"FROM {known} TO 2 Jan" if since else f"FROM today TO {known}"
    need(bool(since) == bool(until), f"Say the first day you are away and the last: ABSENCE {missing}.")
    return absences.announce_absence(hand, since, until) if since else absences.list_absences(hand)


def _no_absence(hand: Hand, order: Order) -> Told:
    return absences.cancel_absence(hand, number_in(order.things))


def _autoplay(hand: Hand, order: Order) -> Told:
    said = order.words_after("UNTIL")
    if "OFF" in [clause.preposition for clause in order.clauses] and not said:
        off = absences.end_autoplay(hand)
        return off or ("No bot plays for you; AUTOPLAY UNTIL 3 Dec has one play until then.",)
    need(said, "Say until when your bot plays: AUTOPLAY UNTIL 3 Dec; AUTOPLAY OFF ends it.")
    return absences.autoplay(hand, _moment(hand, said, "AUTOPLAY UNTIL", "00:00"))


def _day(hand: Hand, ahead: int) -> str:
    return (hand.now + timedelta(days=ahead)).strftime("%Y-%m-%d")


def _last_absence(hand: Hand) -> str | None:
    away = away_of(hand.step, hand.match, hand.seat) if hand.seat else ()
    return f"NO ABSENCE {away[-1].number}" if away else None


# ---------------------------------------------------------------- of a game master


def _set_clock(setting: str) -> Here:
    """CLOCK says which settings; DAYS, GRACE and HOLIDAYS are each one of them."""

    def here(hand: Hand, order: Order) -> Told:
        if not order.things:
            return tuple(clock_sentences(hand.playing.settings))
        written = f"{setting} {listed(order)}".strip()
        return set_clock(hand, written)

    return here


def _set_before(setting: str) -> Before:
    def before(at: At, row: MatchRow, by: Player, order: Order) -> Told:
        written = ", ".join(thing.name for thing in order.things if thing.kind != "match")
        return set_clock_before(at, row, by, f"{setting} {written}".strip())

    return before


def _sets(hand: Hand, order: Order) -> bool:
    """A second key is asked for unless the line only asks how the clock is set."""
    return bool(order.things)


def _deadline(hand: Hand, order: Order) -> Told:
    later, when = span_in(order.things), first(order.things, "moment")
    need(later is not None or when, "Say how much later or until when: DEADLINE +12h, or DEADLINE 2026-11-22 18:00.")
    until = _moment(hand, when.name, "DEADLINE") if when else None
    return clock_overrides.move_deadline(hand, order.words_after("FOR"), later, until)


def _pause(hand: Hand, order: Order) -> Told:
    span = span_in(order.after("FOR"))
    if until := order.words_after("UNTIL"):
        at = _moment(hand, until, "PAUSE UNTIL", "00:00")
        need(at > hand.now, f"{until} is past; write PAUSE UNTIL and a moment that is to come.")
        span = at - hand.now
    return clock_overrides.pause(hand, span)


def _moment(hand: Hand, written: str, word: str, hour: str = "") -> datetime:
    try:
        return moment(written, hand.player.zone, hand.now, hour, word)
    except Unclear as wrong:
        raise Denial(str(wrong)) from wrong


def _who_asked(hand: Hand) -> str:
    """The seat whose player asked for a long absence last, "" where nobody waits for leave."""
    seats = hand.playing.created.seats if hand.game_master else ()
    asked = [seat for seat in seats if any(a.state == "asked" for a in away_of(hand.step, hand.match, seat))]
    return asked[-1] if asked else ""


def _approving(hand: Hand) -> str | None:
    return f"APPROVE ABSENCE {seat}" if (seat := _who_asked(hand)) else None


def _refusing(hand: Hand) -> str | None:
    return f'REFUSE ABSENCE {seat} BECAUSE "the others wait"' if (seat := _who_asked(hand)) else None


def _phase_now(hand: Hand) -> str | None:
    phase = hand.playing.outcome.phase
    return f'PROCESS "{phase.key}"' if phase and hand.game_master else None


COMMANDS = (
    Command(
        verb=word(
            "EXTEND",
            "moves your deadline later, by a day or the time you name, paid by your own time bank in this match",
            "EXTEND 12h",
            "..1 duration",
        ),
        by=By.PLAYERS,
        here=_extend,
        example=lambda hand: "" if _no_bank(hand) else None,
        note=_no_bank,
    ),
    Command(
        verb=word(
            "ABSENCE",
            "says from which day to which you are away, both included, so that no deadline of yours falls into it; alone, it "
            "lists your absences",
            "ABSENCE FROM 2026-12-20 TO 2027-01-02",
            "..1 days; FROM date; TO date",
        ),
        by=By.PLAYERS,
        here=_absence,
        example=lambda hand: f"ABSENCE FROM {_day(hand, 14)} TO {_day(hand, 21)}",
    ),
    Command(
        verb=word(
            "AUTOPLAY",
            "has a steady bot of your own play while you are away, which all are told; OFF, or orders of yours, end it",
            "AUTOPLAY UNTIL 2026-12-03",
            "; UNTIL moment; OFF",
        ),
        by=By.PLAYERS,
        here=_autoplay,
        example=lambda hand: f"AUTOPLAY UNTIL {_day(hand, 7)}" if plays_steadily(hand.playing.game) else "",
        note=lambda hand: "" if plays_steadily(hand.playing.game) else "this game has no steady bot yet",
    ),
    Command(
        verb=word("NO ABSENCE", "takes an absence back; say its number", "NO ABSENCE 1", "1..1 number"),
        by=By.PLAYERS,
        here=_no_absence,
        example=_last_absence,
    ),
    Command(
        verb=word(
            "DEADLINE",
            "moves the deadline of all or of one player later",
            'DEADLINE +12h FOR France BECAUSE "travelling"',
            "1..2 match duration moment; FOR seat; BECAUSE words text",
        ),
        by=By.MASTERS,
        instead="EXTEND 24h asks for more time",
        here=_deadline,
        key=always,
    ),
    Command(
        verb=word(
            "CLOCK",
            "sets how long slots and replies last, when they end and what becomes of late players; clocks that run already stay",
            "CLOCK slot 48h, clock 18:00 Europe/Berlin, least 24h, late after grace, bank 5 days, absences 14 days",
            "words; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_set_clock(""),
        before=_set_before(""),
        key=_sets,
    ),
    Command(
        verb=word("DAYS", "sets the weekdays on which a slot may end", "DAYS Mon-Fri", "1.. words; BECAUSE words text"),
        by=By.MASTERS,
        here=_set_clock("days"),
        before=_set_before("days"),
        key=_sets,
    ),
    Command(
        verb=word(
            "GRACE",
            "sets how long after his deadline a late player may still play; strict: not in two slots in a row",
            "GRACE 24h strict",
            "1.. words; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_set_clock("grace"),
        before=_set_before("grace"),
        key=_sets,
    ),
    Command(
        verb=word(
            "HOLIDAYS",
            "sets the countries on whose public holidays, and the dates on which, no slot ends",
            "HOLIDAYS DE US-CA 2026-12-24",
            "1.. words; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_set_clock("holidays"),
        before=_set_before("holidays"),
        key=_sets,
        example=lambda hand: f"HOLIDAYS DE US-CA {_day(hand, 14)}",
    ),
    Command(
        verb=word(
            "APPROVE ABSENCE",
            "grants the long absence a player asked for",
            "APPROVE ABSENCE France",
            "1..1 seat; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=lambda hand, order: absences.approve(hand, named(order, "seat")),
        example=_approving,
    ),
    Command(
        verb=word(
            "REFUSE ABSENCE",
            "does not grant the long absence a player asked for",
            'REFUSE ABSENCE France BECAUSE "the others wait"',
            "1..1 seat; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=lambda hand, order: absences.refuse(hand, named(order, "seat")),
        example=_refusing,
    ),
    Command(
        verb=word(
            "PAUSE",
            "stops the clock, for a time or until RESUME",
            'PAUSE FOR 3 days BECAUSE "holidays"',
            "..1 match; FOR duration; UNTIL moment; BECAUSE words text",
        ),
        by=By.MASTERS,
        instead="VOTE PAUSE FOR 3 days puts it to the players",
        here=_pause,
        key=always,
    ),
    Command(
        verb=word(
            "RESUME",
            "lets the clock run again; everybody keeps the time he had left",
            "RESUME",
            "..1 match; BECAUSE words text",
        ),
        by=By.MASTERS,
        instead="VOTE RESUME puts it to the players",
        here=lambda hand, order: clock_overrides.resume_match(hand),
        key=always,
    ),
    Command(
        verb=word(
            "PROCESS",
            "runs the phase that waits; name it, so that you cannot race the clock",
            'PROCESS "T3/France"',
            "1..1 text words; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=lambda hand, order: clock_overrides.process(hand, named(order)),
        key=always,
        example=_phase_now,
    ),
    Command(
        verb=word(
            "EXCUSE",
            "marks a player's lateness as not his fault",
            'EXCUSE France BECAUSE "power cut"',
            "1..1 seat; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=lambda hand, order: clock_overrides.excuse(hand, named(order, "seat")),
        key=always,
    ),
)
