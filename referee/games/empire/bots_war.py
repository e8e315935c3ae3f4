"""What bots do with arms: coolies take them up, formations go where others are and attack them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.choices import Pick
from referee.core.order import Intent
from referee.games.empire.bots_air import tactical
from referee.games.empire.countries import Country
from referee.games.empire.distance import reach, route, steps, ways_of
from referee.games.empire.formations import FORMATIONS, parts_of
from referee.games.empire.fuel import at_sea
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.orders.arming import Arm, Disarm
from referee.games.empire.orders.attack import Attack
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.pieces import Position, Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.arming import missing, wanted_arms
from referee.games.empire.steps.bands import forbids
from referee.games.empire.steps.fighting import attackers_near, enemies_in
from referee.games.empire.steps.zones import provisioned
from referee.games.empire.warships import SHORE_FIRE

_ARMED_MOST = 4
"""A bot arms no more than one in so many of its coolies: confidence falls where more are military (H-15)."""


def campaigns(empire: Empire, country: Country, free: Sequence[Unit], pick: Pick) -> Iterator[Intent]:
    """Arming, marching and attacking; most of it is lawful."""
    troops = [unit for unit in empire.units_of(country.name, *FORMATIONS) if not unit.aboard and not unit.status]
    troops += [unit for unit in empire.units_of(country.name, *FORMATIONS) if unit.status == "city"]
    yield from _arming(empire, country, free, len(troops), pick)
    found = _others(empire, country)
    for unit in troops:
        yield from _fighting(empire, unit, found, pick)


def _arming(empire: Empire, country: Country, free: Sequence[Unit], armed: int, pick: Pick) -> Iterator[Intent]:
    coolies = len(empire.units_of(country.name, "coolie"))
    for unit in free:
        if _ARMED_MOST * armed >= coolies:
            return
        able = [name for name in FORMATIONS if not missing(empire, unit, wanted_arms(unit, name))]
        if able:
            armed += 1
            yield Arm((unit.number,), able[pick(len(able))])


def _others(empire: Empire, country: Country) -> dict[Position, bool]:
    """Squares where somebody stands whom the country may attack; whether it is defended."""
    places = dict.fromkeys(u.at for u in empire.units.values() if u.country != country.name and KINDS[u.kind].person)
    enemies = {at: enemies_in(empire, country.name, at) for at in places}
    return {at: any(unit.kind in FORMATIONS for unit in there) for at, there in enemies.items() if there}


def _fighting(empire: Empire, unit: Unit, others: dict[Position, bool], pick: Pick) -> Iterator[Intent]:
    """Attack what is beside, else go where somebody is; now and then lay the arms down."""
    ways = ways_of(empire)
    around = ways.grid.around(unit.at)
    beside = [at for way, at in around if at in others and not ways.water(at) and not ways.ridge(unit.at, way)]
    if beside and pick(4) and not forbids(empire, unit.country, "attack"):
        yield from _assault(empire, unit, beside[pick(len(beside))], pick)
    elif len(parts_of(unit)) and not pick(20):
        yield Disarm((unit.number,))
    elif pick(8):
        yield from _march(empire, unit, others, pick)


def _assault(empire: Empire, unit: Unit, at: Position, pick: Pick) -> Iterator[Intent]:
    """Alone or with all who can; ships beside the coast and a plane help."""
    country = empire.countries[unit.country]
    able = [other.number for other in attackers_near(empire, country.owner, at)] if pick(3) else []
    guns = [ship for ship in empire.units_of(country.name, *SHORE_FIRE) if at_sea(ship)]
    fire = [ship.number for ship in guns if empire.board.grid.apart(ship.at, at) < 2]
    there, plane, back = tactical(empire, country, at, pick)
    troops = tuple(dict.fromkeys((unit.number, *able, *fire, *((plane,) if plane else ()))))
    advance = (unit.number,) if pick(3) else ()
    yield from there
    yield Attack(at, troops, (), ("capturing", "killing")[pick(2)], advance)
    yield from back


def _march(empire: Empire, unit: Unit, others: dict[Position, bool], pick: Pick) -> Iterator[Intent]:
    """Beside somebody to attack where that is within two turns, else about where there is food."""
    step = steps(empire, KINDS[unit.kind])
    far = reach(step, (unit.at,), 2 * ALLOWANCE)
    goals = [at for at in far if any(there in others for _, there in empire.board.grid.around(at))]
    fed = provisioned(empire, unit.country)
    ways = filter(None, (route(step, unit.at, at, 2 * ALLOWANCE) for at in goals[:3]))
    march = [at for way in ways for at in way if far[at] <= ALLOWANCE - unit.spent]
    about = [at for at, cost in far.items() if cost <= ALLOWANCE - unit.spent and at in fed and at != unit.at]
    wanted = march[-2:] or about
    if wanted:
        yield MoveUnits((unit.number,), wanted[pick(len(wanted))])
