"""Receipts look at the position after what their letter does at once; letters and the counter use the house's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.names import Seat
from referee.core.position import completed
from referee.core.record import Created
from referee.games.newworld.game import NewWorld
from referee.service.intake.counter import create_at_the_counter, join_at_the_counter
from tests.service.conftest import GINA, OTTO, PLAYERS
from tests.world import Mail, World

SPENDS = "BUY 5 wood"


def _other(match: World) -> str:
    return next(player for player in PLAYERS if player != match.on_turn())


def _offered(match: World, gold: int) -> None:
    """The player on turn is offered a trade that takes so much gold from him."""
    seat, other = match.waits_for(), _other(match)
    (receipt,) = match.reply(other, f"OFFER 1 food TO {seat} FOR {gold} gold")
    assert "offer" in receipt.flat.lower()


def test_what_a_letter_accepts_is_counted_in_the_doubts_of_its_own_orders(match: World) -> None:
    (before,) = match.reply(match.on_turn(), "BUY 1 wood")
    assert "Buy 1 wood" in before.flat and "as things stand" not in before.flat.lower()
    _offered(match, 10)
    (receipt,) = match.reply(match.on_turn(), "ACCEPT 1\nBUY 1 wood\nBUY 1 cloth")
    assert "as things stand" in receipt.flat.lower()


def test_a_letter_that_only_accepts_looks_at_the_orders_on_file_again(match: World) -> None:
    (before,) = match.reply(match.on_turn(), "BUY 2 wood")
    assert "as things stand" not in before.flat.lower()
    _offered(match, 10)
    (receipt,) = match.reply(match.on_turn(), "ACCEPT 1")
    assert "as things stand" in receipt.flat.lower() and "buy 2 wood" in receipt.flat


def test_who_is_asked_again_at_once_is_told_that_his_orders_were_carried_out(world: World) -> None:
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    while world.playing("w1").outcome.state.stage != "production":
        world.wait(hours=25)
    first, *others = world.playing("w1").outcome.state.living
    for seat in (*others, first):
        playing = world.playing("w1")
        proposed = playing.game.order_form(playing.outcome.state, seat)
        letters = world.reply(world.player(seat, "w1"), "\n".join((*proposed, "ROLL OUT")))
    receipt = next(letter for letter in letters if letter.is_a("receipt"))
    assert world.playing("w1").outcome.state.active == first
    assert "] Your turn" in receipt.subject
    assert "your orders were carried out" in receipt.flat and "still owed" not in receipt.flat


def _seal(letter: Mail) -> str:
    return letter.flat.lower().rpartition("log ")[2].split()[0]


def test_the_seal_tells_nobody_what_others_have_filed(match: World) -> None:
    asks = next(player for player in PLAYERS if player != match.on_turn())
    (before,) = match.reply(asks, "STATUS")
    match.reply(match.on_turn(), "HIRE 1 worker")
    match.reply(
        match.on_turn(), "STANDING\nRESEARCH any\nEND\nIF LATE\nCOLONIZE any\nEND\nFOR TURN 5\nHIRE 1 worker\nEND"
    )
    (after,) = match.reply(asks, "STATUS")
    assert _seal(before) == _seal(after)
    for words in ("VERIFY nw1", "VERIFY"):
        assert f"The log of nw1 stands at {_seal(after)}" in match.reply(asks, words)[0].flat
    match.reply(match.on_turn(), "ROLL OUT")
    (later,) = match.reply(asks, "STATUS")
    assert _seal(later) != _seal(after)
    seq, _, digest = _seal(later).partition(":")
    assert next(entry.hash for entry in match.entries() if entry.seq == int(seq)).startswith(digest)


def test_a_new_player_has_the_zone_of_the_house(tmp_path: Path) -> None:
    world = World(tmp_path, zone="Europe/Berlin")
    world.write(OTTO, "GAMES")
    world.write(GINA, "CREATE newworld AS nw1")
    assert join_at_the_counter(world.office, "nw1", "anna@example.org", "", "").granted
    with world.store.step() as step:
        zones = {address: getattr(step.player_at(address), "zone", "") for address in (GINA, "anna@example.org")}
    assert zones == {GINA: "Europe/Berlin", "anna@example.org": "Europe/Berlin"}
    (question,) = world.write("neu@example.org", "JOIN nw1", says="")
    assert question.kind == "entry" and " CET" in question.flat and "UTC" not in question.flat
    world.reply(GINA, "PROMOTE ben@example.org")
    with world.store.step() as step:
        promoted = step.player_at("ben@example.org")
    assert promoted is not None and promoted.zone == "Europe/Berlin"
    world.close()


@pytest.mark.parametrize("address", ["not an address", "anna", "anna@", "@example.org", ""])
def test_the_counter_takes_no_address_that_is_none(world: World, address: str) -> None:
    refused = create_at_the_counter(world.office, "newworld", "nw7", address, "")
    assert not refused.granted and "no mail address" in refused.sentences[0]
    world.write(GINA, "CREATE newworld AS nw1")
    assert "no mail address" in join_at_the_counter(world.office, "nw1", address, "", "").sentences[0]


def test_a_match_begun_before_a_setting_existed_has_its_default() -> None:
    old = Created("newworld", (Seat("France"), Seat("Spain")), {"coal": "metal"}, "")
    options = completed(NewWorld(), old).options
    assert options["coal"] == "metal" and options["mode"] == "lists" and options["last_round"] == "60"
