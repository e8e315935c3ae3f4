"""What binders share: how many of what are meant, and the one place or player a preposition names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Order, Portion, Quantity, Thing
from referee.games.war.deeds.muster import Lot, lot_words
from referee.games.war.position.state import War
from referee.games.war.rulebook import KIND_OF, LAND_UNITS, SHIP
from referee.kit.fields import exactly, quantity_of
from referee.kit.refused import Refused

ALL = Quantity(Portion.ALL)
"""All of them."""


def after(order: Order, *prepositions: str) -> tuple[Thing, ...]:
    """All things under any of these prepositions, in the order written."""
    return tuple(thing for clause in order.clauses if clause.preposition in prepositions for thing in clause.things)


def says(order: Order, preposition: str) -> bool:
    """Whether the preposition stands in the order, with or without things."""
    return any(clause.preposition == preposition for clause in order.clauses)


def one(order: Order, rule: str, *prepositions: str) -> str:
    """The only name under these prepositions, "" for none. Raises Refused when there are several."""
    things = after(order, *prepositions)
    if len(things) > 1:
        raise Refused(f"{order.verb} takes one name after {prepositions[0]}.", rule, things[1].name)
    return things[0].name if things else ""


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
    number = exactly(thing) if thing.quantity else 1
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
