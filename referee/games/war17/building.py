"""What may be built where, and for how much, in Version 1.7 (17.production.build). Pure."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.board import BOARD, CHIT_VALUES
from referee.games.war.lines import line_of
from referee.games.war.orders.units import BuildUnits
from referee.games.war.orders.works import BuildBuilding, DevelopResource
from referee.games.war.pieces import EXCLUSIVE, plural
from referee.games.war.places import Land
from referee.games.war.refused import NotYet, granted
from referee.games.war.state import War
from referee.games.war17.pieces import RESOURCE_FACTOR
from referee.kit.refused import Refused

__all__ = ["NOTHING", "Build", "Works", "check_build", "examples", "price_of", "worked"]

Build = BuildUnits | BuildBuilding | DevelopResource
"""Everything that is bought in production."""


class Works(msgspec.Struct, frozen=True):
    """How many engineers of each region are at work in this phase."""

    engineers: dict[str, int] = {}


NOTHING = Works()
"""Nobody is at work yet."""


def worked(done: Works, order: Build) -> Works:
    """17.production.build.1: a building or a development takes an engineer."""
    if isinstance(order, BuildUnits):
        return done
    return Works({**done.engineers, order.region: done.engineers.get(order.region, 0) + 1})


def price_of(war: War, order: Build) -> int:
    """PP for an order: the tables."""
    match order:
        case BuildUnits(kind, number):
            return war.price(kind) * number
        case BuildBuilding(kind):
            return war.price(kind)
        case DevelopResource(region):
            return RESOURCE_FACTOR * CHIT_VALUES.get(war.lands[region].chit or "dot", 0)


def check_build(war: War, seat: Seat, order: Build, done: Works = NOTHING) -> None:
    """17.production.build: raises Refused unless a line is lawful now, its price apart."""
    land = war.lands[order.region]
    if land.owner != seat:
        raise Refused(f"{land.name} is not yours; you build in your own regions.", "17.production.build.1", land.name)
    if isinstance(order, BuildUnits):
        _check_units(war, seat, order)
        return
    if isinstance(order, DevelopResource):
        _check_resource(land)
    else:
        _check_building(land, order.kind)
    if land.count(seat, "engineer") <= done.engineers.get(land.name, 0):
        more = "free " if done.engineers.get(land.name) else ""
        why = f"There is no {more}engineer of yours in {land.name}; each works on one thing a phase."
        raise Refused(why, "17.production.build.1", land.name)


def _check_units(war: War, seat: Seat, order: BuildUnits) -> None:
    """17.production.build.2."""
    land, needed = war.lands[order.region], war.kinds[order.kind].built_in
    if needed and not land.has(needed):
        places = [other.name for other in war.regions_of(seat) if other.has(needed)]
        instead = tuple(line_of(replace(order, region=name, sea="")) for name in places[:2])
        why = f"{land.name} has no {needed}; {plural(order.kind)} are built in one."
        raise Refused(why, "17.production.build.2", land.name, instead)
    if order.sea and order.sea not in BOARD.regions[land.name].seas:
        why = f"{order.sea} does not touch {land.name}; new fleets lie beside their port."
        raise Refused(why, "17.production.build.2", order.sea)


def _check_building(land: Land, kind: str) -> None:
    """17.pieces.2, 17.pieces.4."""
    standing = next((building for building in land.buildings if building in EXCLUSIVE), None)
    if land.has(kind):
        raise Refused(f"{land.name} has a {kind} already.", "17.pieces.2", kind)
    if kind in EXCLUSIVE and standing:
        raise Refused(f"{land.name} has a {standing}; a {kind} cannot stand beside it.", "17.pieces.2", kind)
    if kind == "port" and not BOARD.regions[land.name].coastal:
        raise Refused(f"{land.name} has no coast; ports stand on coasts.", "17.pieces.4", kind)
    if kind == "school" and not land.has("city"):
        raise NotYet(f"{land.name} has no city; a school needs one.", "17.pieces.2", kind)


def _check_resource(land: Land) -> None:
    if land.developed:
        raise Refused(f"The resource of {land.name} is developed already.", "17.production.build.1", land.name)
    if land.chit is None or CHIT_VALUES.get(land.chit) == 0:
        raise Refused(f"{land.name} has no resource worth developing.", "17.production.build.1", land.name)


def examples(war: War, seat: Seat) -> Iterator[tuple[str, str]]:
    """A line of each verb of building that would be lawful now."""
    own = [land.name for land in war.regions_of(seat)]
    tried: dict[str, tuple[Build, ...]] = {
        "BUILD": tuple(BuildUnits("infantry", 2, name) for name in own),
        "CONSTRUCT": tuple(BuildBuilding(kind, name) for name in own for kind in ("fort", *EXCLUSIVE)),
        "DEVELOP": tuple(DevelopResource(name) for name in own),
    }
    for verb, orders in tried.items():
        found = next((order for order in orders if granted(check_build, war, seat, order)), None)
        if found is not None:
            yield verb, f"{verb} {line_of(found).partition(' ')[2]}"
