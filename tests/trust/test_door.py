"""The front door: what addresses that have proved nothing may do there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.service.ports import Member
from referee.service.words import FOR_GAME_MASTERS, every_word
from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.world import World

SETTINGS = """
[limits]
forming_matches = 2
refusals_a_day = 50
[gm]
deny = ["spam.example"]
"""

EVE = "eve@mail.spam.example"


def parts(world: World, address: str) -> list[Member]:
    """What an address takes part in."""
    with world.store.look() as step:
        player = step.player_at(address)
        return step.memberships(player.id) if player else []


def open_matches(world: World) -> list[str]:
    with world.store.look() as step:
        return [row.name for row in step.matches()]


# ---------------------------------------------------------------- how much a stranger may open


def test_an_address_opens_three_matches_and_no_more(world: World) -> None:
    (receipt,) = world.write(OTTO, "\n".join(f"CREATE newworld AS m{number}" for number in range(9)))
    assert open_matches(world) == ["m0", "m1", "m2"]
    assert "one address may have 3 matches open that have not begun" in receipt.flat


def test_who_calls_off_what_he_opens_opens_no_more_that_day(world: World) -> None:
    for number in range(4):
        world.write(OTTO, f"CREATE newworld AS m{number}")
        world.reply(OTTO, f"TERMINATE m{number}")
    assert open_matches(world) == ["m0", "m1", "m2"]
    world.wait(hours=25)
    assert "DONE" in world.write(OTTO, "CREATE newworld AS m4")[0].subject


def test_so_many_matches_form_here_whoever_opens_them(world: World) -> None:
    world.office = replace(world.office, limits=replace(world.office.limits, forming_in_all=4))
    for number in range(6):
        (answer,) = world.write(f"p{number}@x.example", f"CREATE newworld AS m{number}")
    assert open_matches(world) == ["m0", "m1", "m2", "m3"]
    assert "4 matches are forming here, as many as may at a time" in answer.flat


def test_an_address_waits_for_five_matches_and_no_more(world: World) -> None:
    for number in range(6):
        world.write(f"p{number}@x.example", f"CREATE newworld AS m{number}")
    answers = [world.write(OTTO, f"JOIN m{number}")[0] for number in range(6)]
    assert [member.match for member in parts(world, OTTO)] == ["m0", "m1", "m2", "m3", "m4"]
    assert "RESIGN m0 makes room" in answers[-1].flat
    world.write(OTTO, "JOIN m4 AS Spain")  # where he is already he may wish again
    assert parts(world, OTTO)[-1].wishes == ("Spain",)


def test_no_more_dummies_join_than_there_are_seats(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    (receipt,) = world.reply(GINA, "DUMMY 20 nw1\nDUMMY 20 nw1")
    assert "are left for dummies" in receipt.flat
    with world.store.look() as step:
        assert len(step.members("nw1")) == 1


def test_games_lists_thirty_matches_and_says_how_many_more(world: World) -> None:
    for number in range(34):
        world.write(f"p{number // 3}@x.example", f"CREATE newworld AS m{number:02}")
        world.wait(minutes=1)
    (answer,) = world.write(OTTO, "GAMES")
    assert answer.flat.count("match m") == 30
    assert "match m33" in answer.flat and "match m03:" not in answer.flat
    assert "and 4 older ones: WHO and the name of one tells of it." in answer.flat
    (answer,) = world.write(OTTO, "JOIN nw9")
    assert len(answer.text) < 3_000


def test_a_match_that_nobody_writes_about_is_called_off_and_its_master_told_before(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    world.write(ANNA, "JOIN nw1")
    assert not world.wait(days=22)
    (warned,) = world.wait(days=2)
    assert warned.to == GINA and "nw1 will be called off" in warned.subject
    assert "answer this letter with WHO nw1" in warned.flat
    world.reply(GINA, "WHO nw1")
    assert not world.wait(days=22)
    assert [mail.to for mail in world.wait(days=2)] == [GINA]
    told = world.wait(days=8)
    assert {mail.to for mail in told} == {GINA, ANNA}
    assert "nobody wrote about it for 30 days, so it is called off" in told[0].flat
    assert '"nw1" is not known as a match' in world.write(BEN, "JOIN nw1")[0].flat


def test_a_match_that_has_begun_is_never_called_off(match: World) -> None:
    assert not match.alarms("forming")


# ---------------------------------------------------------------- who is not admitted


def test_no_word_lets_in_who_is_denied(match: World) -> None:
    match.office = replace(match.office, deny=("spam.example",), limits=replace(match.office.limits, orders=2_000))
    match.write(OTTO, "CREATE newworld AS nw2")
    match.reply(BEN, "RESIGN")  # so that a seat is free
    seat = match.seat(BEN)
    for verb in every_word().verbs:
        written = (verb.example, verb.example.replace("nw1", "nw2"), f"{verb.word} nw1", f"{verb.word} nw1 AS {seat}")
        match.write(EVE, "\n".join(written))
        assert not parts(match, EVE), verb.word
    for verb in (verb for verb in FOR_GAME_MASTERS if "@" in verb.example):
        words = verb.example.replace("France", seat).split()
        match.reply(GINA, " ".join(EVE if "@" in word else word for word in words))
        assert not parts(match, EVE), verb.word


@pytest.mark.parametrize(
    "line", [f"REPLACE {{seat}} BY {EVE}", f"PROMOTE {EVE}"], ids=lambda line: str(line).partition(" ")[0]
)
def test_a_game_master_lets_in_nobody_whom_the_host_denies(match: World, line: str) -> None:
    match.office = replace(match.office, deny=("spam.example",))
    (receipt,) = match.reply(GINA, line.format(seat=match.seat(BEN)))
    assert f"This host does not admit {EVE}; ask the host" in receipt.flat
    assert not parts(match, EVE)


def test_who_stands_by_and_is_denied_since_is_passed_over(match: World) -> None:
    match.write(EVE, "STANDBY nw1")
    match.write(OTTO, "STANDBY nw1")
    match.office = replace(match.office, deny=("spam.example",))
    seat = match.seat(BEN)
    match.reply(GINA, f"REPLACE {seat}")
    assert match.player(seat) == OTTO
