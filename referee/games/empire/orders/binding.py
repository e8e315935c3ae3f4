"""From a sentence to an order, and orders sent on to who carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Clause, Illegal, Intent, Order, Portion, Quantity, Thing, write
from referee.core.table import Table
from referee.games.empire.deeds.fighting import cities_fall
from referee.games.empire.events import evolve
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.economy import LineDoubtful
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.base import AsideOrder, SlotOrder
from referee.games.empire.orders.moving import MoveUnits, RollWind
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.orders.raids import revert_pirates
from referee.games.empire.orders.readings import doubtful_line, mustered, readings_of
from referee.games.empire.position.board import FOODS
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.carrying import seat_of
from referee.games.empire.reckoning.ownership import with_kinds
from referee.games.empire.rulebook.kinds import GOODS_WORDS, GRADES, KINDS
from referee.kit.refused import Refused

# ---------------------------------------------------------------- dispatch
# Which module carries out which order, and what becomes of an order that cannot be carried out (emp.H-02).


def carry_out(table: Table[Empire], seat: Seat, intent: Intent) -> None:
    """Carry out one order. Raises Refused where a part of it cannot be done; then nothing is done (emp.H-02)."""
    _mustered(table, seat, intent).do(table, seat)
    _settle(table)


def foresee(table: Table[Empire], seat: Seat, intent: Intent) -> tuple[str, ...]:
    """An order as far as it is certain, for a preview, and the chances of its dice in words. Raises Refused like the order."""
    told = _mustered(table, seat, intent).foresee(table, seat)
    _settle(table)
    return told


def _mustered(table: Table[Empire], seat: Seat, intent: Intent) -> SlotOrder:
    """The order with units for those it names by kind. Raises Refused for one that is no order of a slot."""
    order = mustered(table.state, seat, intent)
    if not isinstance(order, SlotOrder):
        raise Refused("This order has no effect in a slot.", "emp.H-02")
    return order


def _settle(table: Table[Empire]) -> None:
    """What follows of itself from where everybody now is: cities fall, pirates in dock are pirates no more."""
    cities_fall(table)
    revert_pirates(table)


def attempt(table: Table[Empire], seat: Seat, line: int, intent: Intent) -> bool:
    """Carry out one order of a sheet; a refusal is told and later lines go on (emp.H-02).

    A line that could be read in several ways is carried out as the first says, and put before the others (emp.P23).
    """
    before = table.state
    try:
        carry_out(table, seat, intent)
    except Refused as refused:
        why = refused.illegal
        table.emit(OrderRefused(seat, line, with_kinds(before, intent.meaning()), why.sentence, why.rule))
        return False
    readings = readings_of(before, seat, intent, partial(_obeys, before, seat))
    if len(readings) > 1:
        table.emit(LineDoubtful(doubtful_line(table.state, seat, line, readings)))
    return True


def _obeys(before: Empire, seat: Seat, intent: Intent) -> bool:
    """Whether an order could have been carried out in a position."""
    try:
        carry_out(Table("try", before, Keyed(b"try", 0), evolve), seat, intent)
    except Refused:
        return False
    return True


# ---------------------------------------------------------------- offers
# What a refusal offers instead, as whole lines that are lawful: the order again with the offending word replaced.


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


_FOR_GOOD = frozenset(
    {"emp.P3", "emp.P5", "emp.P23", "emp.H-06", "emp.H-27", "emp.board.square", "emp.move.hauled", "emp.board.grade"}
)
"""Refusals under these rules cannot be mended by an earlier line of the same sheet."""


def bind(empire: Empire, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed.

    Refused is what no earlier line of the same sheet can mend; the rest is left to the forecast and to play.
    """
    if empire.stage == "play" and empire.active != seat and not empire.owned(seat) and order.verb != "ACCEPT":
        why = f"{seat} runs no country and gives no orders; a country that is given to him he may ACCEPT."
        return Illegal(why, "emp.P2", order.verb)
    try:
        return _bound(empire, seat, order)
    except Refused as refusal:
        return offered(empire, order, refusal.illegal, partial(_binds, empire, seat))


def _bound(empire: Empire, seat: Seat, order: Order) -> Intent:
    intent = BOOK.read(empire, seat, order)
    intent.check(empire, seat)
    _check(empire, seat, intent)
    return intent


def _binds(empire: Empire, seat: Seat, order: Order) -> bool:
    try:
        _bound(empire, seat, order)
    except Refused:
        return False
    return True


def bind_later(empire: Empire, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order in an IF or FOR TURN means: its words and the board are judged, not what stands where today."""
    return bind(replace(empire, active=None), seat, order)


def _check(empire: Empire, seat: Seat, intent: Intent) -> None:
    """Try the order in one's own slot; refuse what is beyond hope."""
    if empire.active != seat or isinstance(intent, AsideOrder | PlaceCapital | RollWind):
        return
    try:
        carry_out(Table("try", empire, Keyed(b"try", 0), evolve), seat, intent)
    except Refused as refused:
        if refused.illegal.rule in _FOR_GOOD or _beyond(empire, seat, intent, refused):
            raise


def _beyond(empire: Empire, seat: Seat, intent: Intent, refused: Refused) -> bool:
    """A way too far or barred for units ashore that nothing could carry there: no earlier line helps."""
    if not isinstance(intent, MoveUnits) or refused.illegal.rule not in ("emp.move.bta", "emp.move.barrier"):
        return False
    units = [empire.units[number] for number in intent.units]
    kinds = [KINDS[unit.kind] for unit in units] + [KINDS[some.kind] for some in intent.some]
    on_foot = all(kind.category == "land" for kind in kinds) and not any(unit.aboard for unit in units)
    mine = [country.name for country in empire.owned(seat)]
    carriers = dict.fromkeys(unit.kind for unit in empire.units.values() if unit.country in mine)
    return on_foot and not any(seat_of(KINDS[carrier], kind) for carrier in carriers for kind in kinds)
