"""An aid of a game that breaks is left out of letters, with a sentence in its place; the match is played on."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.newworld import forecast, steady
from referee.games.newworld.game import NewWorld
from referee.service.match.playing import left_out
from tests.service.conftest import ANNA, GINA, PLAYERS
from tests.world import World


def broken(*_: Any, **__: Any) -> Any:
    raise RuntimeError("an aid is broken")


def turn(world: World) -> str:
    """What everybody is written when a turn is played."""
    sent = world.reply(world.on_turn(), "HIRE 1 worker\nROLL OUT")
    assert world.status("nw1") == "running"
    told = [mail for mail in sent if mail.is_a("report")]
    assert {mail.to for mail in told} == {GINA, *PLAYERS}
    return " ".join(mail.flat for mail in told)


AIDS = {
    "report": left_out("The report"),
    "sheets": left_out("The record sheets"),
    "chart": left_out("The map"),
    "order_form": "This sheet could not be filled in",
}


@pytest.mark.parametrize("aid", AIDS)
def test_a_part_of_a_turn_letter_that_breaks_is_left_out(
    match: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, aid: str
) -> None:
    monkeypatch.setattr(NewWorld, aid, broken)
    assert AIDS[aid] in turn(match)
    assert f"{aid} of newworld is left out" in caplog.text
    assert "could not" not in turn(match).replace(AIDS[aid], "")


def test_a_match_whose_choices_break_is_played_on(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for holder in (forecast, steady):
        monkeypatch.setattr(holder, "ahead", broken)
    monkeypatch.setattr(NewWorld, "ahead", broken)
    assert AIDS["order_form"] in turn(match)
    match.reply(ANNA, "SEND choices")
    assert left_out("The choices of BUY").removesuffix(".") in match.last(ANNA).flat


@pytest.mark.parametrize(
    ("aid", "asked"), [("doubts", "HIRE 9 workers"), ("rehearse", "PREVIEW\nHIRE 1 worker"), ("logs", "SEND log")]
)
def test_what_a_letter_asks_for_is_answered_without_what_breaks(
    match: World, monkeypatch: pytest.MonkeyPatch, aid: str, asked: str
) -> None:
    monkeypatch.setattr(NewWorld, aid, broken)
    (said,) = match.reply(match.on_turn(), asked)
    assert "could not be made, by a fault of the program" in said.flat


def test_the_log_of_a_match_whose_reports_broke_is_sound(match: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NewWorld, "report", broken)
    turn(match)
    match.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    (said,) = match.reply(ANNA, "VERIFY")
    assert "Sound: the chain of" in said.flat
