"""BUILD and CONSTRUCT of a building, DEVELOP and DIG: what engineers help with (27.production.build)."""

from __future__ import annotations

from typing import Any, Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Choice, alone, one
from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.refused import NotYet, granted
from referee.games.war.orders.base import CONSTRUCTION, Place
from referee.games.war.orders.naming import after, number_of
from referee.games.war.orders.naming import one as one_name
from referee.games.war.position.options import plays
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import is_colony
from referee.games.war.reckoning.sites import has_room, kinds_allowed, standing_kinds
from referee.games.war.rulebook.board import BOARD, CHIT_VALUES
from referee.games.war.rulebook.pieces import BUILDINGS, EXCLUSIVE, KIND_OF, plural
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, One, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

CONSTRUCT = "CONSTRUCT"
PRICES = "27.production.build.1"
_RESOURCE_FACTOR = 3
_CANAL_HALF = 30
_HALVES = 2


class Works(msgspec.Struct, frozen=True):
    """What a player has done so far in this construction sub-phase, by region (units: by region and kind)."""

    engineers: dict[str, int] = {}
    actions: dict[str, int] = {}
    units: dict[tuple[str, str], int] = {}
    new: dict[str, int] = {}


NOTHING = Works()
"""Nothing done yet."""


class BuildAction(Declared[War], frozen=True):
    """A build action of 27.production.build.4; units are none (R27-24)."""

    @property
    def site(self) -> str:
        """The region it is done in."""
        raise NotImplementedError(type(self).__name__)

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

    def lawful(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        """Whether it can be done now, its price apart. Raises NotYet where an earlier line could mend it (R27-22), else Refused."""
        land = war.lands[self.site]
        check_own(war, seat, self.site)
        if self.needs_engineer(war) and free_engineers(war, seat, self.site, done) < 1:
            sentence = f"In a colony each building or development needs an engineer of its own; none is free in {self.site}."
            raise NotYet(sentence, "27.opt.historical.colonial.2", self.site)
        _check_action(war, seat, land, done)
        self.check_site(war, land)

    def check_site(self, war: War, land: Land) -> None:
        """What the region must have or lack. Raises Refused."""
        raise NotImplementedError(type(self).__name__)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "production":
            self.lawful(war, seat)

    def possible(self, war: War, seat: Seat) -> bool:
        """Whether it is lawful and, where the PP are known that count, can be paid."""
        engineer = free_engineers(war, seat, self.site, NOTHING) > 0
        paid = war.stage != "production" or self.price(war, engineer) <= war.treasuries[seat].pp
        return paid and granted(self.lawful, war, seat)


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


class _Here(Place):
    """The region of a building; WITH is read to be refused: engineers need no order (R27-24)."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {**super().prepositions(), "WITH": ("unit",)}


class _Developed(One[str]):
    """The region developed; WITH is read to be refused."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"WITH": ("unit",)}


def unhelped(said: Said, order: Declared[War]) -> None:
    """R27-24: engineers are not sent to a building; those who are there help where it saves most. Raises Refused."""
    helpers = after(said.order, "WITH")
    if helpers:
        why = "Engineers need no order: those in the region work on its dearest buildings by themselves."
        raise Refused(why, "R27-24", helpers[0].name, (line_of(order),))


# ---------------------------------------------------------------- buildings


class _Building(Field[str]):
    """One building by its kind."""

    def read(self, said: Said) -> str:
        return KIND_OF[said.order.things[0].name]

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("building", plural(value), exact(1)),)


class BuildBuilding(BuildAction, frozen=True):
    """One building in a region; BUILD says the same, and is how it is written."""

    kind: str
    region: str

    words = Words(CONSTRUCT, "build a building in a region", PRICES, "CONSTRUCT 1 city IN Egypt")
    fields = (_Building("kind", ("building",)), _Here("region", "IN", (), "27.production.build.2"))
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
        if number_of(said.order, thing, "27.pieces.4") > 1:
            why = f"A region has at most one {order.kind}."
            raise Refused(why, "27.pieces.4", str(thing.count()), (line_of(order),))
        if order.kind == "port" and not BOARD.regions[order.region].coastal:
            why = f"{order.region} has no coast; ports stand on coasts."
            raise Refused(why, "27.production.build.7", order.region)
        unhelped(said, order)
        return order

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """What, and where there is room for it."""
        own = [land.name for land in war.regions_of(seat)]
        able = (kind for kind in _OFFERED if any(cls(kind, name).possible(war, seat) for name in own))
        kind = yield from one("building", (Choice(kind, kind, f"{war.price(kind)} PP") for kind in able))
        sites = (name for name in own if cls(kind, name).possible(war, seat))
        return cls(kind, (yield from one("region", (Choice(name, name, "", name) for name in sites))))

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        pp, full = war.treasuries[seat].pp, BUILDINGS[self.kind]
        if war.stage == "production" and full * 2 // 3 > pp:
            raise Refused(f"A {self.kind} costs {full} PP; you have {pp}.", PRICES, self.kind)

    def full_price(self, war: War) -> int:
        return war.price(self.kind)

    def check_site(self, war: War, land: Land) -> None:
        check_building(war, land, self.kind)


_OFFERED = (*EXCLUSIVE, *(kind for kind in BUILDINGS if kind not in EXCLUSIVE))


def check_building(war: War, land: Land, kind: str) -> None:
    """27.pieces.4, 27.pieces.5, 27.production.build.7, 27.production.build.8"""
    if land.has(kind):
        one_of_a_kind = "27.opt.multiple_buildings.4" if plays(war, "multiple_buildings") else "27.pieces.4"
        rule = {"fort": "27.pieces.5", "school": "27.production.build.8"}.get(kind, one_of_a_kind)
        raise Refused(f"{land.name} has a {kind} already.", rule, kind, _other_buildings(war, land))
    standing = standing_kinds(land)
    if kind in EXCLUSIVE and len(standing) >= kinds_allowed(war, land.name):
        sentence = f"{land.name} has a {in_a_row(standing)}; a {kind} cannot stand beside {'it' if standing[1:] == () else 'them'}."
        rule = "27.opt.multiple_buildings.1" if standing[1:] else "27.pieces.4"
        raise Refused(sentence, rule, kind, _other_buildings(war, land))
    if kind == "port" and not BOARD.regions[land.name].coastal:
        sentence = f"{land.name} has no coast; ports stand on coasts."
        raise Refused(sentence, "27.production.build.7", kind, _other_buildings(war, land))
    if kind == "school":
        _check_school(war, land)


def _check_school(war: War, land: Land) -> None:
    """27.production.build.8"""
    if not land.has("city"):
        others = (other for other in war.regions_of(land.owner) if other.has("city") and not other.has("school"))
        instead = tuple(line_of(BuildBuilding("school", other.name)) for other in others if not _new_city(war, other))
        raise Refused(f"{land.name} has no city; a school needs one.", "27.production.build.8", "school", instead[:2])
    if _new_city(war, land):
        sentence = f"The city of {land.name} was built this turn; a school needs an older one."
        raise Refused(sentence, "27.production.build.8", "school")


def _new_city(war: War, land: Land) -> bool:
    """Whether its city was built in the production phase that is going on; to a later one it is an old city."""
    return war.stage == "production" and land.name in war.new_cities


def _other_buildings(war: War, land: Land) -> tuple[str, ...]:
    """Lines that could stand instead of a refused building."""
    fort = () if land.has("fort") else ("fort",)
    old_city = land.has("city") and not _new_city(war, land) and not land.has("school")
    free = next((kind for kind in EXCLUSIVE if has_room(war, land, kind)), None)
    kinds = (*(("school",) if old_city else ()), *fort, *((free,) if free else ()))
    return tuple(line_of(BuildBuilding(kind, land.name)) for kind in kinds)


# ---------------------------------------------------------------- resources and the canal


class DevelopResource(BuildAction, frozen=True):
    """The resource of a region developed."""

    region: str

    words = Words(
        "DEVELOP",
        "develop the resource of a region",
        "27.production.build.6",
        "DEVELOP Egypt",
        ("DEVELOP RESOURCE OF", "DEVELOP RESOURCE IN"),
    )
    fields = (_Developed("region", ("region",), taken=str),)
    says, phase = "Develop the resource of {region}.", CONSTRUCTION

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        unhelped(said, order)
        return order

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """The dearest resource first, for it yields most."""
        orders = [order for land in war.regions_of(seat) if (order := cls(land.name)).possible(war, seat)]
        dear = sorted(orders, key=lambda order: -order.full_price(war))
        chits = (Choice(o.region, o.region, f"{war.lands[o.region].chit}, {o.full_price(war)} PP", o.region) for o in dear)
        return cls((yield from one("region", chits)))

    @property
    def site(self) -> str:
        return self.region

    def full_price(self, war: War) -> int:
        return _RESOURCE_FACTOR * CHIT_VALUES.get(war.lands[self.region].chit or "dot", 0)

    def check_site(self, war: War, land: Land) -> None:
        """27.production.build.6"""
        if land.developed:
            raise Refused(f"The resource of {land.name} is developed already.", "27.production.build.6", land.name)
        if land.chit is None or CHIT_VALUES.get(land.chit) == 0:
            raise Refused(f"{land.name} has no resource worth developing.", "27.production.build.6", land.name)


class _Canal(Field[str]):
    """The canal, which lies in Egypt."""

    def read(self, said: Said) -> str:
        return "Egypt"

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("works", "canal"),)


class BuildCanal(BuildAction, frozen=True):
    """One half of the Suez Canal paid for (27.opt.suez.1)."""

    region: str = "Egypt"

    words = Words(
        "DIG",
        "pay for one half of the Suez Canal, as the owner of Egypt",
        "27.opt.suez.1",
        "DIG canal",
        ("BUILD SUEZ", "PAY FOR"),
    )
    fields = (_Canal("region", ("works",)),)
    says, phase = "Pay for half of the Suez Canal.", CONSTRUCTION

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return alone(cls(), plays(war, "suez") and cls().possible(war, seat))

    @property
    def site(self) -> str:
        return self.region

    def full_price(self, war: War) -> int:
        return _CANAL_HALF

    def needs_engineer(self, war: War) -> bool:
        return False

    def check_site(self, war: War, land: Land) -> None:
        """27.opt.suez.1: two halves, each in a production phase of its own (R27-95)."""
        if len(war.canal) == _HALVES:
            raise Refused("The Suez Canal is complete.", "27.opt.suez.1", "canal")
        if war.stage == "production" and war.turn in war.canal:
            raise Refused("One half of the canal is paid for in a production phase.", "R27-95", "canal")
