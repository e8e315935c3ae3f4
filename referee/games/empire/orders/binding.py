"""From a sentence to an order, and orders sent on to who carries them out; which units are meant of several of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Clause, Illegal, Intent, Order, Portion, Quantity, Thing, write
from referee.core.table import Table
from referee.games.empire.deeds.fighting import cities_fall
from referee.games.empire.deeds.moving import lines_lie_ahead, plan_move
from referee.games.empire.events import evolve
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.economy import LineDoubtful
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.base import AsideOrder, SlotOrder
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.moving import MoveUnits, RollWind, Stance
from referee.games.empire.orders.raids import revert_pirates
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.empire.position import FOODS, Unit
from referee.games.empire.position.state import Doubtful, Empire
from referee.games.empire.reckoning.carrying import goods_aboard, seat_of
from referee.games.empire.reckoning.ownership import Some, with_kinds
from referee.games.empire.reckoning.routes import NoWay
from referee.games.empire.rulebook.kinds import GOODS_WORDS, GRADES, KINDS, so_many
from referee.kit.refused import ForGood, Refused
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- so many units of a kind in a square
# So many units of a kind in a square: which of them are meant, decided when the order is carried out.
#
# An order such as MOVE 3 coolies FROM c12r7 TO c13r7 cannot say so when it is written: lines before it move others away. In how
# many ways an order could be read that leaves open which units obey it, or which way they go (emp.P22).


def mustered(empire: Empire, seat: Seat, intent: Any) -> Intent:
    """The order with every `some` made numbers of units. Raises Refused where there are not so many."""
    some: tuple[Some, ...] = getattr(intent, "some", ())
    if not some:
        return _as_intent(intent)
    quarters: int | None = getattr(intent, "quarters", 0)
    numbers = tuple(number for part in some for number in _chosen(empire, seat, part, quarters))
    if hasattr(intent, "units"):
        units = tuple(dict.fromkeys((*intent.units, *numbers)))
        return _as_intent(replace(intent, units=units, some=()))
    return _as_intent(replace(intent, unit=numbers[0], some=()))


def _as_intent(intent: Any) -> Intent:
    assert isinstance(intent, Intent)
    return intent


def of_kind(empire: Empire, seat: Seat, kind: str, at: str, quarters: int | None = 0) -> tuple[Unit, ...]:
    """A seat's units of a kind in a square that are free to act, best first: idle ones, those with most BTA left.

    `quarters`: those aboard the unit of this number, wherever it is by now; 0: aboard nothing; None: aboard something.
    """
    mine = [country.name for country in empire.owned(seat)]
    there = empire.units.values() if quarters else empire.units_at(at)
    here = [u for u in there if u.kind == kind and u.country in mine and _quartered(u, quarters)]
    busy = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    return tuple(sorted(here, key=lambda unit: (unit.number in busy, unit.spent, unit.number)))


def _quartered(unit: Unit, quarters: int | None) -> bool:
    return bool(unit.aboard) if quarters is None else unit.aboard == quarters


def _chosen(empire: Empire, seat: Seat, some: Some, quarters: int | None) -> tuple[int, ...]:
    found = of_kind(empire, seat, some.kind, some.at, quarters)
    wanted = some.quantity.of(len(found))
    if not 0 < wanted <= len(found):
        where = f"aboard {empire.units[quarters].kind} {quarters}" if quarters else f"in {some.at}"
        where = f"aboard anything {where}" if quarters is None else where
        here = f"{so_many(len(found), some.kind)} {where}, not {wanted}" if found else f"no {some.kind} {where}"
        raise Refused(f"You have {here}.", "emp.P22", some.kind)
    return tuple(unit.number for unit in found[:wanted])


MOST = 4
"""So many readings of a line are told apart at most."""

Obeys = Callable[[Intent], bool]
"""Whether an order could have been carried out."""


class Reading(NamedTuple):
    """One way to read an order: in words, who obeys, and which way they go."""

    words: str
    units: tuple[int, ...]
    way: tuple[str, ...] = ()


def readings_of(empire: Empire, seat: Seat, intent: Intent, obeys: Obeys) -> tuple[Reading, ...]:
    """The referee's own reading first; only one where the others come to the same or cannot be done."""
    match intent:
        case MoveUnits() | Disembark() | Load() | Unload() | Stance() if intent.some:
            found = _by_unit(empire, seat, intent, obeys)
        case MoveUnits(via=()):
            found = tuple(_by_way(empire, seat, intent))
        case _:
            found = ()
    return found[:MOST]


def doubtful_line(after: Empire, seat: Seat, line: int, readings: tuple[Reading, ...]) -> Doubtful:
    """The record of a line that was carried out as its first reading says."""
    numbers = dict.fromkeys(number for reading in readings for number in reading.units)
    units = [after.units[number] for number in numbers if number in after.units]
    by_way = any(reading.way for reading in readings)
    return Doubtful(
        after.slot,
        line,
        seat,
        tuple(reading.words for reading in readings),
        units=tuple(reading.units for reading in readings),
        ways=tuple(reading.way for reading in readings) if by_way else (),
        stood=tuple((unit.number, unit.at, unit.aboard) for unit in units),
    )


# ---------------------------------------------------------------- who obeys

_Several = MoveUnits | Disembark | Load | Unload | Stance


def _by_unit(empire: Empire, seat: Seat, intent: _Several, obeys: Obeys) -> tuple[Reading, ...]:
    """Units of a kind in a square that are not all alike, and of which some obey and some do not."""
    whole = mustered(empire, seat, intent)
    assert isinstance(whole, _Several)
    found: dict[tuple[str, ...], Reading] = {}
    for numbers in (whole.units, *_others(empire, seat, intent, whole.units)):
        states = tuple(sorted(_state(empire, empire.units[number]) for number in numbers))
        if states not in found and (not found or obeys(replace(intent, units=numbers, some=()))):
            found[states] = Reading(_words(empire, numbers), numbers)
    return tuple(found.values())


def _others(empire: Empire, seat: Seat, intent: _Several, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """For each state in which some of the units are: as many as possible of those first."""
    quarters: int | None = getattr(intent, "quarters", 0)
    for some in intent.some:
        meant = of_kind(empire, seat, some.kind, some.at, quarters)
        there = [unit for unit in meant if unit.number not in intent.units]
        ours = [unit.number for unit in there if unit.number in chosen]
        for state in dict.fromkeys(_state(empire, unit) for unit in there):
            first = sorted(there, key=lambda unit: _state(empire, unit) != state)[: len(ours)]
            kept = tuple(number for number in chosen if number not in ours)
            yield (*kept, *(unit.number for unit in first))


def _state(empire: Empire, unit: Unit) -> str:
    """All by which a unit differs from others of its kind in its square; empty for one that is idle and carries nothing."""
    country = empire.countries[unit.country]
    several = len(empire.owned(country.owner)) > 1
    said = [f"of {unit.country}"] if several else []
    said += [f"works {worked.kind} in {worked.at}" for worked in empire.worked if worked.unit == unit.number]
    said += [f"builds {work.what} in {work.at}" for work in empire.works if work.unit == unit.number and work.left]
    said += [f"carries {lot.number} {lot.what}" for lot in goods_aboard(empire, unit.number)]
    said += [f"has {o.kind} {o.number} aboard" for o in empire.units.values() if o.aboard == unit.number]
    said += [f"armed with {part}" for part in unit.parts]
    said += ["without water"] if empire.dry.get(unit.number) else []
    return ", ".join(said)


def _words(empire: Empire, numbers: tuple[int, ...]) -> str:
    parts = []
    for number in numbers:
        unit = empire.units[number]
        state = _state(empire, unit)
        parts.append(f"{unit.kind} {number}{f' ({state})' if state else ''}")
    return in_a_row(parts)


# ---------------------------------------------------------------- which way


def _by_way(empire: Empire, seat: Seat, intent: MoveUnits) -> Iterator[Reading]:
    """Ways of equal cost. They matter on turn 1 only, where picks that lie still must follow them."""
    first = empire.units.get(intent.units[0]) if intent.units else None
    if first is None or empire.turn != 1 or first.kind != "coolie" or not lines_lie_ahead(empire, first.country):
        return
    if any(empire.units[number].at != first.at for number in intent.units if number in empire.units):
        return
    route = plan_move(empire, seat, first.number, intent.target).route
    for way in dict.fromkeys((route.way, *_detours(empire, seat, first, route.way, route.cost))):
        went = f"by way of {in_a_row(way[:-1])}" if way[:-1] else "straight"
        yield Reading(f"{_words(empire, intent.units)} {went}", intent.units, way)


def _detours(empire: Empire, seat: Seat, unit: Unit, way: tuple[str, ...], cost: int) -> Iterator[tuple[str, ...]]:
    """Other ways to the same square that cost no more, found through the neighbours of the way."""
    for here in way[:-1]:
        for _, beside in empire.board.grid.around(here):
            if beside in way or beside == unit.at:
                continue
            try:
                other = plan_move(empire, seat, unit.number, way[-1], (beside,)).route
            except Refused:
                continue
            if other.cost == cost:
                yield other.way


# ---------------------------------------------------------------- dispatch
# Each order goes to the module that carries it out; an order that cannot be carried out is refused (emp.H-02).


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
    """The consequences of where everybody now is: cities fall, pirates in dock are pirates no more."""
    cities_fall(table)
    revert_pirates(table)


def attempt(table: Table[Empire], seat: Seat, line: int, intent: Intent) -> bool:
    """Carry out one order of a sheet; a refusal is told and later lines go on (emp.H-02).

    A line that could be read in several ways is carried out as the first says, and put before the others.
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
# The offers of a refusal, as whole lines that are lawful: the order again with the offending word replaced.


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
    things = tuple(thing if _stands_for(old, at, thing) else old for old in order.things)
    if things != order.things:
        return replace(order, things=things)
    clauses = (
        replace(c, things=tuple(thing if _stands_for(t, at, thing) else t for t in c.things)) for c in order.clauses
    )
    return replace(order, clauses=tuple(clauses))


def _stands_for(old: Thing, at: str, thing: Thing) -> bool:
    """Whether a thing of a line is the refused word, for which another is offered; a grade is told by its number, too."""
    if "grade" in (old.kind, thing.kind):
        return old.kind == thing.kind and str(GRADES[old.name]) == at
    number = old.kind == "number" and str(old.count()) == at
    return number or old.name == at or (old.kind == "numbered" and old.name.endswith(f" {at}"))


def bind(empire: Empire, seat: Seat, order: Order) -> Intent | Illegal:
    """The meaning of an order for this seat now, or the reason why it is not allowed.

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
    """The meaning of an order in an IF or FOR TURN: its words and the board are judged, not the pieces of today."""
    return bind(replace(empire, active=None), seat, order)


def _check(empire: Empire, seat: Seat, intent: Intent) -> None:
    """Try the order in one's own slot; refuse what is beyond hope."""
    if empire.active != seat or isinstance(intent, AsideOrder | PlaceCapital | RollWind):
        return
    try:
        carry_out(Table("try", empire, Keyed(b"try", 0), evolve), seat, intent)
    except Refused as refused:
        if isinstance(refused, ForGood) or _beyond(empire, seat, intent, refused):
            raise


def _beyond(empire: Empire, seat: Seat, intent: Intent, refused: Refused) -> bool:
    """A way too far or barred for units ashore that nothing could carry there: no earlier line helps."""
    if not isinstance(intent, MoveUnits) or not isinstance(refused, NoWay):
        return False
    units = [empire.units[number] for number in intent.units]
    if not intent.via and any(unit.at == intent.target for unit in units):  # an earlier line may have sent him away
        return False
    kinds = [KINDS[unit.kind] for unit in units] + [KINDS[some.kind] for some in intent.some]
    on_foot = all(kind.category == "land" for kind in kinds) and not any(unit.aboard for unit in units)
    mine = [country.name for country in empire.owned(seat)]
    carriers = dict.fromkeys(unit.kind for unit in empire.units.values() if unit.country in mine)
    return on_foot and not any(seat_of(KINDS[carrier], kind) for carrier in carriers for kind in kinds)
