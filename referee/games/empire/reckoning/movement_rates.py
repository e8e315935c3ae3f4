"""How fast units go, and whose zones slow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.games.empire.position import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.distance import Steps, Ways, cost_of, reach, steps, supply_steps, ways_of
from referee.games.empire.reckoning.ownership import busy, named
from referee.games.empire.rulebook import CITY_STACK, STACK
from referee.games.empire.rulebook.kinds import BTA, FORMATIONS, KINDS, OBJECT, Kind
from referee.kit.declared import once_a_position
from referee.kit.refused import Refused

# ---------------------------------------------------------------- zones of control
# Squares where hostile military cuts supply (emp.H-26).
#
# Stacking: how many land formations stand in one square (emp.H-25).


def most_in(empire: Empire, at: str) -> int:
    """How many formations of one owner may stand in a square: four, in a city eight (emp.H-25)."""
    return CITY_STACK if empire.city_at(at) else STACK


def stands(unit: Unit) -> bool:
    """Whether a unit is a formation that takes room in its square: not carried, not in a warehouse."""
    return KINDS[unit.kind].land_military and not unit.aboard and unit.status != "warehouse"


def check_stack(empire: Empire, unit: Unit, target: str) -> None:
    """Refuse a fifth formation in a square, a ninth in a city (emp.H-25)."""
    if not KINDS[unit.kind].land_military:
        return
    others = [other for other in empire.units_at(target) if other.number != unit.number]
    there, most = sum(stands(u) and empire.same_owner(u.country, unit.country) for u in others), most_in(empire, target)
    if there >= most:
        raise Refused(f"{there} formations stand in {target} already; {most} may.", "emp.H-25", target)


REACH = {name: formation.zone for name, formation in FORMATIONS.items()} | {
    "battleship": 1, "carrier": 1, "cruiser": 1, "destroyer": 0, "submarine": 0,
}  # fmt: skip
"""How many squares beyond its own a unit's zone of control reaches (emp.H-26); others have none."""


Zones = tuple[tuple[Unit, list[Position]], ...]
"""Units with a zone of control, each with the squares that it covers."""


def land_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Land squares in a zone of control of military hostile to a country."""
    return _zones(empire, country, "land")[1]


def naval_zone(empire: Empire, country: str) -> frozenset[Position]:
    """Water squares in a zone of control of ships hostile to a country."""
    return _zones(empire, country, "naval")[1]


def controllers(empire: Empire, country: str, at: Position) -> tuple[Unit, ...]:
    """The hostile land military whose zone of control covers a square, for a country."""
    return tuple(unit for unit, squares in land_zones(empire, country) if at in squares)


def land_zones(empire: Empire, country: str) -> Zones:
    """Every hostile land unit with a zone of control, for a country, and the squares that it covers."""
    return _zones(empire, country, "land")[0]


def about_supply(empire: Empire) -> tuple[object, ...]:
    """All that zones of control and lines of supply hang on: while it stays, they need not be sought again."""
    stances = (part for c in empire.countries.values() for part in (c.name, c.owner, c.stances))
    return ways_of(empire), empire.units, empire.lots, empire.houses, empire.options, *stances


@once_a_position(16, about_supply)
def _known(empire: Empire) -> dict[tuple[str, str], tuple[Zones, frozenset[Position]]]:
    return {}


def _zones(empire: Empire, country: str, category: str) -> tuple[Zones, frozenset[Position]]:
    """Every unit with a zone of control hostile to a country, and all squares that they cover."""
    known = _known(empire)
    if (category, country) not in known:
        found = tuple(_found(empire, country, category))
        known[category, country] = found, frozenset(square for _, squares in found for square in squares)
    return known[category, country]


def _found(empire: Empire, country: str, category: str) -> Iterator[tuple[Unit, list[Position]]]:
    fed: dict[str, frozenset[Position]] = {}
    most = ownership.figure(empire, "zones", "most")
    for unit in empire.units.values():
        if unit.country == country or not _controls(unit, category) or not _hostile(empire, unit, country, True):
            continue
        if category == "land":
            if unit.country not in fed:
                fed[unit.country] = provisioned(empire, unit.country)
            if unit.at not in fed[unit.country]:
                continue
        yield unit, _reached(empire, unit, category == "naval", min(most, REACH[unit.kind]))


def _controls(unit: Unit, category: str) -> bool:
    """Whether a unit has a zone at all: military, out of doors, not carried, not under water."""
    if unit.kind not in REACH or unit.aboard or unit.status in ("warehouse", "submerged", "dock", "beach"):
        return False
    return KINDS[unit.kind].category == category


def _reached(empire: Empire, unit: Unit, water: bool, far: int) -> list[Position]:
    """Its own square, and those next to it over borders that land units, or ships, can cross at all."""
    ways, found = ways_of(empire), [unit.at]
    for way, there in ways.grid.around(unit.at) if far else ():
        crossed = ways.sea(unit.at, way) if water else ways.land(unit.at, way)
        if crossed and (not water or ways.water(there)):
            found.append(there)
    return found


# ---------------------------------------------------------------- out of food


def provisioned(empire: Empire, country: str) -> frozenset[Position]:
    """Squares within 12 BTA of a country's food, whoever stands between: who is outside has no zone of control (emp.H-26).

    Zones cut lines of supply, so whether a unit has a zone cannot hang on other zones.
    """
    ships = [u.at for u in empire.units.values() if u.kind == "cargo ship" and empire.friendly(u.country, country)]
    stores = dict.fromkeys(lot.at for lot in empire.lots if lot.what == "food" and lot.country == country)
    return _within(ways_of(empire), tuple(dict.fromkeys(ships)), tuple(stores))


@lru_cache(maxsize=64)
def _within(ways: Ways, ships: tuple[Position, ...], stores: tuple[Position, ...]) -> frozenset[Position]:
    return frozenset(reach(supply_steps(ways, ways.waters(ships)), stores))


def _hostile(empire: Empire, unit: Unit, country: str, military: bool) -> bool:
    owner = empire.countries.get(unit.country)
    return owner is not None and owner.hostile_to(country, military) and not empire.same_owner(owner.name, country)


def blocked_by_coolies(empire: Empire, country: str) -> frozenset[Position]:
    """Squares through which hostile regular coolies let no line of supply pass."""
    return frozenset(
        unit.at
        for unit in empire.units.values()
        if unit.kind == "coolie" and not unit.aboard and _hostile(empire, unit, country, False)
    )


# ---------------------------------------------------------------- rates
# The cost of one border for one unit as it stands now, the medium, and the obstacle there.
#
# The bare arithmetic is `distance.cost_of`; here come those things that hang on the unit: a dive, a drop tank, hostile land
# units on a single river (II.D, River Movement), zones of control (emp.H-26) and who mans a canal.


DROP_TANK = "drop tank"
"""The goods, and the mark among a plane's parts while it flies on one."""

_HALF, _THIRD = BTA // 2, BTA // 3
_OVER = {"plain": "open land", "rail": "railroad", "double-river": "river", "ice-road": "ice road"}


class Fare(NamedTuple):
    """The cost of a border in thirtieths of a BTA, and the medium it leads over."""

    cost: int
    over: str


def takes_tank(kind: Kind) -> bool:
    """Whether drop tanks help a kind of plane: those that pay half a BTA a border (II.A)."""
    return kind.category == "air" and not kind.wind and kind.rates["air"] == _HALF


def fare(empire: Empire, unit: Unit, here: str, way: str) -> Fare | None:
    """The cost of crossing a border for a unit now; None when it cannot."""
    kind, under = KINDS[unit.kind], unit.status == "submerged"
    cost = cost_of(ways_of(empire), kind, here, way, empire.wind, under)
    if cost is None or _shut(empire, unit, here, way):
        return None
    tanked = DROP_TANK in unit.parts and takes_tank(kind)
    return Fare(_THIRD if tanked else cost, _over(empire, kind, here, way))


def _over(empire: Empire, kind: Kind, here: str, way: str) -> str:
    ways = ways_of(empire)
    if kind.category == "air":
        return "flight"
    if kind.category == "naval":
        return _named(ways.sea(here, way))
    media = [medium for medium in ways.land(here, way) if medium in kind.rates]
    return _named(min(media, key=lambda medium: kind.rates[medium])) if media else ""


def _named(medium: str) -> str:
    return _OVER.get(medium, medium)


# ---------------------------------------------------------------- what stops a unit


def barrier(empire: Empire, unit: Unit, here: str, way: str) -> str:
    """The obstacle to a unit at a border, in words; empty when it can cross."""
    if fare(empire, unit, here, way) is not None:
        return ""
    kind, ways = KINDS[unit.kind], ways_of(empire)
    there = ways.grid.step(here, way)
    if there is None:
        return "the edge of the board"
    if kind.category == "naval":
        return _barrier_at_sea(empire, unit, here, way, there)
    if kind.category == "air":
        mountains = "mountain" in ways.board.border(here, way)
        if kind.wind and not empire.wind:
            return "the wind, which is not rolled yet"
        return "the mountains" if mountains else f"the wind, which blows to {empire.wind}"
    found = ways.barrier(here, way)
    terrain = _OVER.get(ways.board.squares[there].terrain, ways.board.squares[there].terrain)
    return found or (f"{terrain} without a railroad" if set(kind.rates) == {"rail"} else f"the {terrain}")


def _barrier_at_sea(empire: Empire, unit: Unit, here: str, way: str, there: str) -> str:
    ways = ways_of(empire)
    medium = ways.sea(here, way)
    if not medium:
        features = [name for name in ("reef", "falls", "mountain") if name in ways.board.border(here, way)]
        return f"the {features[0]}" if features else "the land"
    if KINDS[unit.kind].wind and not empire.wind:
        return "the wind, which is not rolled yet"
    if post := stops_ships(empire, unit, there):
        return f"the hostile {post.kind} {post.number} on the bank"
    if ways.canal(there) and not manned(empire, unit.country, there):
        return f"the canal, which no friendly coolie mans{_otherwise(empire, unit, there)}"
    return f"the {_named(medium)}" + (", which is sailed on the surface only" if unit.status == "submerged" else "")


def _otherwise(empire: Empire, ship: Unit, at: str) -> str:
    """Why those who could man a canal do not: their other work, by name."""
    here = (u for u in empire.units_at(at) if u.kind == "coolie" and empire.friendly(u.country, ship.country))
    others = [f"{named(unit)} is to {work}" for unit in here if (work := busy(empire, unit))]
    return f" ({', '.join(others)})" if others else ""


def _shut(empire: Empire, unit: Unit, here: str, way: str) -> bool:
    """Whether a bank or a canal without its coolie shuts a border to a ship."""
    ways = ways_of(empire)
    if KINDS[unit.kind].category != "naval":
        return False
    there = ways.grid.step(here, way)
    if there is None or ways.sea(here, way) not in ("river", "canal"):
        return False
    unmanned = ways.canal(there) and not manned(empire, unit.country, there)
    return unmanned or stops_ships(empire, unit, there) is not None


def stops_ships(empire: Empire, ship: Unit, at: str) -> Unit | None:
    """The hostile land unit in a square that stops a ship on its single river or canal (II.D).

    Armed ships are stopped only by a third of a unit of heavy arms; the text names the cruiser, other warships are
    taken like it and other ships like the cargo ship (house rule emp.move.bank).
    """
    needs = OBJECT // 3 if KINDS[ship.kind].military else 0
    return next((unit for unit in _posts(empire.units, at) if _bars(empire, unit, ship, needs)), None)


def _posts(units: Mapping[int, Unit], at: str) -> list[Unit]:
    found = [unit for unit in units.values() if unit.at == at and not unit.aboard and unit.status != "warehouse"]
    return [unit for unit in found if KINDS[unit.kind].military and KINDS[unit.kind].category == "land"]


def _bars(empire: Empire, unit: Unit, ship: Unit, needs: int) -> bool:
    country = empire.countries.get(unit.country)
    hostile = country is not None and country.hostile_to(ship.country, military=True)
    return hostile and not empire.same_owner(unit.country, ship.country) and KINDS[unit.kind].heavy >= needs


def manned(empire: Empire, country: str, at: str) -> bool:
    """Whether a coolie friendly to a country mans the canal of a square and does nothing else (II.D)."""
    return keeper(empire, country, at) is not None


def keeper(empire: Empire, country: str, at: str) -> Unit | None:
    """The coolie who mans the canal of a square for a country: one who does so already this turn, else the first idle one."""
    busy = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    coolies = [unit for unit in empire.units_at(at) if unit.kind == "coolie" and not unit.aboard]
    free = [u for u in coolies if u.number not in busy and empire.friendly(u.country, country)]
    return min(free, key=lambda unit: (not keeps(empire, unit), unit.number), default=None)


def keeps(empire: Empire, unit: Unit) -> bool:
    """Whether a ship has passed a canal that this coolie manned this turn: he does nothing else until the next (II.D)."""
    return f"canal {unit.at}/{unit.number}" in empire.handled


def check_canal(empire: Empire, unit: Unit, also: str = "") -> None:
    """Raises Refused for a coolie who does nothing else this turn, since he manned a canal."""
    if keeps(empire, unit):
        words = f"{named(unit)} mans the canal in {unit.at} this turn{also}."
        raise Refused(words, "emp.terrain.canal", str(unit.number))


def canals_on(empire: Empire, unit: Unit, way: tuple[str, ...]) -> tuple[int, ...]:
    """The coolies who man the canals that a ship enters on its way."""
    if KINDS[unit.kind].category != "naval":
        return ()
    ways = ways_of(empire)
    found = (keeper(empire, unit.country, at) for at in way if ways.canal(at))
    return tuple(dict.fromkeys(hand.number for hand in found if hand is not None))


# ---------------------------------------------------------------- for searches


def steps_of(empire: Empire, unit: Unit) -> Steps:
    """The steps of a unit from square to square, for a search; a drop tank is left to who counts the borders."""
    kind = KINDS[unit.kind]
    base = steps(empire, kind, unit.status == "submerged")
    if kind.land_military:
        return _past_zones(empire, unit, base)
    return base if kind.category != "naval" else _open_waters(empire, unit, base)


def _past_zones(empire: Empire, unit: Unit, base: Steps) -> Steps:
    """emp.H-26: into a hostile zone of control and no further; out of one not into another, unless a friend stands there."""
    zone = land_zone(empire, unit.country)
    if not zone:
        return base

    def step(here: str) -> Sequence[tuple[str, int]]:
        if here not in zone:
            return base(here)
        if here != unit.at or entered(empire, unit):
            return ()
        return [(at, cost) for at, cost in base(here) if at not in zone or _befriended(empire, unit.country, at)]

    return step


def entered(empire: Empire, unit: Unit) -> bool:
    """Whether a unit came to its square this turn."""
    return len(empire.trails.get(unit.number, ())) > 1


def _befriended(empire: Empire, country: str, at: str) -> bool:
    """Whether a formation friendly to a country stands in a square."""
    posts = (unit for unit in empire.units_at(at) if KINDS[unit.kind].land_military)
    return any(empire.friendly(u.country, country) for u in posts if not u.aboard and u.status != "warehouse")


def _open_waters(empire: Empire, unit: Unit, base: Steps) -> Steps:
    """Without the banks and canals that are shut; asked for again at every square only where there may be one."""
    guarded = _guarded(empire, unit.country)
    if not guarded:
        return base

    def step(here: str) -> list[tuple[str, int]]:
        found = base(here)
        ways = ways_of(empire)
        return [
            (there, cost)
            for there, cost in found
            if there not in guarded or not _shut(empire, unit, here, ways.grid.direction(here, there) or "N")
        ]

    return step


def _guarded(empire: Empire, country: str) -> frozenset[str]:
    """Squares with a canal or with others' land military: there a ship may be stopped."""
    others = [unit for unit in empire.units.values() if unit.country != country]
    posts = (u.at for u in others if KINDS[u.kind].military and KINDS[u.kind].category == "land")
    return _canals(tuple(at for at, what in empire.lines.items() if "canal" in what)) | frozenset(posts)


@lru_cache(maxsize=64)
def _canals(squares: tuple[str, ...]) -> frozenset[str]:
    return frozenset(squares)
