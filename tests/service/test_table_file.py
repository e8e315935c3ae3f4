"""SEND table: a seat's turn as a file holds all that its reader needs to play it, and only what he may know."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.core.game import Game
from referee.core.names import Seat
from referee.core.position import knowledge, told
from referee.games import game_named
from referee.service.house.choices import PRESSED, TableFile, as_json
from referee.service.house.choices import table_schema as schema
from referee.service.match.history import history, past
from tests.service.conftest import ANNA, BEN, GINA, PLAYERS
from tests.service.test_map import files
from tests.world import Mail, World

PAGE = Path(__file__).parents[2] / "docs" / "table-format.md"
TOKEN = re.compile(r"referee\+\w+\.([a-z2-7]{16})@")


def of_file(mail: Mail) -> tuple[str, dict[str, Any]]:
    """The table file that goes with a letter, and its name."""
    found = {name: data for name, (_, data) in files(mail).items() if name.endswith(".table.json")}
    ((name, data),) = found.items()
    table: dict[str, Any] = json.loads(data)
    if table["version"] == 2:
        table |= {part: json.loads(as_json(table[part])) for part in PRESSED if isinstance(table[part], str)} | {
            "version": 1
        }
    return name, table


def sent_to(world: World, who: str) -> dict[str, Any]:
    """His table file, as it comes by mail."""
    receipt, *_ = world.reply(who, "SEND table")
    return of_file(receipt)[1]


def known_in(game: Game[Any], table: dict[str, Any], seats: tuple[Seat, ...], which: str = "position") -> Any:
    """A position in a table file."""
    kind = type(game.setup(seats, table["known"]["options"]))
    return msgspec.json.decode(as_json(table["known"][which]), type=kind)


def test_the_schema_stands_in_the_docs() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert json.loads(block) == json.loads(json.dumps(schema()))


def test_a_table_file_says_what_is_owed_until_when_and_where_the_letter_goes(match: World) -> None:
    who = match.on_turn()
    seat, receipt = match.seat(who), match.reply(who, "SEND table")[0]
    name, table = of_file(receipt)
    assert name == f"nw1-1-{seat}.table.json"
    msgspec.convert(table, TableFile)
    assert (table["version"], table["match"], table["game"], table["seat"], table["turn"]) == (
        1,
        "nw1",
        "newworld",
        seat,
        1,
    )
    assert table["duty"] == "orders" and table["until"].startswith("2026-11-22T12:00:00")
    assert table["reply_to"] == receipt.reply_to
    assert table["subject"].startswith(f"Re: [nw1] Your turn, {seat}, by ")
    assert "COLONIZE" in table["takes"] and table["choices"]["owed"] and table["known"]["asked"]
    assert {chair["seat"] for chair in table["seats"]} == {match.seat(player) for player in PLAYERS}


def test_a_letter_written_from_the_file_is_taken_and_stands_in_the_next(match: World) -> None:
    who = match.on_turn()
    table = sent_to(match, who)
    line = next(order["lines"][0] for order in table["choices"]["orders"] if not order.get("at_once"))
    receipt, *_ = match.write(who, line, table["reply_to"], table["subject"])
    assert "COMPLETE" in receipt.subject
    again = sent_to(match, who)
    assert again["duty"] == "on file" and again["on_file"][0]["lines"][0]["text"] == line
    assert again["going"] == ["ROLL OUT", "WAIT"]
    assert [item["text"] for sheet in again["known"]["drawers"].values() for item in sheet] == [line]


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_the_file_knows_what_its_seat_was_told_and_names_nobody_else(world: World, game: str) -> None:
    world.write(GINA, f"CREATE {game} AS m1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    playing = world.playing("m1")
    others = {who: set(TOKEN.findall(" ".join(m.reply_to for m in world.all_mail() if m.to == who))) for who in PLAYERS}
    for who, other in ((ANNA, BEN), (BEN, ANNA)):
        table, seat = sent_to(world, who), Seat(world.seat(who, "m1"))
        created = playing.created
        mine = knowledge(playing.game, created.seats, created.options, told(world.told(history, "m1"), seat), seat)
        assert known_in(game_named(game), table, created.seats) == mine
        known = (as_json(table["known"][which] or {}).decode() for which in ("position", "before"))
        text = " ".join((json.dumps(table), *known))
        assert other not in text and who not in text and GINA not in text
        assert not any(token in text for token in others[other]) and TOKEN.findall(text)
        assert playing.row.secret.hex() not in text


def test_where_a_phase_began_is_told_as_its_seat_knew_it_then(world: World) -> None:
    """Of a match in which not everything is told to everybody, in the middle of a phase."""
    world.write(GINA, "CREATE war27 AS m1 WITH hidden_victory yes")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    seen = 0
    while seen < 4:
        playing = world.playing("m1")
        created, before_it = playing.created, world.told(past, "m1")
        for who in (ANNA, BEN):
            seat, table = Seat(world.seat(who, "m1")), sent_to(world, who)
            then = knowledge(playing.game, created.seats, created.options, before_it, seat)
            before = table["known"]["before"]
            told_there = then if before is None else known_in(playing.game, table, created.seats, "before")
            assert told_there == then and (before is None) == (then == known_in(playing.game, table, created.seats))
            seen += before is not None
        assert not playing.open_information
        world.reply(world.player(playing.outcome.open[0].seat, "m1"), "ROLL OUT")


def test_what_others_have_on_file_is_in_nobody_elses_file(match: World) -> None:
    who = match.on_turn()
    other = next(player for player in PLAYERS if player != who)
    before = sent_to(match, who)
    match.reply(other, "COLONIZE any")
    assert match.drawer(match.seat(other), "next") == ["COLONIZE any"]
    assert sent_to(match, who) == before
    assert sent_to(match, other)["known"]["drawers"]["next"][0]["text"] == "COLONIZE any"
