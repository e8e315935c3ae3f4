"""Things of an order -> units, so many of a kind in a square, goods, squares (emp.P21, emp.P22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from referee.core.choices import Asking, Choice, most_that, number
from referee.core.names import Seat
from referee.core.order import Order, Portion, Quantity, Thing
from referee.games.empire.position import Lot, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.distance import reach, steps
from referee.games.empire.reckoning.ownership import Goods, Some, check_square, missing, named, unit_of
from referee.games.empire.rulebook.kinds import GOODS_WORDS, KIND_WORDS, KINDS, plural, so_many
from referee.games.empire.rulebook.plans import a
from referee.kit.refused import Refused
from referee.kit.stock import gathered
from referee.kit.wording import are, in_a_row

P = ParamSpec("P")
V = TypeVar("V")

_TRIED = 8
"""So many units of a kind are tried for an offer."""

_LISTED = 6
"""So many numbers are named where somebody has many units of a kind."""


class Cargo(NamedTuple):
    """The things that an order names: units by number, so many of a kind, goods."""

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
    yours = f"; yours {are(len(mine))} {few}" if mine else f", nor any other {kind}"
    near = sorted(mine, key=lambda other: abs(int(other) - number))
    return Refused(
        f"You have no {kind} {number}{yours}.", "emp.P22", str(number), tuple(f"{kind} {n}" for n in near[:3])
    )


def cargo(empire: Empire, seat: Seat, things: Sequence[Thing], at: str, whose: str = "") -> Cargo:
    """The meaning of a list of things. `at` is the square of those given by kind; `whose` "any" asks nobody's leave."""
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
            words = f"{a(thing.name).capitalize()} does not move; a thing built by a machine stays where it is."
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
    """The hand for a piece of work: the unit after WITH, or an idle coolie of the square after IN."""
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


def of_seat(empire: Empire, seat: Seat) -> Iterator[Unit]:
    """Every unit that a seat commands."""
    return (unit for country in empire.owned(seat) for unit in empire.units_of(country.name))


def single(unit: Unit) -> Choice[int]:
    """One unit by its number."""
    return Choice(named(unit), unit.number, f"in {unit.at}", unit.at)


def carriers(empire: Empire) -> set[int]:
    """The numbers of units that have something aboard."""
    return {unit.aboard for unit in empire.units.values()} | {lot.aboard for lot in empire.lots}


def alike(empire: Empire, units: Iterable[Unit]) -> list[list[Unit]]:
    """Units that differ in nothing but their number; who carries something, is at work or did something is alike to nobody."""
    apart = carriers(empire) | _busy(empire) | {int(key.rpartition("/")[2]) for key in empire.handled}
    same: dict[object, list[Unit]] = {}
    for unit in units:
        own = unit.number if unit.number in apart else 0
        like = (unit.kind, unit.country, unit.at, unit.aboard, unit.status, unit.spent, unit.parts, own)
        same.setdefault(like, []).append(unit)
    return list(same.values())


def ranks(empire: Empire, seat: Seat, at: str = "") -> list[list[Unit]]:
    """A seat's units, those alike together; of one square only where one is named."""
    return _ranks(empire, seat).get(at, [])


def lots_in(empire: Empire, at: str) -> list[Lot]:
    """All goods of a square."""
    return _lots(empire).get(at, [])


def of_last(make: Callable[Concatenate[Empire, P], V]) -> Callable[Concatenate[Empire, P], V]:
    """Results worked out of the last position are at hand: each step of each order asks for the same."""
    last: list[tuple[Empire, object, V]] = []

    def known(empire: Empire, /, *about: P.args, **more: P.kwargs) -> V:
        for before, what, found in last:
            if before is empire and what == about:
                return found
        last[:] = [(empire, about, make(empire, *about, **more))]
        return last[0][-1]

    return known


@of_last
def _ranks(empire: Empire, seat: Seat) -> dict[str, list[list[Unit]]]:
    found = {"": alike(empire, of_seat(empire, seat))}
    for same in found[""]:
        found.setdefault(same[0].at, []).append(same)
    return found


@of_last
def _lots(empire: Empire) -> dict[str, list[Lot]]:
    found: dict[str, list[Lot]] = {}
    for lot in empire.lots:
        found.setdefault(lot.at, []).append(lot)
    return found


def group(same: Sequence[Unit], more: str = "") -> Choice[tuple[int, ...]]:
    """Units alike as one choice, by the first of them."""
    meaning = f"{so_many(len(same), same[0].kind)} in {same[0].at}{more}"
    return Choice(named(same[0]), tuple(unit.number for unit in same), meaning, same[0].at)


def first_of(same: Sequence[Unit]) -> Choice[int]:
    """Of units alike the first, who stands for all."""
    return Choice(named(same[0]), same[0].number, group(same).meaning, same[0].at)


def _busy(empire: Empire) -> set[int]:
    return {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}


def idle_coolies(empire: Empire, country: str) -> tuple[Unit, ...]:
    """Coolies ashore that neither work nor build."""
    busy = _busy(empire)
    return tuple(u for u in empire.units_of(country, "coolie") if u.number not in busy and not u.aboard)


def hands(empire: Empire, seat: Seat, at: str = "") -> Iterator[Choice[int]]:
    """The hands that could do a piece of work; of those alike the first stands for all, and idle ones come first."""
    busy = _busy(empire)
    return map(first_of, sorted(ranks(empire, seat, at), key=lambda same: same[0].number in busy))


def how_many(noun: str, fits: Callable[[int], bool], most: int, usual: int = 1) -> Asking[int]:
    """Ask for a number up to the greatest that fits, where whatever is less fits too. Raises Nothing where 1 does not."""
    most = most_that(fits, most)
    return (yield from number("how many", noun, 1, most, min(usual, most)))


def told(units: Iterable[Unit]) -> str:
    """Units in words: `2 SACs and 1 coolie`."""
    return in_a_row([so_many(number, kind) for kind, number in gathered(unit.kind for unit in units).items()])


def beside(empire: Empire, units: Iterable[Unit]) -> tuple[Position, ...]:
    """The squares of units and those around them."""
    here = dict.fromkeys(unit.at for unit in units)
    return tuple(dict.fromkeys(at for home in here for at in (home, *(to for _, to in empire.board.grid.around(home)))))
