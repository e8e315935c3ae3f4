"""Planes that meet others on their way: patrols, scrambling, interception (emp.H-31).

Planes over a target: flak, and TAC that join an attack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds import moving
from referee.games.empire.deeds.debts import check_debt
from referee.games.empire.deeds.fighting import check_fresh
from referee.games.empire.deeds.rehearsal import Rehearsal
from referee.games.empire.events.air_and_sea import FlakFired, MunitionSpent, PlanesIntercepted, intercepted_key
from referee.games.empire.events.economy import losses_of
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.position.board import Lot, Position, Unit
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_stance
from referee.games.empire.reckoning.carrying import berths, goods_aboard
from referee.games.empire.reckoning.combat import ACK_ACK, SUPPORT, SUPPORTED, Fighter, chance, sites
from referee.games.empire.reckoning.ownership import flies, named
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook.figures import FLAK_HITS, HITS, HITS_FIGHTER, RADIUS, TAC_STRIKE
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

_RULE = "emp.H-31"


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
    hit = hunters[: sum(face >= HITS_FIGHTER for face in answers)]
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
        if left and face >= (HITS_FIGHTER if left[0].kind == "fighter" else HITS):
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


def foresee_flight(table: Table[Empire], seat: Seat, intent: moving.March) -> tuple[str, ...]:
    """The move as if nobody met it, and who would."""
    met = met_on(table.state, seat, intent)
    moving.go(table, seat, intent)
    return tuple(map(_told, met))


def _told(meeting: Meeting) -> str:
    who = in_a_row([f"fighter {number} {where}" for number, where in meeting.hunters])
    prey = in_a_row([named(unit) for unit in meeting.prey])
    each = f"each hits {chance(HITS)}, a fighter {chance(HITS_FIGHTER)}"
    return f"{meeting.by}'s {who} would meet {prey} over {meeting.at}: {each}."


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


_LIGHT = "light bomb"


# ---------------------------------------------------------------- flak


def flak_at(empire: Empire, country: str, at: Position) -> int:
    """How many ack-ack sites of a square fire at a country's planes."""
    owner = owner_of(empire, at)
    if not owner or empire.friendly(owner, country):
        return 0
    return sites(empire, ACK_ACK, at)


def flak(table: Table[Empire], planes: Sequence[Unit], at: Position) -> None:
    """Each site rolls a die; sixes bring planes down, bombers first."""
    number = flak_at(table.state, planes[0].country, at) if planes else 0
    if not number:
        return
    dice = table.roll(number, 6, f"Flak over {at}", _RULE)
    line = sorted(planes, key=lambda unit: (unit.kind == "fighter", unit.number))
    downed = tuple((unit.number, unit.kind) for unit in line[: sum(face >= FLAK_HITS for face in dice)])
    losses = losses_of(table.state, [number for number, _ in downed])
    raid = tuple((unit.number, unit.kind) for unit in planes)
    table.emit(FlakFired(planes[0].country, owner_of(table.state, at), at, raid, dice, downed, losses))


def flak_ahead(empire: Empire, country: str, at: Position) -> tuple[str, ...]:
    """What a flight over a square would meet there, in words."""
    number, each = flak_at(empire, country, at), chance(FLAK_HITS)
    return (
        (f"{counted(number, 'ack-ack sites')} in {at} would fire first, each brings a plane down {each}.",)
        if number
        else ()
    )


# ---------------------------------------------------------------- TAC


def check_over(empire: Empire, plane: Unit, target: Position, rule: str = _RULE) -> Lot:
    """The light bomb of a TAC that flies over its target. Raises Refused."""
    check_fresh(empire, plane, rule)
    bomb = next((lot for lot in goods_aboard(empire, plane.number) if lot.what == _LIGHT), None)
    if bomb is None:
        instead = (f"LOAD 1 light bomb ABOARD {named(plane)}",)
        raise Refused(f"{named(plane)} carries no light bomb.", rule, str(plane.number), instead)
    if not flies(plane) or plane.at != target:
        instead = (f"MOVE {named(plane)} TO {target}",)
        raise Refused(f"{named(plane)} does not fly over {target}.", rule, target, instead)
    return replace(bomb, number=1)


def _strike(empire: Empire, plane: Unit, target: str) -> Fighter:
    check_over(empire, plane, target)
    return Fighter(plane.number, named(plane), TAC_STRIKE, supports=True)


def drop_light_bomb(table: Table[Empire], plane: Unit, target: str) -> None:
    """The bomb of a TAC is used up in an attack it joins."""
    for lot in goods_aboard(table.state, plane.number):
        if lot.what == _LIGHT:
            table.emit(MunitionSpent(plane.number, plane.kind, target, replace(lot, number=1)))
            return


SUPPORT.update(TAC=_strike)
SUPPORTED.update(TAC=drop_light_bomb)
