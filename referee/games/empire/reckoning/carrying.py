"""Room for loads aboard carriers: holds, seats, decks and tows, in sixtieths of an object (II.A, II.B).

Docks and airports: who may use them, what they hold and what they handle in a turn (emp.C4). Ships load and unload two units
outside a port, a full load each way in port (emp.L1).
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement_rates import DROP_TANK, takes_tank
from referee.games.empire.reckoning.ownership import flies, named, root_of
from referee.games.empire.rulebook import BEACH
from referee.games.empire.rulebook.kinds import GOODS, KINDS, OBJECT, Kind, in_objects, objects
from referee.kit.refused import Refused

SPACE = 12 * OBJECT
"""Sea units of a dock and air units of an airport, in sixtieths (III.B)."""


def berths(empire: Empire, what: str, at: str, country: str) -> int:
    """The room of all docks or airports of a square that a country may use, in sixtieths of a sea or air unit."""
    city = empire.city_at(at)
    mine = city is not None and empire.friendly(city.country, country)
    inside = (city.docks if what == "dock" else city.airports) if city is not None and mine else 0
    outside = sum(factory.kind == what for factory in empire.factories.get(at, ()))
    return (inside + outside) * SPACE


def _size(unit: Unit, what: str) -> int:
    kind = KINDS[unit.kind]
    return kind.berth if what == "dock" else kind.hangar


def _there(empire: Empire, unit: Unit, what: str) -> int:
    """The room taken by other ships in dock, or by other planes on the ground."""
    others = [other for other in empire.units_at(unit.at) if other.number != unit.number]
    return sum(_size(other, what) for other in others if _occupies(other, what))


def _occupies(unit: Unit, what: str) -> bool:
    if what == "dock":
        return unit.status == "dock"
    grounded = not flies(unit) and not unit.aboard and unit.status != "warehouse"
    return KINDS[unit.kind].category == "air" and grounded


def use_key(unit: Unit, what: str) -> str:
    """The count that tells that a unit used a dock or airport this turn."""
    return f"{what} {unit.at}/{unit.number}"


def check_berth(empire: Empire, unit: Unit, what: str) -> None:
    """Refuse a berth where there is none for this country, or none free."""
    space = berths(empire, what, unit.at, unit.country)
    if not space:
        raise Refused(f"There is no {what} in {unit.at} that {named(unit)} may use.", "emp.C4", unit.at)
    free, needs = space - _there(empire, unit, what), _size(unit, what)
    if needs > free:
        measure = "sea" if what == "dock" else "air"
        raise Refused(
            f"The {what} in {unit.at} has {in_objects(max(0, free))} {measure} units free; "
            f"{named(unit)} takes {in_objects(needs)}.",
            "emp.C4",
            unit.at,
        )


def check_use(empire: Empire, unit: Unit, what: str) -> None:
    """Refuse when a dock or airport has handled its twelve units this turn; who used it already may go on."""
    key, space = use_key(unit, what), berths(empire, what, unit.at, unit.country)
    if key in empire.handled:
        return
    used = sum(room for other, room in empire.handled.items() if other.startswith(f"{what} {unit.at}/"))
    if used + _size(unit, what) > space:
        raise Refused(
            f"The {what} in {unit.at} has handled {in_objects(used)} of {in_objects(space)} units this turn; "
            f"{named(unit)} takes {in_objects(_size(unit, what))}.",
            "emp.C4",
            unit.at,
        )


def open_berth(empire: Empire, unit: Unit, what: str) -> bool:
    """Whether a unit finds a free berth where it is, and may still use it this turn."""
    try:
        check_berth(empire, unit, what)
        if what == "airport":
            check_use(empire, unit, what)
    except Refused:
        return False
    return True


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
    """The room left in the hold of a unit, in sixtieths of an object."""
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


def site_of(empire: Empire, carrier: Unit) -> str:
    """Where a carrier loads: `port`, `shore` or `sea` for ships and their barges, `land` for others, `field` for planes."""
    ship = root_of(empire, carrier)
    category = KINDS[ship.kind].category
    if category == "air":
        return "field"
    if category != "naval" and carrier.kind != "barge":
        return "land"
    if ship.status == "dock":
        return "port"
    return "sea" if empire.board.squares[ship.at].water else "shore"


def counts_for(
    empire: Empire, carrier: Unit, site: str, way: str, pieces: int, room: int
) -> tuple[tuple[str, int], ...]:
    """The count for so many pieces of so much room; refused beyond the limits of a turn. Persons count nothing."""
    ship = root_of(empire, carrier)
    if not pieces or site not in ("shore", "port"):
        return ()
    return (
        _shore_counts(empire, ship, way, pieces) if site == "shore" else _port_counts(empire, carrier, ship, way, room)
    )


def _shore_counts(empire: Empire, ship: Unit, way: str, pieces: int) -> tuple[tuple[str, int], ...]:
    key = f"shore {way}/{ship.number}"
    done = empire.handled.get(key, 0)
    if done + pieces > BEACH:
        raise Refused(
            f"{named(ship)} has {way} {done} of {BEACH} units outside a port this turn; {pieces} more are too many.",
            "emp.L1",
            str(pieces),
        )
    return ((key, pieces),)


def _port_counts(empire: Empire, carrier: Unit, ship: Unit, way: str, room: int) -> tuple[tuple[str, int], ...]:
    """A full load each way, and the dock's twelve ships a turn."""
    check_use(empire, ship, "dock")
    dock = use_key(ship, "dock")
    used = () if dock in empire.handled else ((dock, KINDS[ship.kind].berth),)
    key, most = f"port {way}/{carrier.number}", KINDS[carrier.kind].carries
    done = empire.handled.get(key, 0)
    if done + room > most:
        raise Refused(
            f"{named(carrier)} has {way} {in_objects(done)} of {in_objects(most)} objects in port this turn; "
            f"{in_objects(room)} more are too many.",
            "emp.L1",
            str(carrier.number),
        )
    return (*used, (key, room))


def load_of(empire: Empire, unit: Unit) -> tuple[int, int]:
    """For how many pieces a unit counts that goes aboard or off, and for how much room in sixtieths.

    Persons count nothing, but what they and vehicles carry counts like any goods.
    """
    own = 0 if KINDS[unit.kind].person else 1
    lots = goods_aboard(empire, unit.number)
    pieces = own + sum(lot.number for lot in lots)
    room = own * KINDS[unit.kind].room + sum(GOODS[lot.what] * lot.number for lot in lots)
    for other in aboard(empire, unit.number):
        inner = load_of(empire, other)
        pieces, room = pieces + inner[0], room + inner[1]
    return pieces, room
