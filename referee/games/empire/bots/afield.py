"""A bot's deeds away from its cities: errands, marches, voyages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.bots.estate import Estate, exactly
from referee.games.empire.deeds.air_and_sea import prey, ships_in
from referee.games.empire.deeds.building import standing
from referee.games.empire.deeds.debts_and_petitions import forbids
from referee.games.empire.deeds.fighting import enemies_in
from referee.games.empire.deeds.works import idle_factories
from referee.games.empire.orders.arming import Arm, armings
from referee.games.empire.orders.attack import Attack, Engage, attacks
from referee.games.empire.orders.building import DrawLine
from referee.games.empire.orders.industry import run
from referee.games.empire.orders.loading import Load
from referee.games.empire.orders.moving import Dive, Land, MoveUnits, Patrol, PutToSea, RollWind, Surface
from referee.games.empire.orders.raids import Bomb, Plunder, TurnPirate
from referee.games.empire.position import Position, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.budget import at_sea
from referee.games.empire.reckoning.carrying import aboard, goods_aboard
from referee.games.empire.reckoning.combat import attack_of
from referee.games.empire.reckoning.distance import reach, route, steps
from referee.games.empire.reckoning.movement_rates import DROP_TANK, most_in, provisioned, stands
from referee.games.empire.reckoning.ownership import Some, flies
from referee.games.empire.reckoning.supply import sieges
from referee.games.empire.rulebook import BOMBS
from referee.games.empire.rulebook.kinds import ALLOWANCE, FORMATIONS, KINDS
from referee.games.empire.rulebook.plans import PLANS

# ---------------------------------------------------------------- errands
# Errands of a random player for units that no plan needs: works for war, lines laid, loads carried, vehicles sent out.


_GUNS = ("ack-ack site", "gun site")
"""The guns installed before anything else, where there are guns."""

_MOVERS = 4
"""Vehicles that are sent out in a turn."""


_BY_LAND = (*_GUNS, "power station", "small arms works", "heavy arms works", "airport", "air works", "motor works")
_BY_SEA = (*_GUNS, "power station", "naval shipyard", "heavy arms works", "water distillery", "cargo shipyard")
"""His works for war, in this order; for the sea one time in two where his capital has a coast."""


def arming(estate: Estate, pick: Pick) -> None:
    """Two more works for war, and every factory that can run makes something."""
    seaward = estate.empire.board.coastal(estate.home) and pick(2)
    wanted = estate.lacking(*(_BY_SEA if seaward else _BY_LAND))
    estate.build(*[name for name in wanted if estate.has(PLANS[name].materials)][:2])
    for idle in idle_factories(estate.empire, estate.empire.countries[estate.country]):
        if idle.runs and estate.hand() is not None:
            estate.sheet.append(run(estate.empire, idle.runs[pick(len(idle.runs))]))


def errands(estate: Estate, pick: Pick) -> None:
    """Now and then one of the hands left over at home lays a line, or a load is carried about."""
    unit = None if pick(2) else estate.hand()
    if unit is not None:
        estate.sheet += (_line if pick(2) else _porter)(estate, unit, pick)


def _line(estate: Estate, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """Out and back with a machine, and a line along the way."""
    able = [plan.name for plan in PLANS.values() if plan.sort == "line" and estate.has({"cmx": 1, **plan.materials})]
    if not able or forbids(estate.empire, estate.country, "build"):
        return
    what = "pipeline" if estate.has({"O": 1}) and "pipeline" in able and pick(2) else able[pick(len(able))]
    out = _stroll(estate.empire, unit, 1 + pick(3), pick)
    yield Load(unit.number, (exactly("cmx", 1),))
    yield MoveUnits((unit.number,), out[-1], out)
    yield MoveUnits((unit.number,), unit.at, (*out[-2::-1], unit.at))
    yield DrawLine(unit.number, what, (unit.at,) if what == "canal" else (unit.at, *out))


def _porter(estate: Estate, unit: Unit, pick: Pick) -> Iterator[Intent]:
    """A coolie takes goods; then one of all that are there goes, and whether the loaded one is meant is not said."""
    stock = [what for what, number in estate.store.items() if number > 0]
    if stock:
        yield Load(unit.number, (exactly(stock[pick(len(stock))], 1),))
    one = Some("coolie", Quantity(Portion.EXACTLY, 1), unit.at)
    yield MoveUnits((), _stroll(estate.empire, unit, 1, pick)[-1], (), (one,))


def _stroll(empire: Empire, unit: Unit, borders: int, pick: Pick) -> tuple[str, ...]:
    """Some squares in a row that the unit can step through."""
    step, path = steps(empire, KINDS[unit.kind]), [unit.at]
    for _ in range(borders):
        there = [name for name, _ in step(path[-1]) if name not in path]
        if not there:
            break
        path.append(there[pick(len(there))])
    return tuple(path[1:]) or (unit.at,)


def outings(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """Vehicles go somewhere, whatever they have aboard; those with arms have plans of their own."""
    movers = [unit for unit in empire.units_of(country.name) if _moves(empire, unit)]
    if any(KINDS[unit.kind].wind for unit in movers):
        yield RollWind()
    for unit in movers[:_MOVERS]:
        there = list(reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent))[1:] if pick(2) else []
        if there:
            yield MoveUnits((unit.number,), there[pick(len(there))])


def _moves(empire: Empire, unit: Unit) -> bool:
    kind, city = KINDS[unit.kind], empire.city_at(unit.at)
    grounded = kind.category == "air" and not flies(unit) and not (city and city.airports)
    return kind.self_mobile and not (kind.person or kind.military or unit.aboard or grounded)


# ---------------------------------------------------------------- war on land
# How a ruler arms coolies and where he quarters them; who goes to others, and attacks them.


REGIMENT = "infantry regiment"
_SAU = 2

_FAR_BY_LAND = 12
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
        yield from _march(
            empire, group, [goal for goal in goals if empire.board.grid.apart(at, goal) <= _FAR_BY_LAND], pick
        )


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


# ---------------------------------------------------------------- war at sea
# Warships hunt, submarines dive with torpedoes, cargo ships turn pirate.
#
# Raids from the air: a bomb and a drop tank hung on, fighters along, there and back.


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


_RANGE, _FAR_BY_SEA = 12, 14
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
    targets = _targets(empire, country, unit.at, _FAR_BY_SEA if tank else _RANGE)
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
    """The orders that hang a bomb on a plane, none where it has one; None where there is none for it."""
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
