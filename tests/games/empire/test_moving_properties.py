"""What holds whatever is ordered: nobody spends more than 12 BTA, cargo is where its carrier is, nothing comes from nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.choices import Pick
from referee.core.event import Event
from referee.core.order import Intent, Portion, Quantity
from referee.core.table import Table
from referee.games.empire.boards.generator import generate, picker
from referee.games.empire.events import OpenEvent, evolve
from referee.games.empire.orders.loading import Disembark, Load, Unload
from referee.games.empire.orders.moving import STANCES, CastOff, MoveUnits, RollWind, Tow
from referee.games.empire.phases.turn_end import end_moves
from referee.games.empire.position import Board, City, Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.carrying import left_of, room_left
from referee.games.empire.reckoning.ownership import Goods
from referee.games.empire.rulebook.kinds import ALLOWANCE, GOODS, KINDS
from referee.kit.refused import Refused
from referee.kit.stock import Flow, unbalanced
from tests.games.empire.afield import ARCADIA, carry, empire_on
from tests.sample import few


def fleet(board: Board, pick: Pick) -> Empire:
    """Two of every kind about one coast, with goods, a port and a second city."""
    coast = [name for name in board.squares if board.coastal(name)]
    home = coast[pick(len(coast))]
    near = [home, home, home, *(there for _, there in board.grid.around(home))]
    empire = empire_on(board).with_city(City("Ys", home, "Arcadia", 0, docks=1, airports=1, warehouses=1))
    wet = [at for at in near if board.squares[at].water]
    for number, kind in enumerate(2 * list(KINDS), 1):
        at = home if KINDS[kind].category == "air" else near[pick(len(near))]
        at = (
            wet[pick(len(wet))]
            if wet and KINDS[kind].category == "naval"
            else at
            if not board.squares[at].water
            else home
        )
        empire = empire.with_unit(Unit(number, kind, "Arcadia", at))
    for what in GOODS:
        empire = empire.with_lot(Lot(what, 3, "Arcadia", home))
    return empire


def some_order(empire: Empire, pick: Pick) -> Intent:
    """An order as likely to be refused as not."""
    units = list(empire.units.values())
    unit = units[pick(len(units))]
    here = [other for other in units if other.at == unit.at]
    other = here[pick(len(here))]
    target = unit.at
    for _ in range(1 + pick(4)):
        around = empire.board.grid.around(target)
        target = around[pick(len(around))][1]
    goods = (Goods(list(GOODS)[pick(len(GOODS))], Quantity(Portion.UP_TO, 1 + pick(4))),)
    choices: tuple[Intent, ...] = (
        MoveUnits((unit.number,), target),
        MoveUnits((unit.number, other.number), target),
        Load(unit.number, goods),
        Load(unit.number, (), (other.number,)),
        Unload(unit.number, goods),
        Unload(other.aboard or unit.number, (), (other.number,)),
        Disembark((unit.number,), target),
        Tow(unit.number, (other.number,)),
        CastOff(unit.number),
        STANCES[pick(len(STANCES))]((unit.number,)),
        RollWind(),
    )
    return choices[pick(len(choices))]


def held(empire: Empire) -> dict[str, int]:
    """Every account of Arcadia."""
    counted = {f"Arcadia {what}": number for what, number in empire.stock("Arcadia").items()}
    for unit in empire.units.values():
        counted[f"Arcadia {unit.kind}"] = counted.get(f"Arcadia {unit.kind}", 0) + 1
    return counted


def faults(empire: Empire) -> list[str]:
    """What cannot be: empty when all is in order."""
    found = [f"{unit} spent too much" for unit in empire.units.values() if unit.spent > ALLOWANCE]
    found += [f"{lot} spent too much or is none" for lot in empire.lots if lot.spent > ALLOWANCE or lot.number <= 0]
    things: list[Unit | Lot] = [*empire.units.values(), *empire.lots]
    for thing in things:
        if thing.aboard and empire.units[thing.aboard].at != thing.at:
            found.append(f"{thing} is not where its carrier is")
    for unit in empire.units.values():
        overfull = room_left(empire, unit) < 0 or left_of(empire, unit, "seat") < 0 or left_of(empire, unit, "deck") < 0
        found += [f"{unit} is too full"] if overfull else []
        afloat = KINDS[unit.kind].category in ("naval", "air") or unit.kind == "barge"
        drowned = empire.board.squares[unit.at].water and not unit.aboard and not afloat
        found += [f"{unit} walks on water"] if drowned else []
    bare = [replace(lot, number=0) for lot in empire.lots]
    return found + [f"{lot} is kept twice" for i, lot in enumerate(bare) if lot in bare[:i]]


@pytest.mark.parametrize("seed", few(3, range(8)))
def test_whatever_is_ordered_nothing_is_lost_or_made_and_all_stay_together(seed: int) -> None:
    pick = picker(seed)
    before = fleet(generate("small", 2, pick), pick)
    table: Table[Empire] = Table("T2/Arcadia", before, Keyed(b"moving", seed), evolve)
    told: list[Event] = []
    table.heard = told.append
    done = 0
    for _ in range(600):
        intent, state = some_order(table.state, pick), table.state
        try:
            carry(table, ARCADIA, intent)
            done += 1
        except Refused as no:
            assert table.state == state and no.illegal.sentence.endswith(".") and no.illegal.rule.startswith("emp.")
        assert faults(table.state) == []
    end_moves(table, "Arcadia")
    assert faults(table.state) == [] and done > 40
    flows: list[Flow] = [flow for event in told if isinstance(event, OpenEvent) for flow in event.flows()]
    assert unbalanced(held(before), flows, held(table.state)) == ()
