"""Parts of orders that only Empire has: squares, units by number or so many of a kind, who does a piece of work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from referee.core.choices import Asking, Choice, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.games.empire.deeds.building import new_name
from referee.games.empire.orders.units import (
    cargo,
    first_of,
    group,
    hand,
    hands,
    how_many,
    lots_in,
    of_seat,
    one_unit,
    place,
    ranks,
    single,
    square,
)
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import Goods, Some, named, which, who
from referee.games.empire.reckoning.ownership import cargo as in_words
from referee.games.empire.rulebook.kinds import plural, word_for
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.fields import Among, Field, Got, Joint, Leads, Said, exact
from referee.kit.wording import stock_in_words

V = TypeVar("V")

PLACE = ("hex", "city")
UNITS = ("numbered", "unit", "number")
CARGO = ("numbered", "unit", "goods", "number")

_THERE: Mapping[str, tuple[str, ...]] = {"IN": PLACE, "AT": PLACE}


# ---------------------------------------------------------------- written


def numbered(empire: Empire, numbers: Sequence[int]) -> tuple[Thing, ...]:
    """Units by their kind and number."""
    return tuple(Thing("numbered", named(empire.units[number])) for number in numbers)


def groups(some: Sequence[Some]) -> tuple[Thing, ...]:
    """So many of a kind."""
    return tuple(Thing("unit", plural(part.kind), part.quantity) for part in some)


def lots(goods: Sequence[Goods]) -> tuple[Thing, ...]:
    """So much of kinds of goods."""
    return tuple(Thing("goods", word_for(part.what), part.quantity) for part in goods)


def hexes(squares: Sequence[str]) -> tuple[Thing, ...]:
    """Squares by their co-ordinates."""
    return tuple(Thing("hex", at) for at in squares)


def _where(some: Sequence[Some], *words: str) -> Iterator[Clause]:
    """The square of those that are given by kind, where a word says it."""
    yield from (Clause(word, hexes([part.at])) for word in words for part in some[:1])


# ---------------------------------------------------------------- so many of what is alike


class Heap(NamedTuple):
    """So many alike of a noun, and the value of a field that takes so many of them."""

    noun: str
    most: int
    part: Callable[[int], Any]
    usual: int = 1


class Heaped(Field[V]):
    """A part that takes so many of one heap: units alike, or goods of a kind."""

    def heaps(self, state: Empire, seat: Seat, got: Got) -> Iterable[Choice[Heap]]:
        """The heaps it may take from."""
        raise NotImplementedError(type(self).__name__)

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[V]]:
        """One of each heap."""
        for heap in self.heaps(state, seat, got):
            yield _with(heap, heap.value.part(1))

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[V]) -> Asking[V]:
        """A heap, and how much of it."""
        able = [heap for heap in self.heaps(state, seat, got) if leads(heap.value.part(1))]
        place = yield from one(self.name, (_with(heap, place) for place, heap in enumerate(able)))
        noun, most, part, usual = able[place].value
        value: V = part((yield from how_many(noun, lambda many: leads(part(many)), most, usual)))
        return value


def heaps_of_units(same: Iterable[Sequence[Unit]], make: Callable[[tuple[int, ...]], Any]) -> Iterator[Choice[Heap]]:
    """Units alike, by the first of them."""

    def heap(units: tuple[int, ...]) -> Heap:
        return Heap("units", len(units), lambda many: make(units[:many]))

    return (_with(found, heap(found.value)) for found in map(group, same))


def heaps_of_goods(
    lots: Iterable[Lot], make: Callable[[Goods], Any], usual: Callable[[int], int] = lambda held: 1
) -> Iterator[Choice[Heap]]:
    """Goods of a kind, in one square or everywhere."""
    held: dict[str, int] = {}
    places: dict[str, set[str]] = {}
    for lot in lots:
        held[lot.what] = held.get(lot.what, 0) + lot.number
        places.setdefault(lot.what, set()).add(lot.at)

    def heap(what: str, most: int) -> Heap:
        return Heap(what, most, lambda many: make(Goods(what, exact(many))), usual(most))

    for what, most in held.items():
        at = next(iter(places[what])) if len(places[what]) == 1 else ""
        yield Choice(word_for(what), heap(what, most), f"{most} in {at}" if at else str(most), at)


def _with(choice: Choice[Any], value: V) -> Choice[V]:
    """The same word for another value."""
    return Choice(choice.word, value, choice.meaning, choice.at)


# ---------------------------------------------------------------- units


def _nowhere(said: Said) -> str:
    return ""


def _at(field: Group | Lading, state: Empire, seat: Seat, got: Got) -> str:
    return field.at(Said(Order(""), state, seat, got))


class Group(Heaped[tuple[Any, ...]], Joint):
    """`units` by number and `some` so many of a kind in a square; `either` is another word for the preposition.

    The square stands under `where`; else it is what `at` finds of the parts read before. `aboard`: those that something carries.
    """

    most, joins = None, ("units", "some")

    def __init__(
        self,
        name: str,
        under: str = "",
        either: str = "",
        where: tuple[str, ...] = ("IN", "AT"),
        at: Callable[[Said], str] = _nowhere,
        kinds: Sequence[str] = UNITS,
        aboard: bool = False,
    ) -> None:
        super().__init__(name, kinds, under, lambda value: which(*value))
        self.either, self.where, self.at, self.aboard = either, where, at, aboard

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {**dict.fromkeys(self.where, PLACE), **{word: UNITS for word in (self.under, self.either) if word}}

    def read(self, said: Said) -> tuple[Any, ...]:
        things = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        found = cargo(said.state, said.seat, things, place(said.state, said.order, *self.where) or self.at(said))
        return found.units, found.some

    def heaps(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[Heap]]:
        """Units alike; those beside a unit that was chosen before, where it is one that they board or follow."""
        here = ranks(state, seat, _at(self, state, seat, got))
        able = (same for same in here if same[0].aboard or not self.aboard)
        return heaps_of_units(able, lambda units: (units, ()))

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        units, some = value
        yield Clause(self.under, (*numbered(state, units), *groups(some)))
        yield from _where(some, *self.where[:1])


def beside_unit(name: str) -> Callable[[Said], str]:
    """The square of a unit that was read before."""
    return lambda said: str(said.state.units[said.got[name]].at)


class Lading(Heaped[tuple[Any, ...]], Joint):
    """Goods, units by number and so many of a kind: as with a Group, `where` or `at` says where those are.

    `aboard`: those that the unit of this name carries; `usual` tells how much of so many goods is usual.
    """

    most, joins = None, ("goods", "units", "some")

    def __init__(
        self,
        name: str,
        at: Callable[[Said], str],
        where: tuple[str, ...] = (),
        kinds: Sequence[str] = CARGO,
        aboard: str = "",
        usual: Callable[[int], int] = lambda held: 1,
    ) -> None:
        super().__init__(name, kinds, "", lambda value: in_words(*value))
        self.at, self.where, self.aboard, self.usual = at, where, aboard, usual

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self.where, PLACE)

    def read(self, said: Said) -> tuple[Any, ...]:
        at = place(said.state, said.order, *self.where) or self.at(said)
        found = cargo(said.state, said.seat, said.order.things, at)
        return found.goods, found.units, found.some

    def heaps(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[Heap]]:
        """Goods of a kind and units alike, whoever's the goods are."""
        at, carrier = _at(self, state, seat, got), got.get(self.aboard)
        lots = (lot for lot in lots_in(state, at) if carrier in (None, lot.aboard))
        yield from heaps_of_goods(lots, lambda goods: ((goods,), (), ()), self.usual)
        here = (same for same in ranks(state, seat, at) if carrier in (None, same[0].aboard))
        yield from heaps_of_units(here, lambda units: ((), units, ()))

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        goods, units, some = value
        yield Clause("", (*lots(goods), *numbered(state, units), *groups(some)))
        yield from _where(some, *self.where[:1])


def lots_of_seat(state: Empire, seat: Seat, got: Got) -> Iterator[Lot]:
    """All goods of a seat, those of a square alone where one was chosen before."""
    mine, at = [country.name for country in state.owned(seat)], got.get("at", "")
    return (lot for lot in state.lots if lot.country in mine and at in ("", lot.at))


class Wares(Heaped[tuple[Goods, ...]]):
    """Goods alone, so much of each; `lots` are those that may be meant."""

    most = None

    def __init__(
        self,
        name: str,
        lots: Callable[[Empire, Seat, Got], Iterable[Lot]] = lots_of_seat,
        kinds: Sequence[str] = CARGO,
    ) -> None:
        super().__init__(name, kinds, "", lambda value: in_words(value, ()))
        self.lots = lots

    def read(self, said: Said) -> tuple[Goods, ...]:
        return cargo(said.state, said.seat, said.order.things, "", "any").goods

    def heaps(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[Heap]]:
        return heaps_of_goods(self.lots(state, seat, got), lambda goods: (goods,))

    def things(self, value: tuple[Goods, ...], state: Empire) -> tuple[Thing, ...]:
        return lots(value)


class OneUnit(Field[int]):
    """One unit, by number or by its kind where there is only one; `either` is another word for the preposition."""

    def __init__(
        self,
        name: str,
        under: str = "",
        either: str = "",
        whose: str = "",
        needed: bool | None = None,
        among: Among[int] | None = None,
    ) -> None:
        super().__init__(name, UNITS, under, among=among)
        self.either, self.whose, self.needed = either, whose, not either if needed is None else needed

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {word: UNITS for word in (self.under, self.either) if word}

    def read(self, said: Said) -> int:
        things = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        verb = f"{said.order.verb} ... {self.under}" if self.under else said.order.verb
        return one_unit(said.state, said.seat, things, verb, self.whose)

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterable[Choice[int]]:
        """Of units alike the first, who stands for all; every unit of others where it is theirs."""
        if self.among:
            return self.among(state, seat, got)
        if self.whose:
            mine = [country.name for country in state.owned(seat)]
            return (single(unit) for unit in state.units.values() if unit.country not in mine)
        return map(first_of, ranks(state, seat))

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return numbered(state, (value,))


class OneOf(Joint):
    """The unit it is done to: named by number, or one of a kind in the square of IN."""

    joins = ("unit", "some")

    def __init__(self, name: str) -> None:
        super().__init__(name, UNITS, "", lambda value: who(*value))

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return _THERE

    def read(self, said: Said) -> tuple[Any, ...]:
        found = cargo(said.state, said.seat, said.order.things, place(said.state, said.order, *_THERE))
        return (found.units[0] if found.units else 0), found.some

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Any, ...]]]:
        """Everybody, who has nothing to do first; those alike are one to choose."""
        return (_with(choice, (choice.value, ())) for choice in hands(state, seat))

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, some = value
        yield Clause("", numbered(state, (unit,)) if unit else groups(some))
        yield from _where(some, "IN")


class Hand(Joint):
    """The hand for a piece of work: the unit of WITH, or an idle coolie of the square of IN; `either` is another word for WITH."""

    needed, joins = False, ("unit", "some")

    def __init__(self, name: str, either: str = "", among: Among[Any] | None = None) -> None:
        super().__init__(name, UNITS, "WITH", lambda value: who(*value), among)
        self.either = either

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"WITH": UNITS, **_THERE, **({self.either: UNITS} if self.either else {})}

    def read(self, said: Said) -> tuple[Any, ...]:
        return hand(said.state, said.seat, said.order)

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterable[Choice[tuple[Any, ...]]]:
        """Everybody, who has nothing to do first."""
        if self.among is not None:
            return self.among(state, seat, got)
        return (_with(choice, (choice.value, ())) for choice in hands(state, seat))

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, some = value
        if unit:
            yield Clause("WITH", numbered(state, (unit,)))
        elif (some[0].kind, some[0].quantity) != ("coolie", exact(1)):
            yield Clause("WITH", groups(some))
        yield from _where(some, "IN")


# ---------------------------------------------------------------- squares and names


def beside_units(state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """The squares beside the units that were chosen."""
    return (placed(at) for _, at in state.board.grid.around(state.units[got["units"][0]].at))


def squares_of_seat(state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """The squares in which somebody of a seat is."""
    return map(placed, dict.fromkeys(unit.at for unit in of_seat(state, seat)))


def countries(state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """Every country by its name."""
    return (Choice(name, name) for name in state.countries)


class Place(Field[str]):
    """One square of those `among` which it may be; "" where none is named. `either` is another word for the preposition."""

    def __init__(
        self,
        name: str,
        under: str,
        either: str = "",
        say: Callable[[str], str] = str,
        needed: bool = True,
        among: Among[str] = beside_units,
    ) -> None:
        super().__init__(name, PLACE, under, say, among)
        self.either, self.needed = either, needed

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(filter(None, (self.under, self.either)), PLACE)

    def read(self, said: Said) -> str:
        return place(said.state, said.order, *self.prepositions())

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([value]) if value else ()


class Way(Field[tuple[str, ...]]):
    """Squares one after the other, or side by side. `either` is another word for the preposition.

    Any of those `among` which they are, in the order of preference; none where nothing is said of that.
    """

    most = None

    def __init__(
        self,
        name: str,
        under: str,
        say: Callable[[tuple[str, ...]], str],
        needed: bool,
        either: str = "",
        among: Among[str] | None = None,
    ) -> None:
        super().__init__(name, PLACE, under, say, among)
        self.needed, self.either = needed, either

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(filter(None, (self.under, self.either)), PLACE)

    def read(self, said: Said) -> tuple[str, ...]:
        named = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        return tuple(square(said.state, thing) for thing in named)

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[str, ...]]]:
        if self.among is None:
            yield Choice("none", ())
        else:
            yield from (_with(choice, (choice.value,)) for choice in self.among(state, seat, got))

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[str, ...]]) -> Asking[tuple[str, ...]]:
        """Any of them, in the order of preference; nobody is asked where there are none."""
        able = [
            _with(choice, at) for choice in self.offers(state, seat, got) if leads(choice.value) for at in choice.value
        ]
        return (yield from several(self.name, able, 1)) if self.among else ()

    def things(self, value: tuple[str, ...], state: Empire) -> tuple[Thing, ...]:
        return hexes(value)


def priced(plans: Iterable[str]) -> Iterator[Choice[str]]:
    """Plans with what they take."""
    for what in dict.fromkeys(plans):
        yield Choice(what, what, f"takes {stock_in_words(PLANS[what].materials)}")


class Planned(Field[str]):
    """A plan by its name: what is built, or taken down again."""

    def __init__(
        self,
        name: str,
        kinds: Sequence[str] = ("plan",),
        say: Callable[[str], str] = str,
        among: Among[str] = lambda *_: priced(PLANS),
    ) -> None:
        super().__init__(name, kinds, "", say, among)

    def read(self, said: Said) -> str:
        return PLANS[said.order.things[0].name].name

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("plan", value),)


class Name(Field[str]):
    """A name that the player chooses, in quotation marks where that is needed; one that follows a preposition may be missing."""

    def __init__(self, name: str, under: str = "") -> None:
        super().__init__(name, ("text", "word"), under)
        self.needed, self.most = not under, None if under else 1

    def read(self, said: Said) -> str:
        return " ".join(thing.name for thing in said.after(self.under))

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        """None where it may be missing, else one that no city has."""
        name = new_name(state, seat)
        yield from (Choice("none", "") for _ in ("missing",) if not self.needed)
        yield Choice(name, name, "or any other name")

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[str]) -> Asking[str]:
        """Where it is missing nobody is asked, unless it must be there."""
        able = [choice for choice in self.offers(state, seat, got) if leads(choice.value)]
        return "" if able and not able[0].value else (yield from one(self.name, able))

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("text", value),) if value else ()
