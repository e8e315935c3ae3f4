"""What bots do to each other: gifts, seizures, stances, countries split off, interpretations."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Pick
from referee.core.order import Intent, Portion, Quantity
from referee.games.empire.countries import Country
from referee.games.empire.kinds import KINDS
from referee.games.empire.naming import Goods
from referee.games.empire.orders.dealing import Exchange, GiveControl, GiveCountry, GiveGoods
from referee.games.empire.orders.lasting import BIRTHS, SetRelation
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.orders.razing import Burn, Destroy
from referee.games.empire.orders.seizing import Seize, SeizeGoods
from referee.games.empire.orders.slot import Interpret
from referee.games.empire.orders.splitting import Balkanize
from referee.games.empire.orders.working import Abandon, Appoint
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.exchange import may_send
from referee.games.empire.structures import owner_of

_NEAR = 4
"""So many borders somebody goes to seize a building."""

_CROWD = 20
"""So many units a country has before a bot lets one die."""


def dealings(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """What a bot can seize and settle, and one thing out of many that seldom happen."""
    mine = [unit for unit in empire.units_of(country.name) if not unit.aboard]
    yield from _seizures(empire, country, mine, pick)
    for doubt in empire.doubtful:
        if doubt.seat != country.owner and doubt.by is None and not pick(3):
            yield Interpret(doubt.slot, doubt.line, 1 + pick(len(doubt.readings)))
    if country.origin == "created" and not pick(3):
        yield from (Destroy("itself", unit.number) for unit in mine)
    others = [other.name for other in empire.countries.values() if not other.dead and other.owner != country.owner]
    if others and may_send(empire, country) and pick(2):
        yield Exchange(1, others[pick(len(others))])
    given = [unit.number for unit in mine if not KINDS[unit.kind].person]
    if others and given and not pick(3):
        yield GiveControl((given[pick(len(given))],), others[pick(len(others))])
    if others and mine and not pick(2):
        yield from _seldom(empire, country, others[pick(len(others))], mine, pick)


def _seizures(empire: Empire, country: Country, mine: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Whatever of others stands where somebody is who may take it."""
    hands = {unit.at: unit.number for unit in mine if unit.kind in ("coolie", "SAC")}
    for unit in empire.units.values():
        foreign = not empire.same_owner(unit.country, country.name) and not KINDS[unit.kind].person
        if foreign and unit.at in hands and pick(2):
            yield Seize(unit.number, hands[unit.at])
    for lot in empire.lots:
        if lot.at in hands and not lot.aboard and not empire.same_owner(lot.country, country.name) and pick(2):
            yield SeizeGoods((_one(lot.what),), hands[lot.at], lot.country)
    for at, hand in hands.items():
        alone = empire.factories.get(at, ()) if not empire.same_owner(owner_of(empire, at), country.name) else ()
        yield from (Seize(0, hand, factory.kind) for factory in alone[:1])
    yield from _squatting(empire, country, mine, pick)


def _squatting(empire: Empire, country: Country, mine: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Somebody walks to what others built and left alone, and takes it."""
    people = [unit for unit in mine if unit.kind in ("coolie", "SAC") and not unit.spent]
    for at, buildings in empire.factories.items():
        near = [unit for unit in people if 0 < empire.board.grid.apart(unit.at, at) <= _NEAR]
        if near and buildings and not empire.same_owner(owner_of(empire, at), country.name) and pick(2):
            unit = near[pick(len(near))]
            yield MoveUnits((unit.number,), at)
            yield Seize(0, unit.number, buildings[0].kind)


def _seldom(empire: Empire, country: Country, other: str, mine: list[Unit], pick: Pick) -> Iterator[Intent]:
    unit = mine[pick(len(mine))]
    cities = [city.name for city in empire.cities.values() if city.country == country.name]
    match pick(12):
        case 0:
            yield SetRelation(other, bool(pick(2)))
        case 1:
            yield GiveControl((unit.number,), other)
        case 2:
            yield from _gift(empire, country, other)
        case 3:
            yield from (GiveCountry(name, other) for name in _minor(empire, country))
        case 4:
            yield from (BIRTHS[pick(2)](city) for city in cities[:1])
        case 5:
            yield _split(empire, country, cities, mine)
        case 6:
            yield Exchange(1 + pick(2), other)
        case 7:
            yield Burn((_one("X"),), unit.at)
        case 8:
            yield from (Abandon(w.at, w.kind) for w in empire.worked[-1:] if w.country == country.name)
        case 9:
            yield from (Destroy("itself", u.number) for u in mine if not KINDS[u.kind].person and not pick(3))
        case 10:
            yield from (Appoint(u.number) for u in mine if u.kind == "coolie" and u.status == "city" and not pick(4))
        case _ if len(mine) > _CROWD:
            heads = [other for other in mine if other.kind == "government coolie"]
            yield Destroy("itself", (heads or [unit])[0].number if pick(2) else unit.number)


def _gift(empire: Empire, country: Country, other: str) -> Iterator[Intent]:
    """Something that lies where the other country has somebody."""
    there = {unit.at: unit for unit in empire.units_of(other)}
    lots = [lot for lot in empire.lots if lot.country == country.name and not lot.aboard]
    lot = next((lot for lot in lots if lot.at in there), lots[0] if lots else None)
    if lot is not None:
        yield GiveGoods((_one(lot.what),), other, lot.at)


def _minor(empire: Empire, country: Country) -> list[str]:
    """Countries that a player runs besides that with which he began."""
    return [other.name for other in empire.owned(country.owner) if other.origin != "starting"]


def _split(empire: Empire, country: Country, cities: list[str], mine: list[Unit]) -> Balkanize:
    """A city besides the capital becomes a country, or else a coolie does."""
    name = f"{country.name} Minor {empire.turn}"
    coolies = [unit.number for unit in mine if unit.kind == "coolie"]
    return Balkanize(name, tuple(cities[-1:])) if len(cities) > 1 else Balkanize(name, (), tuple(coolies[-1:]))


def _one(what: str) -> Goods:
    return Goods(what, Quantity(Portion.EXACTLY, 1))
