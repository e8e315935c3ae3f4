"""Seizing control of what others own, in the same square and by somebody there (emp.P13 to emp.P16).

Goods are no units and are not seized, yet may be taken within the limits of seizing (emp.P16).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.dealing import GoodsTaken, UnitSeized
from referee.games.empire.events.work.building import BuildingSeized
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.ownership import cargo_of, counts_of, missing, own_unit
from referee.games.empire.reckoning.supply import lots_at, taken
from referee.games.empire.reckoning.war.zones import land_zone
from referee.games.empire.reckoning.work import owner_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row


def check_take(
    empire: Empire, seat: Seat, wanted: Sequence[Goods], taker: int, of: str
) -> tuple[Unit, str, tuple[Lot, ...]]:
    """emp.P16: who takes what of whom by force, under the limits of seizing. Raises Refused."""
    by = own_unit(empire, seat, taker, "emp.P16")
    if not KINDS[by.kind].person or by.kind in NO_SEIZERS:
        raise Refused(f"A {by.kind} takes nothing by force.", "emp.P14", str(by.number))
    victim = _victim(empire, seat, [goods.what for goods in wanted], of, by)
    lots = tuple(lot for goods in wanted for lot in _within_reach(empire, victim, by, goods))
    if any(lot.aboard for lot in lots):
        check_aboard(empire, empire.units[by.aboard], by)
    else:
        check_ground(empire, victim, by)
    return by, victim, lots


def _victim(empire: Empire, seat: Seat, wanted: list[str], of: str, by: Unit) -> str:
    """The country named, or the only one of another player that has such goods there."""
    if of:
        country = empire.countries.get(of)
        if country is None or country.owner == seat:
            raise Refused(f"{of} is no country of another player.", "emp.P16", of)
        return of
    others = [lot.country for lot in empire.lots if lot.at == by.at and lot.what in wanted]
    found = [name for name in dict.fromkeys(others) if empire.countries[name].owner != seat]
    if len(found) != 1:
        whose = f"{in_a_row(found)} have some; say OF whom." if found else "nobody else has any."
        raise Refused(f"Of {in_a_row(wanted, 'or')} in {by.at} {whose}", "emp.P16", by.at)
    return found[0]


def _within_reach(empire: Empire, victim: str, by: Unit, goods: Goods) -> tuple[Lot, ...]:
    """What lies in the square or in its city; aboard what carries the taker, what is there with him."""
    lots = [lot for lot in lots_at(empire, victim, by.at, goods.what) if lot.aboard == by.aboard]
    have = sum(lot.number for lot in lots)
    number = goods.quantity.of(have)
    if not 0 < number <= have:
        raise _out_of_reach(empire, victim, by, goods.what, have)
    return taken(lots, number)


def _out_of_reach(empire: Empire, victim: str, by: Unit, what: str, have: int) -> Refused:
    where = f"aboard unit {by.aboard}" if by.aboard else f"lying in {by.at}"
    carried = next((lot for lot in lots_at(empire, victim, by.at, what) if lot.aboard not in (0, by.aboard)), None)
    more = ""
    if carried is not None:
        more = f" What is aboard {empire.units[carried.aboard].kind} {carried.aboard} is seized with what carries it."
    return Refused(f"{victim} has {have or 'no'} {what} {where}.{more}", "emp.P16", what)


def take(table: Table[Empire], seat: Seat, wanted: Sequence[Goods], taker: int, of: str) -> None:
    """Goods change hands. Raises Refused."""
    empire = table.state
    by, victim, lots = check_take(empire, seat, wanted, taker, of)
    table.emit(GoodsTaken(by.number, victim, by.country, by.at, lots, counts_of(empire, (), lots)))


_BY_SHIP = ("barge", "sailboat", "life raft", "yacht", "luxury liner")
"""What a cargo ship may seize (emp.P15)."""

_FROM_WITHIN = ("cargo ship", "pirate ship")
"""Ships that somebody aboard may seize anywhere (emp.P15)."""

NO_SEIZERS = ("ambassador coolie",)
"""Persons who seize nothing (emp.H-07)."""


def check_seize(empire: Empire, seat: Seat, number: int, taker: int) -> tuple[Unit, Unit]:
    """emp.P13 to emp.P15: what is seized and by whom. Raises Refused."""
    target, by = empire.units.get(number), own_unit(empire, seat, taker, "emp.P13")
    if target is None:
        raise Refused(missing(empire, number), "emp.P13", str(number))
    if empire.countries[target.country].owner == seat:
        raise Refused(f"{target.kind} {target.number} is yours.", "emp.P13", str(target.number))
    _check(empire, target, by)
    return target, by


def takers(empire: Empire, seat: Seat, target: Unit) -> tuple[Unit, ...]:
    """The units of a seat that may seize a unit now, by number."""
    return tuple(
        unit
        for unit in empire.units_at(target.at)
        if empire.countries[unit.country].owner == seat and _allowed(empire, target, unit)
    )


def _allowed(empire: Empire, target: Unit, by: Unit) -> bool:
    try:
        _check(empire, target, by)
    except Refused:
        return False
    return True


def _check(empire: Empire, target: Unit, by: Unit) -> None:
    if target.at != by.at:
        raise Refused(
            f"{target.kind} {target.number} is in {target.at}, not in {by.at}.", "emp.P13", str(target.number)
        )
    if by.kind == "cargo ship" and target.kind in _BY_SHIP:
        # emp.P15: a cargo ship takes a small craft that is unoccupied and not under tow.
        if target.aboard:
            raise Refused(f"{target.kind} {target.number} is under tow or carried.", "emp.P15", str(target.number))
        if any(KINDS[unit.kind].person for unit in empire.units.values() if unit.aboard == target.number):
            raise Refused(f"Somebody is aboard {target.kind} {target.number}.", "emp.P15", str(target.number))
        return
    if not KINDS[by.kind].person or by.kind in NO_SEIZERS:
        raise Refused(f"A {by.kind} seizes nothing.", "emp.P14", str(by.number))
    if KINDS[target.kind].person:
        raise Refused(
            f"{target.kind} {target.number} is a person; people are taken by attack only.", "emp.P13", target.kind
        )
    if by.aboard == target.number and target.kind in _FROM_WITHIN:
        check_aboard(empire, target, by)
        return
    # emp.P13: ships and barges beached or docked, planes not in the air, nothing that is carried.
    kind, rule = KINDS[target.kind], "emp.P13"
    if by.aboard not in (0, target.number):
        raise Refused(f"{by.kind} {by.number} is aboard unit {by.aboard}; put it ashore first.", rule, str(by.number))
    if target.aboard:
        raise Refused(f"{target.kind} {target.number} is carried by unit {target.aboard}.", rule, str(target.number))
    if (kind.category == "naval" or target.kind == "barge") and target.status not in ("dock", "beach"):
        raise Refused(f"{target.kind} {target.number} is neither beached nor docked.", rule, str(target.number))
    if kind.category == "air" and target.status == "air":
        raise Refused(f"{target.kind} {target.number} is in the air.", rule, str(target.number))
    check_ground(empire, target.country, by)


def check_ground(empire: Empire, victim: str, by: Unit) -> None:
    """emp.P14: no hostile zone of control; for a coolie no hostile coolie in the square either, aboard something or not.

    Raises Refused.
    """
    if by.at in land_zone(empire, by.country):
        raise Refused(f"A hostile zone of control covers {by.at}.", "emp.P14", by.at)
    if not KINDS[by.kind].military:
        for guard in _guards(empire, victim, by, empire.units_at(by.at)):
            raise Refused(f"{guard.country}'s {guard.kind} {guard.number} guards the square.", "emp.P14", by.at)


def check_aboard(empire: Empire, target: Unit, by: Unit) -> None:
    """emp.P15: aboard a ship only hostile people aboard can prevent it; against military only military."""
    aboard = [unit for unit in empire.units.values() if unit.aboard == target.number]
    for guard in _guards(empire, target.country, by, aboard):
        if not KINDS[by.kind].military or KINDS[guard.kind].military:
            raise Refused(f"{guard.country}'s {guard.kind} {guard.number} is aboard too.", "emp.P15", str(guard.number))


def _guards(empire: Empire, victim: str, by: Unit, units: Iterable[Unit]) -> Iterator[Unit]:
    """Coolies and military of the victim, or hostile to the seizer; ambassadors and governments guard nothing."""
    for unit in units:
        kind, country = KINDS[unit.kind], empire.countries[unit.country]
        fights = unit.kind == "coolie" or (kind.person and kind.military)
        hostile = unit.country == victim or country.hostile_to(by.country, kind.military)
        if fights and hostile and not empire.same_owner(unit.country, by.country):
            yield unit


def check_building(empire: Empire, seat: Seat, what: str, taker: int) -> BuildingSeized:
    """What stands outside a city falls to who is there alone, within the limits of emp.P14 (emp.H-35). Raises Refused."""
    by = own_unit(empire, seat, taker, "emp.P13")
    if empire.city_at(by.at) is not None or all(f.kind != what for f in empire.factories.get(by.at, ())):
        raise Refused(f"No {what} stands outside a city in {by.at}.", "emp.H-35", what)
    victim = owner_of(empire, by.at)
    if victim and empire.same_owner(victim, by.country):
        raise Refused(f"The {what} in {by.at} is yours.", "emp.H-35", what)
    if not KINDS[by.kind].person or by.kind in NO_SEIZERS or by.aboard:
        raise Refused(f"{by.kind} {by.number} cannot seize it; a person on the ground can.", "emp.P14", str(by.number))
    check_ground(empire, victim, by)
    return BuildingSeized(by.country, victim, what, by.at, by.number)


def seize(table: Table[Empire], seat: Seat, number: int, taker: int) -> None:
    """A unit changes hands with all it carries, but for people. Raises Refused."""
    empire = table.state
    target, by = check_seize(empire, seat, number, taker)
    units, lots = cargo_of(empire, (target.number,), persons=False)
    counts = counts_of(empire, units, lots)
    victim = target.country
    table.emit(UnitSeized(target.number, target.kind, by.number, victim, by.country, by.at, units, lots, counts))
