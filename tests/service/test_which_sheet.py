"""For which sheet a line is: a slot that asks in parts, lines for another sheet, and the order alone that ends a slot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Any

import pytest

from referee.core.game import Phase
from referee.core.names import Seat
from referee.core.question import Orders, Pace, Question, Source
from referee.core.record import Answered
from referee.core.table import Script, Table
from referee.games.newworld.events import TurnPassed
from referee.games.newworld.game import NewWorld
from referee.games.newworld.orders import BOOK
from referee.games.newworld.orders.spending import ResearchTechnologies
from referee.games.newworld.position import World as State
from referee.games.war.game import War27
from tests.service.conftest import ANNA, BEN, GINA, begin, begin_empire
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
    assert "carried out and stand. Your slot goes on" in receipt.flat
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


# ---------------------------------------------------------------- lines for another sheet


MATCH = "w1"


@pytest.fixture
def war(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A match of War! for two, at its draft."""
    monkeypatch.setattr("tests.world.GAMES", (War27(),))
    world = World(tmp_path)
    world.write(GINA, f"CREATE war27 AS {MATCH}")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    world.new_mail()
    yield world
    world.close()


def drafting(war: World, *lines: str) -> str:
    """Anna's draft with more lines, Ben's draft, both played; what Anna was told."""
    receipt, *_ = [m for m in war.reply(ANNA, "\n".join(("DRAFT Egypt, India", *lines))) if m.is_a("receipt")]
    war.reply(BEN, "DRAFT China, Siam\nROLL OUT")
    war.reply(ANNA, "ROLL OUT")
    return receipt.flat


def test_lines_that_are_not_asked_for_now_are_kept_and_said_to_be(war: World) -> None:
    told = drafting(war, "BUY 2 infantry", "PLACE 2 infantry IN Egypt", "MOVE 1 infantry FROM Egypt TO Sudan")
    assert "Not asked for now, and kept for later sheets: BUY 2 infantry; PLACE 2 infantry IN Egypt; MOVE" in told
    assert "Kept for later" in told and "Your slot is ended" not in told
    seat = war.seat(ANNA, MATCH)
    assert war.status(MATCH) == "running"
    purchase = f"orders:T0/setup/purchase/{seat}"
    assert war.drawer(seat, purchase, MATCH) == ["BUY 2 infantry", "PLACE 2 infantry IN Egypt"]
    assert war.drawer(seat, "next", MATCH) == ["MOVE 1 infantry FROM Egypt TO Sudan"]


def test_they_are_carried_out_when_their_sheet_is_asked_for(war: World) -> None:
    drafting(war, "BUY 2 infantry", "PLACE 2 infantry IN Egypt", "MOVE 1 infantry FROM Egypt TO Sudan")
    for player in (ANNA, BEN):
        war.reply(player, "ROLL OUT")
    seat = war.seat(ANNA, MATCH)
    assert war.playing(MATCH).outcome.state.lands["Egypt"].count(seat) == 3
    for _ in range(4):
        war.wait(days=2)
    assert war.status(MATCH) == "running"
    assert war.drawer(seat, "next", MATCH) == []
    assert war.playing(MATCH).outcome.state.lands["Sudan"].count(seat) == 2


def test_standing_orders_are_no_answer_to_a_sheet_that_takes_none(war: World) -> None:
    war.reply(ANNA, "STANDING\nSTRAITS closed\nEND")
    war.wait(days=3)
    assert war.status(MATCH) == "running"


def test_clear_takes_off_what_was_kept_as_well(war: World) -> None:
    war.reply(ANNA, "DRAFT Egypt\nBUILD 1 infantry IN Egypt")
    war.reply(ANNA, "CLEAR")
    seat = war.seat(ANNA, MATCH)
    assert war.drawer(seat, "orders", MATCH) == war.drawer(seat, "next", MATCH) == []


def test_a_sheet_for_another_phase_is_kept_until_such_orders_are_asked_for(war: World) -> None:
    drafting(war)
    for player in (ANNA, BEN):
        war.reply(player, "BUY 2 infantry\nROLL OUT")
    waiting = ANNA if war.on_turn(MATCH) == BEN else BEN
    (receipt, *_) = [m for m in war.reply(waiting, "BUILD 1 infantry IN Egypt\nWESTERNIZE Egypt") if m.is_a("receipt")]
    seat = war.seat(waiting, MATCH)
    assert f"It is not {seat}'s turn: these orders are kept until {seat} is next asked for such orders." in receipt.flat


# ---------------------------------------------------------------- an order that ends the slot


@pytest.fixture
def empire(world: World) -> World:
    """A match of Empire with both capitals placed."""
    begin_empire(world, "c5r5, c21r13")
    return world


def test_rolling_out_of_the_zero_turn_leaves_nothing_that_ends_the_first_slot(empire: World) -> None:
    assert [empire.drawer(seat, "next", "emp1") for seat in ("Arcadia", "Borealis")] == [[], []]


def test_roll_out_alone_plays_what_is_on_file(empire: World) -> None:
    seat, player = empire.waits_for("emp1"), empire.on_turn("emp1")
    empire.reply(player, "PICK truck, truck")
    mails = empire.reply(player, "ROLL OUT")
    assert empire.waits_for("emp1") != seat
    assert f"{seat} picks truck and truck." in next(mail for mail in mails if mail.kind == "report").flat


def test_roll_out_out_of_turn_is_refused_and_not_kept(empire: World) -> None:
    first = empire.on_turn("emp1")
    other = BEN if first == ANNA else ANNA
    (receipt,) = empire.reply(other, "ROLL OUT")
    assert "there is no slot of yours to end" in receipt.flat
    assert empire.drawer(empire.seat(other, "emp1"), "next", "emp1") == []


def test_what_is_refused_first_is_played_without_it_by_roll_out_alone(empire: World) -> None:
    seat, player = empire.waits_for("emp1"), empire.on_turn("emp1")
    empire.reply(player, "PICK truck, truck\nNONSENSE\nROLL OUT")
    assert empire.waits_for("emp1") == seat
    mails = empire.reply(player, "ROLL OUT")
    assert f"{seat} picks truck and truck." in next(mail for mail in mails if mail.kind == "report").flat
