"""Lines for another sheet than the one that is asked for: they wait for theirs, and stop nobody's match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.war.game import War27
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import World

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
