"""Orders of air and sea war -> intents (H-31 to H-33)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.empire.binding_units import Cargo, cargo, one_unit, place, square
from referee.games.empire.formations import FORMATIONS
from referee.games.empire.intents.air import Bomb, Engage, Plunder, Scramble, TurnPirate
from referee.games.empire.kinds import KINDS
from referee.games.empire.nouns import GOODS_WORDS
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

__all__ = ["bind_bomb", "bind_engage", "bind_engagement", "bind_plunder", "bind_scramble", "bind_turn_pirate"]


def bind_bomb(empire: Empire, seat: Seat, order: Order) -> Intent:
    """BOMB steel mill IN c12r7 WITH strategic bomber 5, 6. Bombers given by kind are those over the square."""
    (thing,) = order.things
    at = place(empire, order, "IN", "AT")
    named = cargo(empire, seat, (*order.after("WITH"), *order.after("BY")), at)
    what = GOODS_WORDS[thing.name] if thing.kind == "goods" else thing.name
    return Bomb(at, what, named.units, named.some)


def bind_scramble(empire: Empire, seat: Seat, order: Order) -> Intent:
    """SCRAMBLE NEVER IN c12r7; SCRAMBLE ALWAYS."""
    return Scramble(order.verb == "SCRAMBLE ALWAYS", place(empire, order, "IN", "AT"))


def bind_turn_pirate(empire: Empire, seat: Seat, order: Order) -> Intent:
    """TURN PIRATE cargo ship 5."""
    return TurnPirate(one_unit(empire, seat, order.things, "TURN PIRATE"))


def bind_plunder(empire: Empire, seat: Seat, order: Order) -> Intent:
    """PLUNDER cargo ship 31 WITH pirate ship 5."""
    by = one_unit(empire, seat, (*order.after("WITH"), *order.after("BY")), "PLUNDER ... WITH")
    return Plunder(one_unit(empire, seat, order.things, "PLUNDER", "any"), by)


def bind_engage(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ENGAGE c7r7 WITH cruiser 5, TAC 6; ENGAGE submarine 7 WITH destroyer 5."""
    named = cargo(empire, seat, (*order.after("WITH"), *order.after("BY")), place(empire, order, "IN", "AT"))
    return _engage(empire, order, named, _prey(empire, seat, order))


def _engage(empire: Empire, order: Order, named: Cargo, prey: int | None) -> Engage:
    if prey is None:
        return Engage(square(empire, order.things[0]), named.units, named.some)
    ship = empire.units[prey]
    return Engage(ship.at, named.units, named.some, ship.status == "submerged")


def bind_engagement(empire: Empire, seat: Seat, order: Order, named: Cargo) -> Intent | None:
    """An ATTACK that is meant for ships: no formation attacks, or a ship is named. None: an attack on land.

    ATTACK c7r7 WITH cruiser 5, TAC 6; ATTACK submarine 7 WITH destroyer 5 goes for those under water.
    """
    kinds = [*(empire.units[number].kind for number in named.units), *(some.kind for some in named.some)]
    prey = _prey(empire, seat, order)
    if prey is None and (any(kind in FORMATIONS or kind == "coolie" for kind in kinds) or not kinds):
        return None
    return _engage(empire, order, named, prey)


def _prey(empire: Empire, seat: Seat, order: Order) -> int | None:
    """The ship named instead of a square. Raises Refused for what is no ship."""
    (thing,) = order.things
    if thing.kind != "numbered":
        return None
    (number,) = cargo(empire, seat, order.things, "", "any").units
    unit = empire.units[number]
    if KINDS[unit.kind].category != "naval":
        instead = (f"ATTACK {unit.at}",)
        raise Refused("Squares are attacked, or ships by name.", "emp.H-28", thing.name, instead)
    return number
