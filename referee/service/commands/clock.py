"""Commands about time: a player's own, and a game master's hand on deadlines and on the clock of the match."""

from __future__ import annotations

from datetime import timedelta

from referee.core.order import Order
from referee.moments import Unclear, moment
from referee.service.clock.away import away_of
from referee.service.clock.clock_words import clock_sentences
from referee.service.commands.command import (
    REASON,
    Before,
    By,
    Command,
    Here,
    always,
    first,
    listed,
    named,
    number_in,
    overriding,
    reason,
    span_in,
    word,
)
from referee.service.lobby.leaving import set_clock_before
from referee.service.match.result import Denied, Result
from referee.service.office import Office
from referee.service.overrides import absences, moderate
from referee.service.overrides.set_clock import set_clock
from referee.service.overrides.timebank import extend
from referee.service.ports import MatchRow, Player, Step
from referee.service.sheets.visit import Visit

# ---------------------------------------------------------------- of a player


def _extend(visit: Visit, order: Order) -> Result:
    return extend(visit.office, visit.step, visit.playing, visit.player, visit.seat, span_in(order.things))


def _no_bank(visit: Visit) -> str:
    return "" if visit.playing.settings.bank_hours else "in this match there is none"


def _absence(visit: Visit, order: Order, source: str) -> None:
    since, until = order.words_after("FROM"), order.words_after("TO")
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    if order.things and not since:
        since, _, last = order.things[0].name.partition(" - ")
        until = until or last
    if bool(since) != bool(until):
        known = since or until
        missing = f"FROM {known} TO 2 Jan" if since else f"FROM today TO {known}"
        visit.deny(source, f"Say the first day you are away and the last: ABSENCE {missing}.")
    elif since:
        said = absences.announce_absence(office, step, playing, player, visit.seat, since, until)
        visit.settle(source, said)
    else:
        visit.done += absences.list_absences(office, step, playing, player, visit.seat)


def _no_absence(visit: Visit, order: Order) -> Result:
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    return absences.cancel_absence(office, step, playing, player, visit.seat, number_in(order.things))


def _day(visit: Visit, ahead: int) -> str:
    return (visit.office.clock.now() + timedelta(days=ahead)).strftime("%Y-%m-%d")


def _last_absence(visit: Visit) -> str | None:
    away = away_of(visit.step, visit.match, visit.seat) if visit.seat else ()
    return f"NO ABSENCE {away[-1].number}" if away else None


# ---------------------------------------------------------------- of a game master


def _set_clock(setting: str) -> Here:
    """CLOCK says which settings; DAYS, GRACE and HOLIDAYS are each one of them."""

    def here(visit: Visit, order: Order, source: str) -> None:
        if not order.things:
            visit.done += clock_sentences(visit.playing.settings)
            return
        written = f"{setting} {listed(order)}".strip()
        visit.settle(source, set_clock(visit.office, visit.step, visit.playing, visit.player, reason(order), written))

    return here


def _set_before(setting: str) -> Before:
    def before(office: Office, step: Step, row: MatchRow, by: Player, order: Order) -> Result:
        written = ", ".join(thing.name for thing in order.things if thing.kind != "match")
        return set_clock_before(office, step, row, by, f"{setting} {written}".strip())

    return before


def _sets(visit: Visit, order: Order) -> bool:
    """A second key is asked for unless the line only asks how the clock is set."""
    return bool(order.things)


def _deadline(visit: Visit, order: Order) -> Result:
    later, when = span_in(order.things), first(order.things, "moment")
    if later is None and when is None:
        return Denied("Say how much later or until when: DEADLINE +12h, or DEADLINE 2026-11-22 18:00.")
    try:
        until = moment(when.name, visit.player.zone, visit.office.clock.now(), word="DEADLINE") if when else None
    except Unclear as wrong:
        return Denied(str(wrong))
    by, seat = visit.player.name, order.words_after("FOR")
    return moderate.move_deadline(visit.office, visit.step, visit.playing, by, reason(order), seat, later, until)


def _pause(visit: Visit, order: Order) -> Result:
    by, span, now = visit.player.name, span_in(order.after("FOR")), visit.office.clock.now()
    if until := order.words_after("UNTIL"):
        try:
            at = moment(until, visit.player.zone, now, "00:00", "PAUSE UNTIL")
        except Unclear as wrong:
            return Denied(str(wrong))
        if at <= now:
            return Denied(f"{until} is past; write PAUSE UNTIL and a moment that is to come.")
        span = at - now
    return moderate.pause(visit.office, visit.step, visit.playing, by, reason(order), span)


def _resume(visit: Visit, order: Order) -> Result:
    return moderate.resume_match(visit.office, visit.step, visit.playing, visit.player.name, reason(order))


def _process(visit: Visit, order: Order) -> Result:
    by, phase = visit.player.name, named(order)
    return moderate.process(visit.office, visit.step, visit.playing, by, reason(order), phase)


def _excuse(visit: Visit, order: Order) -> Result:
    by, seat = visit.player.name, named(order, "seat")
    return moderate.excuse(visit.office, visit.step, visit.playing, by, reason(order), seat)


def _approve(visit: Visit, order: Order) -> Result:
    by, seat = visit.player.name, named(order, "seat")
    return absences.approve(visit.office, visit.step, visit.playing, by, reason(order), seat)


def _refuse(visit: Visit, order: Order) -> Result:
    by, seat = visit.player.name, named(order, "seat")
    return absences.refuse(visit.office, visit.step, visit.playing, by, reason(order), seat)


def _who_asked(visit: Visit) -> str:
    """The seat whose player asked for a long absence last, "" where nobody waits for leave."""
    seats = visit.playing.created.seats if visit.game_master else ()
    asked = [seat for seat in seats if any(a.state == "asked" for a in away_of(visit.step, visit.match, seat))]
    return asked[-1] if asked else ""


def _approving(visit: Visit) -> str | None:
    return f"APPROVE ABSENCE {seat}" if (seat := _who_asked(visit)) else None


def _refusing(visit: Visit) -> str | None:
    return f'REFUSE ABSENCE {seat} BECAUSE "the others wait"' if (seat := _who_asked(visit)) else None


def _phase_now(visit: Visit) -> str | None:
    phase = visit.playing.outcome.phase
    return f'PROCESS "{phase.key}"' if phase and visit.game_master else None


COMMANDS = (
    Command(
        verb=word(
            "EXTEND",
            "moves your deadline later, by a day or the time you name, which your own time bank in this match pays",
            "EXTEND 12h",
            ("duration",),
            most=1,
        ),
        by=By.PLAYERS,
        here=overriding(_extend),
        example=lambda visit: "" if _no_bank(visit) else None,
        note=_no_bank,
    ),
    Command(
        verb=word(
            "ABSENCE",
            "says from which day to which you are away, both included, so that no deadline of yours falls into it; alone, it "
            "lists your absences",
            "ABSENCE FROM 2026-12-20 TO 2027-01-02",
            ("days",),
            prepositions={"FROM": ("date",), "TO": ("date",)},
            most=1,
        ),
        by=By.PLAYERS,
        here=_absence,
        example=lambda visit: f"ABSENCE FROM {_day(visit, 14)} TO {_day(visit, 21)}",
    ),
    Command(
        verb=word("NO ABSENCE", "takes an absence back; say its number", "NO ABSENCE 1", ("number",), 1, 1),
        by=By.PLAYERS,
        here=overriding(_no_absence),
        example=_last_absence,
    ),
    Command(
        verb=word(
            "DEADLINE",
            "moves the deadline of all or of one player later",
            'DEADLINE +12h FOR France BECAUSE "travelling"',
            ("match", "duration", "moment"),
            1,
            2,
            {"FOR": ("seat",), "BECAUSE": REASON},
        ),
        by=By.MASTERS,
        instead="EXTEND 24h asks for more time",
        here=overriding(_deadline),
        key=always,
    ),
    Command(
        verb=word(
            "CLOCK",
            "sets how long slots and replies last, when they end and what becomes of late players; what runs already stays",
            "CLOCK slot 48h, clock 18:00 Europe/Berlin, least 24h, late after grace, bank 5 days, absences 14 days",
            ("words",),
            prepositions={"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=_set_clock(""),
        before=_set_before(""),
        key=_sets,
    ),
    Command(
        verb=word(
            "DAYS",
            "sets the weekdays on which a slot may end",
            "DAYS Mon-Fri",
            ("words",),
            1,
            prepositions={"BECAUSE": REASON},
        ),
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
            ("words",),
            1,
            prepositions={"BECAUSE": REASON},
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
            ("words",),
            1,
            prepositions={"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=_set_clock("holidays"),
        before=_set_before("holidays"),
        key=_sets,
        example=lambda visit: f"HOLIDAYS DE US-CA {_day(visit, 14)}",
    ),
    Command(
        verb=word(
            "APPROVE ABSENCE",
            "grants the long absence a player asked for",
            "APPROVE ABSENCE France",
            ("seat",),
            1,
            1,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=overriding(_approve),
        example=_approving,
    ),
    Command(
        verb=word(
            "REFUSE ABSENCE",
            "does not grant the long absence a player asked for",
            'REFUSE ABSENCE France BECAUSE "the others wait"',
            ("seat",),
            1,
            1,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=overriding(_refuse),
        example=_refusing,
    ),
    Command(
        verb=word(
            "PAUSE",
            "stops the clock, for a time or until RESUME",
            'PAUSE FOR 3 days BECAUSE "holidays"',
            ("match",),
            most=1,
            prepositions={"FOR": ("duration",), "UNTIL": ("moment",), "BECAUSE": REASON},
        ),
        by=By.MASTERS,
        instead="VOTE PAUSE FOR 3 days puts it to the players",
        here=overriding(_pause),
        key=always,
    ),
    Command(
        verb=word(
            "RESUME",
            "lets the clock run again; everybody keeps the time he had left",
            "RESUME",
            ("match",),
            most=1,
            prepositions={"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        instead="VOTE RESUME puts it to the players",
        here=overriding(_resume),
        key=always,
    ),
    Command(
        verb=word(
            "PROCESS",
            "runs the phase that waits; name it, so that you cannot race the clock",
            'PROCESS "T3/France"',
            ("text", "words"),
            1,
            1,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=overriding(_process),
        key=always,
        example=_phase_now,
    ),
    Command(
        verb=word(
            "EXCUSE",
            "marks a player's lateness as not his fault",
            'EXCUSE France BECAUSE "power cut"',
            ("seat",),
            1,
            1,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=overriding(_excuse),
        key=always,
    ),
)
