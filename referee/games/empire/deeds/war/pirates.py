"""Pirates: cargo ships that turn pirate at sea, plunder, and are cargo ships again in a dock (emp.H-33)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.bands import check_band
from referee.games.empire.deeds.war.means import check_fresh
from referee.games.empire.events.losses import NONE, losses_of
from referee.games.empire.events.war.sea import PirateReverted, PirateTurned, ShipPlundered
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.belongings import cargo_of, counts_of
from referee.games.empire.reckoning.fuel import at_sea
from referee.games.empire.reckoning.movement.carrying import aboard
from referee.games.empire.reckoning.ownership import named, unit_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

_RULE = "emp.H-33"

_TAKES, _LOSES = 4, 1
"""The least die that takes a ship, and the die that costs the SAC."""


def plan_turning(empire: Empire, seat: Seat, number: int) -> PirateTurned:
    """The cargo ship that turns pirate. Raises Refused."""
    ship = unit_of(empire, seat, number)
    if ship.kind != "cargo ship":
        raise Refused(f"Only cargo ships turn pirate; {named(ship)} does not.", _RULE, str(ship.number))
    _check_crew(empire, ship)
    return PirateTurned(ship.country, ship.number, ship.at)


def _check_crew(empire: Empire, ship: Unit) -> Unit:
    """The SAC of a ship at sea. Raises Refused."""
    if not at_sea(ship):
        raise Refused(f"{named(ship)} is not at sea.", _RULE, str(ship.number), (f"PUT TO SEA {named(ship)}",))
    crew = next(
        (unit for unit in aboard(empire, ship.number) if (unit.kind, unit.country) == ("SAC", ship.country)), None
    )
    if crew is None:
        raise Refused(f"{named(ship)} has no SAC aboard.", _RULE, str(ship.number), (f"LOAD SAC ABOARD {named(ship)}",))
    return crew


def plan_plunder(empire: Empire, seat: Seat, target: int, by: int) -> tuple[Unit, Unit, Unit]:
    """The prey, the pirate ship and its SAC. Raises Refused."""
    pirate, prey = unit_of(empire, seat, by), empire.units.get(target)
    if pirate.kind != "pirate ship":
        raise Refused(
            f"{named(pirate)} is no pirate ship.", _RULE, str(pirate.number), (f"TURN PIRATE {named(pirate)}",)
        )
    if prey is None or KINDS[prey.kind].category != "naval":
        raise Refused(f"Unit {target} is no ship.", _RULE, str(target))
    if empire.same_owner(prey.country, pirate.country):
        raise Refused(f"{named(prey)} is yours.", _RULE, str(prey.number))
    if prey.at != pirate.at:
        instead = (f"MOVE {named(pirate)} TO {prey.at}",)
        raise Refused(f"{named(prey)} is in {prey.at}, not in {pirate.at}.", _RULE, prey.at, instead)
    if prey.aboard or prey.status in ("dock", "submerged"):
        raise Refused(f"{named(prey)} is out of reach of pirates.", _RULE, str(prey.number))
    check_band(empire, pirate.country, "attack")
    check_fresh(empire, pirate, _RULE)
    crew = _check_crew(empire, pirate)
    # The warship may be the prey itself.
    here = [unit for unit in empire.units_at(prey.at) if KINDS[unit.kind].military and at_sea(unit)]
    guard = next((u for u in here if empire.friendly(u.country, prey.country)), None)
    if guard is not None:
        raise Refused(f"{guard.country}'s {named(guard)} escorts {named(prey)}.", _RULE, str(prey.number))
    return prey, pirate, crew


def plunder(table: Table[Empire], seat: Seat, target: int, by: int) -> None:
    """A die for the ship, and for the SAC. Raises Refused."""
    prey, pirate, crew = plan_plunder(table.state, seat, target, by)
    (die,) = table.roll(1, 6, f"{named(pirate)} plunders {named(prey)}", _RULE)
    taken = die >= _TAKES
    units, lots = cargo_of(table.state, (prey.number,), persons=False) if taken else ((), ())
    lost = losses_of(table.state, (crew.number,)) if die == _LOSES else NONE
    about = (prey.number, prey.kind, pirate.number, prey.country, pirate.country, prey.at, die, taken)
    table.emit(ShipPlundered(*about, units, lots, counts_of(table.state, units, lots), lost))


def revert_pirates(table: Table[Empire]) -> None:
    """Every pirate ship that is in a dock is a cargo ship again."""
    for unit in tuple(table.state.units.values()):
        if unit.kind == "pirate ship" and unit.status == "dock":
            table.emit(PirateReverted(unit.country, unit.number, unit.at))
