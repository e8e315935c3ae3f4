"""SCRAP, DESTROY and BURN: buildings and cities taken down, units that end, goods destroyed (IV C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.deeds.work.scrapping import can_burn, can_destroy, can_scrap, end, ending_unit
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import PLACE, UNITS, Hand, OneOf, Place, Planned, lots
from referee.games.empire.orders.forces import alike, first_of, hands, how_many, of_seat
from referee.games.empire.orders.units import cargo, one_unit, place
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods, Some, who
from referee.games.empire.reckoning.naming import cargo as in_words
from referee.games.empire.rulebook.nouns import GOODS_WORDS, word_for
from referee.kit.declared import Words
from referee.kit.fields import Field, Joint, Said, exact
from referee.kit.refused import Refused

ITSELF = "itself"
"""What a unit destroys that dies, crashes or is scuttled."""


# ---------------------------------------------------------------- SCRAP


class Scrap(Deed, frozen=True):
    """A factory or other building scrapped over turn end, with a construction machine (IV C)."""

    unit: int
    what: str
    some: tuple[Some, ...] = ()

    words = Words(
        "SCRAP",
        "scrap a building over the end of the turn with a construction machine; half of what went in returns",
        "emp.board.scrapping",
        "SCRAP steel mill WITH {who}",
    )
    fields = (Planned("what", ("plan",)), Hand("hand"))
    says = "Scrap {what} with {hand}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who does it, and which building of his square goes."""
        who = hands(empire, seat, lambda unit: any(True for _ in _to_scrap(empire, seat, unit)))
        unit = yield from one("who", who)
        return cls(unit, (yield from one("what", _to_scrap(empire, seat, empire.units[unit]))))

    def act(self, stage: Stage, seat: Seat) -> None:
        stage.emit(can_scrap(stage.state, seat, self.unit, self.what))


def _to_scrap(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    for what in dict.fromkeys(standing(empire, unit.at)):
        if granted(can_scrap, empire, seat, unit.number, what):
            yield Choice(what, what, "", unit.at)


# ---------------------------------------------------------------- DESTROY


class _Doom(Joint):
    """A building or city and the coolie who destroys it, or a unit that ends itself."""

    joins = ("what", "unit", "some")
    by, self_named = Hand("hand"), OneOf("unit")

    def __init__(self) -> None:
        super().__init__("doom", ("plan", *UNITS), "", _said)

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"WITH": UNITS, "IN": PLACE, "AT": PLACE}

    def read(self, said: Said) -> tuple[Any, ...]:
        (thing,) = said.order.things
        if thing.kind == "plan":
            return (thing.name, *self.by.read(said))
        at = place(said.state, said.order, "IN", "AT")
        if thing.kind == "unit" and at:
            return ITSELF, 0, cargo(said.state, said.seat, said.order.things, at).some
        return ITSELF, one_unit(said.state, said.seat, said.order.things, said.order.verb), ()

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        what, unit, some = value
        if what == ITSELF:
            yield from self.self_named.clauses((unit, some), state)
        else:
            yield Clause("", (Thing("plan", what),))
            yield from self.by.clauses((unit, some), state)


def _said(value: tuple[Any, ...]) -> str:
    what, unit, some = value
    return f"Kill, crash or scuttle {who(unit, some)}" if what == ITSELF else f"Destroy {what} with {who(unit, some)}"


class Destroy(Deed, frozen=True):
    """A building or city destroyed by a coolie, one a turn; with `what` "itself" the unit dies, crashes or scuttles."""

    what: str
    unit: int = 0
    some: tuple[Some, ...] = ()

    words = Words(
        "DESTROY",
        "destroy a building or city with a coolie, or let a unit die, crash or sink",
        "emp.board.destruction",
        "DESTROY steel mill WITH {who}",
        ("KILL", "SCUTTLE", "CRASH"),
    )
    fields = (_Doom(),)
    says = "{doom}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Who, and a building of his square, or himself."""
        unit = yield from one("who", _destroyers(empire, seat))
        what = yield from one("what", _to_destroy(empire, seat, empire.units[unit]))
        return cls(what, unit)

    def act(self, stage: Stage, seat: Seat) -> None:
        if self.what == ITSELF:
            end(stage, seat, self.unit)
        else:
            stage.emit(can_destroy(stage.state, seat, self.unit, self.what))


def _destroyers(empire: Empire, seat: Seat) -> Iterator[Choice[int]]:
    yield from hands(empire, seat, lambda unit: any(True for _ in _to_destroy(empire, seat, unit)))
    for same in alike(empire, (unit for unit in of_seat(empire, seat) if unit.kind != "coolie")):
        if granted(ending_unit, empire, seat, same[0].number):
            yield first_of(same)


def _to_destroy(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    there: Iterable[str] = dict.fromkeys((*standing(empire, unit.at), "city")) if unit.kind == "coolie" else ()
    for what in there:
        if granted(can_destroy, empire, seat, unit.number, what):
            yield Choice(what, what, "", unit.at)
    if granted(ending_unit, empire, seat, unit.number):
        yield Choice(ITSELF, ITSELF, "it dies, crashes or is scuttled", unit.at)


# ---------------------------------------------------------------- BURN


class _Goods(Field[tuple[Goods, ...]]):
    """So much of kinds of goods; all of it where no number is said."""

    most = None

    def read(self, said: Said) -> tuple[Goods, ...]:
        every = Quantity(Portion.ALL)
        return tuple(Goods(GOODS_WORDS[thing.name], thing.quantity or every) for thing in said.order.things)

    def things(self, value: tuple[Goods, ...], state: Empire) -> tuple[Thing, ...]:
        return lots(value)


class Burn(Deed, frozen=True):
    """Goods burnt, consumed or thrown into water."""

    goods: tuple[Goods, ...]
    at: str

    words = Words(
        "BURN",
        "burn, use up or throw into water goods that lie in a square",
        "emp.board.destruction",
        "BURN 2 X IN c12r7",
        ("DUMP", "THROW AWAY"),
    )
    fields = (_Goods("goods", ("goods",), "", lambda goods: in_words(goods, ())), Place("at", "IN", "AT", needed=False))
    says = "Burn, use up or throw away {goods} in {at}."

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if not order.at:
            raise Refused("Say where: BURN ... IN c12r7.", "emp.board.destruction", said.order.things[0].name)
        return order

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A square with somebody to do it, what lies there, and how much of it."""
        at = yield from one("where", _pyres(empire, seat))
        what = yield from one("what", _to_burn(empire, seat, at))
        held = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == (what, at))
        many = yield from how_many(what, lambda number: _burns(empire, seat, what, number, at), held)
        return cls((Goods(what, exact(many)),), at)

    def act(self, stage: Stage, seat: Seat) -> None:
        for goods in self.goods:
            stage.emit(can_burn(stage.state, seat, goods, self.at))


def _pyres(empire: Empire, seat: Seat) -> Iterator[Choice[Position]]:
    for at in dict.fromkeys(unit.at for unit in of_seat(empire, seat) if unit.kind in ("coolie", "SAC")):
        if any(True for _ in _to_burn(empire, seat, at)):
            yield placed(at)


def _to_burn(empire: Empire, seat: Seat, at: Position) -> Iterator[Choice[str]]:
    for what in dict.fromkeys(lot.what for lot in empire.lots if lot.at == at):
        if _burns(empire, seat, what, 1, at):
            yield Choice(word_for(what), what, "", at)


def _burns(empire: Empire, seat: Seat, what: str, number: int, at: Position) -> bool:
    return granted(can_burn, empire, seat, Goods(what, exact(number)), at)
