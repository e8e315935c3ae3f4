"""What orders that hang on dice would bring, for PREVIEW: the odds in words, nothing rolled; what is certain happens."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.movement import moving
from referee.games.empire.deeds.war.air import Meeting, flak_at, met_on, plan_bombing
from referee.games.empire.deeds.war.fighting import Assault, foresee_attack, plan_attack
from referee.games.empire.deeds.war.sea import Strike, plan_engagement, plan_plunder
from referee.games.empire.events.war.air import SquareBombed
from referee.games.empire.events.war.sea import SeaBattleFought, ShipPlundered
from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.ownership import named
from referee.games.empire.reckoning.war.combat import BOMBS, in_chances
from referee.kit.wording import counted, in_a_row

_FACES = 6


def foresee_assault(table: Table[Empire], seat: Seat, intent: Assault) -> tuple[str, ...]:
    """An attack on a square: flak, odds and chances in words. Raises Refused."""
    helped = bool(plan_attack(table.state, seat, intent).helpers)
    country = table.state.units[intent.units[0]].country
    return (*(_flak(table.state, country, intent.at) if helped else ()), foresee_attack(table, seat, intent))


def _flak(empire: Empire, country: str, at: Position) -> tuple[str, ...]:
    number = flak_at(empire, country, at)
    if not number:
        return ()
    return (f"{counted(number, 'ack-ack sites')} in {at} would fire first, each brings a plane down 1/6.",)


def foresee_engagement(table: Table[Empire], seat: Seat, intent: Strike) -> tuple[str, ...]:
    """An attack on ships: flak, odds and chances in words. Raises Refused."""
    fight = plan_engagement(table.state, seat, intent)
    attack, defence, column = fight.sides.attacking, fight.sides.defending, fight.sides.odds
    told = f"{attack} against {defence}, odds {column}: {in_chances(table.state, column)}"
    units = tuple((unit.number, unit.country) for unit in (*fight.ships, *fight.planes))
    flak = _flak(table.state, fight.country, intent.at) if fight.planes else ()
    table.emit(SeaBattleFought(fight.country, intent.at, units, fight.sides, column, 0, ""))
    return (*flak, f"Attack on {in_a_row([named(unit) for unit in fight.defenders])} in {intent.at}: {told}.")


def foresee_bombing(table: Table[Empire], seat: Seat, at: Position, what: str, units: Sequence[int]) -> tuple[str, ...]:
    """Bombs on a building or resource: flak, and what each bomber hits. Raises Refused."""
    raid = plan_bombing(table.state, seat, at, what, units)
    pairs = zip(raid.bombers, raid.bombs, strict=True)
    hits = in_a_row([f"{named(unit)} hits {Fraction(_FACES + 1 - BOMBS[lot.what], _FACES)}" for unit, lot in pairs])
    country = raid.bombers[0].country
    drops = tuple((unit.number, lot.what, 0) for unit, lot in zip(raid.bombers, raid.bombs, strict=True))
    flak = _flak(table.state, country, at)
    about = (country, raid.victim, at, what, drops, raid.bombs)
    table.emit(SquareBombed(*about, resource=raid.resource))
    return (*flak, f"Bombs on the {what} in {at}: {hits}.")


def foresee_plunder(table: Table[Empire], seat: Seat, target: int, by: int) -> tuple[str, ...]:
    """A ship that pirates try to take: their chances. Raises Refused."""
    prey, pirate, _ = plan_plunder(table.state, seat, target, by)
    about = (prey.number, prey.kind, pirate.number, prey.country, pirate.country, prey.at)
    table.emit(ShipPlundered(*about, 0, taken=False))
    return (f"Plundering {named(prey)}: {named(pirate)} takes it 1/2, loses its SAC 1/6.",)


def foresee_move(table: Table[Empire], seat: Seat, intent: moving.March) -> tuple[str, ...]:
    """The move as if nobody met it."""
    met = met_on(table.state, seat, intent)
    moving.go(table, seat, intent)
    return tuple(map(_meeting, met))


def _meeting(meeting: Meeting) -> str:
    who = in_a_row([f"fighter {number} {where}" for number, where in meeting.hunters])
    prey = in_a_row([named(unit) for unit in meeting.prey])
    return f"{meeting.by}'s {who} would meet {prey} over {meeting.at}: each hits 1/3, a fighter 1/6."
