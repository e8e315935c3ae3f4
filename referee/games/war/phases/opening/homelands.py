"""The set-up of the pseudo-historical rules: random colonies, free gifts in Europe, local powers (R27-99)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.markers import MarkerDrawn
from referee.games.war.events.setup import FreeBuildingPlaced, FreeResourcePlaced, PowerRaised
from referee.games.war.orders.opening.optional import FreeBuilding, FreeResource
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import COLONIAL_POWERS, EUROPEAN, colonies_left, is_power, ten_worth
from referee.games.war.reckoning.natives import marker_named
from referee.games.war.reckoning.sites import has_room
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import EXCLUSIVE

_STRONG = 7


def draw_colony(table: Table[War], seat: Seat, left: int) -> str:
    """27.opt.historical.setup.1: one of the colonies that are still free, by card."""
    holds = dict.fromkeys(colonies_left(table.state, seat, left), 1)
    rule = "27.opt.historical.setup.1"
    (region,) = table.draw("the colony cards", holds, 1, f"Colony of {seat}, {left} to pick", rule)
    return region


def place_gifts(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> None:
    """27.opt.historical.setup.4: a building and a resource in Europe; by default a city, and both in the first pick."""
    war, home = table.state, table.state.homes[seat]
    wish = next((order for order in sheet if isinstance(order, FreeBuilding)), FreeBuilding(kind="city", region=home))
    land = war.lands[wish.region]
    if wish.region not in EUROPEAN or land.owner != seat or not has_room(war, land, wish.kind):
        _fell_short(table, seat, wish)
        wish = FreeBuilding(kind="city", region=home)
    table.emit(FreeBuildingPlaced(seat, wish.region, wish.kind))
    place = next((order for order in sheet if isinstance(order, FreeResource)), FreeResource(home))
    if place.region not in EUROPEAN or war.lands[place.region].owner != seat:
        _fell_short(table, seat, place)
        place = FreeResource(home)
    resource = ten_worth(war)
    if resource is not None:
        table.emit(FreeResourcePlaced(seat, place.region, resource))


def _fell_short(table: Table[War], seat: Seat, order: Intent) -> None:
    why = "It cannot stand there; it goes to your home country."
    table.emit(OrderFellShort(seat, order.meaning(), why, "27.opt.historical.setup.4"))


def raise_powers(table: Table[War]) -> Script[None]:
    """27.opt.historical.powers.1 to .3: buildings, then the strongest markers, before any other is drawn."""
    for region in (name for name in BOARD.regions if is_power(table.state, name)):
        table.emit(PowerRaised(region, _building(table, region)))
        strong = strong_ones(table.state.markers)
        why = f"native marker of {region}"
        (name,) = table.draw("the strong native markers", strong, 1, why, "27.opt.historical.powers.3", seen_by=())
        table.emit(MarkerDrawn(region, marker_named(name)))
    yield from ()


def strong_ones(cup: Mapping[str, int]) -> dict[str, int]:
    """27.opt.historical.powers.3: the markers of a cup that a local power may have."""
    return {name: n for name, n in cup.items() if n and name.endswith("++") and int(name[:-2]) >= _STRONG}


def _building(table: Table[War], region: str) -> str:
    if region in COLONIAL_POWERS:
        return "city"
    kinds = tuple(kind for kind in EXCLUSIVE if kind != "port" or BOARD.regions[region].coastal)
    return table.choose(kinds, f"building of {region}", "27.opt.historical.powers.2")
