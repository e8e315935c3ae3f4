"""How much ships load and unload in a turn: two units outside a port, a full load each way in port (emp.L1)."""

from __future__ import annotations

from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.berths import check_use, use_key
from referee.games.empire.reckoning.movement.carrying import aboard, goods_aboard
from referee.games.empire.reckoning.ownership import named, root_of
from referee.games.empire.rulebook.kinds import GOODS, KINDS, in_objects
from referee.kit.refused import Refused

_BEACH = 2
"""What a ship takes aboard, and puts off, in a turn outside a port."""


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
    """What is counted for so many pieces of so much room; refused beyond the limits of a turn. Persons count nothing."""
    ship = root_of(empire, carrier)
    if not pieces or site not in ("shore", "port"):
        return ()
    return (
        _shore_counts(empire, ship, way, pieces) if site == "shore" else _port_counts(empire, carrier, ship, way, room)
    )


def _shore_counts(empire: Empire, ship: Unit, way: str, pieces: int) -> tuple[tuple[str, int], ...]:
    key = f"shore {way}/{ship.number}"
    done = empire.handled.get(key, 0)
    if done + pieces > _BEACH:
        raise Refused(
            f"{named(ship)} has {way} {done} of {_BEACH} units outside a port this turn; {pieces} more are too many.",
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
