"""A match that has not begun: its game master hears of each who comes and goes, STATUS, the text for friends, start when full."""

from __future__ import annotations

import re

import pytest

from tests.service.conftest import ANNA, BEN, CARLA, GINA, OTTO
from tests.world import Mail, World


def opened(world: World, *joined: str, options: str = "") -> None:
    world.write(GINA, f"CREATE newworld AS friday{f' WITH {options}' if options else ''}")
    for player in joined:
        world.write(player, "JOIN friday")


def to(address: str, mails: list[Mail]) -> list[Mail]:
    return [mail for mail in mails if mail.to == address]


def subjects(world: World, address: str) -> list[str]:
    return [mail.subject for mail in world.all_mail() if mail.to == address]


def row_status(world: World) -> str:
    with world.store.look() as step:
        row = step.match("friday")
    assert row is not None
    return row.status


# ---------------------------------------------------------------- who comes and goes


def test_the_game_master_hears_who_joins_which_seat_and_how_many_are_free(world: World) -> None:
    opened(world)
    (heard,) = to(GINA, world.write(ANNA, "JOIN friday as England, please"))
    assert heard.subject == "[friday] anna has joined (1 of 6 seats taken)"
    assert "anna has joined friday and would like to play England. 1 of 6 seats is taken, 5 are free." in heard.flat
    assert "You can wait; or begin now with START friday; or fill seats with bots, such as BOT 5 friday." in heard.flat
    assert len(heard.flat.split()) < 80


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("England, please", "England"),
        ("england, if possible", "England"),
        ("France or Spain, please!", "France, Spain"),
        ("England if still free", "England"),
        ("Spain bitte", "Spain"),
        ("France, s'il vous plaît", "France"),
    ],
)
def test_a_wish_may_be_polite(world: World, wish: str, told: str) -> None:
    opened(world)
    *_, receipt = world.write(ANNA, f"JOIN friday as {wish}")
    assert f"You wished for {told}." in receipt.flat and "Nobody plays" not in receipt.flat


def test_his_reply_to_that_letter_starts_the_match(world: World) -> None:
    opened(world, ANNA, BEN)
    world.reply(GINA, "START friday", "forming")
    assert world.status("friday") == "running"


def test_who_only_changes_his_wishes_is_not_told_of_twice(world: World) -> None:
    opened(world, ANNA)
    assert to(GINA, world.write(ANNA, "JOIN friday AS France")) == []


def test_a_game_master_who_joins_himself_gets_no_letter_about_himself(world: World) -> None:
    opened(world)
    assert [mail.kind for mail in to(GINA, world.write(GINA, "JOIN friday"))] == ["receipt"]


def test_who_leaves_is_told_of_too(world: World) -> None:
    opened(world, ANNA, BEN)
    (heard,) = to(GINA, world.reply(ANNA, "RESIGN friday"))
    assert heard.subject == "[friday] anna has left (1 of 6 seats taken)"


def test_nobody_is_told_of_for_a_letter_that_is_not_confirmed(world: World) -> None:
    opened(world)
    assert to(GINA, world.write(ANNA, "JOIN friday", says="")) == []


def test_who_comes_and_goes_again_and_again_is_told_of_twice_a_day(world: World) -> None:
    opened(world)
    for _ in range(6):
        world.write(ANNA, "JOIN friday")
        world.reply(ANNA, "RESIGN friday")
    assert sum("anna has" in subject for subject in subjects(world, GINA)) == 2
    world.wait(hours=25)
    world.write(ANNA, "JOIN friday")
    assert sum("anna has" in subject for subject in subjects(world, GINA)) == 3


def test_a_crowd_that_comes_and_goes_is_told_of_twenty_times_a_day_and_the_last_says_so(world: World) -> None:
    opened(world)
    for number in range(12):
        world.write(f"p{number}@x{number}.example", "JOIN friday")
        world.reply(f"p{number}@x{number}.example", "RESIGN friday")
    heard = [mail for mail in world.all_mail() if mail.kind == "forming"]
    assert len(heard) == 20
    assert "so I write no more of them until tomorrow; STATUS friday tells who is there." in heard[-1].flat
    assert "no more of them" not in heard[-2].flat


# ---------------------------------------------------------------- the text for friends


def test_create_brings_a_text_to_forward_without_any_secret(world: World) -> None:
    (receipt,) = world.write(GINA, "CREATE newworld AS friday WITH slot 48h")
    text = receipt.flat.partition("To forward to your friends")[2]
    assert "Will you play New World with me by e-mail? It is for 2 to 6 players." in text
    assert "A turn lasts 2 days." in text
    assert "To join, write JOIN friday to referee@games.example" in text
    assert "mailto:referee@games.example?body=JOIN%20friday" in text
    assert "open until Mon 21 Dec 2026, 12:00 UTC or until it starts" in text
    assert not re.search(r"referee\+[a-z0-9.]+", text)


def test_who_follows_the_text_is_in(world: World) -> None:
    opened(world)
    *_, receipt = world.write(BEN, "JOIN friday", subject="")
    assert "You are in friday." in receipt.flat


def test_the_games_master_is_told_his_zone_once(world: World) -> None:
    (first,) = world.write(GINA, "CREATE newworld AS friday", Date="Sun, 22 Nov 2026 07:00:00 -0500")
    (second,) = world.write(GINA, "CREATE newworld AS monday")
    assert "Your letters give times in the zone America/New_York" in first.flat
    assert "Your letters give times" not in second.flat


# ---------------------------------------------------------------- start when full


@pytest.mark.parametrize("line", ["SET start full", "SET start full friday", "CLOCK start when full"])
def test_a_match_starts_by_itself_when_its_last_seat_is_taken(world: World, line: str) -> None:
    opened(world, options="nationalities yes")
    (said,) = to(GINA, world.reply(GINA, line))
    assert "friday starts by itself when its last seat is taken." in said.flat
    for number in range(5):
        assert row_status(world) == "forming"
        mails = world.write(f"p{number}@x.example", "JOIN friday")
    assert world.status("friday") == "running"
    assert sorted(mail.to for mail in mails if mail.kind == "started") == sorted(
        [GINA, *(f"p{n}@x.example" for n in range(5))]
    )
    assert "The last seat of friday is taken." in to("p4@x.example", mails)[-1].flat


def test_it_can_be_chosen_at_create_and_dummies_take_seats_too(world: World) -> None:
    opened(world, ANNA, BEN, options="start full")
    world.reply(GINA, "DUMMY 4 friday")
    assert world.status("friday") == "running"


def test_without_it_a_full_match_waits_for_its_game_master(world: World) -> None:
    opened(world, *(f"p{number}@x.example" for number in range(6)))
    assert row_status(world) == "forming"
    assert "Everybody is there: START friday begins the match." in world.last(GINA, "forming").flat


def test_who_joined_is_told_that_it_starts_by_itself_and_nothing_else(world: World) -> None:
    opened(world, ANNA)
    world.reply(GINA, "SET start full")
    told = world.last(ANNA, "muster")
    assert "From now on: friday starts by itself when its last seat is taken." in told.flat
    assert "Reminders" not in told.flat


def test_another_word_for_it_is_one_clear_sentence(world: World) -> None:
    opened(world)
    (answer,) = world.reply(GINA, "SET start tomorrow")
    assert "start is full (by itself, when the last seat is taken) or by hand, not tomorrow." in answer.flat


def test_who_is_game_master_of_two_matches_or_of_none_says_for_which_it_is(world: World) -> None:
    opened(world)
    world.write(GINA, "CREATE newworld AS sunday")
    mails = world.reply(GINA, "SET start full"), world.vouched(ANNA, "SET start full")
    for (answer,), theirs in zip(mails, ("friday and sunday", "none"), strict=True):
        assert f"Say for which match that has not begun: SET start full nw1. Yours are {theirs}." in answer.flat
    assert row_status(world) == "forming"


# ---------------------------------------------------------------- STATUS and SET before the start


def test_status_tells_who_is_there_since_when_and_what_it_waits_for(world: World) -> None:
    opened(world, ANNA)
    world.wait(hours=3)
    world.write(BEN, "JOIN friday AS France")
    (status,) = world.reply(ANNA, "STATUS")
    assert "friday is a match of New World that has not begun. 2 of 6 seats are taken, 4 are free." in status.flat
    assert "Game master: gina." in status.flat
    assert (
        "anna (since Sat 21 Nov 2026, 12:00 UTC) and ben (since Sat 21 Nov 2026, 15:00 UTC; wishes France)"
        in status.flat
    )
    assert "It waits for its game master, who begins it with START friday." in status.flat
    assert "It lapses on Mon 21 Dec 2026, 15:00 UTC if nobody writes about it before." in status.flat


def test_status_says_that_it_waits_for_the_last_seats(world: World) -> None:
    opened(world, ANNA, options="start full")
    (status,) = world.reply(GINA, "STATUS")
    assert "It waits for 5 more players, then it starts by itself" in status.flat


def test_of_an_anonymous_match_only_its_game_master_learns_who_is_there(world: World) -> None:
    opened(world, ANNA, BEN, options="anonymous yes")
    (status,) = world.reply(ANNA, "STATUS")
    assert "2 of 6 seats are taken" in status.flat
    assert "ben" not in status.flat
    (status,) = world.reply(GINA, "STATUS")
    assert "ben" in status.flat


def test_a_stranger_learns_nothing_by_status(world: World) -> None:
    opened(world, ANNA)
    mails = world.write(OTTO, "STATUS friday")
    assert not any("anna" in mail.text for mail in mails)


def test_zone_and_name_can_be_set_before_the_start(world: World) -> None:
    opened(world, ANNA)
    (said,) = world.reply(ANNA, "SET zone Europe/Berlin\nSET name Anna Smith")
    assert "Times are now given in Europe/Berlin, where it is Sat 21 Nov 2026, 13:00 CET." in said.flat
    assert "You are now called Anna Smith." in said.flat
    (status,) = world.reply(ANNA, "STATUS")
    assert "Anna Smith (since Sat 21 Nov 2026, 13:00 CET)" in status.flat


def test_who_is_put_into_a_seat_is_told_his_zone(match: World) -> None:
    seat = match.seat(CARLA)
    match.reply(GINA, f"REPLACE {seat} BY {OTTO}")
    assert "Your letters give times in the zone UTC" in match.last(OTTO, "started").flat
