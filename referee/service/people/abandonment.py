"""Abandoned seats: so many turns rolled out in a row, and what the match does about it then."""

from __future__ import annotations

from referee.service.clock.clocks import slot_of
from referee.service.match.dummies import is_dummy
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.house_rules import house_rules
from referee.service.match.playing import Playing
from referee.service.match.result import Denial
from referee.service.office import At
from referee.service.overrides.hand import Hand
from referee.service.people.giving_seats import give_to_dummy, give_to_standby
from referee.service.people.reliability import rolled_out_running


def look_after(at: At, playing: Playing, seat: str, key: str) -> Playing:
    """After a slot was closed at its deadline: whether its seat is abandoned now, and what comes of it.

    Where lateness is hidden all are told that the seat is another's now, and not why.
    """
    rules, match = house_rules(at.step, playing.row.name), playing.row.name
    whole = slot_of(key).rpartition("/")[2].startswith("orders")
    if not whole or not rules.abandon_after or playing.outcome.over or is_dummy(at.step, match, seat):
        return playing
    count = rolled_out_running(at, playing.row, seat)
    if count < rules.abandon_after or count % rules.abandon_after:
        return playing
    why, by = f"{count} turns in a row were rolled out", "the clock"
    done_by, told = (at.office.name, "") if keeps_quiet(playing) else (by, why)
    hand = Hand(at.office, at.step, playing, by=done_by, reason=told)
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rules.abandoned)
    try:
        if give:
            give(hand, seat)
            return hand.playing
    except Denial:
        pass  # nobody can have it, and all are told
    sentences = (
        f"{seat} is abandoned: {why}, and nobody stands by.",
        f"The game master gives it to somebody by REPLACE, or to the bots by DUMMY; TAKEOVER {match} AS {seat} takes it.",
    )
    with hand.signing(by):
        hand.tell(f"{seat} is abandoned", sentences, about=seat)
    return playing
