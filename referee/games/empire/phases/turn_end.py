"""The end of a turn: planes in the air, goods in hand, goods that lie about and are lost, confidence (II.A, emp.C6).

Then the budget is made up and confidence moves: steps 7 and 8 of a turn (emp.H-13 to emp.H-16).
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.table import Table
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.events.moving import AircraftCrashed, GoodsSpoiled
from referee.games.empire.events.work import LoadPutDown
from referee.games.empire.position import Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.budget import Budget, Losses, confidence_change, luck_of
from referee.games.empire.reckoning.carrying import goods_aboard
from referee.games.empire.reckoning.ownership import flies, with_all_aboard
from referee.games.empire.reckoning.work import by_hand, needs_of, squares_of, stands_by
from referee.games.empire.rulebook import (
    AFTER_COLLAPSE,
    HIGHEST,
    LYING,
)
from referee.games.empire.rulebook.kinds import DEBT, GOODS, KINDS
from referee.games.empire.rulebook.plans import PLANS


def crash_the_stranded(table: Table[Empire], country: str) -> None:
    """Planes of a country that had to land and did not are lost with all aboard (house rule emp.move.aloft)."""
    for unit in table.state.units_of(country):
        # II.A: fighters on patrol stay in the air over the end of a turn.
        if flies(unit) and not (KINDS[unit.kind].aloft or unit.status == "patrol"):
            table.emit(_crash(table.state, unit))


def _crash(empire: Empire, unit: Unit) -> AircraftCrashed:
    group = with_all_aboard(empire, unit)
    lost = tuple((n, empire.units[n].kind, empire.units[n].country) for n in group)
    goods = tuple(lot for number in group for lot in goods_aboard(empire, number))
    return AircraftCrashed(unit.number, unit.kind, unit.country, unit.at, lost, goods)


def budget_of(empire: Empire, country: str) -> Budget:
    """A country's bookings in its turn so far."""
    own = empire.countries[country]
    booked = own.booked
    return Budget(booked.edu, booked.cost, booked.investment, booked.received, booked.sent, own.popular_fund)


def losses_of(empire: Empire, country: str) -> Losses:
    """The further losses that weigh on a country's confidence as things stand."""
    booked = empire.countries[country].booked
    military = sum(KINDS[unit.kind].military for unit in empire.units_of(country))
    coolies = len(empire.units_of(country, "coolie"))
    return Losses(military, coolies, booked.starved, booked.cities_lost, booked.capital_lost)


def confidence_after(empire: Empire, country: str, roll: int, budget: Budget, losses: Losses) -> int:
    """emp.H-15, emp.H-16: what a modified roll makes of a country's confidence, with this budget and these losses."""
    own = empire.countries[country]
    if own.band == "collapse":
        return AFTER_COLLAPSE
    change = confidence_change(roll, budget, losses, ownership.confidence(empire))
    return max(0, min(HIGHEST, own.confidence + change))


def close_budget(table: Table[Empire], country: str) -> tuple[Budget, Losses]:
    """Tax and popular fund; the budget and the losses that the roll will use."""
    budget, losses = budget_of(table.state, country), losses_of(table.state, country)
    table.emit(BudgetClosed(country, table.state.countries[country].booked, budget.tax, budget.new_fund))
    return budget, losses


def move_confidence(table: Table[Empire], country: str, roll: int, budget: Budget, losses: Losses) -> None:
    """emp.H-15 with the modified roll; a country in collapse rises to 4 (emp.H-16)."""
    house, own = ownership.confidence(table.state), table.state.countries[country]
    after = confidence_after(table.state, country, roll, budget, losses)
    balance = int(budget.balance(house.share) * DEBT)
    economy = budget.economy(house)
    table.emit(ConfidenceMoved(country, balance, luck_of(roll, house), economy, losses.change, own.confidence, after))


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
    """The goods in a square, without the machines that build there and the materials promised to works."""
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
