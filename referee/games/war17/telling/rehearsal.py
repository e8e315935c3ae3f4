"""A sheet of Version 1.7 played out alone for PREVIEW, and what came of it in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.rehearsal import Fortune
from referee.core.table import Script, Table
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged
from referee.games.war.telling import rehearsal as shared
from referee.games.war17.events import in_edition
from referee.games.war17.events.affairs import ChitKept, ExplorationRolled
from referee.games.war17.phases.combat import combat_phase
from referee.games.war17.phases.movement import movement_orders
from referee.games.war17.phases.production import construct


def rehearse(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """A share of movement with its battles and explorers, or what a production sheet buys."""
    if seat in table.state.out:
        return
    match in_edition(table).state.stage:
        case "movement":
            shared.imagine(table, seat, sheet)
            shared.begin_share(table, seat)
            judged: Judged = {}
            yield from movement_orders(table, seat, sheet, judged)
            yield from combat_phase(table, seat, sheet, judged)
        case "production":
            construct(table, seat, sheet)


def fortunes(seat: Seat, before: War, events: Sequence[Event], after: War) -> Iterator[Fortune]:
    """What all editions tell, and explorers, regions gained and what is found there."""
    for event in events:
        match event:
            case ExplorationRolled(region=region) if event.seat == seat:
                yield Fortune(f"Your explorer in {region}", "the region is yours" if event.success else "he is lost")
            case ChitKept(region=region) if event.seat == seat:
                yield Fortune(f"Resource of {region}", shared.chit_found(event.chit))
    yield from shared.fortunes(seat, before, events, after)


def holdings(war: War, seat: Seat) -> Mapping[str, int]:
    """Money, regions and units; this edition knows no diplomacy points."""
    return {name: number for name, number in shared.holdings(war, seat).items() if name != "DP"}
