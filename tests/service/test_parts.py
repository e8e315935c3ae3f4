"""A slot whose sheet is asked for in parts has one deadline for all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from operator import or_
from typing import Any

import pytest

from referee.core.game import Phase
from referee.core.names import Seat
from referee.core.question import Orders, Pace, Question, Source
from referee.core.record import Answered
from referee.core.table import Script, Table
from referee.games.newworld.events.course import TurnPassed
from referee.games.newworld.game import NewWorld
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.spending import ResearchTechnologies
from referee.games.newworld.position import World as State
from tests.service.conftest import begin
from tests.world import World

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class InParts(NewWorld):
    """A game whose slots go on, part after part, until an empty sheet ends them, or the rules play."""

    def next_phase(self, state: State) -> Phase[State] | None:
        if state.active is None:
            return super().next_phase(state)
        return Phase(f"T{state.turn}/{state.active}", state.turn, "A slot", partial(_slot, seat=state.active))


def _slot(table: Table[State], seat: Seat) -> Script[None]:
    part = 1
    while True:
        sheet: Any = reduce(or_, BOOK.intents)
        menu = Orders(("RESEARCH", "COLONIZE"), sheet, lambda pick: ())
        key = f"{table.phase}/orders{f' {part}' if part > 1 else ''}"
        answer = yield from table.ask(Question(key, seat, "Your orders.", menu, Pace.SLOT, "nw.turn.phases"))
        if answer.source is not Source.PLAYER or not answer.value:
            break
        part += 1
    order = table.state.order
    table.emit(TurnPassed(order[(order.index(seat) + 1) % len(order)], table.state.turn + 1, 1))


def parted(world: World) -> World:
    world.office = replace(world.office, games={**world.office.games, "newworld": InParts()})
    return begin(world)


def dues(world: World) -> dict[str, datetime]:
    return {alarm.key: alarm.due_at for alarm in world.alarms("deadline")}


def test_a_further_part_keeps_the_deadline_of_the_slot(world: World) -> None:
    player = parted(world).on_turn()
    (key,) = dues(world)
    world.wait(hours=2)
    world.reply(player, "RESEARCH any")
    world.wait(minutes=30)
    assert dues(world) == {f"{key} 2": START + timedelta(hours=24)}
    assert world.on_turn() == player


def test_an_order_that_closes_its_sheet_runs_it_at_once_and_the_slot_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ResearchTechnologies, "closes", True)
    player = parted(world).on_turn()
    (key,) = dues(world)
    (receipt,) = [mail for mail in world.reply(player, "RESEARCH any") if mail.is_a("receipt")]
    assert "carried out and stands. Your slot goes on" in receipt.flat
    assert dues(world) == {f"{key} 2": START + timedelta(hours=24)}
    world.reply(player, "RESEARCH any\nMOVE nonsense")
    assert dues(world) == {f"{key} 2": START + timedelta(hours=24)}  # a refused line holds the sheet back


def test_the_deadline_ends_the_slot_with_what_is_on_file_and_late(world: World) -> None:
    player = parted(world).on_turn()
    (key,) = dues(world)
    world.reply(player, "RESEARCH any\nWAIT")
    world.wait(hours=24)
    assert world.on_turn() != player
    assert [(a.key, a.source.value, a.late_by) for a in world.log(Answered)] == [
        (key, "player", 0),
        (f"{key} 2", "default", 1),
    ]
    (due,) = dues(world).values()
    assert due == START + timedelta(hours=48)
