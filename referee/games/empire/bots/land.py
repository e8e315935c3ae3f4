"""War on land: how a ruler arms coolies and where he quarters them; who goes to others, and attacks them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.order import Intent
from referee.games.empire.bots.estate import Estate
from referee.games.empire.deeds.war.fighting import enemies_in
from referee.games.empire.orders.movement.move import MoveUnits
from referee.games.empire.orders.war.arming import Arm, armings
from referee.games.empire.orders.war.attack import Attack, attacks
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Position, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import reach, route, steps
from referee.games.empire.reckoning.supply import sieges
from referee.games.empire.reckoning.war.zones import most_in, provisioned, stands
from referee.games.empire.rulebook.kinds import ALLOWANCE, FORMATIONS, KINDS

REGIMENT = "infantry regiment"
_SAU = 2

_FAR = 12
"""Borders within which somebody is sought to be attacked: about two turns on a road."""

_ARMED_MOST = 4
"""No more than one in so many coolies is armed on a whim: confidence falls where more are military."""


_IMPATIENT = 3
"""But for one turn in so many, those who besiege somebody neither attack nor leave: they let him eat what he has."""


def arm(estate: Estate) -> None:
    """A regiment of every two small arms at home, as far as hands and room at home go."""
    here = [unit for unit in estate.empire.units_at(estate.home) if stands(unit) and unit.country == estate.country]
    room = most_in(estate.empire, estate.home) - len(here) + len(_leaving(estate))
    while room > 0 and estate.has({"SAU": _SAU}) and estate.hands:
        unit = estate.hand()
        assert unit is not None
        estate.take({"SAU": _SAU})
        estate.sheet.append(Arm((unit.number,), REGIMENT))
        room -= 1


def quarter(estate: Estate) -> None:
    """The regiments of earlier turns go where there is room for them, the nearest squares first, and leave the capital free."""
    taken: dict[Position, int] = {}
    for unit in _leaving(estate):
        at = _room_for(estate, unit, taken)
        if at:
            taken[at] = taken.get(at, 0) + 1
            estate.sheet.append(MoveUnits((unit.number,), at))


def _leaving(estate: Estate) -> tuple[Unit, ...]:
    """Regiments at home that may march: not those armed this turn."""
    troops = estate.empire.units_of(estate.country, REGIMENT)
    return tuple(unit for unit in troops if unit.at == estate.home and unit.since < estate.turn)


def _room_for(estate: Estate, unit: Unit, taken: dict[Position, int]) -> Position:
    empire = estate.empire
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE // 2):
        there = sum(stands(u) for u in empire.units_at(at)) + taken.get(at, 0)
        if at != estate.home and there < most_in(empire, at):
            return at
    return ""


# ---------------------------------------------------------------- to others, and at them


def campaign(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Coolies take up the strongest arms there are; formations attack who is beside them, and go where others are."""
    troops = [u for u in empire.units_of(country.name, *FORMATIONS) if not u.aboard and u.status in ("", "city")]
    if empire.turn % _IMPATIENT:
        besiegers = {unit.number for siege in sieges(empire) for unit in siege.by}
        troops = [unit for unit in troops if unit.number not in besiegers]
    if _ARMED_MOST * len(troops) < len(empire.units_of(country.name, "coolie")):
        yield from armings(empire, country)
    fought = set[int]()
    for order, _ in attacks(empire, country) if troops else ():
        units = tuple(unit.number for unit in troops if unit.number in order.units and unit.number not in fought)
        if units and pick(8):
            fought.update(units)
            yield from _assault(empire, country, order.but(units=units), pick)
    goals = tuple(
        dict.fromkeys(u.at for u in empire.units.values() if u.country != country.name and KINDS[u.kind].person)
    )
    for at, kind in dict.fromkeys((unit.at, unit.kind) for unit in troops if unit.number not in fought):
        group = [unit for unit in troops if (unit.at, unit.kind) == (at, kind) and unit.number not in fought]
        yield from _march(empire, group, [goal for goal in goals if empire.board.grid.apart(at, goal) <= _FAR], pick)


def _assault(empire: Empire, country: Country, order: Attack, pick: Pick) -> Iterator[Attack]:
    """With or without quarter, and one of them goes in where he may."""
    order = replace(order, coolies=("capturing", "killing")[pick(2)])
    bold = replace(order, advance=order.units[:1])
    able = [wish for wish in (bold, order) if wish.lawful(empire, country.owner)]
    if able:
        yield able[0] if pick(3) else able[-1]


def _march(empire: Empire, group: list[Unit], goals: list[Position], pick: Pick) -> Iterator[MoveUnits]:
    """Units alike go beside somebody to attack where that is within two turns, else now and then about where there is food."""
    first, around = group[0], empire.board.grid.around
    foes = [goal for goal in goals if enemies_in(empire, first.country, goal)]
    if not foes and pick(3):
        return
    step, left = steps(empire, KINDS[first.kind]), ALLOWANCE - first.spent
    far = reach(step, (first.at,), 2 * ALLOWANCE if foes else left)
    beside = {at for foe in foes for _, at in around(foe)}
    ways = filter(None, (route(step, first.at, at, 2 * ALLOWANCE) for at in [at for at in far if at in beside][:3]))
    fed = provisioned(empire, first.country)
    wanted = [at for way in ways for at in way if far[at] <= left][-2:]
    wanted = wanted or [at for at, cost in far.items() if cost <= left and at in fed and at != first.at]
    for unit in group if wanted else ():
        if pick(8):
            yield MoveUnits((unit.number,), wanted[pick(len(wanted))])
