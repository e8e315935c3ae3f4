"""What a receipt offers instead of a refused line can be done: a YES takes it, and nothing of it is refused or left undone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD
from tests.service.conftest import GINA, PLAYERS, begin_empire
from tests.world import World

ANNA, BEN, *_ = PLAYERS
HOMES = (
    "Great Britain, France, Spain, Italy, Egypt, Tripoli",
    "Germany, Austria-Hungary, Balkans, Ottoman, Sweden, Prussia",
)
KINDS = ("infantry", "cavalry", "artillery", "explorer", "engineer", "fleets", "Blue infantry", "general")


@pytest.fixture
def war(world: World) -> Iterator[World]:
    """The match w1 of War!, Version 27: who moves first has a fleet or two and more than one brigade in some regions."""
    world.write(GINA, "CREATE war27 AS w1")
    for player in PLAYERS[:2]:
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    for player, homes in zip(PLAYERS, HOMES, strict=False):
        world.reply(player, f"DRAFT {homes}\nROLL OUT")
    for player in PLAYERS[:2]:
        world.reply(player, "BUY 10 infantry, 2 cavalry, 1 engineer, 1 explorer, 2 fleets\nROLL OUT")
    for player in PLAYERS[:2]:
        world.reply(player, "BUILD 1 infantry IN Egypt\nROLL OUT")
    yield world


def _state(world: World) -> War:
    state = world.playing("w1").outcome.state
    assert isinstance(state, War)
    return state


def _spoilt(dice: Random, war: War, seat: Seat) -> str:
    """An order that is wrong in a place or two: names misspelt, numbers too high, places that do not fit."""
    here = dice.choice([land.name for land in war.lands.values() if land.count(seat)])
    sea = dice.choice(
        list(BOARD.seas) if dice.random() < 0.5 else [fleet.sea for fleet in war.fleets_of(seat)] or list(BOARD.seas)
    )
    there = dice.choice(list(BOARD.regions) if dice.random() < 0.3 else BOARD.regions[here].borders or list(BOARD.seas))
    kind, number = dice.choice(KINDS), dice.choice((1, 1, 2, 3, 9))
    line = dice.choice(
        (
            f"MOVE {number} {kind} FROM {here} TO {there}",
            f"MOVE {kind} FROM {here} TO {sea}",
            f"EMBARK {number} {kind} FROM {here} IN {sea}",
            f"SAIL {number} fleets FROM {sea} TO {dice.choice(list(BOARD.seas))}",
            f"LAND {number} {kind} FROM {sea} IN {there}",
            f"PROSPECT {there}",
            f"EXPLORE {there} WITH gift",
            f"ATTACK {dice.choice(war.order)} IN {sea}",
        )
    )
    letter = dice.randrange(len(line))
    return line[:letter] + line[letter + 1 :] if dice.random() < 0.4 else line


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 30))])
def test_a_yes_takes_what_is_offered_and_all_of_it_can_be_done(war: World, seed: int) -> None:
    dice, mover = Random(seed), war.on_turn("w1")
    seat, taken = Seat(war.seat(mover, "w1")), 0
    while taken < 4:
        war.reply(mover, "CLEAR")
        lines = ("LOSE infantry", *(_spoilt(dice, _state(war), seat) for _ in range(5)))
        offered = war.reply(mover, "\n".join(lines))[-1]
        good = war.drawer(seat, "orders", "w1")
        doubted = offered.flat.count("not done")
        if "Reply with just YES" not in offered.flat:
            continue
        receipt = war.reply(mover, "YES")[-1]
        assert len(war.drawer(seat, "orders", "w1")) > len(good), offered.text
        assert receipt.flat.count("not done") <= doubted, offered.text + receipt.text
        taken += 1


def test_a_correction_that_would_be_refused_too_says_why_at_once(war: World) -> None:
    mover = war.on_turn("w1")
    (receipt,) = war.reply(mover, "LOSE infantry\nMOVE 1 infantry FROM Germany TO Abysinnia\nLOSE cavalry")
    assert re.search(
        r"Did you mean Abyssinia\? The way to Abyssinia leads through [\w-]+, which is \w+'s", receipt.flat
    )
    assert "just YES" not in receipt.flat


def test_a_line_that_lacks_words_and_is_refused_all_the_same_says_how_it_was_read(war: World) -> None:
    mover = war.on_turn("w1")
    here, there = ("Germany", "Tripolis") if war.seat(mover, "w1") == "Green" else ("France", "Germeny")
    (receipt,) = war.reply(mover, f"MOVE 2 infantry {here} to {there}")
    assert (
        f"It was read as MOVE 2 infantry FROM {here} TO " in receipt.flat and "not understood here" not in receipt.flat
    )


def test_no_other_lawful_order_is_offered_than_one_that_differs_in_one_part(war: World) -> None:
    mover = war.on_turn("w1")
    there, here = ("Italy", "Egypt") if war.seat(mover, "w1") == "Green" else ("Germany", "Sweden")
    (receipt,) = war.reply(mover, f"MOVE 1 infantry, 1 cavalry FROM {there} TO {here}")
    assert "NOTHING USABLE" in receipt.subject and "Not taken" in receipt.text
    assert "Instead:" not in receipt.text and "just YES" not in receipt.flat


def test_a_name_that_is_only_half_alike_is_not_guessed(war: World) -> None:
    (receipt,) = war.reply(war.on_turn("w1"), "LOSE infantry\nMOVE 1 infantry FROM Germany TO Burma\nLOSE cavalry")
    assert '"Burma" is not known as a region or a sea' in receipt.flat and "Buryat" not in receipt.flat


def test_a_player_s_name_is_told_as_the_side_he_plays(war: World) -> None:
    mover = war.on_turn("w1")
    other = next(player for player in PLAYERS[:2] if player != mover)
    name, seat = other.partition("@")[0], war.seat(other, "w1")
    (receipt,) = war.reply(mover, f"LOSE infantry\nDECLARE WAR ON {name.capitalize()}\nLOSE cavalry")
    assert f"{name.capitalize()} plays {seat}; orders name the side." in receipt.flat
    assert f"Instead: DECLARE WAR ON {seat}" in receipt.flat
    war.reply(mover, "YES")
    assert f"DECLARE WAR ON {seat}" in war.drawer(war.seat(mover, "w1"), "orders", "w1")


def test_a_correction_that_would_not_be_done_is_not_offered_and_says_why(match: World) -> None:
    (receipt,) = match.reply(match.on_turn(), "COLONIZE any\nHIRE 2 workres")
    assert "Did you mean workers? As things stand this will not be done, or not wholly: hire 2 workers;" in receipt.flat
    assert "Instead:" not in receipt.text and "just YES" not in receipt.flat


def test_where_a_correction_would_not_be_done_what_would_be_is_offered_for_it(world: World) -> None:
    """The line before it lets the same coolie walk first, and then c17r8, the nearest to c17r9, is too far as well."""
    begin_empire(world, "c13r4, c5r5")
    while not (here := _coolies(world, "c13r4")):
        world.reply(world.on_turn("emp1"), "ROLL OUT")
    player, walks, too_far = (
        world.on_turn("emp1"),
        "MOVE 1 coolie FROM c13r4 TO c15r3",
        f"MOVE coolie {here[0]} TO c17r9",
    )
    receipt = world.reply(player, f"{walks}\n{too_far}")[-1]
    assert "the way to c17r9 costs 14." in receipt.flat and "as things stand" not in receipt.flat, receipt.text
    assert f"Instead: MOVE coolie {here[0]} TO c17r6" in receipt.flat and "just YES" in receipt.flat
    world.reply(player, "YES")
    assert world.drawer(world.seat(player, "emp1"), "orders", "emp1") == [walks, f"MOVE coolie {here[0]} TO c17r6"]
    world.reply(player, "CLEAR")
    receipt = world.reply(player, f"{walks}\n{too_far}\nWORK farm IN c15r3")[-1]
    assert "Instead:" not in receipt.flat, "then he who works is gone"
    assert f"coolie {here[0]} has 8 BTA left; the way to c17r8 costs 12. [" in receipt.flat


def _coolies(world: World, at: str) -> list[int]:
    """Those of the country that moves who stand there, in order."""
    state = world.playing("emp1").outcome.state
    own = {country.name for country in state.owned(state.active)}
    units = (unit for unit in state.units.values() if unit.kind == "coolie" and unit.country in own)
    return sorted(unit.number for unit in units if str(unit.at) == at)
