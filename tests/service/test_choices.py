"""What helps to order: SEND choices for people and programs, the lines of a form, and no aid where one breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.question import OneOf, Pace, Question, Several
from referee.games.newworld import forecast, steady_player
from referee.games.newworld.game import NewWorld
from referee.service.house.choices import choices_now, schema
from referee.service.match.playing import left_out
from referee.service.post.frames import answer_form, in_columns
from tests.commands import app
from tests.service.conftest import ANNA, GINA, OTTO, PLAYERS
from tests.service.test_map import files
from tests.world import Mail, World

DOCS = Path(__file__).parents[2] / "docs"


def of_file(mail: Mail) -> dict[str, object]:
    ((name, (kind, data)),) = files(mail).items()
    assert name.startswith("nw1-choices-") and kind == "application/json"
    found: dict[str, object] = json.loads(data)
    return found


def test_the_schema_stands_in_the_docs() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (DOCS / "choices.md").read_text("utf-8"), re.S)
    assert json.loads(block) == json.loads(json.dumps(schema()))


def test_choices_come_as_json_and_their_lines_are_taken(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND choices AS json")
    found = of_file(receipt)
    orders = {order["verb"]: order for order in found["orders"]}  # type: ignore[attr-defined]
    assert found["version"] == 1 and found["questions"] == []
    assert {"RESEARCH", "COLONIZE", "OFFER"} <= set(orders) and orders["OFFER"]["at_once"]
    lines = [order["lines"][0] for order in orders.values() if not order.get("at_once")]
    taken, *_ = match.reply(ANNA, "\n".join(lines))
    assert "not allowed" not in taken.flat and "not understood" not in taken.flat


def test_choices_for_people_are_lines_to_send(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND choices")
    assert "could send as they stand" in receipt.flat and "- COLONIZE any" in receipt.text
    assert "1 horses" not in receipt.text and "at once; done" not in receipt.flat


def test_what_is_on_file_counts(match: World) -> None:
    """Who has spent his cloth on workers hires no more."""
    seat = match.seat(match.on_turn())
    before = choices_now(match.playing("nw1"), seat)
    assert any(order.verb == "HIRE" for order in before.orders)
    match.reply(match.player(seat), "HIRE all workers")
    after = choices_now(match.playing("nw1"), seat)
    assert not any(order.verb == "HIRE" for order in after.orders)


def test_who_has_no_seat_has_no_choices(match: World) -> None:
    refused, *_ = match.reply(GINA, "SEND choices")
    assert "SEND choices is for players of nw1." in refused.flat
    elsewhere, *_ = match.vouched(OTTO, "SEND choices OF nw1")
    assert "SEND choices is for players of nw1, in a reply to one of its letters." in elsewhere.flat


def test_choices_are_made_as_json_alone(match: World) -> None:
    refused, *_ = match.reply(ANNA, "SEND choices AS csv")
    assert "Only sheets and log are made as csv; write SEND choices or SEND choices AS json." in refused.flat


def at_the_machine(match: World, tmp_path: Path, *arguments: str) -> tuple[int, str]:
    (tmp_path / "config.toml").write_text(f'[database]\nurl = "sqlite:///{tmp_path / "referee.sqlite"}"\n', "utf-8")
    ran = CliRunner().invoke(app, ["show", "choices", "nw1", *arguments, "--config", str(tmp_path / "config.toml")])
    return ran.exit_code, ran.output


def test_an_order_is_decided_step_by_step_at_the_machine(match: World, tmp_path: Path) -> None:
    seat = match.seat(match.on_turn())
    _, said = at_the_machine(match, tmp_path, seat, "--order", "move")
    assert [option["word"] for option in json.loads(said)["next"]["options"]] == ["Europe"]
    _, said = at_the_machine(match, tmp_path, seat, "--order", "MOVE", "--pick", "Europe", "--pick", "Canada")
    assert json.loads(said)["next"]["counts"] == "armies"
    way = ("--order", "MOVE", "--pick", "Europe", "--pick", "Canada", "--pick", "1")
    _, said = at_the_machine(match, tmp_path, seat, *way)
    assert json.loads(said) == {"line": "MOVE 1 army FROM Europe TO Canada"}
    code, said = at_the_machine(match, tmp_path, seat, "--order", "MOVE", "--pick", "Mars")
    assert code == 1 and "origin is not Mars; it is one of Europe" in said


def test_what_there_is_to_order_is_shown_at_the_machine(match: World, tmp_path: Path) -> None:
    seat = match.seat(match.on_turn())
    _, said = at_the_machine(match, tmp_path, seat, "--json")
    assert json.loads(said)["seat"] == seat
    _, said = at_the_machine(match, tmp_path, seat)
    assert "COLONIZE any" in said
    code, said = at_the_machine(match, tmp_path, "Atlantis")
    assert code == 1 and "Atlantis is no seat of nw1" in said


# ---------------------------------------------------------------- forms


WORDS = [Choice(word, word) for word in ("left", "centre", "right")]


def lines(menu: OneOf[str] | Several[str]) -> Sequence[str]:
    return answer_form(Question("T1/steps", Seat("Red"), "Which?", menu, Pace.REPLY, "")).lines


def test_a_form_says_that_several_may_be_named_and_how() -> None:
    assert lines(Several(WORDS, 2)) == (
        "# Up to 2 of these, with commas between:", "# left", "# centre", "# right", "CHOOSE none",
    )  # fmt: skip
    assert lines(Several(WORDS[:1], 2)) == ("# left", "CHOOSE none")
    assert lines(Several(WORDS, 1)) == ("# left", "# centre", "# right", "CHOOSE none")
    assert lines(OneOf(WORDS, "left")) == ("# left", "# centre", "# right", "CHOOSE left")


def test_long_advice_goes_on_in_a_further_line_that_is_advice_too_and_orders_stay_whole() -> None:
    advice = "# Germany: 8 infantry. Next to it: " + ", ".join(["Austria-Hungary (yours)"] * 4) + "."
    proposal, order = "# MOVE 1 infantry FROM " + "x" * 80, "DRAFT " + ", ".join(["Germany"] * 12)
    made = in_columns((advice, "# short", proposal, order), ("MOVE", "DRAFT"))
    assert made[-3:] == ("# short", proposal, order)
    assert len(made) > 4 and all(len(line) <= 72 for line in made[:-3])
    assert all(line.startswith("#   ") for line in made[1:-3])
    assert " ".join(line.removeprefix("#   ") for line in made[:-3]) == advice


# ---------------------------------------------------------------- an aid that breaks


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
    for holder in (forecast, steady_player):
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
