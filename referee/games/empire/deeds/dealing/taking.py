"""Goods taken by force: what is no unit is not seized, yet may be taken within the limits of seizing (emp.P16)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.dealing.seizing import NO_SEIZERS, check_aboard, check_ground
from referee.games.empire.events.dealing import GoodsTaken
from referee.games.empire.position.pieces import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.belongings import counts_of, own_unit
from referee.games.empire.reckoning.naming import Goods
from referee.games.empire.reckoning.supply.stores import lots_at, taken
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
