"""Native Diplomacy of the production phase: spheres removed, natives westernized, revolts incited."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.economy import WesternizingPutOff
from referee.games.war.events.forces import fell_short
from referee.games.war.events.natives import DiplomacyPaid, SpheresRemoved
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import NATIVE_DIPLOMACY
from referee.games.war.orders.production.incite import InciteRevolt
from referee.games.war.orders.production.natives import LOWERED, NativeOrder, RemoveSphere, WesternizeRegion
from referee.games.war.phases.control import trim_spheres, weaken
from referee.games.war.phases.production.revolt import incite
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.reckoning.natives import automatic_reduction, put_off
from referee.kit.refused import Refused

_CERTAIN = tuple(order for order in BOOK.kinds_of(NATIVE_DIPLOMACY) if order is not InciteRevolt)
"""What needs no dice."""


def native_diplomacy_share(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """R27-18: foreign spheres; the automatic part; own spheres; paid westernizing; others; surplus spheres; incitements."""
    known = judged if judged is not None else {}
    orders, sheet = sheet, in_force(table.state, seat, sheet, _CERTAIN, known)
    removals = [order for order in sheet if isinstance(order, RemoveSphere)]
    paying = [order for order in sheet if isinstance(order, WesternizeRegion)]
    _remove_foreign(table, seat, [order for order in removals if order.owner != seat])
    _lose_to_buildings(table, seat)
    for removal in removals:
        if removal.owner == seat:
            _take_off_own(table, seat, removal, removal.region, removal.number)
    for order in paying:
        if order.spheres:
            _take_off_own(table, seat, order, order.region, order.spheres)
    _westernize(table, seat, paying)
    for other in sheet:
        if isinstance(other, NativeOrder) and not isinstance(other, RemoveSphere | WesternizeRegion):
            _carry_out(table, seat, other)
    for land in table.state.regions_of(seat):
        yield from trim_spheres(table, land.name)
    if not plays(table.state, "simultaneous"):
        yield from incitements(table, seat, orders, known)


def _carry_out(table: Table[War], seat: Seat, order: NativeOrder) -> None:
    """An order that has no step of its own."""
    try:
        order.permit(table.state, seat)
        order.afford(table.state, seat)
    except Refused as refused:
        table.emit(fell_short(table.state, seat, order, refused))
        return
    for event in order.brings(table.state, seat):
        table.emit(event)


def incitements(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """27.production.revolt: every attempt of a sheet, in the order written (R27-91)."""
    known = judged if judged is not None else {}
    for line in sheet:
        for intent in in_force(table.state, seat, (line,), InciteRevolt, known):
            assert isinstance(intent, InciteRevolt)
            yield from incite(table, seat, intent)


# ---------------------------------------------------------------- spheres


def _remove_foreign(table: Table[War], seat: Seat, orders: Sequence[RemoveSphere]) -> None:
    """27.production.natives.spheres.1, .2: one a region for 1 DP; free and any number of an enemy's."""
    paid: list[str] = []
    for order in orders:
        try:
            order.permit(table.state, seat)
            if order.free(table.state, seat):
                number, why, part = order.most(table.state, seat), f"{seat} is at war with its owner", ".2"
            else:
                if order.region in paid:
                    why = "One foreign sphere a region can be bought off each turn."
                    raise Refused(why, "27.production.natives.spheres.1")
                order.afford(table.state, seat)
                paid.append(order.region)
                number, why, part = 1, f"{seat} removes it", ".1"
                price = f"to remove a sphere of {order.owner} from {order.region}"
                table.emit(DiplomacyPaid(seat, order.dp(table.state, seat), price, "27.production.natives.spheres.1"))
            _gone(table, order.region, order.owner, min(order.number, number), why, part)
        except Refused as refused:
            table.emit(fell_short(table.state, seat, order, refused))


def _gone(table: Table[War], region: str, owner: Seat, number: int, why: str, part: str) -> None:
    table.emit(SpheresRemoved(region, owner, number, why, f"27.production.natives.spheres{part}"))


def take_off_own(table: Table[War], seat: Seat, order: RemoveSphere) -> None:
    """27.production.natives.spheres.3: one's own spheres go at any time; outside production it weakens nobody (R27-18).

    Raises Refused.
    """
    if order.owner != seat:
        raise Refused("Others' spheres are removed in production.", "27.production.natives.spheres.1")
    order.permit(table.state, seat)
    number = min(order.number, table.state.lands[order.region].spheres[seat])
    _gone(table, order.region, seat, number, "taken off by its owner", ".3")


def _take_off_own(table: Table[War], seat: Seat, order: Intent, region: str, number: int) -> None:
    """27.production.natives.spheres.3, 27.production.natives.westernize.3: in one's own region it lowers the strength."""
    land = table.state.lands[region]
    if land.westernized:
        return
    taken = min(number, land.spheres.get(seat, 0))
    if taken < number:
        none = Refused(f"You have {taken} spheres of influence in {region}.", "27.production.natives.spheres.3")
        table.emit(fell_short(table.state, seat, order, none))
    if not taken:
        return
    _gone(table, region, seat, taken, "taken off by its owner", ".3")
    if land.owner == seat and land.revolt is None:
        rule = "27.production.natives.westernize.3"
        weaken(table, region, taken, f"{seat}'s own spheres taken off", rule)
    elif land.owner == seat and put_off(table.state, land):
        table.emit(WesternizingPutOff(region, taken))


# ---------------------------------------------------------------- westernizing


def _lose_to_buildings(table: Table[War], seat: Seat) -> None:
    """27.production.natives.westernize.2: what happens by itself, in every region of the seat."""
    for land in table.state.regions_of(seat):
        # R27-20: no revolt stands in the way.
        if land.marker is not None and land.revolt is None:
            rule = "27.production.natives.westernize.2"
            weaken(table, land.name, automatic_reduction(land), "buildings and explorers", rule)
        elif put_off(table.state, land) and automatic_reduction(land):
            table.emit(WesternizingPutOff(land.name, automatic_reduction(land)))


def _westernize(table: Table[War], seat: Seat, orders: Sequence[WesternizeRegion]) -> None:
    """27.production.natives.westernize.1, .5: 1 DP a region and phase; none is taken where it is not needed (R27-18)."""
    paid: list[str] = []
    for order in orders:
        try:
            order.permit(table.state, seat)
            if order.region in paid:
                raise Refused("One DP a region and turn can be spent so.", "27.production.natives.westernize.5")
            order.afford(table.state, seat)
        except Refused as refused:
            table.emit(fell_short(table.state, seat, order, refused))
            continue
        paid.append(order.region)
        rule = "27.production.natives.westernize.1"
        table.emit(DiplomacyPaid(seat, order.dp(table.state, seat), f"to westernize {order.region}", rule))
        if table.state.lands[order.region].revolt is not None:
            table.emit(WesternizingPutOff(order.region, LOWERED))
        else:
            weaken(table, order.region, LOWERED, "westernized for 1 DP", rule)
