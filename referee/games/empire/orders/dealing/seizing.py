"""SEIZE: units, buildings and goods of others, by somebody in the same square (emp.P13 to emp.P16, emp.H-35)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.empire.deeds.dealing.seizing import check_building, check_seize, check_take, seize, take, takers
from referee.games.empire.orders.base import SlotOrder, granted
from referee.games.empire.orders.fields import CARGO, OneUnit, Wares, numbered
from referee.games.empire.orders.units import alike, cargo, how_many, of_seat, one_unit, single
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.rulebook.kinds import word_for
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Joint, Said, exact
from referee.kit.refused import Refused


def _named(said: Said) -> tuple[Thing, ...]:
    return (*said.after("WITH"), *said.after("BY"))


# ---------------------------------------------------------------- goods


class _Owner(Field[str]):
    """Whose goods; "" where only one country has any."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"OF": self.kinds, "FROM": self.kinds}

    def read(self, said: Said) -> str:
        return next((thing.name for thing in (*said.after("OF"), *said.after("FROM"))), "")

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("country", value),) if value else ()


class SeizeGoods(SlotOrder, frozen=True):
    """Goods taken by force from a country in the square of a unit (emp.P16); `of` is empty where only one has any."""

    goods: tuple[Goods, ...]
    by: int
    of: str = ""

    words = Words("SEIZE", "", "emp.P16", "")
    fields = (
        Wares("goods"),
        _Owner("of", ("country",), "OF", lambda of: f" of {of}" if of else ""),
        OneUnit("by", "WITH", "BY"),
    )
    says = "Take {goods}{of} by force with unit {by}."

    def do(self, table: Table[Empire], seat: Seat) -> None:
        take(table, seat, self.goods, self.by, self.of)


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

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, what = value
        yield Clause("", (Thing("plan", what),) if what else numbered(state, (unit,)))


class Seize(SlotOrder, frozen=True):
    """A unit seized by another in the same square (emp.P13 to emp.P15), or the building `what` that stands there alone."""

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
    fields = (_Prize("prize", (*CARGO, "plan")), OneUnit("by", "WITH", "BY"))
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

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[SlotOrder]:
        """What of others is where one's own are, who takes it, and how much of goods."""
        prize = yield from one("prize", _prizes(empire, seat))
        by = yield from one("by", map(single, _who_takes(empire, seat, prize)))
        if not prize.goods:
            return cls(prize.unit, by, prize.what)
        reach = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == (prize.goods, prize.at))
        many = yield from how_many(
            word_for(prize.goods),
            lambda many: granted(check_take, empire, seat, (Goods(prize.goods, exact(many)),), by, prize.of),
            reach,
        )
        return SeizeGoods((Goods(prize.goods, exact(many)),), by, prize.of)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        if self.what:
            table.emit(check_building(table.state, seat, self.what, self.by))
        else:
            seize(table, seat, self.unit, self.by)


# ---------------------------------------------------------------- what is lawful now


class _Booty(NamedTuple):
    """Something of others in a square: a unit, a building, or goods of a country."""

    at: Position
    unit: int = 0
    what: str = ""
    goods: str = ""
    of: str = ""


def _prizes(empire: Empire, seat: Seat) -> Iterator[Choice[_Booty]]:
    here = {unit.at for unit in of_seat(empire, seat)}
    for word, booty in _in_sight(empire, seat):
        if booty.at in here and any(True for _ in _who_takes(empire, seat, booty)):
            yield Choice(word, booty, f"in {booty.at}", booty.at)


def _in_sight(empire: Empire, seat: Seat) -> Iterator[tuple[str, _Booty]]:
    """Whatever is another's, or nobody's."""
    mine = [country.name for country in empire.owned(seat)]
    for unit in empire.units.values():
        if unit.country not in mine:
            yield named(unit), _Booty(unit.at, unit.number)
    for at, factories in empire.factories.items():
        for kind in dict.fromkeys(factory.kind for factory in factories):
            yield f"{kind} in {at}", _Booty(at, what=kind)
    for country, what, at in dict.fromkeys((lot.country, lot.what, lot.at) for lot in empire.lots):
        if country not in mine:
            yield f"{word_for(what)} of {country} in {at}", _Booty(at, goods=what, of=country)


def _who_takes(empire: Empire, seat: Seat, booty: _Booty) -> Iterator[Unit]:
    """Who of those in the square may take it; of those alike the first stands for all."""
    for same in alike(empire, (unit for unit in of_seat(empire, seat) if unit.at == booty.at)):
        by = same[0].number
        if booty.goods:
            may = granted(check_take, empire, seat, (Goods(booty.goods, exact(1)),), by, booty.of)
        elif booty.what:
            may = granted(check_building, empire, seat, booty.what, by)
        else:
            may = granted(check_seize, empire, seat, booty.unit, by)
        if may:
            yield same[0]
