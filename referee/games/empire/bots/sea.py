"""War at sea: warships hunt, submarines dive with torpedoes, cargo ships turn pirate.

Raids from the air: a bomb and a drop tank hung on, fighters along, there and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.choices import Pick
from referee.core.order import Intent
from referee.games.empire.bots.estate import exactly
from referee.games.empire.deeds.debts import forbids
from referee.games.empire.deeds.war.sea import ships_in
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.deeds.worth import prey
from referee.games.empire.orders.movement.loading import Load
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.orders.movement.standing import Dive, Land, Patrol, PutToSea, Surface
from referee.games.empire.orders.war.attack import Engage
from referee.games.empire.orders.war.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.fuel import at_sea
from referee.games.empire.reckoning.movement.carrying import aboard, goods_aboard
from referee.games.empire.reckoning.movement.distance import reach, steps
from referee.games.empire.reckoning.movement.rates import DROP_TANK
from referee.games.empire.reckoning.ownership import flies
from referee.games.empire.reckoning.war.combat import BOMBS, attack_of
from referee.games.empire.rulebook.kinds import ALLOWANCE, KINDS

_WALK = 4
"""So many borders a SAC goes at most to board a ship."""


def cruises(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Fleets of a square sail together; pirates and submarines go alone."""
    ships = [unit for unit in empire.units_of(country.name) if KINDS[unit.kind].category == "naval" and not unit.aboard]
    fleet = [unit for unit in ships if attack_of(unit.kind) and unit.kind not in ("pirate ship", "submarine")]
    for at in dict.fromkeys(unit.at for unit in fleet):
        if pick(4) and not forbids(empire, country.name, "attack"):
            yield from _hunt(empire, country, [unit for unit in fleet if unit.at == at], pick)
    for unit in ships:
        match unit.kind:
            case "submarine":
                yield from _lurking(empire, country, unit, pick)
            case "cargo ship":
                yield from _turning(empire, country, unit, pick)
            case "pirate ship":
                yield from _plundering(empire, country, unit, pick)


def _hunt(empire: Empire, country: Country, fleet: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Towards ships of others, beside which all of them can come, and at them; under water only destroyers look."""
    under = not pick(4)
    hunters = [unit for unit in fleet if unit.kind == "destroyer"] if under else fleet
    goals = prey(empire, country.name, under)
    ways = [reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent) for unit in hunters]
    beside = [
        (target, there)
        for target in goals
        for there in (target, *(at for _, at in empire.board.grid.around(target)))
        if ways and all(there in way for way in ways)
    ]
    if not beside:
        return
    target, there = beside[pick(len(beside))]
    numbers = tuple(unit.number for unit in hunters)
    if there != hunters[0].at:
        yield MoveUnits(numbers, there)
    elif docked := tuple(unit.number for unit in hunters if not at_sea(unit)):
        yield PutToSea(docked)
    yield Engage(target, numbers, submerged=under)


def _lurking(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """A torpedo from home, out of the harbour, at whoever is near, and under; or up again and home."""
    if unit.status == "submerged" and not pick(3):
        yield Surface((unit.number,))
        return
    if empire.stock(country.name, unit.at).get("torpedo"):
        yield Load(unit.number, (exactly("torpedo", 1),))
    yield from _hunt(empire, country, [unit], lambda number: number - 1) if pick(3) else _out(empire, unit, pick)
    yield Dive((unit.number,))


def _out(empire: Empire, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Somewhere on open water."""
    near = reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent)
    wet = [at for at in near if at != unit.at and empire.board.squares[at].water]
    if wet:
        yield MoveUnits((unit.number,), wet[pick(len(wet))])


# ---------------------------------------------------------------- pirates


def _turning(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """A SAC who walks to the ship and boards it, out to sea, and the black flag."""
    crew = any(rider.kind == "SAC" for rider in aboard(empire, unit.number))
    near = [u for u in empire.units_of(country.name, "SAC") if not u.aboard and _walks(empire, u, unit.at)]
    if not (crew or near) or pick(3):
        return
    if not crew:
        if near[0].at != unit.at:
            yield MoveUnits((near[0].number,), unit.at)
        yield Load(unit.number, (), (near[0].number,))
    if not empire.board.squares[unit.at].water:
        yield from _out(empire, unit, pick)
    yield TurnPirate(unit.number)


def _walks(empire: Empire, unit: Unit, at: Position) -> bool:
    """Whether a unit is in a square or comes there this turn."""
    if unit.at == at or empire.board.grid.apart(unit.at, at) > _WALK:
        return unit.at == at
    return at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent)


def _plundering(empire: Empire, country: Country, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """To a ship of another and aboard it; now and then home into a dock, where a pirate is none any more."""
    near = reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent)
    ports = [city.at for city in empire.cities.values() if city.country == country.name and city.docks]
    home = [at for at in ports if at in near and at != unit.at]
    if home and not pick(4):
        yield MoveUnits((unit.number,), home[0])
        return
    goals = [at for at in prey(empire, country.name) if at in near]
    if not goals:
        yield from _out(empire, unit, pick)
        return
    at = goals[pick(len(goals))]
    if at != unit.at:
        yield MoveUnits((unit.number,), at)
    yield Plunder(ships_in(empire, country.name, at, False)[0].number, unit.number)


_RANGE, _FAR = 12, 14
"""So many borders a plane goes and comes back, and so many with a drop tank on the way back."""


def raids(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Bombs on what stands or is worked within range, fighters along with them or on patrol."""
    fighters = [unit for unit in empire.units_of(country.name, "fighter") if _ready(empire, unit)]
    for unit in empire.units_of(country.name, "strategic bomber"):
        if _ready(empire, unit) and pick(5):
            yield from _bombing(empire, country, unit, [f for f in fighters if f.at == unit.at and not pick(3)], pick)
    for unit in fighters:
        if not pick(3):
            yield (Land if flies(unit) else Patrol)((unit.number,))


def _ready(empire: Empire, unit: Unit) -> bool:
    """Whether a plane is in the air, or where it can take off."""
    city = empire.city_at(unit.at)
    return not unit.aboard and (flies(unit) or bool(city and city.airports))


def _bombing(empire: Empire, country: Country, unit: Unit, escort: list[Unit], pick: Pick) -> Iterator[Intent]:
    """A bomb and now and then a drop tank hung on; there, the bomb, and back."""
    bomb, tank = _armed(empire, country, unit, BOMBS), empire.stock(country.name, unit.at).get(DROP_TANK, 0)
    targets = _targets(empire, country, unit.at, _FAR if tank else _RANGE)
    if bomb is None or not targets or unit.spent:
        return
    yield from bomb
    if tank:
        yield _hung(unit, DROP_TANK)
    at, what = targets[pick(len(targets))]
    flight = (unit.number, *(fighter.number for fighter in escort if not tank))
    yield MoveUnits(flight, at)
    yield Bomb(at, what, (unit.number,))
    for number in flight:
        yield MoveUnits((number,), unit.at)


def _armed(empire: Empire, country: Country, unit: Unit, kinds: Iterable[str]) -> list[Intent] | None:
    """What hangs a bomb on a plane, nothing where it has one; None where there is none for it."""
    if any(lot.what in kinds for lot in goods_aboard(empire, unit.number)):
        return []
    stock = empire.stock(country.name, unit.at)
    return next(([_hung(unit, what)] for what in kinds if stock.get(what)), None)


def _hung(unit: Unit, what: str) -> Intent:
    return Load(unit.number, (exactly(what, 1),))


def _targets(empire: Empire, country: Country, home: Position, radius: int) -> list[tuple[Position, str]]:
    """Buildings and worked resources of those whom a country does not hold friendly."""
    near = [city for city in empire.cities.values() if not empire.friendly(country.name, city.country)]
    found = [(city.at, what) for city in near for what in standing(empire, city.at)]
    found += [(w.at, w.kind) for w in empire.worked if not empire.friendly(country.name, w.country)]
    return [target for target in found if 0 < empire.board.grid.apart(home, target[0]) <= radius]
