"""What a refusal offers instead, as whole lines that are lawful: the order again with the offending word replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from referee.core.order import Clause, Illegal, Order, Portion, Quantity, Thing
from referee.core.printing import write
from referee.games.empire.orders import BOOK
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import GOODS_WORDS, GRADES

_BEGINS = tuple(BOOK.orders)
"""A line begins with one of these; whatever else is offered is a word for the one that was refused."""

_CLAUSES = ("WITH", "NAMED")
"""Prepositions with which an offer is a clause more."""

_AMOUNTS = {"all": Quantity(Portion.ALL)}


def offered(empire: Empire, order: Order, illegal: Illegal, binds: Callable[[Order], bool]) -> Illegal:
    """The refusal with whole lines for mere words, each of which `binds`; a word that gives no lawful line is left out."""
    return replace(illegal, instead=tuple(_lines(empire, order, illegal, binds)))


def _lines(empire: Empire, order: Order, illegal: Illegal, binds: Callable[[Order], bool]) -> Iterator[str]:
    for offer in illegal.instead:
        if offer.startswith(_BEGINS):
            yield offer
        elif (other := _other(empire, order, illegal.at, offer)) is not None and other != order and binds(other):
            yield write(other)


def _other(empire: Empire, order: Order, at: str, offer: str) -> Order | None:
    """The order with what is offered: a clause more such as `WITH coolie 14`, or a thing for the refused one."""
    preposition, _, name = offer.partition(" ")
    if preposition in _CLAUSES:
        thing = Thing("text", name) if preposition == "NAMED" else _thing(empire, name)
        return replace(order, clauses=(*order.clauses, Clause(preposition, (thing,)))) if thing else None
    found = _thing(empire, offer)
    return _with(order, at, found) if found is not None else None


def _thing(empire: Empire, offer: str) -> Thing | None:
    """The unit, goods, food, grade or city that is offered; None for anything else."""
    first, _, last = offer.rpartition(" ")
    if last.isdecimal():
        unit = empire.units.get(int(last))
        return Thing("numbered", f"{unit.kind} {unit.number}") if unit is not None else None
    kinds = {**dict.fromkeys(FOODS, "crop"), **dict.fromkeys(GRADES, "grade"), **dict.fromkeys(GOODS_WORDS, "goods")}
    kinds |= dict.fromkeys(empire.cities, "city") | dict.fromkeys(empire.countries, "country")
    if offer in kinds:
        return Thing(kinds[offer], offer)
    if last in GOODS_WORDS and first:
        return Thing("goods", last, _AMOUNTS.get(first) or Quantity(Portion.EXACTLY, int(first)))
    return None


def _with(order: Order, at: str, thing: Thing) -> Order:
    """The order with another thing where the refused word stands."""
    things = tuple(thing if _stands_for(old, at) else old for old in order.things)
    if things != order.things:
        return replace(order, things=things)
    clauses = (replace(c, things=tuple(thing if _stands_for(t, at) else t for t in c.things)) for c in order.clauses)
    return replace(order, clauses=tuple(clauses))


def _stands_for(thing: Thing, at: str) -> bool:
    number = (thing.kind == "number" and str(thing.count()) == at) or str(GRADES.get(thing.name, "")) == at
    return number or thing.name == at or (thing.kind == "numbered" and thing.name.endswith(f" {at}"))
