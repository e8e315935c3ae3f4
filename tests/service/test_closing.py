"""An order of a game that ends the slot, sent alone: it ends the slot with what is on file, and never a slot to come."""

from __future__ import annotations

import pytest

from tests.service.conftest import ANNA, BEN, begin_empire
from tests.world import World


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
