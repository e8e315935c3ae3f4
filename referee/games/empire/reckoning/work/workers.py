"""Who may do a piece of work: an own coolie, in the square, with nothing else to do over the end of the turn."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.empire.position.labour import Work
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.rates import keeps
from referee.games.empire.reckoning.ownership import busy, missing
from referee.games.empire.reckoning.supply.stores import held
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

RAZING = "emp.board.destruction"
"""The rule of destroying buildings."""


def own_unit(empire: Empire, seat: Seat, number: int) -> Unit:
    """A unit of a country that this seat runs. Raises Refused."""
    unit = empire.units.get(number)
    if unit is None:
        raise Refused(missing(empire, number), "emp.P22", str(number))
    if all(country.name != unit.country for country in empire.owned(seat)):
        raise Refused(f"{unit.kind} {number} belongs to {unit.country}.", "emp.P12", str(number))
    return unit


def own_coolie(empire: Empire, seat: Seat, number: int, rule: str = "emp.board.construction") -> Unit:
    """A regular coolie of this seat: nobody else works (IV A, IV B). Raises Refused."""
    unit = own_unit(empire, seat, number)
    if unit.kind != "coolie":
        others = [u for u in empire.units_of(unit.country, "coolie") if u.at == unit.at and not busy(empire, u)]
        instead = tuple(str(other.number) for other in others[:3])
        raise Refused(f"{unit.kind} {number} {_OTHERS.get(rule, _OTHERS[''])}.", rule, str(number), instead)
    return unit


_OTHERS = {"": "does no work; only a regular coolie does", RAZING: "destroys no building; only a regular coolie does"}
"""What is said of who is no regular coolie, by the rule of the work."""


def idle(empire: Empire, unit: Unit) -> None:
    """Raises Refused when a unit has other work to do over the end of the turn."""
    if keeps(empire, unit):
        words = f"{unit.kind} {unit.number} mans the canal in {unit.at} this turn and does no other work."
        raise Refused(words, "emp.terrain.canal", str(unit.number))
    doing = busy(empire, unit)
    if doing:
        rule = RAZING if doing.startswith("destroy ") else "emp.board.construction"
        words = f"{unit.kind} {unit.number} is to {doing} in {unit.at} already; a coolie does one such work a turn."
        raise Refused(words, rule, str(unit.number))


def by_hand(work: Work) -> bool:
    """Whether a work needs no construction machine: destroying a building, becoming an ambassador."""
    return work.what.startswith(("destroy ", "appoint "))


def stands_by(empire: Empire, country: str, number: int, at: Position) -> bool:
    """Whether the unit that does a work is still there and still the country's."""
    unit = empire.units.get(number)
    return unit is not None and unit.country == country and unit.at == at


def machine_free(empire: Empire, unit: Unit, number: int = 0) -> None:
    """Raises Refused unless a construction machine in the unit's square has nothing to do; `number` is the work itself."""
    using = [w for w in empire.works if (w.country, w.at) == (unit.country, unit.at) and w.left and w.number != number]
    machines = sum(1 for w in using if not by_hand(w) and stands_by(empire, w.country, w.unit, w.at))
    have = held(empire, unit.country, unit.at, "cmx")
    if machines >= have:
        none, all_used = f"There is no construction machine in {unit.at}.", "All construction machines in"
        why = f"{all_used} {unit.at} are in use, {have} of {have}." if have else none
        raise Refused(why, "emp.board.construction", str(unit.number))


def on_ship(empire: Empire, unit: Unit) -> Unit | None:
    """The ship that carries a unit; None where none does."""
    carrier = empire.units.get(unit.aboard)
    return carrier if carrier is not None and KINDS[carrier.kind].category == "naval" else None


def machine_aboard(empire: Empire, ship: Unit) -> bool:
    """Whether a construction machine is aboard a ship, in its hold or in the hands of somebody aboard."""
    aboard = {unit.number for unit in empire.units.values() if unit.aboard == ship.number} | {ship.number}
    return any(lot.what == "cmx" and lot.aboard in aboard for lot in empire.lots)


def land_square(empire: Empire, unit: Unit) -> None:
    """Raises Refused when a unit does not stand on land."""
    carrier = empire.units.get(unit.aboard)
    if empire.board.squares[unit.at].water or (carrier is not None and KINDS[carrier.kind].category != "land"):
        raise Refused(f"{unit.kind} {unit.number} does not stand on land.", "emp.board.construction", str(unit.number))
