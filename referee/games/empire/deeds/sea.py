"""Attacks on ships: who may attack whom, the strengths, and what becomes of the beaten (emp.H-32)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.air import check_over, drop_light_bomb
from referee.games.empire.deeds.fighting import check_fresh, check_means
from referee.games.empire.events.air_and_sea import MunitionSpent, SeaBattleFought, ShipsSunk, ShipWithdrew
from referee.games.empire.events.economy import losses_of
from referee.games.empire.position.board import Lot, Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.carrying import goods_aboard, open_berth
from referee.games.empire.reckoning.combat import (
    SUPPORT,
    Fighter,
    Sides,
    attack_of,
    defence_of,
    exchanged,
    guns_against,
    result,
)
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.ownership import check_square, named, unit_of
from referee.games.empire.rulebook.figures import HUNTS, SHORE_FIRE, TAC_STRIKE, WEAKEST
from referee.games.empire.rulebook.kinds import KINDS, plural
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_RULE = "emp.H-32"

_UNDER = "submerged"


class SeaFight(msgspec.Struct, frozen=True):
    """An attack on ships that can be made: who attacks, by ship and from the air, who defends, and the strengths."""

    country: str
    at: Position
    ships: tuple[Unit, ...]
    planes: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    sides: Sides


# ---------------------------------------------------------------- who may attack whom


def ships_in(empire: Empire, country: str, at: Position, submerged: bool) -> tuple[Unit, ...]:
    """The ships of a square that a country may attack: on the water, in dock and beached; or those under water."""
    afloat = (unit for unit in empire.units_at(at) if KINDS[unit.kind].category == "naval" and not unit.aboard)
    under = (unit for unit in afloat if (unit.status == _UNDER) == submerged)
    return tuple(u for u in under if not empire.friendly(country, u.country) and u.status != "warehouse")


def plan_engagement(empire: Empire, seat: Seat, at: Position, numbers: Sequence[int], submerged: bool) -> SeaFight:
    """An attack by units of these numbers, with its odds. Raises Refused."""
    check_square(empire, at)
    units = tuple(unit_of(empire, seat, number) for number in dict.fromkeys(numbers))
    if not units:
        raise Refused("Say who attacks: ATTACK c5r4 WITH cruiser 5.", _RULE, "ATTACK")
    defenders = _defenders(empire, units[0].country, at, submerged)
    for unit in units:
        can_engage(empire, unit, at, submerged)
    check_means(empire, units)
    planes = tuple(unit for unit in units if KINDS[unit.kind].category == "air")
    ships = tuple(unit for unit in units if unit not in planes)
    fight = _fight(empire, at, submerged, ships, planes, defenders)
    if not fight.sides.odds:
        words = f"{fight.sides.attacking} against {fight.sides.defending} is less than {WEAKEST}, the weakest attack that is made."
        raise Refused(words, _RULE, at)
    return fight


def _defenders(empire: Empire, country: str, at: Position, submerged: bool) -> tuple[Unit, ...]:
    found = ships_in(empire, country, at, submerged)
    if found:
        return found
    below = ships_in(empire, country, at, not submerged)
    where = "" if submerged else "under water there: "
    told = f"; {where}{', '.join(map(named, below))}" if below else ""
    instead = tuple(f"ATTACK {named(unit)} WITH destroyer" for unit in below[:1]) if not submerged else ()
    what = "submarine under water" if submerged else "ship"
    raise Refused(f"No {what} that {country} could attack is in {at}{told}.", _RULE, at, instead)


def can_engage(empire: Empire, unit: Unit, at: Position, submerged: bool) -> None:
    """Raises Refused for who cannot attack ships of a square now."""
    if submerged and unit.kind not in HUNTS:
        words = (
            f"Only {in_a_row([plural(kind) for kind in HUNTS])} attack submarines under water; {named(unit)} does not."
        )
        raise Refused(words, _RULE, str(unit.number))
    if unit.kind == "TAC":
        check_over(empire, unit, at)
        return
    if not attack_of(unit.kind):
        raise Refused(f"A {unit.kind} does not attack ships.", _RULE, str(unit.number))
    check_fresh(empire, unit, _RULE)
    if unit.status in ("dock", "beach") or unit.aboard:
        raise Refused(f"{named(unit)} is not at sea.", _RULE, str(unit.number), (f"PUT TO SEA {named(unit)}",))
    if unit.at != at and empire.board.grid.direction(unit.at, at) is None:
        instead = (f"MOVE {named(unit)} TO {at}",)
        raise Refused(f"{named(unit)} is in {unit.at}, not next to {at}.", _RULE, at, instead)
    if unit.kind == "submarine" and torpedo_of(empire, unit) is None:
        raise Refused(f"{named(unit)} has no torpedo.", _RULE, "torpedo", (f"LOAD 1 torpedo ABOARD {named(unit)}",))


def torpedo_of(empire: Empire, unit: Unit) -> Lot | None:
    """A torpedo aboard a submarine."""
    lots = goods_aboard(empire, unit.number)
    return next((replace(lot, number=1) for lot in lots if lot.what == "torpedo"), None)


# ---------------------------------------------------------------- strengths


def _fight(
    empire: Empire,
    at: Position,
    submerged: bool,
    ships: tuple[Unit, ...],
    planes: tuple[Unit, ...],
    defenders: tuple[Unit, ...],
) -> SeaFight:
    country = (ships or planes)[0].country
    attack = (
        *(Fighter(unit.number, named(unit), attack_of(unit.kind)) for unit in ships),
        *(Fighter(unit.number, named(unit), TAC_STRIKE, supports=bool(ships)) for unit in planes),
    )
    owners = tuple(dict.fromkeys(unit.country for unit in defenders))
    guns = guns_against(empire, country, owners, at) if ships and not submerged else ()
    defence = (*(Fighter(unit.number, named(unit), defence_of(unit.kind)) for unit in defenders), *guns)
    return SeaFight(country, at, ships, planes, defenders, Sides(attack, defence))


def _shore_fire(empire: Empire, ship: Unit, target: str) -> Fighter:
    """The guns of a ship at sea in an attack on the coast next to it, or that on which it lies."""
    near = ship.at == target or empire.board.grid.direction(ship.at, target) is not None
    if not empire.board.coastal(target) or not near:
        raise Refused(f"{named(ship)} does not lie next to a coast in {target}.", _RULE, target)
    if ship.status in ("dock", "beach", _UNDER) or ship.aboard:
        raise Refused(f"{named(ship)} is not at sea.", _RULE, str(ship.number), (f"PUT TO SEA {named(ship)}",))
    return Fighter(ship.number, named(ship), SHORE_FIRE[ship.kind], supports=True)


for _kind in SHORE_FIRE:
    SUPPORT[_kind] = _shore_fire


# ---------------------------------------------------------------- the battle


def clash(table: Table[Empire], fight: SeaFight) -> None:
    """The die is rolled at once; what it brings stands."""
    column = fight.sides.odds
    die, outcome = result(table, column, f"Attack on the ships in {fight.at}", _RULE)
    table.emit(clashed(fight, die, outcome))
    # Submarines fire a torpedo each, TACs drop their bombs.
    for ship in fight.ships:
        torpedo = torpedo_of(table.state, ship) if ship.kind == "submarine" else None
        if torpedo is not None:
            table.emit(MunitionSpent(ship.number, ship.kind, fight.at, torpedo))
    for plane in fight.planes:
        drop_light_bomb(table, plane, fight.at)
    _befall(table, fight, outcome)


def clashed(fight: SeaFight, die: int, outcome: str) -> SeaBattleFought:
    """The fact of a battle; no die and no outcome of one that is only foreseen."""
    units = tuple((unit.number, unit.country) for unit in (*fight.ships, *fight.planes))
    return SeaBattleFought(fight.country, fight.at, units, fight.sides, fight.sides.odds, die, outcome)


def _befall(table: Table[Empire], fight: SeaFight, outcome: str) -> None:
    """What a result does to both sides. Planes that attacked with ships only helped and are no loss."""
    attackers = fight.ships or fight.planes
    match outcome:
        case "AE":
            _sink(table, attackers)
        case "AR":
            _withdraw(table, fight.ships, fight.at)
        case "DE":
            _sink(table, fight.defenders)
        case "DR":
            _withdraw(table, fight.defenders, fight.at)
        case "EX":
            points = {f.number: f.points for f in fight.sides.attack if not f.supports}
            mine, theirs = exchanged(points, {unit.number: defence_of(unit.kind) for unit in fight.defenders})
            _sink(table, [unit for unit in attackers if unit.number in mine])
            _sink(table, [unit for unit in fight.defenders if unit.number in theirs])


def _sink(table: Table[Empire], units: Sequence[Unit], why: str = "") -> None:
    for country, at in dict.fromkeys((unit.country, unit.at) for unit in units):
        gone = [unit for unit in units if (unit.country, unit.at) == (country, at)]
        ships = tuple((unit.number, unit.kind) for unit in gone)
        table.emit(ShipsSunk(country, at, ships, why, losses_of(table.state, [unit.number for unit in gone])))


# ---------------------------------------------------------------- back


def _withdraw(table: Table[Empire], ships: Sequence[Unit], fought: Position) -> None:
    """Each goes back one square, or sinks where no water is free of enemies."""
    stuck = []
    for ship in ships:
        there = _way_back(table.state, ship, fought)
        if there:
            away = replace(ship, at=there, status="")
            docked = not table.state.board.squares[there].water and open_berth(table.state, away, "dock")
            status = "dock" if docked else _UNDER if ship.status == _UNDER else ""
            table.emit(ShipWithdrew(ship.country, ship.number, ship.kind, ship.at, there, status))
        else:
            stuck.append(ship)
    _sink(table, stuck, ", finding no way back,")


def _way_back(empire: Empire, ship: Unit, fought: Position) -> Position:
    """The square next to a ship, free of hostile ships, that is nearest to where its country goes back to."""
    goals = _goals(empire, ship)
    grid = empire.board.grid
    free = [at for at in _beside(empire, ship) if at != fought and not _enemies(empire, ship, at)]
    return min(free, key=lambda at: min((grid.apart(at, goal) for goal in goals), default=0), default="")


def _goals(empire: Empire, ship: Unit) -> tuple[Position, ...]:
    told = empire.countries[ship.country].retreat
    own = tuple(city.at for city in empire.cities.values() if empire.same_owner(city.country, ship.country))
    return (told,) if told else own


def _beside(empire: Empire, ship: Unit) -> Iterator[Position]:
    ways, kind = ways_of(empire), KINDS[ship.kind]
    table = kind.submerged if ship.status == _UNDER else kind.rates
    for way, there in ways.grid.around(ship.at):
        if ways.sea(ship.at, way) in table:
            yield there


def _enemies(empire: Empire, ship: Unit, at: Position) -> bool:
    there = (unit for unit in empire.units_at(at) if KINDS[unit.kind].category == "naval" and KINDS[unit.kind].military)
    return any(not empire.friendly(ship.country, unit.country) for unit in there)


def prey(empire: Empire, country: str, submerged: bool = False) -> tuple[Position, ...]:
    """Squares with ships that a country may attack, on the water or under it."""
    ships = (u for u in empire.units.values() if u.country != country and KINDS[u.kind].category == "naval")
    return tuple(at for at in dict.fromkeys(ship.at for ship in ships) if ships_in(empire, country, at, submerged))
