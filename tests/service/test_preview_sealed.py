"""PREVIEW where orders are sealed: what others have answered changes no word of it, and bids and production are rehearsed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.core.stage import Outcome
from referee.games.war.orders.production import BidForOrder, InsertInOrder
from referee.service.intake.inbox import handle_new
from tests.afoot import afoot, lines_of, previewed, suggested
from tests.match import Match
from tests.service.conftest import GINA, PLAYERS
from tests.world import World

_Stop = Callable[[Outcome[Any]], bool]


def _asked(words: str, least: int = 1) -> _Stop:
    """So many sheets of this kind are open."""
    return lambda out: sum(f"/{words}/" in f"{q.key}/" for q in out.open if q.wants_orders) >= least


def _sealed(name: str, options: dict[str, str], words: str, players: int = 3) -> tuple[Match, Match]:
    """Two worlds of one match: all but the first seat have answered, in each world otherwise."""
    one, other = (afoot(name, players, _asked(words, players), options) for _ in range(2))
    for question in one.outcome.open[1:]:
        menu = question.menu
        mine = menu.sample(random.Random(2).randrange)
        theirs = next(
            (sheet for seed in range(3, 90) if (sheet := menu.sample(random.Random(seed).randrange)) != mine), mine
        )
        one.answer(question, mine)
        other.answer(question, theirs)
    return one, other


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("war27", {}, "draft"),
        ("war27", {}, "purchase"),
        ("war27", {}, "production"),
        ("war27", {"auction": "yes"}, "bids"),
        ("war17", {}, "purchase"),
        ("war17", {}, "production"),
    ],
)
def test_what_others_have_answered_under_seal_changes_no_word_of_it(
    name: str, options: dict[str, str], words: str
) -> None:
    one, other = _sealed(name, options, words)
    seat, _ = suggested(one)
    assert one.log() != other.log() and {q.seat for q in one.outcome.open} == {seat}
    for seed in range(4):
        sheet = suggested(one, seed)[1]
        assert previewed(one, seat, sheet) == previewed(other, seat, sheet)


def test_a_letter_with_a_preview_is_the_same_whatever_lies_sealed(world: World) -> None:
    world.write(GINA, "CREATE war27 AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    for seat in [question.seat for question in world.playing().outcome.open]:
        world.reply(world.player(seat), "ROLL OUT")
    first, second, *_ = (world.player(question.seat) for question in world.playing().outcome.open)
    told = []
    for sealed in ("BUY 5 infantry", "BUY 1 fleet, 1 city"):
        world.reply(second, f"{sealed}\nWAIT")
        told.append(
            world.reply(first, "PREVIEW\nBUY 3 infantry\nEND")[-1].flat.partition("Preview")[2].partition("Proof")[0]
        )
    assert told[0] == told[1] and "You would have" in told[0]
    assert not handle_new(world.office)


def test_a_bid_is_paid_in_a_preview_and_the_bids_of_others_are_not_looked_at() -> None:
    match = afoot("war27", 3, _asked("bids", 3), {"auction": "yes"})
    seat, _ = suggested(match)
    pp = match.outcome.state.treasuries[seat].pp
    assert pp > 9
    lines = lines_of(previewed(match, seat, (BidForOrder(pp=9), InsertInOrder("first"))))
    assert any(f"You would have {pp - 9} PP (now {pp})" in line for line in lines)
    assert any(f"Bids for the order of the turn: {seat} 9 PP." in line for line in lines)
    assert not any("maintain" in line or "cannot pay for" in line for line in lines)
    assert any(f"You would have {pp} PP" in line for line in lines_of(previewed(match, seat, ())))


@pytest.mark.parametrize("words", ["natives", "construction"])
def test_production_in_order_is_rehearsed_without_paying_twice(words: str) -> None:
    """Units are maintained before the first of its sheets, so neither sheet pays for them, nor doubts that it can."""
    match = afoot("war27", 3, _asked(words), {"production": "in_order"}, 2)
    seat, _ = suggested(match)
    state = match.outcome.state
    assert state.units_of(seat) > state.treasuries[seat].pp  # else nobody would see it paid twice
    for seed in range(6):
        lines = lines_of(previewed(match, seat, suggested(match, seed)[1]))
        assert lines and not any("maintain" in line or "cannot pay for" in line for line in lines)


@pytest.mark.parametrize("stage", ["bids", "production"])
def test_after_an_auction_no_sheet_pays_for_units_again(stage: str) -> None:
    match = afoot("war27", 3, _asked(stage, 3), {"auction": "yes"})
    seat, _ = suggested(match)
    for seed in range(6):
        lines = lines_of(previewed(match, seat, suggested(match, seed)[1]))
        assert not any("to maintain" in line or "cannot pay for" in line for line in lines)
