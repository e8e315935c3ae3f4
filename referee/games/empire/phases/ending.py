"""The end of a turn as far as it concerns moving: who is in the air, what is in hand, what may lie about (II.A, emp.C6)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.table import Table
from referee.games.empire.deeds.movement.standing import crash_the_stranded
from referee.games.empire.events.cargo import GoodsSpoiled
from referee.games.empire.events.work.building import LoadPutDown
from referee.games.empire.position.pieces import Lot
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import goods_aboard
from referee.games.empire.reckoning.work.materials import needs_of, squares_of
from referee.games.empire.reckoning.work.workers import by_hand, stands_by
from referee.games.empire.rulebook.kinds import GOODS, KINDS, OBJECT
from referee.games.empire.rulebook.plans import PLANS

LYING = 5 * OBJECT
"""The room for goods in a land square without city and warehouse."""


def excess(empire: Empire, country: str) -> tuple[Lot, ...]:
    """Goods of a country that lie in squares without room for them, the last put there first.

    Rolling stock and barges that lie there take room; machines that build and materials of works do not count. Room is
    taken as in carrying, so five food are one unit (house rule emp.C6).
    """
    squares = dict.fromkeys(lot.at for lot in empire.lots if lot.country == country and _lies(empire, lot))
    return tuple(lost for at in squares for lost in _beyond(empire, country, at))


def _lies(empire: Empire, lot: Lot) -> bool:
    return not lot.aboard and not lot.inside and empire.city_at(lot.at) is None


def _beyond(empire: Empire, country: str, at: str) -> list[Lot]:
    lots = _counted(empire, at)
    stock = (unit for unit in empire.units_at(at) if KINDS[unit.kind].category == "hauled" and not unit.aboard)
    over = sum(GOODS[lot.what] * lot.number for lot in lots) + sum(KINDS[unit.kind].room for unit in stock) - LYING
    lost = []
    for lot in reversed(lots):
        number = min(lot.number, max(0, -(-over // GOODS[lot.what]))) if lot.country == country else 0
        lost += [replace(lot, number=number)] if number else []
        over -= number * GOODS[lot.what]
    return lost


def _counted(empire: Empire, at: str) -> list[Lot]:
    """What lies in a square, without the machines that build there and the materials promised to works."""
    counted = []
    spared = _in_use(empire, at)
    for lot in empire.lots:
        if lot.at == at and _lies(empire, lot):
            used = min(spared.get(lot.what, 0), lot.number)
            spared[lot.what] = spared.get(lot.what, 0) - used
            counted += [replace(lot, number=lot.number - used)] if used < lot.number else []
    return counted


def _in_use(empire: Empire, at: str) -> dict[str, int]:
    """Machines at work in a square, and the materials that works begun this turn take from it."""
    spared: dict[str, int] = {}
    for work in empire.works:
        if not work.left or at not in squares_of(work):
            continue
        materials = needs_of(empire, work) if work.begun < 0 and work.what in PLANS else {}
        for what, number in (("cmx", 1), *materials.items()):
            spared[what] = spared.get(what, 0) + number
    return spared


def end_moves(table: Table[Empire], country: str) -> None:
    """Before the works of a turn's end: planes that had to land crash, builders put down what they carry, excess is lost."""
    crash_the_stranded(table, country)
    # emp.C6: who runs a construction machine carries nothing over the end of a turn.
    for number in _at_machines(table.state, country):
        lots, builder = goods_aboard(table.state, number), table.state.units[number]
        if lots:
            carrier = table.state.units.get(builder.aboard)
            city = table.state.city_at(builder.at) if carrier is None else None
            inside = city.name if city is not None and table.state.friendly(city.country, country) else ""
            hold = (carrier.number, carrier.kind) if carrier is not None else (0, "")
            table.emit(LoadPutDown(country, number, builder.at, lots, *hold, inside))
    for lot in excess(table.state, country):
        table.emit(GoodsSpoiled(lot))


def _at_machines(empire: Empire, country: str) -> tuple[int, ...]:
    """The coolies of a country that build or scrap where they stand, each once."""
    working = (work for work in empire.works if work.country == country and work.left > 0 and not by_hand(work))
    return tuple(dict.fromkeys(w.unit for w in working if stands_by(empire, country, w.unit, w.at)))
