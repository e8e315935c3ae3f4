"""Maintain Units (27.production.maintain): 1 PP for each party, brigade and fleet; who cannot pay loses the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Question, Several
from referee.core.table import Script, Table
from referee.games.war.events.base import OpenEvent
from referee.games.war.events.economy import LoadDisbanded, MaintenancePaid
from referee.games.war.events.forces import FleetLost, UnitsLost
from referee.games.war.orders.standing.home import DisbandOrder
from referee.games.war.phases.control import revert
from referee.games.war.phases.decisions import decision
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import in_force
from referee.games.war.reckoning.disbanding import Berth, Kept, disbanded, kept
from referee.kit.wording import counted

Unit = tuple[Berth, int]
"""One unit: where it is, and its number there from 1."""

_RULE = "27.production.maintain.2"
_WHY = "maintenance is not paid"


def shortfall(war: War, seat: Seat) -> int:
    """How many units a player cannot pay for (R27-17)."""
    return max(0, war.units_of(seat) - war.treasuries[seat].pp)


def maintenance_phase(table: Table[War], sheets: Mapping[Seat, Sequence[Intent]]) -> Script[None]:
    """27.production.maintain.1, 27.production.maintain.2: all who are short are asked at once (Q6), then all pay."""
    short = [seat for seat in table.state.living if shortfall(table.state, seat)]
    questions = [_which_go(table, seat, sheets.get(seat, ())) for seat in short]
    answers = yield from table.ask_all(questions)
    chosen = {question.seat: answer.value for question, answer in zip(questions, answers, strict=True)}
    for seat in table.state.living:
        yield from _maintain(table, seat, tuple(berth for berth, _ in chosen.get(seat, ())))


def _which_go(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Question[tuple[Unit, ...]]:
    """Q6, R27-17"""
    counts, short = kept(table.state, seat), shortfall(table.state, seat)

    sheet = in_force(table.state, seat, sheet, DisbandOrder)

    def listed(orders: Sequence[Intent]) -> tuple[Unit, ...] | None:
        found = [unit for order in (*sheet, *orders) if isinstance(order, DisbandOrder) for unit in order.units]
        return _numbered(disbanded(counts, (), found, short)[:short]) if found else None

    default = _numbered(disbanded(counts, (), (), short)[:short])
    menu = Several(_options(counts), short, default)
    text = f"You cannot pay for {counted(short, 'units')}. Which {'goes' if short == 1 else 'go'}?"
    return decision(table, seat, f"{seat}/disband", text, menu, _RULE, listed)


def _options(counts: Kept) -> list[Choice[Unit]]:
    every = _numbered([berth for berth, number in counts.items() for _ in range(number)])
    return [Choice(b.words() if number == 1 else f"{b.words()} ({number})", (b, number)) for b, number in every]


def _numbered(berths: Sequence[Berth]) -> tuple[Unit, ...]:
    """Each unit with its number among those of the same berth."""
    met: dict[Berth, int] = {}
    for berth in berths:
        met[berth] = met.get(berth, 0) + 1
    seen = dict.fromkeys(met, 0)
    units = []
    for berth in berths:
        seen[berth] += 1
        units.append((berth, seen[berth]))
    return tuple(units)


def _maintain(table: Table[War], seat: Seat, named: Sequence[Berth]) -> Script[None]:
    """The player pays for what he keeps; the rest goes, and regions without brigade revert (R27-02)."""
    war = table.state
    gone = disbanded(kept(war, seat), named, (), shortfall(war, seat))
    units = war.units_of(seat) - len(gone)
    table.emit(MaintenancePaid(seat, units, units, len(gone)))
    for berth, number in _by_berth(gone):
        for event in tuple(_losses(table.state, seat, berth, number)):
            table.emit(event)
    for land in war.regions_of(seat):
        if not table.state.lands[land.name].brigades(seat):
            yield from revert(table, land.name)


def _by_berth(gone: Sequence[Berth]) -> list[tuple[Berth, int]]:
    """How many go from every berth, fleets after their cargo."""
    numbers = dict.fromkeys(gone, 0)
    for berth in gone:
        numbers[berth] += 1
    return sorted(numbers.items(), key=lambda entry: entry[0].kind == "fleet")


def _losses(war: War, seat: Seat, berth: Berth, number: int) -> Iterator[OpenEvent]:
    if berth.kind == "fleet":
        yield FleetLost(berth.fleet, seat, berth.place, _WHY, war.fleets[berth.fleet].cargo, _RULE)
    elif berth.fleet:
        for load in war.fleets[berth.fleet].cargo:
            if (load.owner, load.kind) == (seat, berth.kind) and number > 0:
                yield LoadDisbanded(berth.fleet, berth.place, replace(load, number=min(number, load.number)))
                number -= load.number
    else:
        for stack in war.lands[berth.place].stacks:
            if (stack.owner, stack.kind) == (seat, berth.kind) and number > 0:
                yield UnitsLost(berth.place, replace(stack, number=min(number, stack.number)), _WHY, _RULE)
                number -= stack.number
