"""Nobody is left without an answer unannounced: only who says the same again and again, and he is told before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.service.conftest import ANNA, BEN, GINA, OTTO
from tests.world import Mail, World

KEEPER = "keeper@games.example"
QUESTIONS = tuple(
    f"{begin} {about}, please?"
    for begin in ("Could anybody here explain", "Is there something to say about", "Who would know about")
    for about in (
        "privateers", "the harvest", "wool prices", "the deck", "Norwegian ships",
        "my neighbour", "old maps", "gems", "the weather", "winter quarters",
    )
)  # fmt: skip


def sent(mails: list[Mail], address: str) -> list[Mail]:
    return [mail for mail in mails if mail.to == address]


def answers(world: World, sender: str, letters: list[str]) -> list[Mail]:
    """What somebody is answered who writes these, one after the other, to the same letter of the match."""
    to = world.last(sender).reply_to
    return [mail for letter in letters for mail in sent(world.write(sender, letter, to), sender)]


def waiting(match: World) -> str:
    return next(who for who in (ANNA, BEN) if who != match.on_turn())


@pytest.mark.parametrize("who", ["owes", "waits", "masters", "watches"])
def test_thirty_different_questions_get_thirty_answers(match: World, who: str) -> None:
    match.write(OTTO, "OBSERVE nw1")
    writer = {"owes": match.on_turn(), "waits": waiting(match), "masters": GINA, "watches": OTTO}[who]
    found = answers(match, writer, list(QUESTIONS))
    assert len(found) == 30
    assert not any("last answer" in mail.flat for mail in found)


def test_who_says_no_thirty_times_is_told_when_the_last_answer_comes(match: World) -> None:
    match.office = replace(match.office, keeper=KEEPER)
    writer = waiting(match)
    found = answers(match, writer, ["certainly not at all"] * 30)
    assert 5 < len(found) < 15
    assert "This is my last answer for an hour to letters of yours that say the same as this one." in found[-1].flat
    assert f"To reach a person meanwhile, write to {KEEPER}." in found[-1].flat
    assert not any("last answer" in mail.flat for mail in found[:-1])
    (more,) = answers(match, writer, ["And what about the wool?"])
    assert more.to == writer


def test_without_a_keeper_the_game_master_is_named(match: World) -> None:
    found = answers(match, waiting(match), ["certainly not at all"] * 30)
    assert "Meanwhile ask gina: a line PRESS TO game master, your text, and a line END." in found[-1].flat


def test_a_robot_with_new_numbers_in_each_letter_is_known_by_it(match: World) -> None:
    found = answers(match, waiting(match), [f"Ticket {n} was opened, we answer within {n} hours." for n in range(40)])
    assert len(found) < 15
    assert "last answer" in found[-1].flat


@pytest.mark.parametrize("master", [True, False])
def test_who_masters_a_match_or_owes_orders_is_answered_whatever_he_asks(match: World, master: bool) -> None:
    match.office = replace(match.office, limits=replace(match.office.limits, requests_a_day=20))
    writer = GINA if master else match.on_turn()
    assert len(answers(match, writer, ["STATUS"] * 40)) == 40


def test_a_game_master_commands_forty_things_in_an_hour(match: World) -> None:
    lines = [f"DEADLINE +{n}h" for n in range(1, 21)] + [f"CLOCK slot {n}h" for n in range(30, 50)]
    to = match.last(GINA).reply_to
    for line in lines:
        assert sent(match.write(GINA, line, to), GINA), line


def test_a_letter_to_a_closed_turn_is_refused_each_time_that_it_says_something_else(match: World) -> None:
    dead = match.last(GINA).reply_to
    match.reply(match.on_turn(), "ROLL OUT")
    found = [
        mail for letter in ("VOTE OVER", "Please give Holland one more day") for mail in match.write(GINA, letter, dead)
    ]
    assert len(found) == 2
    assert all("is closed, so nothing was taken" in mail.flat for mail in found)


def test_a_stranger_reads_in_his_last_answer_that_it_is_the_last_and_whom_to_ask(world: World) -> None:
    world.office = replace(world.office, keeper=KEEPER)
    found = [mail for question in QUESTIONS for mail in world.write(OTTO, question)]
    assert len(found) == 5
    assert (
        "This is my last answer for an hour to letters from your address that do not prove who wrote them."
        in found[-1].flat
    )
    assert KEEPER in found[-1].flat


def test_what_is_said_once_a_day_says_so(match: World) -> None:
    dead = match.last(match.on_turn()).reply_to
    match.reply(match.on_turn(), "ROLL OUT")
    (refusal,) = match.write(OTTO, "hello", dead)
    assert "I say this once a day to an address" in refusal.flat


def test_the_question_at_the_door_says_that_it_is_asked_once_a_day(world: World) -> None:
    (question,) = world.write(OTTO, "CREATE newworld AS friday", says="")
    assert "I ask once a day" in question.flat
