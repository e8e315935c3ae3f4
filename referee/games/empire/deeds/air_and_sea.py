"""Planes that meet others on their way (emp.H-31), and attacks on ships (emp.H-32)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds import Rehearsal, moving
from referee.games.empire.deeds.debts_and_petitions import check_debt
from referee.games.empire.deeds.fighting import check_fresh, check_means
from referee.games.empire.events.air_and_sea import (
    FlakFired,
    MunitionSpent,
    PlanesIntercepted,
    SeaBattleFought,
    ShipsSunk,
    ShipWithdrew,
    intercepted_key,
)
from referee.games.empire.events.economy import losses_of
from referee.games.empire.events.moving import UnitMoved
from referee.games.empire.position import Lot, Position, Unit
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_stance
from referee.games.empire.reckoning.carrying import berths, goods_aboard, open_berth
from referee.games.empire.reckoning.combat import (
    ACK_ACK,
    SUPPORT,
    SUPPORTED,
    Fighter,
    Sides,
    attack_of,
    chance,
    defence_of,
    exchanged,
    guns_against,
    result,
    sites,
)
from referee.games.empire.reckoning.distance import ways_of
from referee.games.empire.reckoning.ownership import check_square, flies, named, unit_of
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook import FLAK_HITS, HITS, HITS_FIGHTER, HUNTS, RADIUS, SHORE_FIRE, TAC_STRIKE, WEAKEST
from referee.games.empire.rulebook.kinds import KINDS, plural
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- planes that meet others on their way
# Planes that meet others on their way: patrols, scrambling, interception (emp.H-31).
#
# Planes over a target: flak, and TAC that join an attack.


_AIR = "emp.H-31"


class Meeting(NamedTuple):
    """Fighters of one country that meet a flight, with where each comes from, and over which square."""

    by: str
    at: Position
    hunters: tuple[tuple[int, str], ...]
    prey: tuple[Unit, ...]


# ---------------------------------------------------------------- who meets whom


def meetings(empire: Empire, planes: Sequence[Unit], way: Sequence[Position]) -> tuple[Meeting, ...]:
    """The countries that would intercept planes which fly over these squares."""
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
    answers = table.roll(len(escort), 6, f"{why}: the escort", _AIR) if escort else ()
    hit = hunters[: sum(face >= HITS_FIGHTER for face in answers)]
    dice = table.roll(len(hunters) - len(hit), 6, why, _AIR) if len(hunters) > len(hit) else ()
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

    Planes that were gone before are not left out: that move is refused, like any of which a part cannot be done (emp.H-02).
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
    """The fighters that the planes of a move would meet. Raises Refused for a move that cannot be made."""
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
    dice = table.roll(number, 6, f"Flak over {at}", _AIR)
    line = sorted(planes, key=lambda unit: (unit.kind == "fighter", unit.number))
    downed = tuple((unit.number, unit.kind) for unit in line[: sum(face >= FLAK_HITS for face in dice)])
    losses = losses_of(table.state, [number for number, _ in downed])
    raid = tuple((unit.number, unit.kind) for unit in planes)
    table.emit(FlakFired(planes[0].country, owner_of(table.state, at), at, raid, dice, downed, losses))


def flak_ahead(empire: Empire, country: str, at: Position) -> tuple[str, ...]:
    """The flak that a flight over a square would meet there, in words."""
    number, each = flak_at(empire, country, at), chance(FLAK_HITS)
    return (
        (f"{counted(number, 'ack-ack sites')} in {at} would fire first, each brings a plane down {each}.",)
        if number
        else ()
    )


# ---------------------------------------------------------------- TAC


def check_over(empire: Empire, plane: Unit, target: Position, rule: str = _AIR) -> Lot:
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


# ---------------------------------------------------------------- attacks on ships
# Attackers and targets, the strengths, and the fate of the beaten (emp.H-32).


_SEA = "emp.H-32"

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
        raise Refused("Say who attacks: ATTACK c5r4 WITH cruiser 5.", _SEA, "ATTACK")
    defenders = _defenders(empire, units[0].country, at, submerged)
    for unit in units:
        can_engage(empire, unit, at, submerged)
    check_means(empire, units)
    planes = tuple(unit for unit in units if KINDS[unit.kind].category == "air")
    ships = tuple(unit for unit in units if unit not in planes)
    fight = _fight(empire, at, submerged, ships, planes, defenders)
    if not fight.sides.odds:
        words = f"{fight.sides.attacking} against {fight.sides.defending} is less than {WEAKEST}, the weakest attack that is made."
        raise Refused(words, _SEA, at)
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
    raise Refused(f"No {what} that {country} could attack is in {at}{told}.", _SEA, at, instead)


def can_engage(empire: Empire, unit: Unit, at: Position, submerged: bool) -> None:
    """Raises Refused for who cannot attack ships of a square now."""
    if submerged and unit.kind not in HUNTS:
        words = (
            f"Only {in_a_row([plural(kind) for kind in HUNTS])} attack submarines under water; {named(unit)} does not."
        )
        raise Refused(words, _SEA, str(unit.number))
    if unit.kind == "TAC":
        check_over(empire, unit, at)
        return
    if not attack_of(unit.kind):
        raise Refused(f"A {unit.kind} does not attack ships.", _SEA, str(unit.number))
    check_fresh(empire, unit, _SEA)
    if unit.status in ("dock", "beach") or unit.aboard:
        raise Refused(f"{named(unit)} is not at sea.", _SEA, str(unit.number), (f"PUT TO SEA {named(unit)}",))
    if unit.at != at and empire.board.grid.direction(unit.at, at) is None:
        instead = (f"MOVE {named(unit)} TO {at}",)
        raise Refused(f"{named(unit)} is in {unit.at}, not next to {at}.", _SEA, at, instead)
    if unit.kind == "submarine" and torpedo_of(empire, unit) is None:
        raise Refused(f"{named(unit)} has no torpedo.", _SEA, "torpedo", (f"LOAD 1 torpedo ABOARD {named(unit)}",))


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
        raise Refused(f"{named(ship)} does not lie next to a coast in {target}.", _SEA, target)
    if ship.status in ("dock", "beach", _UNDER) or ship.aboard:
        raise Refused(f"{named(ship)} is not at sea.", _SEA, str(ship.number), (f"PUT TO SEA {named(ship)}",))
    return Fighter(ship.number, named(ship), SHORE_FIRE[ship.kind], supports=True)


for _kind in SHORE_FIRE:
    SUPPORT[_kind] = _shore_fire


# ---------------------------------------------------------------- the battle


def clash(table: Table[Empire], fight: SeaFight) -> None:
    """The die is rolled at once; what it brings stands."""
    column = fight.sides.odds
    die, outcome = result(table, column, f"Attack on the ships in {fight.at}", _SEA)
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
    """Apply a result to both sides. Planes that attacked with ships only helped and are no loss."""
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
