"""Oil through pipelines, 1 BTA a border (II.B)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.moving import OilPumped
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import spread, ways_of
from referee.games.empire.reckoning.ownership import check_square
from referee.games.empire.rulebook.kinds import ALLOWANCE, BTA, in_bta
from referee.kit.refused import Refused


def plan_pumping(empire: Empire, seat: Seat, start: str, target: str, quantity: Quantity) -> tuple[OilPumped, ...]:
    """The lots of oil that go through the pipeline, those with most of their 12 BTA left first; or a refusal."""
    for name in (start, target):
        check_square(empire, name)
    mine = [country.name for country in empire.owned(seat)]
    here = [lot for lot in empire.lots if lot.what == "O" and lot.at == start and not lot.aboard]
    lots = sorted((lot for lot in here if lot.country in mine), key=lambda lot: lot.spent)
    held = sum(lot.number for lot in lots)
    count = quantity.of(held)
    if not 0 < count <= held:
        rest = (f"PUMP {held} O FROM {start} TO {target}",) if held else ()
        raise Refused(f"You have {held or 'no'} O lying in {start}.", "emp.P22", "O", rest)
    return _pumped(empire, lots, count, target, _cost(empire, start, target))


def piped(empire: Empire, start: str, limit: int, goal: str = "") -> Mapping[str, int]:
    """The squares that pipelines join with one, and what it costs to get there."""
    ways = ways_of(empire)

    def step(here: str) -> list[tuple[str, int]]:
        return [(there, BTA) for way, there in ways.grid.around(here) if "pipeline" in ways.on(here, way)]

    return spread(step, {start: 0}, limit, goal=goal)[0]


def _cost(empire: Empire, start: str, target: str) -> int:
    found = piped(empire, start, 10 * ALLOWANCE, target).get(target)
    if not found:
        raise Refused(f"No pipeline leads from {start} to {target}.", "emp.move.pipeline", target)
    return found


def _pumped(empire: Empire, lots: list[Lot], count: int, target: str, cost: int) -> tuple[OilPumped, ...]:
    city = empire.city_at(target)
    found = []
    for lot in lots:
        part = min(count, lot.number)
        if part and lot.spent + cost > ALLOWANCE:
            left = in_bta(ALLOWANCE - lot.spent)
            raise Refused(f"{part} O has {left} BTA left; the pipeline costs {in_bta(cost)}.", "emp.move.bta", "O")
        if part:
            inside = city.name if city is not None and empire.friendly(city.country, lot.country) else ""
            going = replace(lot, number=part)
            found.append(OilPumped(going, replace(going, at=target, inside=inside, spent=lot.spent + cost)))
        count -= part
    return tuple(found)


def do_pump(table: Stage, seat: Seat, start: str, target: str, quantity: Quantity) -> None:
    """Every lot of it."""
    for event in plan_pumping(table.state, seat, start, target, quantity):
        table.emit(event)
