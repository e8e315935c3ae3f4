"""Abandoned seats: so many turns rolled out in a row, and what the match does about it then."""

from __future__ import annotations

from contextlib import suppress

from referee.service.clock.clocks import slot_of
from referee.service.match.dummies import is_dummy
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.house_rules import house_rules
from referee.service.match.result import Denial
from referee.service.overrides.hand import Hand
from referee.service.people.giving_seats import give_to_dummy, give_to_standby
from referee.service.people.reliability import rolled_out_running


def look_after(hand: Hand, seat: str, key: str) -> None:
    """After a slot was closed at its deadline: whether its seat is abandoned now, and what comes of it.

    Where lateness is hidden all are told that the seat is another's now, and not why.
    """
    rules, whole = house_rules(hand.step, hand.match), slot_of(key).rpartition("/")[2].startswith("orders")
    if not whole or not rules.abandon_after or hand.playing.outcome.over or is_dummy(hand.step, hand.match, seat):
        return
    count = rolled_out_running(hand, hand.playing.row, seat)
    if count < rules.abandon_after or count % rules.abandon_after:
        return
    why = f"{count} turns in a row were rolled out"
    by, told = (hand.office.name, "") if keeps_quiet(hand.playing) else (hand.by, why)
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rules.abandoned)
    with suppress(Denial):  # nobody can have it, and all are told
        if give:
            with hand.signing(by, told):
                give(hand, seat)
            return
    sentences = (
        f"{seat} is abandoned: {why}, and nobody stands by.",
        f"The game master gives it to somebody by REPLACE, or to the bots by DUMMY; "
        f"TAKEOVER {hand.match} AS {seat} takes it.",
    )
    hand.tell(f"{seat} is abandoned", sentences, about=seat)
