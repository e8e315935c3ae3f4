"""Planes that meet others on their way: patrols, scrambling, interception (emp.H-31)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.movement import moving
from referee.games.empire.deeds.rehearsal import Rehearsal
from referee.games.empire.events.losses import losses_of
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.events.war.air import PlanesIntercepted, ScrambleSet, intercepted_key
from referee.games.empire.position.booking import Booking
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import fuel_of_stance
from referee.games.empire.reckoning.movement.berths import berths
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

_RULE = "emp.H-31"

RADIUS = 6
"""How many borders away fighters on patrol, or on the ground, meet planes."""

_HIT, _HIT_FIGHTER = 5, 6
"""The least die that shoots down a bomber, TAC or transport; and a fighter."""


class Meeting(NamedTuple):
    """Fighters of one country that meet a flight, with where each comes from, and over which square."""

    by: str
    at: Position
    hunters: tuple[tuple[int, str], ...]
    prey: tuple[Unit, ...]


# ---------------------------------------------------------------- who meets whom


def meetings(empire: Empire, planes: Sequence[Unit], way: Sequence[Position]) -> tuple[Meeting, ...]:
    """Who would intercept planes that fly over these squares, by country."""
    found = []
    for country in empire.countries.values():
        prey = tuple(plane for plane in planes if _prey(empire, country.name, plane))
        hunters = _hunters(empire, country.name, way) if prey else ()
        if hunters:
            near = next(at for at in way if any(_near(empire, hunter, at) for hunter in hunters))
            found.append(Meeting(country.name, near, tuple((h.number, _from(empire, h)) for h in hunters), prey))
    return tuple(found)


def _prey(empire: Empire, country: str, plane: Unit) -> bool:
    """Military planes and those with military aboard are met by military hostile to them, others only by declared enemies."""
    if empire.same_owner(country, plane.country):
        return False
    armed = [plane, *(unit for unit in empire.units.values() if unit.aboard == plane.number)]
    military = any(KINDS[unit.kind].military for unit in armed)
    return empire.countries[country].hostile_to(plane.country, military)


def _hunters(empire: Empire, country: str, way: Sequence[Position]) -> tuple[Unit, ...]:
    """A country's fighters that reach a way, have not intercepted since its turn began, and have oil."""
    ready, oil = [], list[tuple[str, Booking]]()
    for unit in empire.units_of(country, "fighter"):
        if intercepted_key(unit.number) in empire.handled or not _waits(empire, unit):
            continue
        need = fuel_of_stance(empire, unit.number, "air")
        if any(_near(empire, unit, at) for at in way) and _fuelled(empire, country, (*oil, *need)):
            ready.append(unit)
            oil += need
    return tuple(ready)


def _near(empire: Empire, hunter: Unit, at: Position) -> bool:
    return empire.board.grid.apart(hunter.at, at) <= RADIUS


def _waits(empire: Empire, unit: Unit) -> bool:
    """On patrol, or in an airport or on a carrier at sea from which fighters scramble."""
    if unit.status == "patrol":
        return True
    if unit.status not in ("", "city") or not scrambles(empire, unit):
        return False
    carrier = empire.units.get(unit.aboard)
    if carrier is not None:
        return carrier.kind == "carrier" and carrier.status == ""
    return berths(empire, "airport", unit.at, unit.country) > 0


def scrambles(empire: Empire, unit: Unit) -> bool:
    """Whether a fighter's country lets it scramble where it is; unless told otherwise it does."""
    told = empire.countries[unit.country].scramble
    return told.get(unit.at, told.get("", "always")) == "always"


def _fuelled(empire: Empire, country: str, oil: Sequence[tuple[str, Booking]]) -> bool:
    try:
        check_debt(empire, country, oil)
    except Refused:
        return False
    return True


def _from(empire: Empire, hunter: Unit) -> str:
    if hunter.status == "patrol":
        return f"on patrol over {hunter.at}"
    return f"from carrier {hunter.aboard}" if hunter.aboard else f"from {hunter.at}"


# ---------------------------------------------------------------- the fight


def _meet(table: Table[Empire], seat: Seat, meeting: Meeting) -> None:
    """The escort fires first, then every interceptor that is left, at bombers and transports before fighters."""
    prey = [unit for unit in meeting.prey if unit.number in table.state.units]
    hunters = [number for number, _ in meeting.hunters]
    if not prey:
        return
    escort = [unit for unit in prey if unit.kind == "fighter"]
    why = f"{meeting.by} intercepts over {meeting.at}"
    answers = table.roll(len(escort), 6, f"{why}: the escort", _RULE) if escort else ()
    hit = hunters[: sum(face == _HIT_FIGHTER for face in answers)]
    dice = table.roll(len(hunters) - len(hit), 6, why, _RULE) if len(hunters) > len(hit) else ()
    shot = _shot(prey, dice)
    downed = (*((number, "fighter") for number in hit), *((unit.number, unit.kind) for unit in shot))
    losses = losses_of(table.state, [number for number, _ in downed])
    flight = tuple((unit.number, unit.kind) for unit in prey)
    country, at = prey[0].country, meeting.at
    table.emit(PlanesIntercepted(country, meeting.by, at, flight, meeting.hunters, answers, dice, downed, losses))


def _shot(prey: Sequence[Unit], dice: Sequence[int]) -> list[Unit]:
    """Each die is for the first that is left: bombers, TAC and transports before fighters."""
    left, shot = sorted(prey, key=lambda unit: (unit.kind == "fighter", unit.number)), list[Unit]()
    for face in dice:
        if left and face >= (_HIT_FIGHTER if left[0].kind == "fighter" else _HIT):
            shot.append(left.pop(0))
    return shot


# ---------------------------------------------------------------- orders


def do_flight(table: Table[Empire], seat: Seat, intent: moving.March) -> None:
    """A move; planes may be met on their way, and those that are left arrive. Nobody is met on a move that is refused.

    Who was gone before is not left out: that move is refused, like any of which a part cannot be done (emp.H-02).
    """
    met = met_on(table.state, seat, intent)
    for meeting in met:
        _meet(table, seat, meeting)
    left = tuple(number for number in intent.units if not met or number in table.state.units)
    if left or not met:
        moving.go(table, seat, intent.only(left))


def met_on(empire: Empire, seat: Seat, intent: moving.March) -> tuple[Meeting, ...]:
    """Whom the planes of a move would meet. Raises Refused for a move that cannot be made."""
    planes = [unit for n in intent.units if (unit := empire.units.get(n)) and KINDS[unit.kind].category == "air"]
    if not planes or not any(other.kind == "fighter" for other in empire.units.values()):
        return ()
    stage = Rehearsal(empire)
    moving.do_move(stage, seat, intent)
    numbers = [plane.number for plane in planes]
    flown = [event.way for event in stage.told if isinstance(event, UnitMoved) and event.unit in numbers]
    return meetings(empire, planes, tuple(dict.fromkeys(at for way in flown for at in way)))


def set_scramble(table: Table[Empire], seat: Seat, at: Position, always: bool) -> None:
    """What a seat says holds for all its countries, from now on; "" is everywhere."""
    for country in table.state.owned(seat):
        table.emit(ScrambleSet(country.name, at, always))
