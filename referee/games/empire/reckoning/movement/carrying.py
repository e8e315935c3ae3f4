"""What fits aboard what: holds, seats, decks and tows, in sixtieths of an object (II.A, II.B)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.rates import DROP_TANK, takes_tank
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.rulebook.kinds import GOODS, KINDS, Kind, in_objects, objects
from referee.kit.refused import Refused


def aboard(empire: Empire, carrier: int) -> tuple[Unit, ...]:
    """The units aboard a unit or in its tow, not those aboard them."""
    return tuple(unit for unit in empire.units.values() if unit.aboard == carrier)


def goods_aboard(empire: Empire, carrier: int) -> tuple[Lot, ...]:
    """The goods aboard a unit, not those aboard what it carries."""
    return tuple(lot for lot in empire.lots if lot.aboard == carrier)


# ---------------------------------------------------------------- which part of a carrier takes what


def seat_of(carrier: Kind, rider: Kind) -> str:
    """Where a carrier takes a kind of unit: tow, seat, deck, hold; empty when it never does."""
    if rider.name in carrier.hauls or rider.name in carrier.tows:
        return "tow"
    if rider.category == "hauled":
        return ""
    if carrier.passengers and rider.name in carrier.riders:
        return "seat"
    if rider.name in carrier.wings:
        return "deck"
    return "hold" if carrier.carries and not carrier.only and _held(carrier, rider) else ""


def _held(carrier: Kind, rider: Kind) -> bool:
    """Whether a hold takes a kind of unit at all: no ships, no locomotives; those on foot carry only light vehicles and planes."""
    if rider.category == "naval" or rider.hauls:
        return False
    if carrier.person:
        return not rider.person and (rider.category == "air" or rider.consumer)
    barred = rider.military and rider.category == "land" and carrier.troops is not None
    return not barred or rider.name in (carrier.troops or ())


def fits(carrier: Kind, what: str) -> bool:
    """Whether a carrier takes a kind of goods at all; a plane takes a drop tank besides its load."""
    if what == DROP_TANK and takes_tank(carrier):
        return True
    return carrier.carries > 0 and (not carrier.only or what in carrier.only)


# ---------------------------------------------------------------- how much room is left


def room_left(empire: Empire, carrier: Unit) -> int:
    """What the hold of a unit still takes, in sixtieths of an object."""
    kind = KINDS[carrier.kind]
    return kind.carries - _goods_room(empire, carrier) - sum(_rooms(empire, carrier, kind))


def _goods_room(empire: Empire, carrier: Unit) -> int:
    lots = goods_aboard(empire, carrier.number)
    tanks = sum(lot.number for lot in lots if lot.what == DROP_TANK)
    hung = GOODS[DROP_TANK] if tanks and takes_tank(KINDS[carrier.kind]) else 0
    return sum(GOODS[lot.what] * lot.number for lot in lots) - hung


def _rooms(empire: Empire, carrier: Unit, kind: Kind) -> Iterator[int]:
    for unit in aboard(empire, carrier.number):
        if seat_of(kind, KINDS[unit.kind]) == "hold":
            yield _whole_room(empire, unit)


def _whole_room(empire: Empire, unit: Unit) -> int:
    """The room of a unit with its load: a loaded truck does not make a ship larger (house rule emp.move.nested)."""
    inner = sum(_whole_room(empire, other) for other in aboard(empire, unit.number))
    return KINDS[unit.kind].room + _goods_room(empire, unit) + inner


def left_of(empire: Empire, carrier: Unit, seat: str, kind: str = "") -> int:
    """How much is left of a carrier's seats, tow (in units) or deck (in sixtieths of an air unit)."""
    mine = KINDS[carrier.kind]
    there = [KINDS[unit.kind] for unit in aboard(empire, carrier.number) if seat_of(mine, KINDS[unit.kind]) == seat]
    if seat == "deck":
        return mine.deck - sum(other.hangar for other in there)
    if seat == "tow":
        most = mine.hauls.get(kind, mine.tows.get(kind, 0))
        return most - sum(other.name == kind for other in there)
    return mine.passengers - len(there)


# ---------------------------------------------------------------- refusals


def check_goods(empire: Empire, carrier: Unit, what: str, number: int) -> None:
    """Refuse goods that a unit does not take, or more than it has room for."""
    kind = KINDS[carrier.kind]
    if not fits(kind, what):
        raise Refused(f"{named(carrier)} carries no {what}.", "emp.move.capacity", what)
    # 1 when the first of these goods hangs below the wing.
    free = what == DROP_TANK and takes_tank(KINDS[carrier.kind])
    hung = int(free and not any(lot.what == DROP_TANK for lot in goods_aboard(empire, carrier.number)))
    left, needs = room_left(empire, carrier), GOODS[what] * (number - hung)
    if needs > left:
        most = max(0, left) // GOODS[what] + hung
        raise Refused(
            f"{named(carrier)} has room for {objects(max(0, left))} more; "
            f"{number} {what} {'takes' if number == 1 or what == 'food' else 'take'} {in_objects(needs)}.",
            "emp.move.capacity",
            what,
            (f"LOAD {most} {what} ABOARD {named(carrier)}",) if most else (),
        )


def check_unit(empire: Empire, carrier: Unit, unit: Unit) -> str:
    """Where a unit goes aboard another; refused when it does not fit."""
    kind, rider = KINDS[carrier.kind], KINDS[unit.kind]
    seat = seat_of(kind, rider)
    if not seat:
        raise Refused(f"{named(carrier)} does not carry {named(unit)}.", "emp.move.capacity", rider.name)
    if seat == "hold":
        left, needs = room_left(empire, carrier), _whole_room(empire, unit)
    else:
        left, needs = left_of(empire, carrier, seat, rider.name), rider.hangar if seat == "deck" else 1
    if needs > left:
        raise Refused(_full(carrier, unit, seat, left, needs), "emp.move.capacity", rider.name)
    return seat


def _full(carrier: Unit, unit: Unit, seat: str, left: int, needs: int) -> str:
    who, what = named(carrier), named(unit)
    if seat in ("hold", "deck"):
        room = objects(max(0, left))
        rest = room if seat == "hold" else room.replace("object", "air unit")
        return f"{who} has room for {rest} more; {what} takes {in_objects(needs)}."
    return f"{who} has no place left {'in its tow' if seat == 'tow' else 'for a passenger'}; {what} would need one."
