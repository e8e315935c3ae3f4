"""BUILD: works and buildings, and units for PP (27.production.build.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Choice, most_that, number, one, placed
from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.games.war.deeds import NotYet, granted, line_of
from referee.games.war.events import OpenEvent
from referee.games.war.events.economy import BuildingBuilt, FleetsBought, UnitsBought
from referee.games.war.orders.base import CONSTRUCTION, Place, after, number_of, own_regions, rewritten
from referee.games.war.orders.base import only as one_name
from referee.games.war.position import Land
from referee.games.war.position.state import War, maintained_before
from referee.games.war.reckoning.income import check_room, has_room
from referee.games.war.reckoning.scoring import is_colony, units_allowed
from referee.games.war.rulebook import BOARD, BUILDINGS, EXCLUSIVE, KIND_OF, POOL, plural, units_in_words
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Joint, Leads, Said, exact, exactly
from referee.kit.refused import Refused
from referee.kit.wording import in_number

# ---------------------------------------------------------------- what engineers help with
# Build actions: their kinds, when they are lawful, and their costs (27.production.build).


PRICES = "27.production.build.1"


class Works(msgspec.Struct, frozen=True):
    """A player's works so far in this construction sub-phase, by region (units: by region and kind)."""

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
    """An order of the construction sub-phase."""

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
        """Its event where it is done at this price."""
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
        """The demands on the region. Raises Refused."""
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


# ---------------------------------------------------------------- BUILD
# Units for PP (27.production.build.2).


_BUILT = "27.production.build.2"

_MANY = 999
"""More units than anybody can pay for at once."""


class _Units(Joint):
    """So many of a kind, or a part of what can be built and paid; one building, too, may follow BUILD."""

    joins = ("kind", "number")

    def __init__(self) -> None:
        super().__init__("units", ("unit", "building"), "", lambda value: units_in_words(*value))

    def read(self, said: Said) -> tuple[Any, ...]:
        (thing,) = said.order.things
        kind, war = KIND_OF[thing.name], said.state
        if thing.quantity is None or (exactly(thing) is None and war.stage != "production"):
            instead = (rewritten(said.order, exact(1), thing),)
            raise Refused(f"Say exactly how many {thing.name}.", _BUILT, thing.name, instead)
        region = _SITE.read(said) if exactly(thing) is None else ""
        one = BuildUnits(kind, 1, region)
        held = min(one.most(war, said.seat), one.after_upkeep(war, said.seat)[0]) if region else None
        return kind, number_of(said.order, thing, _BUILT, held)

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        return (Choice(kind, (kind, 1), f"{state.price(kind)} PP each") for kind in state.kinds)

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Any, ...]]
    ) -> Asking[tuple[Any, ...]]:
        """Of which kind, and how many."""
        kind, _ = yield from one("unit", (choice for choice in self.offers(state, seat, got) if leads(choice.value)))
        return kind, (yield from number("number", plural(kind), 1, most_that(lambda n: leads((kind, n)), _MANY)))

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        kind, number = value
        return (Thing("unit", plural(kind), exact(number)),)


_SITE = Site(_BUILT)


class _Berth(Field[str]):
    """The sea area of new fleets, "" where none is named."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(("AT", "INTO"), self.kinds)

    def read(self, said: Said) -> str:
        kind, region = said.got["kind"], said.got["region"]
        sea, seas = one_name(said.order, _BUILT, "AT", "INTO"), BOARD.regions[region].seas
        if kind == "fleet" and not seas:
            raise Refused(f"{region} has no coast.", "27.production.build.10", region)
        if sea and (kind != "fleet" or sea not in seas):
            better = [BuildUnits(kind, said.got["number"], region, o) for o in (seas if kind == "fleet" else ("",))]
            why = f"{sea} does not touch {region}." if kind == "fleet" else "Only fleets are built into a sea area."
            raise Refused(why, "27.production.build.10", sea, tuple(map(line_of, better)))
        return sea

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        """The usual area first; none where it goes without saying."""
        seas = BOARD.regions[got["region"]].seas if got["kind"] == "fleet" else ()
        if seas:
            usual = fleets_sea(state, seat, BuildUnits("fleet", 1, got["region"]))
            yield from map(placed, dict.fromkeys((usual, *seas)))
        yield Choice("any", "")

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("sea", value),) if value else ()


class BuildUnits(BuildOrder, frozen=True):
    """Units bought in a region; fleets appear in `sea`, "" for the default (R27-25)."""

    kind: str
    number: int
    region: str
    sea: str = ""

    words = Words(
        "BUILD",
        "buy units, or a building, in a region; AT names the sea area of fleets",
        _BUILT,
        "BUILD 2 infantry IN Egypt",
    )
    plain = Plain(rank=1)
    fields = (
        _SITE,
        _Units(),
        _Berth("sea", ("sea",), "AT", lambda sea: f", into {sea}" if sea else ""),
    )
    says, phase = "Buy {units} in {region}{sea}.", CONSTRUCTION
    shapes = (BuildBuilding,)

    @property
    def site(self) -> str:
        return self.region

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        """Units, or one building."""
        if KIND_OF[said.order.things[0].name] in BUILDINGS:
            return cls.shapes[0].read(said)
        order = cls.made(said)
        unhelped(said, order)
        return order

    def lawful(self, war: War, seat: Seat) -> bool:
        return self.number <= self.most(war, seat)

    def most(self, war: War, seat: Seat) -> int:
        """How many of its kind can be built there and, where the PP are known that count, paid."""
        if self.lacks(war) or not granted(self.permit, war, seat):
            return 0
        paid, left = war.treasuries[seat].pp // war.price(self.kind), self.left(war, seat)
        paid = paid if war.stage == "production" else max(2, paid)
        return paid if left is None else min(paid, left)

    def left(self, war: War, seat: Seat) -> int | None:
        """How many more of the kind may be built there in this phase; None: any number."""
        return units_left(war, seat, self)

    def price(self, war: War, engineer: bool = False) -> int:
        return war.price(self.kind) * self.number

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> OpenEvent:
        if self.kind == "fleet":
            return FleetsBought(seat, self.region, fleets_sea(war, seat, self), self.number, price)
        return UnitsBought(seat, self.region, self.kind, self.number, price)

    def adds(self, done: Works, engineer: bool = False) -> Works:
        what = (self.region, self.kind)
        return replace(done, units={**done.units, what: done.units.get(what, 0) + self.number})

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "production":
            if not self._served(war, seat):
                self.permit(war, seat)
            self._check_price(war, seat)

    def _served(self, war: War, seat: Seat) -> bool:
        """Whether an earlier line can still build what these units need (R27-22)."""
        needed = self.lacks(war)
        return bool(needed) and granted(BuildBuilding(needed, self.region).permit, war, seat)

    def lacks(self, war: War) -> str:
        """27.production.build.2: the building they are built in, where the region has none."""
        needed = war.kinds[self.kind].built_in
        return "" if not needed or war.lands[self.region].has(needed) else needed

    def after_upkeep(self, war: War, seat: Seat) -> tuple[int, int]:
        """How many of its kind the PP in hand pay, and how much of them maintenance takes first."""
        pp = war.treasuries[seat].pp
        upkeep = 0 if maintained_before(war) else min(pp, war.units_of(seat))
        return (pp - upkeep) // war.price(self.kind), upkeep

    def _check_price(self, war: War, seat: Seat) -> None:
        """27.production.build.1: a line that costs more than all PP in hand can never be paid."""
        price, pp = war.price(self.kind), war.treasuries[seat].pp
        if price * self.number > pp:
            most, upkeep = self.after_upkeep(war, seat)
            instead = (line_of(replace(self, number=most)),) if most else ()
            first = f", of which {upkeep} must go to maintenance first" if upkeep else ""
            costs = f"{in_number(self.number, 'cost')} {price * self.number} PP"
            why = f"{units_in_words(self.kind, self.number)} {costs}; you have {pp}{first}."
            raise Refused(why, PRICES, str(self.number), instead)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        """27.production.build.2, .10: whether they can be built now, the price apart. Raises NotYet (R27-22) or Refused."""
        land = war.lands[self.region]
        check_own(war, seat, self.region)
        if needed := self.lacks(war):
            sentence = f"{land.name} has no {needed}; {plural(self.kind)} are built in one."
            raise NotYet(sentence, _BUILT, land.name, _elsewhere(war, seat, self, done))
        if self.sea and self.sea not in BOARD.regions[land.name].seas:
            instead = tuple(line_of(replace(self, sea=sea)) for sea in BOARD.regions[land.name].seas)
            sentence = f"{self.sea} does not touch {land.name}; new fleets lie beside their port."
            raise Refused(sentence, "27.production.build.10", self.sea, instead)
        left = units_left(war, seat, self, done)
        if left is not None and self.number > left:
            instead = (line_of(replace(self, number=left)),) if left else ()
            raise Refused(_limit(war, self, left), _BUILT, str(self.number), instead)


def _elsewhere(war: War, seat: Seat, order: BuildUnits, done: Works) -> tuple[str, ...]:
    """The same order for other regions of the player, for as many as they can build."""
    standing = [land.name for land in war.regions_of(seat) if land.has(war.kinds[order.kind].built_in)]
    others = [replace(order, region=name, sea="") for name in standing]
    left = [(other, units_left(war, seat, other, done)) for other in others]
    able = [replace(o, number=order.number if n is None else min(n, order.number)) for o, n in left if n != 0]
    return tuple(map(line_of, able[:2]))


def _limit(war: War, order: BuildUnits, left: int) -> str:
    much = f"{left or 'no'} more {order.kind if left == 1 else plural(order.kind)}"
    if war.options.get("force_pool") == "yes" and not war.kinds[order.kind].per_phase:
        return f"The box holds {much} of your colour."
    return f"{order.region} can build {much} in this production phase."


def units_left(war: War, seat: Seat, order: BuildUnits, done: Works = NOTHING) -> int | None:
    """How many more of a kind a region may build in this phase; None: any number (27.production.build.2, R27-06)."""
    kind = war.kinds[order.kind]
    limits = []
    if kind.per_phase:
        limits.append(kind.per_phase - done.units.get((order.region, order.kind), 0))
    if is_colony(war, order.region):
        limits += _colonial_limits(war, order, done)
    if war.options.get("force_pool") == "yes":
        limits.append(POOL[order.kind] - _in_play(war, seat, order.kind))
    return max(0, min(limits)) if limits else None


def _colonial_limits(war: War, order: BuildUnits, done: Works) -> list[int]:
    """27.opt.historical.colonial.4 to .6, .8: all units of the region together, and the fleets of its port."""
    built = sum(number for (region, _), number in done.units.items() if region == order.region)
    together = units_allowed(war, order.region, done.new.get(order.region, 0)) - built
    if order.kind != "fleet":
        return [together]
    fleets = 1 + war.lands[order.region].westernized - done.units.get((order.region, "fleet"), 0)
    return [together, fleets]


def _in_play(war: War, seat: Seat, kind: str) -> int:
    if kind == "fleet":
        return len(war.fleets_of(seat))
    aboard = sum(
        load.number for f in war.fleets.values() for load in f.cargo if (load.owner, load.kind) == (seat, kind)
    )
    return aboard + sum(land.count(seat, kind) for land in war.lands.values())


def fleets_sea(war: War, seat: Seat, order: BuildUnits) -> str:
    """R27-25: where new fleets lie: as ordered, else beside own fleets, else the first area of the map."""
    if order.sea:
        return order.sea
    seas = sorted(BOARD.regions[order.region].seas, key=BOARD.position)
    return next((sea for sea in seas if war.fleets_of(seat, sea)), seas[0])
