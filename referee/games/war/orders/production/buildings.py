"""BUILD and CONSTRUCT of a building (27.production.build.2, 27.production.build.7, 27.production.build.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.events.economy import BuildingBuilt
from referee.games.war.orders.base import CONSTRUCTION
from referee.games.war.orders.naming import number_of
from referee.games.war.orders.naming import one as one_name
from referee.games.war.orders.production.works import PRICES, BuildAction, Site, unhelped
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.sites import check_room, has_room
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BUILDINGS, EXCLUSIVE, KIND_OF, plural
from referee.kit.declared import Words
from referee.kit.fields import Field, Said, exact
from referee.kit.refused import Refused

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
