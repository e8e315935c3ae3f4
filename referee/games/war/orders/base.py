"""The common ground of all orders of War!: how many of what a line means, places and players it names, and fields that only War!
has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, most_that, number, one, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Order, Portion, Quantity, Thing
from referee.games.war.deeds import Lot, exactly, lot_words
from referee.games.war.position.state import War
from referee.games.war.rulebook import BUILDINGS, KIND_OF, LAND_UNITS, SHIP, plural
from referee.kit.declared import Declared
from referee.kit.fields import Among, Field, Leads, One, Row, Said, exact, quantity_of
from referee.kit.fields import exactly as exact_number
from referee.kit.refused import Refused
from referee.kit.wording import counted

ALL = Quantity(Portion.ALL)
"""All of them."""


def after(order: Order, *prepositions: str) -> tuple[Thing, ...]:
    """All things under any of these prepositions, in the order written."""
    return tuple(thing for clause in order.clauses if clause.preposition in prepositions for thing in clause.things)


def says(order: Order, preposition: str) -> bool:
    """Whether the preposition stands in the order, with or without things."""
    return any(clause.preposition == preposition for clause in order.clauses)


def only(order: Order, rule: str, *prepositions: str) -> str:
    """The only name under these prepositions, "" for none. Raises Refused when there are several."""
    thing = only_thing(order, rule, *prepositions)
    return thing.name if thing else ""


def only_thing(order: Order, rule: str, *prepositions: str) -> Thing | None:
    """The only thing under these prepositions, if any. Raises Refused when there are several."""
    things = after(order, *prepositions)
    if len(things) > 1:
        raise Refused(f"{order.verb} takes one thing after {prepositions[0]}.", rule, things[1].name)
    return things[0] if things else None


# ---------------------------------------------------------------- how many


def lots_of(order: Order, rule: str) -> tuple[Lot, ...]:
    """The units and buildings of an order, each with its number. Raises Refused when a number is missing or 0."""
    return tuple(
        Lot(KIND_OF[thing.name], _quantity(order, thing, rule)) for thing in order.things if thing.kind != "any"
    )


def _quantity(order: Order, thing: Thing, rule: str) -> Quantity:
    if thing.quantity is None:
        instead = (rewritten(order, ALL), rewritten(order, Quantity(Portion.EXACTLY, 1)))
        singly = order.verb in ("BUY", "BUILD") or any(other.kind == "building" for other in order.things)
        raise Refused(f"Say how many {thing.name}.", rule, thing.name, instead[::-1] if singly else instead)
    return quantity_of(thing, thing.name, rule, order.verb)


def number_of(order: Order, thing: Thing, rule: str, held: int | None = None) -> int:
    """A number of at least 1, and 1 where none is given; a part of `held`, where it is known. Raises Refused.

    A part of nothing is 1: why that cannot be, its own rule says.
    """
    number = exact_number(thing) if thing.quantity else 1
    if number is None and held is not None and thing.quantity:
        number = thing.quantity.of(held) if held else 1
    if not number or number < 1:
        some = "a number" if held else "an exact number"
        raise Refused(f"{order.verb} needs {some} of {thing.name or 'them'}, at least 1.", rule, thing.name)
    return number


def units(order: Order, held: Iterable[str], rule: str) -> tuple[Lot, ...]:
    """The land units meant; a bare `all` means all of every kind held. Raises Refused."""
    if all(thing.kind != "any" for thing in order.things):
        return lots_of(order, rule)
    there = set(held)
    lots = tuple(Lot(kind, ALL) for kind in LAND_UNITS if kind in there)
    if not lots:
        raise Refused("You have no land units there; name those that you mean.", rule, "all")
    return lots


_NEVER_COUNTED = frozenset({
    "region", "sea", "zone", "lot", "side", "resource", "stance", "leave", "empty or loaded fleet", SHIP, "matter", "mode",
    "treaty", "nothing",
})  # fmt: skip
"""Kinds of noun of which no order takes so many."""

_RANKED = {
    "LOSE": ("LOSE says which kinds go first, not how many of each.", "27.combat.losses.1"),
    "FUSE": ("FUSE names a kind; hits are fused for it as often as they allow.", "27.combat.losses.2"),
    "PURSUE": ("PURSUE names the kind that is struck first, without a number.", "17.tactical.plan.1"),
}
"""Verbs that only say which comes first: what to tell who writes a number, and the rule."""

_ONE_ALONE = frozenset({"INCITE", "CONVERT", "FREE", "DIG", "EXPLORE", "DESTROY"})
"""Verbs that mean one of each thing."""


def check_numbers(order: Order) -> None:
    """Raises Refused for a number that no rule would obey: it is never dropped."""
    for thing in (*order.things, *(thing for clause in order.clauses for thing in clause.things)):
        number = thing.quantity
        if number is None or number.portion is Portion.ALL or thing.kind in ("number", "money"):
            continue
        single = number == Quantity(Portion.EXACTLY, 1)
        named = thing.kind in _NEVER_COUNTED or (order.verb in _RANKED and thing.kind == "unit")
        if named or (order.verb in _ONE_ALONE and not single):
            why, rule = _RANKED.get(order.verb, (f"{order.verb} takes no number before {thing.name}.", ""))
            if not named:
                why = f"{order.verb} means one alone, not {_words(thing)}."
            raise Refused(why, rule, thing.name, (_unnumbered(order),))


def _unnumbered(order: Order) -> str:
    """The order as a line in which only numbers stand that mean themselves."""

    def row(things: Sequence[Thing]) -> str:
        return ", ".join(_singly(order, thing) for thing in things)

    clauses = [f" {c.preposition} {row(c.things)}".rstrip() for c in order.clauses]
    return " ".join(f"{order.verb} {row(order.things)}{''.join(clauses)}".split())


def _singly(order: Order, thing: Thing) -> str:
    if thing.kind in ("number", "money") or thing.quantity is None:
        return _words(thing)
    if order.verb in _ONE_ALONE and thing.kind not in _NEVER_COUNTED:
        return _words(replace(thing, quantity=Quantity(Portion.EXACTLY, 1)))
    return thing.name if order.verb in _RANKED or thing.kind in _NEVER_COUNTED else _words(thing)


def kinds_of(things: Sequence[Thing]) -> tuple[str, ...]:
    """Kinds of unit in the order written, each once."""
    return tuple(dict.fromkeys(KIND_OF[thing.name] for thing in things if thing.kind == "unit"))


def ships_named(things: Sequence[Thing], rule: str) -> tuple[int, ...]:
    """The numbers of the fleets among these things, each once; `fleets` are none in particular."""
    named = [thing.name.removeprefix("fleet ") for thing in things if thing.kind == SHIP]
    return tuple(dict.fromkeys(int(number) for number in named if number.isdecimal()))


def rewritten(order: Order, quantity: Quantity, old: Thing | None = None) -> str:
    """The order as a line, with a quantity put before all its things that have none; or before the `old` one alone."""

    def counted(thing: Thing) -> Thing:
        lacks = thing is old if old is not None else thing.quantity is None and thing.kind in ("unit", "building")
        return replace(thing, quantity=quantity) if lacks else thing

    things = ", ".join(_words(counted(thing)) for thing in order.things)
    clauses = [f" {c.preposition} {_row(c.things, old, quantity)}".rstrip() for c in order.clauses]
    return f"{order.verb} {things}{''.join(clauses)}"


def _row(things: Sequence[Thing], old: Thing | None, quantity: Quantity) -> str:
    return ", ".join(_words(replace(thing, quantity=quantity) if thing is old else thing) for thing in things)


def _words(thing: Thing) -> str:
    if thing.quantity is None:
        return thing.name
    return lot_words(KIND_OF.get(thing.name, thing.name.removesuffix("s")), thing.quantity)


# ---------------------------------------------------------------- players


def opponent(war: War, seat: Seat, name: str, rule: str) -> Seat:
    """Another player still in play. Raises Refused."""
    if name == seat:
        raise Refused("That is yourself; name another player.", rule, name)
    if name in war.out:
        raise Refused(f"{name} has been eliminated.", "27.victory.1", name)
    return Seat(name)


def opponents(war: War, seat: Seat, things: Sequence[Thing], rule: str) -> tuple[Seat, ...]:
    """Other players still in play, each once. Raises Refused."""
    return tuple(dict.fromkeys(opponent(war, seat, thing.name, rule) for thing in things))


# ---------------------------------------------------------------- fields
# Players, places and kinds as parts of orders that speak of others, or of what may come.


def named_seats(seats: tuple[Seat, ...]) -> tuple[Thing, ...]:
    """Players as a sentence names them."""
    return tuple(Thing("side", seat) for seat in seats)


def others(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat]]:
    """The other players still in play."""
    return (Choice(other, other) for other in war.after(seat))


class Opponent(Field[Seat | None]):
    """One other player still in play; None where he may be left out and is."""

    def __init__(
        self, name: str, under: str, rule: str, needed: bool = True, say: Callable[[Seat | None], str] = str
    ) -> None:
        super().__init__(name, ("side",), under, say)
        self.rule, self.needed = rule, needed

    def read(self, said: Said) -> Seat | None:
        heads = said.order.things
        name = only(said.order, self.rule, self.under) if self.under else heads[0].name if heads else ""
        return opponent(said.state, said.seat, name, self.rule) if name else None

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat | None]]:
        if not self.needed:
            yield Choice("anybody", None)
        yield from others(state, seat, got)

    def things(self, value: Seat | None, state: Any) -> tuple[Thing, ...]:
        return named_seats((value,)) if value else ()


class Opponents(Row[Seat]):
    """Other players still in play, each once; under a preposition they may be left out."""

    def __init__(self, name: str, under: str, rule: str, say: Callable[[tuple[Seat, ...]], str] = ", ".join) -> None:
        super().__init__(name, ("side",), under, taken=Seat, say=say, among=others)
        self.rule, self.needed = rule, not under

    def read(self, said: Said) -> tuple[Seat, ...]:
        return opponents(said.state, said.seat, said.after(self.under), self.rule)

    def things(self, value: tuple[Seat, ...], state: Any) -> tuple[Thing, ...]:
        return named_seats(value)


SETTING_UP = "Set-up"
"""All that comes before play."""

AUCTION = "Auction"
"""The bids for the order of a turn."""

DIPLOMACY = "Diplomacy"
"""The phase in which DP are bought."""

NATIVE_DIPLOMACY = "Native Diplomacy"
"""The phase of spheres, westernizing and incitements."""

CONSTRUCTION = "Construction"
"""The phase of units, buildings, resources and the canal."""

MOVEMENT = "Movement"
"""The part of a share in which lines are carried out one after the other: marches, voyages, wars declared."""

COMBAT = "Combat"
"""The part of a share in which battles are fought and natives and resources tried."""

STANDING = "Standing"
"""No phase of its own: it answers the questions of all, and may stand in any sheet."""

NONE = Thing("nothing", "none")
"""The word for nothing, where nothing is meant."""


class Place(Field[str]):
    """The one region named under `under`; `same` are prepositions that mean as much."""

    def __init__(
        self,
        name: str,
        under: str,
        same: tuple[str, ...],
        rule: str,
        kinds: tuple[str, ...] = ("region",),
        among: Among[str] | None = None,
    ) -> None:
        super().__init__(name, kinds, under, among=among)
        self.same, self.rule = (under, *same), rule

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self.same, self.kinds)

    def read(self, said: Said) -> str:
        return only(said.order, self.rule, *self.same)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], value),)


class Region(One[str]):
    """One region, which follows the verb."""

    def __init__(self, among: Among[str]) -> None:
        super().__init__("region", ("region",), taken=str, among=among)


def own_regions(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions with their chits, in the order of the map."""
    return (placed(land.name, land.chit or "") for land in war.regions_of(seat))


class Lots(Field[tuple[Lot, ...]]):
    """So many of each of several kinds: chosen one kind after the other, as long as one more can go with those before."""

    most = None

    def there(self, war: War, seat: Seat, got: Mapping[str, Any]) -> Mapping[str, int]:
        """How many of each kind there can be at most."""
        raise NotImplementedError(type(self).__name__)

    def told(self, war: War, kind: str, there: int) -> str:
        """The words beside a kind to choose."""
        return f"{there} there"

    def counted(self, kind: str, most: int, there: int) -> Asking[Quantity]:
        """Ask how many of a kind; `all` where that is all there are."""
        return (yield from quantity("number", plural(kind), most, there))

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Lot, ...]]]:
        for kind, there in self.there(state, seat, got).items():
            if there:
                yield Choice(plural(kind), (exactly(kind, 1),), self.told(state, kind, there))

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Lot, ...]]
    ) -> Asking[tuple[Lot, ...]]:
        there, lots = self.there(state, seat, got), tuple[Lot, ...]()
        while True:
            others = [kind for kind in there if there[kind] and kind not in [lot.kind for lot in lots]]
            able = [
                Choice(plural(kind), kind, self.told(state, kind, there[kind]))
                for kind in others
                if leads((*lots, exactly(kind, 1)))
            ]
            if lots and not able:
                return lots
            more = (yield from several("and", able, 0, 1)) if lots else ((yield from one("unit", able)),)
            if not more:
                return lots
            (kind,) = more
            most = _most(leads, lots, kind, there[kind])
            lots = (*lots, Lot(kind, (yield from self.counted(kind, most, there[kind]))))

    def things(self, value: tuple[Lot, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(
            Thing("building" if lot.kind in BUILDINGS else "unit", plural(lot.kind), lot.quantity) for lot in value
        )


def _most(leads: Leads[tuple[Lot, ...]], lots: tuple[Lot, ...], kind: str, there: int) -> int:
    return most_that(lambda many: leads((*lots, exactly(kind, many))), there)


class Spheres(Field[int]):
    """So many spheres of influence, or a part of those `held`; one without a number, and 0 where they may be left out and are."""

    def __init__(
        self,
        name: str,
        under: str,
        rule: str,
        say: Callable[[int], str] = lambda number: counted(number, "spheres"),
        needed: bool = True,
        *,
        held: Callable[[Said], int],
    ) -> None:
        super().__init__(name, ("sphere",), under, say)
        self.rule, self.needed, self.held = rule, needed, held

    def read(self, said: Said) -> int:
        return sum(number_of(said.order, thing, self.rule, self.held(said)) for thing in said.after(self.under))

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterable[Choice[int]]:
        return (Choice("1", 1),) if self.needed else (Choice("0", 0),)

    def asked(self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[int]) -> Asking[int]:
        """Where more than the least leads on."""
        least, held = int(self.needed), self.held(Said(Order(""), state, seat, got))
        most = least + most_that(lambda more: leads(least + more), held - least)
        return (yield from number(self.name, "spheres", least, most)) if most > least else least

    def things(self, value: int, state: Any) -> tuple[Thing, ...]:
        return (Thing("sphere", "spheres", exact(value)),) if value or self.needed else ()


class StandingOrder(Declared[War], frozen=True):
    """A player's decision, made in advance, in the middle of anybody's turn (rulings, section 7)."""

    phase = STANDING
