"""SCRAP, DESTROY and BURN: buildings and cities taken down, units that end, goods destroyed (IV C)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.building import standing
from referee.games.empire.deeds.debts_and_petitions import death
from referee.games.empire.events.work import GoodsDestroyed, UnitDestroyed, WorkOrdered
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import (
    PLACE,
    UNITS,
    Hand,
    OneOf,
    Place,
    Planned,
    Wares,
    squares_of_seat,
)
from referee.games.empire.orders.units import cargo, hands, one_unit, place
from referee.games.empire.position import Unit, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import Goods, Some, flies, unit_of, who
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.reckoning.work import RAZING, idle, land_square, machine_free, own_coolie, owner_of
from referee.games.empire.rulebook.kinds import GOODS_WORDS, KINDS
from referee.kit.declared import Plain, Words
from referee.kit.fields import Got, Joint, Leads, Said
from referee.kit.refused import Refused

BURNT = ("X", "O", "C", "bomb", "light bomb", "torpedo")
"""Goods that burn anywhere; others are thrown into water (IV C)."""

_WORDS = {"t&d": "TD", "T&S": "TS"}
"""Goods whose name cannot stand in an order."""

ITSELF = "itself"
"""The word for the thing destroyed where a unit dies, crashes or is scuttled."""


def _by_water(empire: Empire, at: str) -> bool:
    return empire.board.squares[at].water or empire.board.coastal(at)


# ---------------------------------------------------------------- SCRAP


def _standing(empire: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    at = empire.units[got["unit"]].at
    return (Choice(what, what, "", at) for what in dict.fromkeys(standing(empire, at)))


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
    fields = (Planned("what", among=_standing), Hand("hand"))
    says, asks_first = "Scrap {what} with {hand}.", ("hand",)

    def act(self, stage: Stage, seat: Seat) -> None:
        unit = _at_building(stage.state, seat, self.unit, "scrap", self.what)
        machine_free(stage.state, unit)
        stage.emit(_over_the_end(stage.state, unit, f"scrap {self.what}"))


def _at_building(empire: Empire, seat: Seat, number: int, verb: str, what: str) -> Unit:
    """The coolie that is to scrap or destroy a building that stands where he is. Raises Refused."""
    unit = own_coolie(empire, seat, number, RAZING if verb == "destroy" else "emp.board.scrapping")
    idle(empire, unit)
    land_square(empire, unit)
    owner, city = owner_of(empire, unit.at), empire.city_at(unit.at)
    if owner and all(country.name != owner for country in empire.owned(seat)):
        name, taking = (city.name, ()) if city is not None else (f"The {what}", (f"SEIZE {what} WITH coolie {number}",))
        raise Refused(f"{name} in {unit.at} belongs to {owner}.", "emp.board.destruction", what, taking)
    doomed = [w.what.partition(" ")[2] for w in empire.works if w.at == unit.at and w.left]
    left = list(standing(empire, unit.at))
    for gone in doomed:
        if gone in left:
            left.remove(gone)
    if what not in left:
        others = tuple(f"{verb.upper()} {other} WITH coolie {number}" for other in dict.fromkeys(left))
        raise Refused(f"There is no {what} to {verb} in {unit.at}.", "emp.board.destruction", what, others[:3])
    return unit


def _over_the_end(empire: Empire, unit: Unit, what: str) -> WorkOrdered:
    return WorkOrdered(Work(empire.next_work, what, unit.at, unit.country, unit.number, 1))


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

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Any, ...]]]:
        for hand in hands(state, seat):
            yield from self._by(state, hand.value)

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[Any, ...]]) -> Asking[tuple[Any, ...]]:
        """The unit, and a building of his square, or himself."""
        able = (hand for hand in hands(state, seat) if any(leads(c.value) for c in self._by(state, hand.value)))
        unit = yield from one("who", able)
        return (yield from one("what", (choice for choice in self._by(state, unit) if leads(choice.value))))

    def _by(self, state: Empire, unit: int) -> Iterator[Choice[tuple[Any, ...]]]:
        at = state.units[unit].at
        for what in dict.fromkeys((*standing(state, at), "city")):
            yield Choice(what, (what, unit, ()), "", at)
        yield Choice(ITSELF, (ITSELF, unit, ()), "it dies, crashes or is scuttled", at)

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
    plain = Plain("Tear down")
    fields = (_Doom(),)
    says = "{doom}."

    def act(self, stage: Stage, seat: Seat) -> None:
        """A coolie destroys one building a turn, or the city when all its buildings are gone or doomed."""
        if self.what == ITSELF:
            self._ends(stage, self._ending(stage.state, unit_of(stage.state, seat, self.unit)))
        else:
            raze = self._city if self.what == "city" else self._building
            stage.emit(_over_the_end(stage.state, raze(stage.state, seat), f"destroy {self.what}"))

    def _building(self, empire: Empire, seat: Seat) -> Unit:
        return _at_building(empire, seat, self.unit, "destroy", self.what)

    def _city(self, empire: Empire, seat: Seat) -> Unit:
        unit = own_coolie(empire, seat, self.unit, RAZING)
        idle(empire, unit)
        city = empire.city_at(unit.at)
        if city is None or city.country != unit.country:
            raise Refused(f"You have no city in {unit.at}.", "emp.C2", unit.at)
        here = [work for work in empire.works if work.at == unit.at and work.left]
        doomed = sum(work.what.partition(" ")[0] in ("scrap", "destroy") for work in here)
        if len(standing(empire, unit.at)) > doomed:
            left = ", ".join(dict.fromkeys(standing(empire, unit.at)))
            raise Refused(f"{city.name} still has buildings: {left}.", "emp.C2", city.name)
        return unit

    def _ending(self, empire: Empire, unit: Unit) -> Unit:
        """Persons end themselves any time, planes in the air, ships at sea or beached, what is thrown into water beside it."""
        kind, name, rule = KINDS[unit.kind], f"{unit.kind} {unit.number}", "emp.board.destruction"
        if not kind.person:
            in_hand = _in_hand(empire, unit)
            if kind.category == "air" and not flies(unit) and not in_hand:
                raise Refused(f"{name} is not in the air.", rule, str(unit.number))
            afloat = empire.board.squares[unit.at].water or unit.status in ("", "beach", "submerged")
            if kind.category == "naval" and (unit.status == "dock" or not afloat):
                raise Refused(f"{name} is in dock.", rule, str(unit.number))
            if (kind.category in ("land", "hauled") or in_hand) and not _by_water(empire, unit.at):
                raise Refused(f"There is no water near {unit.at}.", rule, str(unit.number))
        return unit

    def _ends(self, stage: Stage, unit: Unit, with_carrier: bool = False) -> None:
        """A unit is gone, and before it all that is aboard. A person who dies alone leaves what he has."""
        for other in stage.state.units.values():
            if other.aboard == unit.number:
                self._ends(stage, other, with_carrier=True)
        kind = KINDS[unit.kind]
        if kind.person and not with_carrier:
            stage.emit(death(stage.state, unit, "on command", "emp.board.destruction"))
            return
        lost = tuple(lot for lot in stage.state.lots if lot.aboard == unit.number)
        thrown = "is lost" if with_carrier else "is thrown into water"
        ends = {"air": "crashes", "naval": "is scuttled"}
        how = thrown if _in_hand(stage.state, unit) else ends.get(kind.category, thrown)
        stage.emit(UnitDestroyed(unit.country, unit.number, unit.kind, unit.at, how, lost))


def _in_hand(empire: Empire, unit: Unit) -> bool:
    """Whether coolies carry a unit: so they bring aircraft to the water (IV C)."""
    carrier = empire.units.get(unit.aboard)
    return carrier is not None and carrier.kind == "coolie"


# ---------------------------------------------------------------- BURN


class _Goods(Wares):
    """So much of kinds of goods; all of it where no number is said."""

    def read(self, said: Said) -> tuple[Goods, ...]:
        every = Quantity(Portion.ALL)
        return tuple(Goods(GOODS_WORDS[thing.name], thing.quantity or every) for thing in said.order.things)


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
    plain = Plain("Throw away")
    fields = (_Goods("goods", kinds=("goods",)), Place("at", "IN", "AT", needed=False, among=squares_of_seat))
    says, asks_first = "Burn, use up or throw away {goods} in {at}.", ("at",)

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        if not order.at:
            raise Refused("Say where: BURN ... IN c12r7.", "emp.board.destruction", said.order.things[0].name)
        return order

    def act(self, stage: Stage, seat: Seat) -> None:
        """By a coolie or SAC there."""
        for goods in self.goods:
            empire, at, rule = stage.state, self.at, "emp.board.destruction"
            mine = (country.name for country in empire.owned(seat))
            country = next((n for n in mine if any(u.at == at for u in empire.units_of(n, "coolie", "SAC"))), None)
            if country is None:
                raise Refused(f"You have no coolie in {at}.", rule, at)
            have = held(empire, country, at, goods.what)
            number = goods.quantity.of(have)
            if not 0 < number <= have:
                rest = (f"BURN {have} {_WORDS.get(goods.what, goods.what)} IN {at}",) if have else ()
                raise Refused(f"{country} has {have or 'no'} {goods.what} in {at}.", rule, goods.what, rest)
            burnt = goods.what in BURNT
            if not burnt and not _by_water(empire, at):
                raise Refused(f"{goods.what} does not burn, and {at} has no water.", rule, goods.what)
            lots = taken(lots_at(empire, country, at, goods.what), number)
            stage.emit(GoodsDestroyed(country, at, "is burnt" if burnt else "is thrown into water", lots))
