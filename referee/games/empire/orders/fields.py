"""Parts of orders that only Empire has: squares, units by number or so many of a kind, who does a piece of work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.games.empire.orders.units import (
    alike,
    cargo,
    group,
    hand,
    how_many,
    of_seat,
    one_unit,
    place,
    single,
    square,
)
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods, Some, which, who
from referee.games.empire.reckoning.naming import cargo as in_words
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.rulebook.kinds import plural, word_for
from referee.games.empire.rulebook.plans import PLANS
from referee.kit.fields import Field, Joint, Said, exact

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


# ---------------------------------------------------------------- units


def _nowhere(said: Said) -> str:
    return ""


class Group(Joint):
    """`units` by number and `some` so many of a kind in a square; `either` is another word for the preposition.

    The square stands under `where`; else it is what `at` finds of the parts read before.
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
    ) -> None:
        super().__init__(name, kinds, under, lambda value: which(*value))
        self.either, self.where, self.at = either, where, at

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {**dict.fromkeys(self.where, PLACE), **{word: UNITS for word in (self.under, self.either) if word}}

    def read(self, said: Said) -> tuple[Any, ...]:
        things = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        found = cargo(said.state, said.seat, things, place(said.state, said.order, *self.where) or self.at(said))
        return found.units, found.some

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        """The first of units alike; those beside a unit that was chosen before, where it is one that they board or follow."""
        return (
            Choice(found.word, (found.value[:1], ()), found.meaning, found.at)
            for found in self._alike(state, seat, got)
        )

    def asked(
        self, state: Empire, seat: Seat, got: Mapping[str, Any], leads: Callable[[tuple[Any, ...]], bool]
    ) -> Asking[tuple[Any, ...]]:
        """Units alike, and how many of them."""
        who = yield from one(self.name, (each for each in self._alike(state, seat, got) if leads((each.value[:1], ()))))
        many = yield from how_many("units", lambda many: leads((who[:many], ())), len(who))
        return who[:many], ()

    def _alike(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[int, ...]]]:
        at = self.at(Said(Order(""), state, seat, got))
        return map(group, alike(state, (unit for unit in of_seat(state, seat) if at in ("", unit.at))))

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        units, some = value
        yield Clause(self.under, (*numbered(state, units), *groups(some)))
        yield from _where(some, *self.where[:1])


def beside_unit(name: str) -> Callable[[Said], str]:
    """The square of a unit that was read before."""
    return lambda said: str(said.state.units[said.got[name]].at)


class Lading(Joint):
    """Goods, units by number and so many of a kind: as with a Group, `where` or `at` says where those are."""

    most, joins = None, ("goods", "units", "some")

    def __init__(
        self, name: str, at: Callable[[Said], str], where: tuple[str, ...] = (), kinds: Sequence[str] = CARGO
    ) -> None:
        super().__init__(name, kinds, "", lambda value: in_words(*value))
        self.at, self.where = at, where

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self.where, PLACE)

    def read(self, said: Said) -> tuple[Any, ...]:
        at = place(said.state, said.order, *self.where) or self.at(said)
        found = cargo(said.state, said.seat, said.order.things, at)
        return found.goods, found.units, found.some

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        goods, units, some = value
        yield Clause("", (*lots(goods), *numbered(state, units), *groups(some)))
        yield from _where(some, *self.where[:1])


class Wares(Field[tuple[Goods, ...]]):
    """Goods alone: so much of each."""

    most = None

    def __init__(self, name: str) -> None:
        super().__init__(name, CARGO, "", lambda value: in_words(value, ()))

    def read(self, said: Said) -> tuple[Goods, ...]:
        return cargo(said.state, said.seat, said.order.things, "", "any").goods

    def things(self, value: tuple[Goods, ...], state: Empire) -> tuple[Thing, ...]:
        return lots(value)


class OneUnit(Field[int]):
    """One unit, by number or by its kind where there is only one; `either` is another word for the preposition."""

    def __init__(
        self, name: str, under: str = "", either: str = "", whose: str = "", needed: bool | None = None
    ) -> None:
        super().__init__(name, UNITS, under)
        self.either, self.whose, self.needed = either, whose, not either if needed is None else needed

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {word: UNITS for word in (self.under, self.either) if word}

    def read(self, said: Said) -> int:
        things = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        verb = f"{said.order.verb} ... {self.under}" if self.under else said.order.verb
        return one_unit(said.state, said.seat, things, verb, self.whose)

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[int]]:
        return map(single, of_seat(state, seat))

    def things(self, value: int, state: Empire) -> tuple[Thing, ...]:
        return numbered(state, (value,))


class OneOf(Joint):
    """Who it is done to: a unit by number, or one of a kind in the square of IN."""

    joins = ("unit", "some")

    def __init__(self, name: str) -> None:
        super().__init__(name, UNITS, "", lambda value: who(*value))

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return _THERE

    def read(self, said: Said) -> tuple[Any, ...]:
        found = cargo(said.state, said.seat, said.order.things, place(said.state, said.order, *_THERE))
        return (found.units[0] if found.units else 0), found.some

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, some = value
        yield Clause("", numbered(state, (unit,)) if unit else groups(some))
        yield from _where(some, "IN")


class Hand(Joint):
    """Who does a piece of work: the unit of WITH, or an idle coolie of the square of IN; `either` is another word for WITH."""

    needed, joins = False, ("unit", "some")

    def __init__(self, name: str, either: str = "") -> None:
        super().__init__(name, UNITS, "WITH", lambda value: who(*value))
        self.either = either

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"WITH": UNITS, **_THERE, **({self.either: UNITS} if self.either else {})}

    def read(self, said: Said) -> tuple[Any, ...]:
        return hand(said.state, said.seat, said.order)

    def clauses(self, value: tuple[Any, ...], state: Empire) -> Iterator[Clause]:
        unit, some = value
        if unit:
            yield Clause("WITH", numbered(state, (unit,)))
        elif (some[0].kind, some[0].quantity) != ("coolie", exact(1)):
            yield Clause("WITH", groups(some))
        yield from _where(some, "IN")


# ---------------------------------------------------------------- squares and names


class Place(Field[str]):
    """One square; "" where none is named. `either` is another word for the preposition."""

    def __init__(
        self, name: str, under: str, either: str = "", say: Callable[[str], str] = str, needed: bool = True
    ) -> None:
        super().__init__(name, PLACE, under, say)
        self.either, self.needed = either, needed

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(filter(None, (self.under, self.either)), PLACE)

    def read(self, said: Said) -> str:
        return place(said.state, said.order, *self.prepositions())

    def offers(self, state: Empire, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        """The squares beside the units that were chosen."""
        return (placed(at) for _, at in state.board.grid.around(state.units[got["units"][0]].at))

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return hexes([value]) if value else ()


class Way(Field[tuple[str, ...]]):
    """Squares one after the other, or side by side. `either` is another word for the preposition."""

    most = None

    def __init__(
        self, name: str, under: str, say: Callable[[tuple[str, ...]], str], needed: bool, either: str = ""
    ) -> None:
        super().__init__(name, PLACE, under, say)
        self.needed, self.either = needed, either

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(filter(None, (self.under, self.either)), PLACE)

    def read(self, said: Said) -> tuple[str, ...]:
        named = (*said.after(self.under), *(said.after(self.either) if self.either else ()))
        return tuple(square(said.state, thing) for thing in named)

    def things(self, value: tuple[str, ...], state: Empire) -> tuple[Thing, ...]:
        return hexes(value)


class Planned(Field[str]):
    """A plan by its name: what is built, or taken down again."""

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

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("text", value),) if value else ()
