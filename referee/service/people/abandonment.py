"""Abandoned seats: so many turns rolled out in a row, and what the match does about it then."""

from __future__ import annotations

from referee.service.clock.clocks import slot_of
from referee.service.match.dummies import is_dummy
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.house_rules import house_rules
from referee.service.match.playing import Playing
from referee.service.match.result import Done
from referee.service.office import Office
from referee.service.overrides.base import notify
from referee.service.people.giving_seats import give_to_dummy, give_to_standby
from referee.service.people.reliability import rolled_out_running
from referee.service.ports import Step


def look_after(office: Office, step: Step, playing: Playing, seat: str, key: str) -> Playing:
    """After a slot was closed at its deadline: whether its seat is abandoned now, and what comes of it.

    Where lateness is hidden all are told that the seat is another's now, and not why.
    """
    rules, match = house_rules(step, playing.row.name), playing.row.name
    whole = slot_of(key).rpartition("/")[2].startswith("orders")
    if not whole or not rules.abandon_after or playing.outcome.over or is_dummy(step, match, seat):
        return playing
    count = rolled_out_running(office, step, playing.row, seat)
    if count < rules.abandon_after or count % rules.abandon_after:
        return playing
    why, by = f"{count} turns in a row were rolled out", "the clock"
    told, done_by = ("", office.name) if keeps_quiet(playing) else (why, by)
    if rules.abandoned == "standby":
        given = give_to_standby(office, step, playing, done_by, told, seat)
        if isinstance(given, Done):
            return given.after(playing)
    if rules.abandoned == "dummy":
        made = give_to_dummy(office, step, playing, done_by, told, seat)
        if isinstance(made, Done):
            return made.after(playing)
    sentences = (
        f"{seat} is abandoned: {why}, and nobody stands by.",
        f"The game master gives it to somebody by REPLACE, or to the bots by DUMMY; TAKEOVER {match} AS {seat} takes it.",
    )
    notify(office, step, playing, f"{seat} is abandoned", sentences, by, about=seat)
    return playing
