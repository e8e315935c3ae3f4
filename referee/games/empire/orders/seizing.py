"""SEIZE: units, buildings and goods of others, by somebody in the same square (emp.P13 to emp.P16, emp.H-35).

Goods are no units and are not seized, yet may be taken within the limits of seizing (emp.P16).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.events.dealing import GoodsTaken, UnitSeized
from referee.games.empire.events.work import BuildingSeized
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import CARGO, OneUnit, Wares, numbered
from referee.games.empire.orders.units import cargo, first_of, of_seat, one_unit, ranks
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement_rates import land_zone
from referee.games.empire.reckoning.ownership import Goods, cargo_of, counts_of, missing, named, unit_of
from referee.games.empire.reckoning.supply import lots_at, taken
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Got, Joint, Said
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_BY_SHIP = ("barge", "sailboat", "life raft", "yacht", "luxury liner")
"""The vessels that a cargo ship may seize (emp.P15)."""

_FROM_WITHIN = ("cargo ship", "pirate ship")
"""Ships that somebody aboard may seize anywhere (emp.P15)."""


def _seizes(unit: Unit) -> bool:
    """Persons seize, but for ambassadors (emp.P14)."""
    return KINDS[unit.kind].person and unit.kind != "ambassador coolie"


def _check_ground(empire: Empire, victim: str, by: Unit) -> None:
    """emp.P14: no hostile zone of control; for a coolie no hostile coolie in the square either, aboard something or not."""
    if by.at in land_zone(empire, by.country):
        raise Refused(f"A hostile zone of control covers {by.at}.", "emp.P14", by.at)
    if not KINDS[by.kind].military:
        for guard in _guards(empire, victim, by, empire.units_at(by.at)):
            raise Refused(f"{guard.country}'s {named(guard)} guards the square.", "emp.P14", by.at)


def _check_aboard(empire: Empire, target: Unit, by: Unit) -> None:
    """emp.P15: aboard a ship only hostile people aboard can prevent it; against military only military."""
    aboard = [unit for unit in empire.units.values() if unit.aboard == target.number]
    for guard in _guards(empire, target.country, by, aboard):
        if not KINDS[by.kind].military or KINDS[guard.kind].military:
            raise Refused(f"{guard.country}'s {named(guard)} is aboard too.", "emp.P15", str(guard.number))


def _guards(empire: Empire, victim: str, by: Unit, units: Iterable[Unit]) -> Iterator[Unit]:
    """Coolies and military of the victim, or hostile to the seizer; ambassadors and governments guard nothing."""
    for unit in units:
        kind, country = KINDS[unit.kind], empire.countries[unit.country]
        fights = unit.kind == "coolie" or (kind.person and kind.military)
        hostile = unit.country == victim or country.hostile_to(by.country, kind.military)
        if fights and hostile and not empire.same_owner(unit.country, by.country):
            yield unit


# ---------------------------------------------------------------- who does it


def _named(said: Said) -> tuple[Thing, ...]:
    return (*said.after("WITH"), *said.after("BY"))


class _Taker(OneUnit):
    """The unit that seizes: somebody where the unit is, or whoever else can."""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[int]]:
        unit = state.units.get(got.get("unit", 0))
        return map(first_of, ranks(state, seat, unit.at if unit else ""))


_BY = _Taker("by", "WITH", "BY")


# ---------------------------------------------------------------- goods


def _within_reach(empire: Empire, seat: Seat, got: Got) -> Iterator[Lot]:
    """Goods of others where somebody of a seat is."""
    here = {unit.at for unit in of_seat(empire, seat)}
    return (lot for lot in empire.lots if lot.at in here and empire.countries[lot.country].owner != seat)


class _Owner(Field[str]):
    """The owner of the goods; "" where only one country has any."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"OF": self.kinds, "FROM": self.kinds}

    def read(self, said: Said) -> str:
        return next((thing.name for thing in (*said.after("OF"), *said.after("FROM"))), "")

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        kinds = [goods.what for goods in got["goods"]]
        owners = dict.fromkeys(lot.country for lot in _within_reach(state, seat, got) if lot.what in kinds)
        return (Choice(name, name) for name in owners)

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("country", value),) if value else ()


class SeizeGoods(Deed, frozen=True):
    """Goods taken by force from a country in the square of a unit (emp.P16); `of` is empty where only one has any."""

    goods: tuple[Goods, ...]
    by: int
    of: str = ""

    words = Words("SEIZE", "", "emp.P16", "")
    fields = (
        Wares("goods", _within_reach),
        _Owner("of", ("country",), "OF", lambda of: f" of {of}" if of else ""),
        _BY,
    )
    says = "Take {goods}{of} by force with unit {by}."

    def act(self, stage: Stage, seat: Seat) -> None:
        empire = stage.state
        by = unit_of(empire, seat, self.by, "emp.P16")
        if not _seizes(by):
            raise Refused(f"A {by.kind} takes nothing by force.", "emp.P14", str(by.number))
        victim = self._victim(empire, seat, by)
        lots = tuple(lot for goods in self.goods for lot in self._taken(empire, victim, by, goods))
        if any(lot.aboard for lot in lots):
            _check_aboard(empire, empire.units[by.aboard], by)
        else:
            _check_ground(empire, victim, by)
        stage.emit(GoodsTaken(by.number, victim, by.country, by.at, lots, counts_of(empire, (), lots)))

    def _victim(self, empire: Empire, seat: Seat, by: Unit) -> str:
        """The country named, or the only one of another player that has such goods there."""
        if self.of:
            country = empire.countries.get(self.of)
            if country is None or country.owner == seat:
                raise Refused(f"{self.of} is no country of another player.", "emp.P16", self.of)
            return self.of
        wanted = [goods.what for goods in self.goods]
        others = [lot.country for lot in empire.lots if lot.at == by.at and lot.what in wanted]
        found = [name for name in dict.fromkeys(others) if empire.countries[name].owner != seat]
        if len(found) != 1:
            whose = f"{in_a_row(found)} have some; say OF whom." if found else "nobody else has any."
            raise Refused(f"Of {in_a_row(wanted, 'or')} in {by.at} {whose}", "emp.P16", by.at)
        return found[0]

    def _taken(self, empire: Empire, victim: str, by: Unit, goods: Goods) -> tuple[Lot, ...]:
        """The goods in the square or in its city; aboard the taker's carrier, the goods there with him."""
        what, all_there = goods.what, lots_at(empire, victim, by.at, goods.what)
        lots = [lot for lot in all_there if lot.aboard == by.aboard]
        have = sum(lot.number for lot in lots)
        number = goods.quantity.of(have)
        if not 0 < number <= have:
            where = f"aboard unit {by.aboard}" if by.aboard else f"lying in {by.at}"
            carried = [empire.units[lot.aboard] for lot in all_there if lot.aboard not in (0, by.aboard)]
            more = f" Everything aboard {named(carried[0])} is seized with it." if carried else ""
            raise Refused(f"{victim} has {have or 'no'} {what} {where}.{more}", "emp.P16", what)
        return taken(lots, number)


# ---------------------------------------------------------------- units and buildings


class _Prize(Joint):
    """A unit of another, or the building that stands outside a city where the taker is."""

    most, joins = None, ("unit", "what")

    def read(self, said: Said) -> tuple[Any, ...]:
        empire, seat, thing = said.state, said.seat, said.order.things[0]
        if thing.kind == "plan":
            if not _named(said):
                raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", thing.name)
            return 0, thing.name
        unit = empire.units[one_unit(empire, seat, said.order.things, "SEIZE", "any")]
        if not _named(said):
            near = tuple(f"WITH {named(taker)}" for taker in takers(empire, seat, unit))
            raise Refused("Say who seizes: WITH a unit in the same square.", "emp.P13", str(unit.number), near[:3])
        if unit.country in [country.name for country in empire.owned(seat)]:
            raise Refused(f"{named(unit)} is yours already.", "emp.P13", str(unit.number))
        return unit.number, ""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Any, ...]]]:
        """Things of others, or of nobody, where somebody of the seat is."""
        here, mine = {unit.at for unit in of_seat(state, seat)}, [country.name for country in state.owned(seat)]
        for unit in state.units.values():
            if unit.at in here and unit.country not in mine:
                yield Choice(named(unit), (unit.number, ""), f"in {unit.at}", unit.at)
        built = {factory.kind: at for at in here for factory in state.factories.get(at, ())}
        yield from (Choice(kind, (0, kind), "", at) for kind, at in built.items())

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, what = value
        yield Clause("", (Thing("plan", what),) if what else numbered(state, (unit,)))


class Seize(Deed, frozen=True):
    """A unit seized by another in the same square (emp.P13 to emp.P15), or the building `what` that stands there alone.

    The load of a unit goes with it, but for people.
    """

    unit: int
    by: int
    what: str = ""

    words = Words(
        "SEIZE",
        "seize somebody's unit in the same square, or a factory there that is in no city, or take goods by force",
        "emp.P13",
        "SEIZE cargo ship WITH {who}",
        ("TAKE BY FORCE",),
    )
    fields = (_Prize("prize", (*CARGO, "plan")), _BY)
    shapes: ClassVar[tuple[type[Declared[Empire]], ...]] = (SeizeGoods,)

    def meaning(self) -> str:
        if self.what:
            return f"Seize the {self.what} where unit {self.by} is."
        return f"Seize unit {self.unit} with unit {self.by}."

    @classmethod
    def read(cls, said: Said) -> Declared[Empire]:
        """Goods are another order."""
        if not _named(said) or all(thing.kind != "goods" for thing in said.order.things):
            return super().read(said)
        goods = cargo(said.state, said.seat, said.order.things, "", "any").goods
        if len(goods) != len(said.order.things):
            raise Refused("Seize goods and units in two orders.", "emp.P16", said.order.things[-1].name)
        return SeizeGoods.read(said)

    def act(self, stage: Stage, seat: Seat) -> None:
        empire = stage.state
        by = unit_of(empire, seat, self.by, "emp.P13")
        if self.what:
            stage.emit(self._building(empire, by))
            return
        target = empire.units.get(self.unit)
        if target is None:
            raise Refused(missing(empire, self.unit), "emp.P13", str(self.unit))
        if empire.countries[target.country].owner == seat:
            raise Refused(f"{named(target)} is yours.", "emp.P13", str(target.number))
        _check_unit(empire, target, by)
        units, lots = cargo_of(empire, (target.number,), persons=False)
        about = (target.number, target.kind, by.number, target.country, by.country, by.at)
        stage.emit(UnitSeized(*about, units, lots, counts_of(empire, units, lots)))

    def _building(self, empire: Empire, by: Unit) -> BuildingSeized:
        """A building outside a city falls to the only player there, within the limits of emp.P14 (emp.H-35)."""
        what, at = self.what, by.at
        if empire.city_at(at) is not None or all(factory.kind != what for factory in empire.factories.get(at, ())):
            raise Refused(f"No {what} stands outside a city in {at}.", "emp.H-35", what)
        victim = owner_of(empire, at)
        if victim and empire.same_owner(victim, by.country):
            raise Refused(f"The {what} in {at} is yours.", "emp.H-35", what)
        if not _seizes(by) or by.aboard:
            raise Refused(f"{named(by)} cannot seize it; a person on the ground can.", "emp.P14", str(by.number))
        _check_ground(empire, victim, by)
        return BuildingSeized(by.country, victim, what, at, by.number)


def _check_unit(empire: Empire, target: Unit, by: Unit) -> None:
    """emp.P13 to emp.P15. Raises Refused."""
    rule, kind, whole = "emp.P13", KINDS[target.kind], str(target.number)
    if target.at != by.at:
        raise Refused(f"{named(target)} is in {target.at}, not in {by.at}.", rule, whole)
    if by.kind == "cargo ship" and target.kind in _BY_SHIP:
        # emp.P15: a cargo ship takes a small craft that is unoccupied and not under tow.
        if target.aboard:
            raise Refused(f"{named(target)} is under tow or carried.", "emp.P15", whole)
        if any(KINDS[unit.kind].person for unit in empire.units.values() if unit.aboard == target.number):
            raise Refused(f"Somebody is aboard {named(target)}.", "emp.P15", whole)
        return
    if not _seizes(by):
        raise Refused(f"A {by.kind} seizes nothing.", "emp.P14", str(by.number))
    if kind.person:
        raise Refused(f"{named(target)} is a person; people are taken by attack only.", rule, target.kind)
    if by.aboard == target.number and target.kind in _FROM_WITHIN:
        _check_aboard(empire, target, by)
        return
    # emp.P13: ships and barges beached or docked, planes not in the air, nothing that is carried.
    if by.aboard not in (0, target.number):
        raise Refused(f"{named(by)} is aboard unit {by.aboard}; put it ashore first.", rule, str(by.number))
    if target.aboard:
        raise Refused(f"{named(target)} is carried by unit {target.aboard}.", rule, whole)
    if (kind.category == "naval" or target.kind == "barge") and target.status not in ("dock", "beach"):
        raise Refused(f"{named(target)} is neither beached nor docked.", rule, whole)
    if kind.category == "air" and target.status == "air":
        raise Refused(f"{named(target)} is in the air.", rule, whole)
    _check_ground(empire, target.country, by)


def takers(empire: Empire, seat: Seat, target: Unit) -> tuple[Unit, ...]:
    """The units of a seat that may seize a unit now, by number."""
    mine = (unit for unit in empire.units_at(target.at) if empire.countries[unit.country].owner == seat)
    return tuple(unit for unit in mine if Seize(target.number, unit.number).lawful(empire, seat))
