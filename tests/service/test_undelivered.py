"""A letter that is given up is told to the game master, and a notice about it never begets another."""

from __future__ import annotations

import msgspec

from referee.service.intake.bounces import report_undelivered
from tests.service.conftest import ANNA, GINA
from tests.world import World


def test_the_game_master_hears_of_a_letter_given_up(match: World) -> None:
    with match.store.look() as step:
        letter = next(out for out in step.outgoing("nw1") if out.recipient == ANNA)
    match.new_mail()
    report_undelivered(match.office, letter, "550 no such user")
    (notice,) = match.new_mail()
    assert notice.to == GINA
    assert "anna@players.example" in notice.text and "550 no such user" in notice.text


def test_a_notice_that_fails_is_not_reported_again(match: World) -> None:
    with match.store.look() as step:
        letter = next(out for out in step.outgoing("nw1") if out.recipient == ANNA)
    match.new_mail()
    report_undelivered(match.office, msgspec.structs.replace(letter, kind="undelivered"), "550")
    assert match.new_mail() == []
