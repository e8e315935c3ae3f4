"""SEND choices, `referee show choices`: what a seat may order now, for people and for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from typer.testing import CliRunner

from referee.service.house.choices import choices_now, schema
from tests.commands import app
from tests.service.conftest import ANNA, GINA, OTTO
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
