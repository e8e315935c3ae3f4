"""Things of an order -> units, so many of a kind in a square, goods, squares (emp.P21, emp.P22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.core.names import Seat
from referee.core.order import Order, Portion, Quantity, Thing
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import reach, steps
from referee.games.empire.reckoning.naming import Goods, Some
from referee.games.empire.reckoning.ownership import check_square, missing, unit_of
from referee.games.empire.rulebook.kinds import KINDS, plural
from referee.games.empire.rulebook.nouns import GOODS_WORDS, KIND_WORDS
from referee.games.empire.rulebook.plans import a
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_TRIED = 8
"""So many units of a kind are tried for an offer."""

_LISTED = 6
"""So many numbers are named where somebody has many units of a kind."""


class Cargo(NamedTuple):
    """What an order names: units by number, so many of a kind, goods."""

    units: tuple[int, ...] = ()
    some: tuple[Some, ...] = ()
    goods: tuple[Goods, ...] = ()


# ---------------------------------------------------------------- squares


def square(empire: Empire, thing: Thing) -> str:
    """The square that a hex or the name of a city means."""
    if thing.kind == "city":
        return empire.cities[thing.name].at
    check_square(empire, thing.name)
    return thing.name


def places(empire: Empire, order: Order, *prepositions: str) -> tuple[str, ...]:
    """The squares after any of these prepositions."""
    return tuple(square(empire, thing) for word in prepositions for thing in order.after(word))


def place(empire: Empire, order: Order, *prepositions: str, rule: str = "emp.P21") -> str:
    """The one square after these prepositions, empty when none is named. Raises Refused for several."""
    found = places(empire, order, *prepositions)
    if len(found) > 1:
        raise Refused(f"{order.verb} takes one square there, not {len(found)}.", rule, found[1])
    return found[0] if found else ""


# ---------------------------------------------------------------- units


def _number(empire: Empire, seat: Seat, thing: Thing, before: str) -> int:
    """The number of `coolie 14`, or of a bare 15 after it."""
    if thing.kind == "number":
        number = thing.count()
        if number not in empire.units:
            raise _nobody(empire, seat, before, number)
        if before and empire.units[number].kind != before:
            unit = empire.units[number]
            named = f"{unit.kind} {number}"
            raise Refused(f"Unit {number} is {a(unit.kind)}, not {a(before)}.", "emp.P22", str(number), (named,))
        return number
    word, _, written = thing.name.rpartition(" ")
    kind, number = KIND_WORDS.get(word, word), int(written)
    if number not in empire.units:
        raise _nobody(empire, seat, kind, number)
    if empire.units[number].kind != kind:
        named = f"{empire.units[number].kind} {number}"
        raise Refused(f"Number {number} is {named}, not {a(kind)}.", "emp.P22", str(number), (named,))
    return number


def _nobody(empire: Empire, seat: Seat, kind: str, number: int) -> Refused:
    """A number that no unit has, with those of the seat's own units of the kind."""
    mine = [str(unit.number) for unit in (_own(empire, seat, kind) if kind else ())]
    if not kind:
        return Refused(missing(empire, number), "emp.P22", str(number))
    few = in_a_row(mine if len(mine) <= _LISTED else [*mine[:_LISTED], f"{len(mine) - _LISTED} more"])
    yours = f"; yours {'is' if len(mine) == 1 else 'are'} {few}" if mine else f", nor any other {kind}"
    near = sorted(mine, key=lambda other: abs(int(other) - number))
    return Refused(
        f"You have no {kind} {number}{yours}.", "emp.P22", str(number), tuple(f"{kind} {n}" for n in near[:3])
    )


def cargo(empire: Empire, seat: Seat, things: Sequence[Thing], at: str, whose: str = "") -> Cargo:
    """What a list of things means. `at` is the square of those given by kind; `whose` "any" asks nobody's leave."""
    units: list[int] = []
    some: list[Some] = []
    goods: list[Goods] = []
    before = ""
    for thing in things:
        if thing.kind == "goods":
            goods.append(_goods(thing))
        elif thing.kind == "unit":
            some.append(_some(empire, seat, thing, at))
        elif thing.kind == "plan":
            words = f"{a(thing.name).capitalize()} does not move; what machines build stays where it is."
            raise Refused(words, "emp.move.immobile", thing.name)
        else:
            number = _number(empire, seat, thing, before)
            if not whose:
                _commanded(empire, seat, number)
            before = empire.units[number].kind
            units.append(number)
    return Cargo(tuple(dict.fromkeys(units)), tuple(some), tuple(goods))


def _commanded(empire: Empire, seat: Seat, number: int) -> None:
    """Refuse another's unit, unless somebody of the seat's could get there first and seize it in an earlier line."""
    try:
        unit_of(empire, seat, number)
    except Refused:
        target = empire.units[number]
        walker = "cargo ship" if empire.board.squares[target.at].water else "coolie"
        near = reach(steps(empire, KINDS[walker]), (target.at,))
        if not any(unit.at in near for country in empire.owned(seat) for unit in empire.units_of(country.name)):
            raise


def _some(empire: Empire, seat: Seat, thing: Thing, at: str) -> Some:
    kind = KIND_WORDS[thing.name]
    if not at:
        mine = _own(empire, seat, kind)
        squares = tuple(dict.fromkeys(unit.at for unit in mine))
        if len(squares) != 1:
            several = f"Say which {kind}: by number, or how many in which square." if mine else f"You have no {kind}."
            raise Refused(several, "emp.P22", thing.name, tuple(f"{kind} {unit.number}" for unit in mine[:3]))
        at = squares[0]
    return Some(kind, quantity_of(thing), at)


def quantity_of(thing: Thing) -> Quantity:
    """How many are meant; a bare name means one. Raises Refused for none."""
    quantity = thing.quantity or Quantity(Portion.EXACTLY, 1)
    if quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and quantity.number < 1:
        raise Refused(f"{quantity.number} {thing.name} is nothing; name at least 1.", "emp.P22", thing.name)
    return quantity


def _goods(thing: Thing) -> Goods:
    what = GOODS_WORDS[thing.name]
    if thing.quantity is None:
        instead = (f"1 {thing.name}", f"all {thing.name}")
        raise Refused(f"Say how many {what}.", "emp.L1", thing.name, instead)
    return Goods(what, quantity_of(thing))


def _own(empire: Empire, seat: Seat, kind: str) -> list[Unit]:
    return [unit for country in empire.owned(seat) for unit in empire.units_of(country.name, kind)]


def one_unit(empire: Empire, seat: Seat, things: Sequence[Thing], verb: str, whose: str = "") -> int:
    """The one unit that a list names: by number, or by its kind where there is only one such unit."""
    if len(things) != 1:
        raise Refused(f"{verb} takes one unit there.", "emp.P22", things[1].name if len(things) > 1 else verb)
    thing = things[0]
    if thing.kind != "unit":
        return cargo(empire, seat, things, "", whose).units[0]
    kind = KIND_WORDS[thing.name]
    mine = _own(empire, seat, kind)
    if whose:
        names = [country.name for country in empire.owned(seat)]
        mine = [unit for unit in empire.units.values() if unit.kind == kind and unit.country not in names]
    if len(mine) != 1:
        some = f"There are {len(mine)} {plural(kind)}; say which." if mine else f"There is no {kind}."
        raise Refused(some, "emp.P22", thing.name, tuple(f"{kind} {unit.number}" for unit in mine[:3]))
    return mine[0].number


def hand(empire: Empire, seat: Seat, order: Order, kind: str = "coolie") -> tuple[int, tuple[Some, ...]]:
    """Who does a piece of work: the unit after WITH, or an idle coolie of the square after IN."""
    at, named = place(empire, order, "IN", "AT"), (*order.after("WITH"), *order.after("BY"))
    if named:
        found = cargo(empire, seat, named, at)
        if len(found.units) + len(found.some) != 1 or (found.some and found.some[0].quantity.number != 1):
            raise Refused(f"{order.verb} takes one {kind}.", "emp.board.construction", named[-1].name)
        return (found.units[0] if found.units else 0), found.some
    if not at:
        words = f"Say who does it, or where: {order.verb} ... WITH {kind} 1, or ... IN c12r7."
        near = tuple(f"WITH {unit.kind} {unit.number}" for unit in _own(empire, seat, kind)[:_TRIED])
        raise Refused(words, "emp.P22", order.verb, near)
    return 0, (Some(kind, Quantity(Portion.EXACTLY, 1), at),)
