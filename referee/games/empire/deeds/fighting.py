"""Fights on land: what they take, how they go, and to whom a city falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.debts_and_petitions import check_band, check_debt
from referee.games.empire.events.fighting import (
    BattleFought,
    CityFell,
    CooliesCaptured,
    CooliesKilled,
    FormationRetreated,
    FormationsAdvanced,
    FormationsDestroyed,
    attacked_key,
)
from referee.games.empire.position import City, Lot, Position, Unit
from referee.games.empire.position.state import Booking, Empire
from referee.games.empire.reckoning.budget import fuel_of_attack
from referee.games.empire.reckoning.combat import (
    Factor,
    Fighter,
    Sides,
    exchanged,
    guns_against,
    result,
    support_of,
    supported,
)
from referee.games.empire.reckoning.distance import spread, steps, ways_of
from referee.games.empire.reckoning.movement_rates import check_stack, fare, land_zone, most_in, stands
from referee.games.empire.reckoning.ownership import (
    cargo_of,
    check_square,
    counts_of,
    flies,
    in_city,
    named,
    parts_of,
    root_of,
    unit_of,
)
from referee.games.empire.reckoning.supply import supply_of
from referee.games.empire.rulebook import PER_ATTACK, WEAKEST
from referee.games.empire.rulebook.kinds import ALLOWANCE, FORMATIONS, KINDS
from referee.kit.refused import Refused
from referee.kit.stock import gathered

# ---------------------------------------------------------------- what every attack needs
# A band that allows it, chemicals, one attack a turn (emp.H-18, emp.H-29).
#
# The gains of the victor: coolies without defenders, and cities in which he alone is left (emp.H-30).


def check_means(empire: Empire, units: Sequence[Unit]) -> None:
    """Raises Refused in collapse, and where there are no chemicals for so many attackers or no oil for their ships."""
    oil = fuel_of_attack(empire, (unit.number for unit in units))
    for country, number in gathered(unit.country for unit in units).items():
        check_band(empire, country, "attack")
        check_debt(empire, country, ((country, Booking(chemicals=PER_ATTACK * number)), *oil))


def check_fresh(empire: Empire, unit: Unit, rule: str) -> None:
    """Raises Refused for who has attacked this turn."""
    if attacked_key(unit.number) in empire.handled:
        raise Refused(f"{named(unit)} has attacked this turn.", rule, str(unit.number))


def overrun(table: Table[Empire], by: str, at: str, victims: Sequence[str], killing: bool) -> None:
    """Coolies in a square of which the defenders are destroyed, country by country; the dead include its government."""
    for country in victims:
        here = [u for u in table.state.units_at(at) if u.country == country and not u.aboard and KINDS[u.kind].person]
        people = tuple(u for u in here if not KINDS[u.kind].military)
        if killing and people:
            table.emit(CooliesKilled(country, by, at, tuple((unit.number, unit.kind) for unit in people)))
        coolies = tuple(unit.number for unit in people if unit.kind == "coolie")
        if not killing and coolies:
            units, lots = cargo_of(table.state, coolies)
            table.emit(CooliesCaptured(country, by, at, units, lots, counts_of(table.state, units, lots)))


# ---------------------------------------------------------------- cities

_STAFF = ("government coolie", "ambassador coolie")


def cities_fall(table: Table[Empire], overran: str = "") -> None:
    """Every city that nobody holds any more passes to the enemy who alone is there.

    In the square `overran` in an attack, whoever alone is there is an enemy, captured coolies too.
    """
    for city in _entered(table.state):
        taker = taker_of(table.state, city, city.at == overran)
        if taker:
            table.emit(_fall(table.state, city, taker))


def _entered(empire: Empire) -> tuple[City, ...]:
    """The cities in which somebody of another owner stands; looked through once, for this is asked after every order."""
    places = {city.at: city for city in empire.cities.values()}
    found = (
        places[unit.at]
        for unit in empire.units.values()
        if unit.at in places and unit.country != places[unit.at].country and _holds(unit)
    )
    return tuple(dict.fromkeys(found))


def taker_of(empire: Empire, city: City, overran: bool = False) -> str:
    """The country to which a city falls now: whose hostile military or coolies are there alone; empty when it stands."""
    there = [unit for unit in empire.units_at(city.at) if _holds(unit)]
    if not there or empire.countries[city.country].dead:
        return ""
    if not overran and not any(KINDS[unit.kind].military for unit in there) and _governed(empire, city):
        return ""
    if any(empire.friendly(city.country, unit.country) for unit in there):
        return ""
    if any(not empire.same_owner(unit.country, there[0].country) for unit in there):
        return ""
    return next((unit.country for unit in there if overran or _hostile(empire, unit, city)), "")


def _holds(unit: Unit) -> bool:
    """Military on the ground and regular coolies hold a city; not those carried, stored or flown over it."""
    fights = unit.kind == "coolie" or KINDS[unit.kind].land_military
    return fights and not unit.aboard and unit.status != "warehouse"


def _governed(empire: Empire, city: City) -> bool:
    """Whether a government or an ambassador of its owner or his friends is in a city: unarmed people take none from them."""
    staff = [unit for unit in empire.units_at(city.at) if unit.kind in _STAFF and not flies(root_of(empire, unit))]
    return any(empire.friendly(city.country, unit.country) for unit in staff)


def _hostile(empire: Empire, unit: Unit, city: City) -> bool:
    military = KINDS[unit.kind].military
    comes, stays = empire.countries[unit.country], empire.countries[city.country]
    return comes.hostile_to(city.country, military) or (not military and stays.hostile_to(comes.name, False))


def _fall(empire: Empire, city: City, taker: str) -> CityFell:
    inside = [u for u in empire.units_at(city.at) if u.country == city.country and in_city(empire, u) == city.name]
    stored = [unit for unit in inside if unit.status == "warehouse"]
    vehicles = [unit for unit in inside if not KINDS[unit.kind].person and unit not in stored and not flies(unit)]
    passing = [*stored, *_half(vehicles)]
    numbers = tuple(sorted(unit.number for unit in passing))
    lost = tuple((unit.number, unit.kind) for unit in vehicles if unit.number not in numbers)
    lots = tuple(
        lot
        for lot in empire.lots
        if lot.at == city.at and lot.country == city.country and (not lot.aboard or in_city(empire, lot) == city.name)
    )
    counts = counts_of(empire, numbers, lots)
    return CityFell(city.name, city.at, city.country, taker, numbers, lots, counts, lost, city.capital)


def _half(vehicles: Sequence[Unit]) -> list[Unit]:
    """Of each kind half, rounded down, those with the lowest numbers."""
    kept: list[Unit] = []
    for kind in dict.fromkeys(unit.kind for unit in vehicles):
        alike = [unit for unit in vehicles if unit.kind == kind]
        kept += alike[: len(alike) // 2]
    return kept


# ---------------------------------------------------------------- attacks on land
# Attackers and targets, the strength of an attack, and the results of the die (emp.H-28 to emp.H-30).
#
# Beaten formations go two squares towards a place, never through hostile zones, else they are destroyed (emp.H-28).


_FAR = 12 * ALLOWANCE
"""How far the place may be towards which formations go back."""


def go_back(table: Table[Empire], beaten: tuple[Unit, ...]) -> None:
    """Each goes back in turn; those that cannot are destroyed together."""
    stuck = []
    for unit in beaten:
        way = way_back(table.state, unit)
        if way:
            city = table.state.city_at(way[-1])
            home = city is not None and table.state.friendly(city.country, unit.country)
            status = "city" if home else ""
            table.emit(FormationRetreated(unit.country, unit.number, unit.kind, unit.at, way, status))
        else:
            stuck.append(unit)
    destroy(table, tuple(stuck), ", finding no way back")


def destroy(table: Table[Empire], units: tuple[Unit, ...], why: str = "") -> None:
    """Formations go, by country and square; half of each kind of their arms stays, rounded down (emp.H-28)."""
    for country, at in dict.fromkeys((unit.country, unit.at) for unit in units):
        gone = [unit for unit in units if (unit.country, unit.at) == (country, at)]
        arms = gathered(part for unit in gone for part in parts_of(unit))
        ashore = not table.state.board.squares[at].water
        left = tuple(Lot(part, number // 2, country, at) for part, number in arms.items() if number > 1 and ashore)
        named = tuple((unit.number, unit.kind) for unit in gone)
        table.emit(FormationsDestroyed(country, at, named, why, left))


def way_back(empire: Empire, unit: Unit) -> tuple[Position, ...]:
    """Two squares towards the place its country named, or its nearest city; one where that place is reached at once.

    Empty where it finds no such way that avoids hostile zones of control and ends where it may stand.
    """
    goals = _goals(empire, unit)
    far = spread(steps(empire, KINDS[unit.kind]), dict.fromkeys(goals, 0), _FAR)[0]
    ways = [way for way in _ways(empire, unit, goals) if _may_stand(empire, unit, way[-1])]
    return min(ways, key=lambda way: far.get(way[-1], _FAR), default=())


def _goals(empire: Empire, unit: Unit) -> tuple[Position, ...]:
    told = empire.countries[unit.country].retreat
    if told and told != unit.at:
        return (told,)
    own = tuple(city.at for city in empire.cities.values() if empire.same_owner(city.country, unit.country))
    return tuple(at for at in own if at != unit.at) or own


def _ways(empire: Empire, unit: Unit, goals: tuple[Position, ...]) -> Iterator[tuple[Position, ...]]:
    posts = (u for u in empire.units.values() if stands(u) and not empire.friendly(unit.country, u.country))
    zone = land_zone(empire, unit.country) | frozenset(post.at for post in posts)

    def beside(here: Position) -> list[Position]:
        around = empire.board.grid.around(here)
        return [at for way, at in around if at not in zone and fare(empire, unit, here, way) is not None]

    for first in beside(unit.at):
        if first in goals:
            yield (first,)
        yield from ((first, second) for second in beside(first) if second != unit.at)


def _may_stand(empire: Empire, unit: Unit, at: Position) -> bool:
    try:
        check_stack(empire, replace(unit, aboard=0), at)
    except Refused:
        return False
    return True


RULE = "emp.H-28"


class Battle(msgspec.Struct, frozen=True):
    """An attack that can be made: who attacks, who helps, who defends, the countries attacked, and the strengths."""

    country: str
    at: Position
    troops: tuple[Unit, ...]
    helpers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    victims: tuple[str, ...]
    sides: Sides


# ---------------------------------------------------------------- who may attack


def enemies_in(empire: Empire, country: str, at: Position) -> tuple[Unit, ...]:
    """Everybody in a square whom a country may attack: persons of others whom it does not hold friendly."""
    here = [unit for unit in empire.units_at(at) if KINDS[unit.kind].person and not unit.aboard]
    return tuple(u for u in here if not empire.friendly(country, u.country) and u.status != "warehouse")


def plan_attack(
    empire: Empire, seat: Seat, at: Position, numbers: Sequence[int], advance: Sequence[int] = ()
) -> Battle:
    """An attack by units of these numbers, with its odds; those of `advance` go in after a victory. Raises Refused."""
    check_square(empire, at)
    units = tuple(unit_of(empire, seat, number) for number in dict.fromkeys(numbers))
    if not units:
        raise Refused("Say who attacks: ATTACK c5r4 WITH infantry regiment 5.", RULE, "ATTACK")
    for unit in units:
        can_attack(empire, unit, at)
    troops = tuple(unit for unit in units if unit.kind in FORMATIONS)
    helpers = tuple(unit for unit in units if unit not in troops)
    country = (troops or units)[0].country
    check_means(empire, units)
    battle = _battle(empire, country, at, troops, helpers)
    if not battle.sides.odds:
        raise _too_weak(empire, seat, battle)
    check_advance(empire, at, advance, troops)
    return battle


def can_attack(empire: Empire, unit: Unit, target: Position) -> None:
    """Raises Refused for who cannot attack a square now."""
    if attacked_key(unit.number) in empire.handled:
        raise Refused(f"{named(unit)} has attacked this turn.", RULE, str(unit.number))
    if unit.kind not in FORMATIONS:
        support_of(empire, unit, target)
        return
    if unit.status == "warehouse":
        instead = (f"BRING OUT {named(unit)}",)
        raise Refused(f"{named(unit)} is in a warehouse.", "emp.C5", str(unit.number), instead)
    _check_reach(empire, unit, target)


def _check_reach(empire: Empire, unit: Unit, target: Position) -> None:
    """Next to the target over a border that is no mountain, in it, or aboard a ship beside its coast."""
    if unit.at == target:
        return
    ways = ways_of(empire)
    way = ways.grid.direction(unit.at, target)
    if way is None:
        instead = (f"MOVE {named(unit)} TO {target}",)
        raise Refused(f"{named(unit)} is in {unit.at}, not next to {target}.", RULE, target, instead)
    if ways.water(target):
        raise Refused(f"{target} is water; formations attack on land.", RULE, target)
    if unit.aboard:
        if KINDS[empire.units[unit.aboard].kind].category != "naval" or not ways.water(unit.at):
            carrier = empire.units[unit.aboard]
            instead = (f"UNLOAD {named(unit)} FROM {named(carrier)}",)
            raise Refused(f"{named(unit)} is aboard {named(carrier)}.", RULE, str(unit.number), instead)
        return
    if ways.ridge(unit.at, way):
        raise Refused(f"Mountains lie between {unit.at} and {target}.", RULE, target)


def check_advance(empire: Empire, at: Position, advance: Sequence[int], troops: Sequence[Unit]) -> None:
    """Those who go in after a victory stood together, attacked, can cross the border and have room there."""
    group = [unit for unit in troops if unit.number in advance]
    strange = [str(number) for number in advance if number not in [unit.number for unit in group]]
    if strange:
        raise Refused(f"Unit {strange[0]} does not attack with them and cannot advance.", RULE, strange[0])
    for unit in group:
        way = empire.board.grid.direction(unit.at, at)
        if unit.at != group[0].at:
            words = f"One group advances: {named(unit)} is in {unit.at}, {named(group[0])} in {group[0].at}."
            raise Refused(words, RULE, str(unit.number))
        if unit.at == at or way is None or fare(empire, unit, unit.at, way) is None:
            raise Refused(f"{named(unit)} cannot advance from {unit.at} to {at}.", RULE, str(unit.number))
    mine = [u for u in empire.units_at(at) if group and empire.same_owner(u.country, group[0].country)]
    most, there = most_in(empire, at), sum(map(stands, mine))
    if len(group) + there > most:
        raise Refused(f"{most} formations may stand in {at}; {there + len(group)} would.", "emp.H-25", at)


# ---------------------------------------------------------------- strengths


def _battle(empire: Empire, country: str, at: Position, troops: tuple[Unit, ...], helpers: tuple[Unit, ...]) -> Battle:
    enemies = enemies_in(empire, country, at)
    if not enemies:
        instead = (f"MOVE {named(troops[0])} TO {at}",) if troops and troops[0].at != at else ()
        stored = any(u.status == "warehouse" and not empire.friendly(country, u.country) for u in empire.units_at(at))
        walk = "; units in its warehouse defend nothing: move in" if stored else ""
        raise Refused(f"Nobody whom {country} could attack is in {at}{walk}.", RULE, at, instead)
    defenders = tuple(unit for unit in enemies if unit.kind in FORMATIONS)
    attack = (*_attack(empire, troops), *(support_of(empire, unit, at) for unit in helpers))
    defence = tuple(Fighter(unit.number, named(unit), FORMATIONS[unit.kind].defence) for unit in defenders)
    victims = tuple(dict.fromkeys(unit.country for unit in enemies))
    if defence and any(KINDS[unit.kind].category == "naval" or unit.aboard for unit in (*troops, *helpers)):
        defence += guns_against(empire, country, victims, at)
    sides = Sides(attack, defence, tuple(_shelter(empire, at, troops)) if defence else ())
    return Battle(country, at, troops, helpers, defenders, victims, sides)


def _attack(empire: Empire, troops: Sequence[Unit]) -> Iterator[Fighter]:
    """Printed factors; half of them beyond 12 BTA from friendly food."""
    far = (Factor("1/2", "far from food"),)
    for unit in troops:
        yield Fighter(unit.number, named(unit), FORMATIONS[unit.kind].attack, () if _fed(empire, unit) else far)


def _fed(empire: Empire, unit: Unit) -> bool:
    """Whether food of its own country or a friend's is within 12 BTA of a unit, by a line of supply."""
    friends = [name for name in empire.countries if empire.friendly(name, unit.country)]
    stores = dict.fromkeys(lot.at for lot in empire.lots if lot.what == "food" and lot.country in friends)
    return supply_of(empire, unit.country).nearest(stores, unit.at, armed=True) is not None


def _shelter(empire: Empire, at: Position, troops: Sequence[Unit]) -> Iterator[Factor]:
    """Twice in a city, behind a river that all attackers must cross, or against a landing; one and a half in a forest."""
    beside = [unit for unit in troops if unit.at != at]
    across = beside and len(beside) == len(troops) and all(_across_river(empire, unit, at) for unit in beside)
    landing = troops and all(unit.aboard for unit in troops)
    reasons = [(empire.city_at(at), "in a city"), (across, "behind a river"), (landing, "against a landing")]
    double = next((why for holds, why in reasons if holds), "")
    if double:
        yield Factor("2", double)
    if empire.board.squares[at].terrain == "forest":
        yield Factor("3/2", "in a forest")


def _across_river(empire: Empire, unit: Unit, at: Position) -> bool:
    ways = ways_of(empire)
    way = ways.grid.direction(unit.at, at) or "N"
    river = any(what in ways.board.border(unit.at, way) for what in ("river", "double river"))
    return river and "bridge" not in ways.on(unit.at, way) and not unit.aboard


def _too_weak(empire: Empire, seat: Seat, battle: Battle) -> Refused:
    """Below 1:2, with the attack of all who could take part where that is strong enough."""
    attack, defence = battle.sides.attacking, battle.sides.defending
    words = f"{attack} against {defence} is less than {WEAKEST}, the weakest attack that is made."
    able = attackers_near(empire, seat, battle.at)
    whole = _battle(empire, battle.country, battle.at, able, battle.helpers)
    names = ", ".join(named(unit) for unit in (*able, *battle.helpers))
    return Refused(words, RULE, battle.at, (f"ATTACK {battle.at} WITH {names}",) if whole.sides.odds else ())


def attackers_near(empire: Empire, seat: Seat, at: Position) -> tuple[Unit, ...]:
    """A seat's formations that could attack a square now."""
    own = (unit for country in empire.owned(seat) for unit in empire.units_of(country.name, *FORMATIONS))
    return tuple(unit for unit in own if _able(empire, unit, at))


def _able(empire: Empire, unit: Unit, at: Position) -> bool:
    if unit.at != at and empire.board.grid.direction(unit.at, at) is None:
        return False
    try:
        can_attack(empire, unit, at)
    except Refused:
        return False
    return True


# ---------------------------------------------------------------- the battle


def fight(table: Table[Empire], battle: Battle, killing: bool, advance: Sequence[int]) -> None:
    """The die is rolled at once; what it brings stands."""
    die, outcome = result(table, battle.sides.odds, f"Attack on {battle.at}")
    table.emit(fought(battle, die, outcome))
    _befall(table, battle, outcome, killing)
    supported(table, {unit.number: unit for unit in battle.helpers}, battle.at)
    if outcome in ("DE", "DR", "EX"):
        _advance(table, battle, advance)


def fought(battle: Battle, die: int, outcome: str) -> BattleFought:
    """The fact of a battle; no die and no outcome of one that is only foreseen."""
    units = tuple((unit.number, unit.country) for unit in (*battle.troops, *battle.helpers))
    return BattleFought(battle.country, battle.at, units, battle.sides, battle.sides.odds, die, outcome)


def _befall(table: Table[Empire], battle: Battle, outcome: str, killing: bool) -> None:
    """Apply a result to both sides."""
    match outcome:
        case "AE":
            destroy(table, battle.troops)
        case "AR":
            go_back(table, tuple(unit for unit in battle.troops if not unit.aboard))
        case "DR":
            go_back(table, battle.defenders)
        case "DE":
            destroy(table, battle.defenders)
            overrun(table, battle.country, battle.at, battle.victims, killing)
            cities_fall(table, battle.at)
        case "EX":
            attack = {unit.number: FORMATIONS[unit.kind].attack for unit in battle.troops}
            defence = {unit.number: FORMATIONS[unit.kind].defence for unit in battle.defenders}
            mine, theirs = exchanged(attack, defence)
            destroy(table, tuple(unit for unit in battle.troops if unit.number in mine))
            destroy(table, tuple(unit for unit in battle.defenders if unit.number in theirs))


def _advance(table: Table[Empire], battle: Battle, advance: Sequence[int]) -> None:
    """One group of those that are left goes in, where nobody defends the square any more."""
    empire = table.state
    group = [empire.units[number] for number in advance if number in empire.units]
    held = any(unit.kind in FORMATIONS for unit in enemies_in(empire, battle.country, battle.at))
    for country in dict.fromkeys(unit.country for unit in group):
        mine = [unit for unit in group if unit.country == country]
        if not held:
            units = tuple((unit.number, unit.kind) for unit in mine)
            table.emit(FormationsAdvanced(country, units, mine[0].at, battle.at, ""))
