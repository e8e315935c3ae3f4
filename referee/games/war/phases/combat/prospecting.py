"""Prospecting: an engineer looks for another resource in his region, in his owner's combat phase."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds.combat import PROSPECTING_PRICE
from referee.games.war.events.forces import fell_short
from referee.games.war.events.markers import ChitReplaced, chit_in_words
from referee.games.war.orders.combat import ProspectRegion
from referee.games.war.orders.standing.home import PickRule
from referee.games.war.phases.decisions import decide
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHIT_VALUES
from referee.kit.refused import Refused

_RULE = "27.combat.prospect.1"


def prospect(table: Table[War], seat: Seat, region: str) -> Script[None]:
    """27.combat.prospect.2, R27-74: draw a chit for every two schools, at least one; keep one, the rest go back."""
    war, order = table.state, ProspectRegion(region)
    try:
        order.permit(war, seat)
    except Refused as refused:
        table.emit(fell_short(war, seat, order, refused))
        return
    number, why = max(1, war.schools(seat) // 2), f"{region}: prospecting by {seat}"
    drawn = table.draw("the resource chits", war.chits, number, why, "27.combat.prospect.2", seen_by=(seat,))
    times = war.lands[region].searched[1] if war.lands[region].searched[0] == war.share else 0
    kept = yield from _kept(table, seat, region, drawn, f"{region}/prospecting {times + 1}")
    old = war.lands[region].chit or "?"
    table.emit(ChitReplaced(seat, region, old, drawn, kept or old, PROSPECTING_PRICE))


def _kept(table: Table[War], seat: Seat, region: str, drawn: tuple[str, ...], name: str) -> Script[str]:
    """Q24: which of the chits drawn stays; by default the most valuable."""
    kinds = tuple(dict.fromkeys(sorted(drawn, key=lambda chit: -CHIT_VALUES[chit])))
    if len(kinds) < 2:
        return "".join(kinds)

    def wanted(sheet: Sequence[Intent]) -> str | None:
        listed = [resource for rule in sheet if isinstance(rule, PickRule) for resource in rule.resources]
        return next((resource for resource in listed if resource in kinds), None)

    menu = OneOf([Choice(kind, kind, chit_in_words(kind)) for kind in kinds], kinds[0])
    text = f"Your engineer in {region} found {len(drawn)} chits. Which do you keep?"
    return (yield from decide(table, seat, name, text, menu, "27.combat.prospect.2", wanted))
