"""What can be bought before play, and where it may stand (27.setup.4 to 27.setup.7, R27-81)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.core.names import Seat
from referee.games.war.deeds.lots import Lot
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import is_colony, placeable
from referee.games.war.reckoning.sites import has_room, kinds_allowed, standing_kinds
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import EXCLUSIVE, LAND_UNITS


def affordable(war: War, seat: Seat, lots: Iterable[Lot]) -> tuple[dict[str, int], tuple[str, ...]]:
    """What of the purchase can be paid for and placed, in the order written, and why the rest cannot."""
    own = war.regions_of(seat)
    left, bought, short = war.treasuries[seat].pp, dict[str, int](), list[str]()
    for lot in lots:
        wanted = lot.quantity.of(left // war.price(lot.kind))
        most = min(wanted, left // war.price(lot.kind), _room(war, own, lot.kind, bought))
        if most < wanted:
            why = _why_short(lot.kind, (most + 1) * war.price(lot.kind), left)
            short.append(f"{wanted - most} of {lot.words()}: {why}")
        bought[lot.kind] = bought.get(lot.kind, 0) + most
        left -= most * war.price(lot.kind)
    return {kind: number for kind, number in bought.items() if number}, tuple(short)


def _room(war: War, own: Sequence[Land], kind: str, bought: dict[str, int]) -> int:
    """How many more of a piece the rules leave room for (27.setup.5)."""
    coastal = sum(BOARD.regions[land.name].coastal for land in own)
    own = [land for land in own if not is_colony(war, land.name)]
    match kind:
        case "school":
            return bought.get("city", 0) - bought.get("school", 0)
        case "fort":
            return len(own) - bought.get("fort", 0)
        case "city" | "factory" | "railroad" | "port":
            fitting = sum(has_room(war, land, kind) for land in own)
            slots = sum(kinds_allowed(war, land.name) - len(standing_kinds(land)) for land in own)
            return min(fitting - bought.get(kind, 0), slots - sum(bought.get(other, 0) for other in EXCLUSIVE))
        case "fleet":
            return 10_000 if coastal else 0
    return 10_000


def _why_short(kind: str, one_more: int, left: int) -> str:
    if one_more > left:
        return f"{left} PP are not enough."
    if kind == "school":
        return "a school needs a city of its own."
    if kind == "fleet":
        return "none of your regions has a coast."
    return "there is no region left for it."


def places_for(war: War, seat: Seat, kind: str) -> tuple[str, ...]:
    """Where a piece may stand at the start, the default first (27.setup.5, 27.setup.6, R27-81)."""
    own = war.regions_of(seat)
    if kind == "fleet":
        seas = dict.fromkeys(sea for land in own for sea in BOARD.regions[land.name].seas)
        return tuple(sorted(seas, key=BOARD.position))
    if kind in LAND_UNITS:
        sites = [land for land in own if placeable(war, seat, kind, land.name)]
        return tuple(land.name for land in sorted(sites, key=lambda land: _exposure(war, seat, land.name)))
    return tuple(land.name for land in own if has_room(war, land, kind) and placeable(war, seat, kind, land.name))


def _exposure(war: War, seat: Seat, region: str) -> tuple[int, int]:
    foreign = sum(war.lands[other].owner not in (None, seat) for other in BOARD.regions[region].borders)
    units = war.lands[region].brigades(seat)
    return (units - 2 * foreign, BOARD.position(region))
