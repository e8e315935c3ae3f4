"""BUILD: works and buildings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.games.war.deeds.muster import NotYet, granted, line_of
from referee.games.war.events import OpenEvent
from referee.games.war.events.economy import BuildingBuilt
from referee.games.war.orders.base import CONSTRUCTION, Place, after, number_of, own_regions
from referee.games.war.orders.base import only as one_name
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import check_room, has_room
from referee.games.war.reckoning.scoring import is_colony
from referee.games.war.rulebook import BOARD, BUILDINGS, EXCLUSIVE, KIND_OF, plural
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Said, exact
from referee.kit.refused import Refused

# ---------------------------------------------------------------- what engineers help with
# What a build action is, when it is lawful, and what it costs (27.production.build).


PRICES = "27.production.build.1"


class Works(msgspec.Struct, frozen=True):
    """What a player has done so far in this construction sub-phase, by region (units: by region and kind)."""

    engineers: dict[str, int] = {}
    actions: dict[str, int] = {}
    units: dict[tuple[str, str], int] = {}
    new: dict[str, int] = {}


NOTHING = Works()
"""Nothing done yet."""


class Site(Place):
    """A region of a player's own; WITH is read to be refused: engineers need no order (R27-24)."""

    def __init__(self, rule: str) -> None:
        super().__init__("region", "IN", (), rule, among=own_regions)

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {**super().prepositions(), "WITH": ("unit",)}


class BuildOrder(Declared[War], frozen=True):
    """What the construction sub-phase does."""

    @property
    def site(self) -> str:
        """The region it is done in."""
        raise NotImplementedError(type(self).__name__)

    def price(self, war: War, engineer: bool = False) -> int:
        """27.production.build.1: PP for all of it, with an engineer or without."""
        raise NotImplementedError(type(self).__name__)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        """Whether it can be done now, its price apart. Raises NotYet where an earlier line could mend it (R27-22), else Refused."""
        raise NotImplementedError(type(self).__name__)

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> OpenEvent:
        """What happens where it is done at this price."""
        raise NotImplementedError(type(self).__name__)

    def adds(self, done: Works, engineer: bool = False) -> Works:
        """The works after it, with an engineer or without."""
        raise NotImplementedError(type(self).__name__)


class BuildAction(BuildOrder, frozen=True):
    """A build action of 27.production.build.4; units are none (R27-24)."""

    def full_price(self, war: War) -> int:
        """27.production.build.1: PP without an engineer."""
        raise NotImplementedError(type(self).__name__)

    def price(self, war: War, engineer: bool = False) -> int:
        """27.production.build.3: an engineer saves a third, down (R27-23); not in a colony (27.opt.historical.colonial.2)."""
        full = self.full_price(war)
        return full - full // 3 if engineer and not self.needs_engineer(war) else full

    def needs_engineer(self, war: War) -> bool:
        """27.opt.historical.colonial.2, R27-95: everything in a colony but the canal."""
        return is_colony(war, self.site)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        land = war.lands[self.site]
        check_own(war, seat, self.site)
        if self.needs_engineer(war) and free_engineers(war, seat, self.site, done) < 1:
            sentence = (
                f"In a colony each building or development needs an engineer of its own; none is free in {self.site}."
            )
            raise NotYet(sentence, "27.opt.historical.colonial.2", self.site)
        _check_action(war, seat, land, done)
        self.check_site(war, land)

    def adds(self, done: Works, engineer: bool = False) -> Works:
        where, serves = self.site, self.serves_colony()
        return replace(
            done,
            actions={**done.actions, where: done.actions.get(where, 0) + 1},
            new={**done.new, where: done.new.get(where, 0) + serves},
            engineers={**done.engineers, where: done.engineers.get(where, 0) + engineer},
        )

    def serves_colony(self) -> bool:
        """Whether it lets a colony build more units, from the next turn (27.opt.historical.colonial.5)."""
        return False

    def check_site(self, war: War, land: Land) -> None:
        """What the region must have or lack. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "production":
            self.permit(war, seat)

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it can be done and, where the PP are known that count, paid."""
        engineer = free_engineers(war, seat, self.site, NOTHING) > 0
        paid = war.stage != "production" or self.price(war, engineer) <= war.treasuries[seat].pp
        return paid and granted(self.permit, war, seat)


def check_own(war: War, seat: Seat, region: str) -> None:
    """27.board.8. Raises Refused."""
    if war.lands[region].owner != seat:
        raise Refused(f"{region} is not yours; you build in your own regions.", "27.board.8", region)


def free_engineers(war: War, seat: Seat, region: str, done: Works) -> int:
    """Engineers in a region that do not work on anything yet."""
    return war.lands[region].count(seat, "engineer") - done.engineers.get(region, 0)


def _check_action(war: War, seat: Seat, land: Land, done: Works) -> None:
    """27.production.build.4, 27.production.build.9"""
    if land.revolt is not None:
        raise Refused(f"{land.name} is in revolt: nothing is built there.", "27.production.build.9", land.name)
    if done.actions.get(land.name, 0) and not land.count(seat, "engineer"):
        sentence = f"Without an engineer in {land.name} only one thing a turn is built or developed there."
        instead = (f"BUILD 1 engineer IN {land.name}",) if land.has("school") else ()
        raise NotYet(sentence, "27.production.build.4", land.name, instead)


def unhelped(said: Said, order: Declared[War]) -> None:
    """R27-24: engineers are not sent to a building; those who are there help where it saves most. Raises Refused."""
    helpers = after(said.order, "WITH")
    if helpers:
        why = "Engineers need no order: those in the region work on its dearest buildings by themselves."
        raise Refused(why, "R27-24", helpers[0].name, (line_of(order),))


# ---------------------------------------------------------------- buildings
# BUILD and CONSTRUCT of a building (27.production.build.2, 27.production.build.7, 27.production.build.8).


CONSTRUCT = "CONSTRUCT"


class Building(Field[str]):
    """One building by its kind."""

    def read(self, said: Said) -> str:
        return KIND_OF[said.order.things[0].name]

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        kinds = (*EXCLUSIVE, *(kind for kind in BUILDINGS if kind not in EXCLUSIVE))
        return (Choice(kind, kind, f"{state.price(kind)} PP") for kind in kinds)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("building", plural(value), exact(1)),)


class BuildBuilding(BuildAction, frozen=True):
    """One building in a region; BUILD says the same, and is how it is written."""

    kind: str
    region: str

    words = Words(CONSTRUCT, "build a building in a region", PRICES, "CONSTRUCT 1 city IN Egypt")
    plain = Plain("Put up a building", rank=2)
    fields = (Building("kind", ("building",)), Site("27.production.build.2"))
    says, phase = "Build a {kind} in {region}.", CONSTRUCTION

    @property
    def site(self) -> str:
        return self.region

    def order(self, state: War) -> Order:
        return replace(super().order(state), verb="BUILD")

    @classmethod
    def read(cls, said: Said) -> Self:
        """One building a line; it stands in a region."""
        order, thing = cls.made(said), said.order.things[0]
        sea = one_name(said.order, "27.production.build.2", "AT", "INTO")
        if sea:
            raise Refused(f"A {order.kind} stands on land.", "27.board.3", sea, (line_of(order),))
        if number_of(said.order, thing, "27.pieces.4", 1) > 1:
            why = f"A region has at most one {order.kind}."
            raise Refused(why, "27.pieces.4", str(thing.count()), (line_of(order),))
        if order.kind == "port" and not BOARD.regions[order.region].coastal:
            why = f"{order.region} has no coast; ports stand on coasts."
            raise Refused(why, "27.production.build.7", order.region)
        unhelped(said, order)
        return order

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        pp = war.treasuries[seat].pp
        if war.stage == "production" and self.price(war, engineer=True) > pp:
            raise Refused(f"A {self.kind} costs {self.full_price(war)} PP; you have {pp}.", PRICES, self.kind)

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> BuildingBuilt:
        return BuildingBuilt(seat, self.region, self.kind, price, engineer)

    def serves_colony(self) -> bool:
        return self.kind in EXCLUSIVE

    def full_price(self, war: War) -> int:
        return war.price(self.kind)

    def check_site(self, war: War, land: Land) -> None:
        check_building(war, land, self.kind)


def check_building(war: War, land: Land, kind: str) -> None:
    """That there is room for it, an older city for a school; what else could be built is said, too. Raises Refused."""
    try:
        check_room(war, land, kind)
    except Refused as full:
        why = full.illegal
        raise Refused(why.sentence, why.rule, why.at, _other_buildings(war, land, kind)) from None
    if kind == "school" and _new_city(war, land):
        sentence = f"The city of {land.name} was built this turn; a school needs an older one."
        raise Refused(sentence, "27.production.build.8", "school")


def _new_city(war: War, land: Land) -> bool:
    """Whether its city was built in the production phase that is going on; to a later one it is an old city."""
    return war.stage == "production" and land.name in war.new_cities


def _other_buildings(war: War, land: Land, refused: str) -> tuple[str, ...]:
    """Lines that could stand instead of a refused building: others here, or a school elsewhere."""
    if refused == "school" and not land.has("city"):
        others = (other for other in war.regions_of(land.owner) if has_room(war, other, "school"))
        return tuple(line_of(BuildBuilding("school", other.name)) for other in others if not _new_city(war, other))[:2]
    fort = () if land.has("fort") else ("fort",)
    old_city = land.has("city") and not _new_city(war, land) and not land.has("school")
    free = next((kind for kind in EXCLUSIVE if has_room(war, land, kind)), None)
    kinds = (*(("school",) if old_city else ()), *fort, *((free,) if free else ()))
    return tuple(line_of(BuildBuilding(kind, land.name)) for kind in kinds)
