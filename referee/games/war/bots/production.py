"""Production sheets for bots: points, natives, buildings, units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.deeds.refused import granted
from referee.games.war.orders.production.buildings import BuildBuilding
from referee.games.war.orders.production.diplomacy import BuyDiplomacy
from referee.games.war.orders.production.incite import InciteRevolt
from referee.games.war.orders.production.natives import RemoveSphere, WesternizeRegion
from referee.games.war.orders.production.resources import BuildCanal, DevelopResource
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import NOTHING, BuildOrder
from referee.games.war.orders.standing.home import DisbandOrder
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import income
from referee.games.war.rulebook.board import BOARD, CHIT_VALUES
from referee.games.war.rulebook.pieces import BUILDINGS, KINDS

_TOO_MANY = 4
"""Units beyond its income that a horde has at least."""


def builds(war: War, seat: Seat, pick: Pick) -> Iterator[Intent]:
    """DP at times, natives at times, and as many pieces as the PP left after maintenance pay for.

    The first seat saves all its PP until they buy more infantry than its income can keep.
    """
    cities = war.buildings_of(seat, "city")
    left = war.treasuries[seat].pp - war.units_of(seat)
    if cities and left >= 10 and not pick(2):
        yield BuyDiplomacy(1)
        left -= 10
    if left < 0:
        # 27.production.maintain.2: what is aboard goes first, for it holds no region.
        aboard = {(load.kind, fleet.sea, 0): None for fleet in war.fleets_of(seat) for load in fleet.cargo}
        if aboard:
            yield DisbandOrder(tuple(aboard))
    dp = war.treasuries[seat].dp
    for land in war.regions_of(seat):
        if land.revolt is None and land.marker is not None and dp and not pick(3):
            dp -= 1
            yield WesternizeRegion(land.name, min(pick(2), land.spheres.get(seat, 0)))
        for owner in land.spheres:
            order = RemoveSphere(land.name, owner)
            hostile = war.at_war(seat, owner)
            if granted(order.permit, war, seat) and (hostile or (dp and not pick(4))):
                dp -= not order.free(war, seat)
                yield replace(order, number=order.most(war, seat))
    for other in war.after(seat):
        for land in war.regions_of(other):
            attempt = InciteRevolt(land.name, not pick(2), not pick(2))
            if dp > attempt.bribe and granted(attempt.permit, war, seat) and pick(3):
                dp -= 1 + attempt.bribe
                yield attempt
    if war.units_of(seat) + left // KINDS["infantry"].price > income(war, seat).pp + _TOO_MANY:
        # Infantry in one region for all there is, which the next turns must keep.
        own = war.regions_of(seat)
        price = KINDS["infantry"].price
        if own and left >= price:
            yield BuildUnits("infantry", left // price, own[pick(len(own))].name)
    elif seat != war.seats[0]:
        yield from _pieces(war, seat, left, pick)


def _pieces(war: War, seat: Seat, left: int, pick: Pick) -> Iterator[Intent]:
    """Lines tried at random against the rules of building, until the money or the patience is gone."""
    own = [land.name for land in war.regions_of(seat)]
    done = NOTHING
    if plays(war, "suez") and granted(BuildCanal().permit, war, seat) and left >= BuildCanal().price(war):
        left -= BuildCanal().price(war)
        done = BuildCanal().adds(done)
        yield BuildCanal()
    for _ in range(12 if own else 0):
        order = _line(war, seat, own, pick)
        price = order.price(war)
        if 0 < price <= left and granted(order.permit, war, seat, done):
            left -= price
            done = order.adds(done)
            yield order
    if own and left >= KINDS["infantry"].price and pick(3):
        yield BuildUnits("infantry", left // KINDS["infantry"].price, own[pick(len(own))])


def _line(war: War, seat: Seat, own: Sequence[str], pick: Pick) -> BuildOrder:
    region = own[pick(len(own))]
    land = war.lands[region]
    if land.chit and not land.developed and CHIT_VALUES.get(land.chit):
        return DevelopResource(region)
    if not pick(4):
        kinds = tuple(BUILDINGS)
        return BuildBuilding(kinds[pick(len(kinds))], region)
    kinds = tuple(kind for kind, data in KINDS.items() if not data.built_in or land.has(data.built_in))
    kind = kinds[pick(len(kinds))]
    order = BuildUnits(kind, 1 + pick(2) if kind in ("infantry", "fleet", "explorer") else 1, region)
    seas = BOARD.regions[region].seas
    return replace(order, sea=seas[pick(len(seas))]) if kind == "fleet" and seas else order
