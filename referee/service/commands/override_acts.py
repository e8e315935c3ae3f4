"""What a game master's words about the clock and the course of a match do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from referee.core.order import Order
from referee.service.clock.clock_words import clock_sentences
from referee.service.overrides import absences, moderate
from referee.service.overrides.rewinding import forward, rewind
from referee.service.overrides.set_clock import set_clock
from referee.service.people.replacing import replace_player
from referee.service.sheets.acting import Do, by_game_master, first, named, reason, settle
from referee.service.sheets.visit import Visit
from referee.service.times import moment, stamp


def _set_clock(name: str) -> Do:
    """CLOCK says which settings; DAYS, GRACE and HOLIDAYS are each one of them."""

    def do(visit: Visit, order: Order, source: str) -> None:
        written = ", ".join(thing.name for thing in order.things)
        if not written:
            visit.done += clock_sentences(visit.playing.settings)
            return
        outcome = set_clock(
            visit.office, visit.step, visit.playing, visit.player, reason(order), f"{name} {written}".strip()
        )
        settle(visit, source, outcome)

    return do


def _deadline(visit: Visit, order: Order, source: str) -> None:
    span = first(order.things, "duration")
    when = first(order.things, "moment")
    seat = order.words_after("FOR")
    if span is None and when is None:
        visit.deny(source, "Say how much later or until when: DEADLINE +12h, or DEADLINE 2026-11-22 18:00.")
        return
    until = moment(when.name, visit.player.zone) if when else None
    if when and until is None:
        visit.deny(source, f"{when.name} is no moment I can read; write it as 2026-11-22 18:00.")
        return
    later = timedelta(seconds=span.count(0)) if span else None
    outcome = moderate.move_deadline(
        visit.office, visit.step, visit.playing, visit.player.name, reason(order), seat, later, until
    )
    settle(visit, source, outcome)


def _pause(visit: Visit, order: Order, source: str) -> None:
    span = first(order.after("FOR"), "duration")
    length = timedelta(seconds=span.count(0)) if span else None
    settle(
        visit,
        source,
        moderate.pause(visit.office, visit.step, visit.playing, visit.player.name, reason(order), length),
    )


def _rewind(visit: Visit, order: Order, source: str) -> None:
    number = first(order.after("TO TURN") or order.after("TO") or order.after("TURN"))
    if number is None:
        visit.deny(source, "Name the turn to go back to: REWIND TO TURN 4.")
        return
    outcome = rewind(visit.office, visit.step, visit.playing, visit.player.name, reason(order), number.count())
    settle(visit, source, outcome)


def _start(visit: Visit, order: Order, source: str) -> None:
    visit.deny(
        source, f"{visit.match} has started already; it stands at {stamp(visit.office.clock.now(), visit.player.zone)}."
    )


OVERRIDE_ACTS: Mapping[str, Do] = {
    "CLOCK": _set_clock(""),
    "DAYS": _set_clock("days"),
    "GRACE": _set_clock("grace"),
    "HOLIDAYS": _set_clock("holidays"),
    "APPROVE ABSENCE": by_game_master(
        lambda v, o: absences.approve(v.office, v.step, v.playing, v.player.name, reason(o), named(o, "seat"))
    ),
    "REFUSE ABSENCE": by_game_master(
        lambda v, o: absences.refuse(v.office, v.step, v.playing, v.player.name, reason(o), named(o, "seat"))
    ),
    "START": _start,
    "DEADLINE": _deadline,
    "PAUSE": _pause,
    "REWIND": _rewind,
    "RESUME": by_game_master(lambda v, o: moderate.resume_match(v.office, v.step, v.playing, v.player.name, reason(o))),
    "PROCESS": by_game_master(
        lambda v, o: moderate.process(v.office, v.step, v.playing, v.player.name, reason(o), named(o))
    ),
    "EXCUSE": by_game_master(
        lambda v, o: moderate.excuse(v.office, v.step, v.playing, v.player.name, reason(o), named(o, "seat"))
    ),
    "FORWARD": by_game_master(lambda v, o: forward(v.office, v.step, v.playing, v.player.name, reason(o))),
    "REPLACE": by_game_master(
        lambda v, o: replace_player(
            v.office, v.step, v.playing, v.player.name, reason(o), named(o, "seat"), o.words_after("BY")
        )
    ),
    "ANNOUNCE": by_game_master(lambda v, o: moderate.announce(v.office, v.step, v.playing, v.player.name, named(o))),
    "TERMINATE": by_game_master(lambda v, o: moderate.terminate(v.office, v.step, v.playing, v.player.name, reason(o))),
}
"""By their words."""
