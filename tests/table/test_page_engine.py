"""The rules in the page say what the referee says: of every line the same, from nothing but the table file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from referee.core.names import Seat
from referee.page_engine import answer, opened
from referee.page_engine.opened_table import Table
from referee.service.base.letter_facts import Receipt
from referee.service.house.choices import choices_now, decided
from referee.service.match.sheets import bind
from referee.service.post.tray import unwritten
from referee.service.turn.preview import preview_page
from tests.service.conftest import ANNA, BEN, GINA
from tests.service.test_table_file import sent_to
from tests.table.build import SERVICE, fetched, laid_out
from tests.table.lines import known_lines, slips
from tests.verify.node import node
from tests.world import World

_RECEIPTS = text("SELECT max(id) FROM letter_out WHERE kind = 'receipt' AND recipient = :who")
LETTERS, LINES = 12, 4


def begun(world: World, game: str) -> str:
    """A match that has begun, and who owes something in it first."""
    world.write(GINA, f"CREATE {game} AS m1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN m1")
    world.reply(GINA, "START m1", kind="receipt")
    return world.player(world.playing("m1").outcome.open[0].seat, "m1")


def receipt(world: World, who: str, lines: str) -> Receipt:
    """The receipt for a letter, as data."""
    world.reply(who, lines, confirms=False)
    with world.store.engine.begin() as db:
        number = db.execute(_RECEIPTS, {"who": who}).scalar_one()
    with world.store.look() as step:
        letter = step.posted(number)
    assert letter is not None
    return unwritten(letter).receipt


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_a_page_refuses_and_doubts_what_the_referee_does(world: World, game: str) -> None:
    who = begun(world, game)
    table = sent_to(world, who)
    page = opened(json.dumps(table))
    verbs = tuple(f"{verb} " for verb in table["takes"])
    lines = [line for line in known_lines(table, page) if line.startswith(verbs)]
    written, refused = slips(lines, 1), 0
    for _ in range(LETTERS):
        letter = "\n".join(islice(written, LINES))
        said, found = receipt(world, who, f"CLEAR\n{letter}"), page.judge(f"CLEAR\n{letter}")
        words = {
            word.line for word in page.read(f"CLEAR\n{letter}").desk
        }  # of words of the desk the page cannot know it
        assert tuple(line for line in said.refused if line.number not in words) == found.refused, letter
        assert said.doubts == found.doubts, letter
        refused += len(found.refused)
    assert refused


def test_what_a_letter_does_at_once_is_done_before_its_orders_are_looked_at(world: World) -> None:
    """The set-up of War! spends all its points, and a gift in the same letter leaves too few."""
    begun(world, "war27")
    lines, who = [""], ""
    while not lines[0].startswith("BUY"):
        who = world.player(world.playing("m1").outcome.open[0].seat, "m1")
        page = opened(json.dumps(sent_to(world, who)))
        lines = [wish.line for wish in page.proposed()]
        if lines[0].startswith("DRAFT"):
            world.write(who, "\n".join((*lines, "ROLL OUT")), world.last(who).reply_to)
    other = next(seat for seat in page.playing.created.seats if seat != page.seat)
    letter = "\n".join((*lines, f"GIVE 20 PP TO {other}"))
    found = page.judge(letter)
    assert any("not enough" in doubt for doubt in found.doubts)
    assert found.doubts == receipt(world, who, letter).doubts and not found.refused


def now(world: World, who: str) -> tuple[Table, Any, Seat]:
    """The table of a player, the match as the referee has it, and his seat."""
    return opened(json.dumps(sent_to(world, who))), world.playing("m1"), Seat(world.seat(who, "m1"))


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_steps_choices_and_previews_are_the_referees(world: World, game: str) -> None:
    table, playing, seat = now(world, begun(world, game))
    there = choices_now(playing, seat).orders
    assert [(o.verb, o.first, o.at_once) for o in table.choices("")] == [(o.verb, o.first, o.at_once) for o in there]
    for order in there:
        assert table.step(order.verb, [], "") == decided(playing, seat, order.verb, [])
    sheet = "\n".join(order.lines[0] for order in there if not order.at_once)
    bound = bind(playing, seat, table.read(sheet).sheet, asides_allowed=False)
    assert table.preview(sheet) == preview_page(playing, seat, bound.sheet, playing.outcome.state, hidden=False)


def test_a_step_after_a_sheet_looks_at_what_the_sheet_leaves(match: World) -> None:
    who = match.on_turn()
    table = opened(json.dumps(sent_to(match, who)))
    assert any(order.verb == "HIRE" for order in table.choices(""))
    assert not any(order.verb == "HIRE" for order in table.choices("HIRE all workers"))
    assert "refused" in table.step("MOVE", [("Mars",)], "")


def test_what_is_asked_goes_in_and_out_as_json(match: World) -> None:
    table = sent_to(match, match.on_turn())
    opened = json.loads(answer("open", json.dumps(table)))
    assert opened["rules"] == table["known"]["rules"] and {"COLONIZE", "HIRE"} <= set(opened["verbs"])
    some = json.loads(answer("choices", json.dumps(["", ["HIRE", "RESEARCH"]])))
    assert [order["verb"] for order in some] == ["RESEARCH", "HIRE"]
    assert json.loads(answer("judge", json.dumps(["COLONIZE any"])))["lines"][0]["text"] == "COLONIZE any"
    with pytest.raises(msgspec.ValidationError):
        answer("open", "[]")


_ASKS = """
import json, sys
from referee.page_engine import answer
said = [answer(*asked) for asked in json.load(sys.stdin)]
print(json.dumps([said, [name for name in sys.modules if name.startswith("referee.service")]]))
"""
MODULES = 26
"""So many modules of the service are in the page, its rooms among them. The number may fall and never rises."""


def test_the_page_has_of_the_service_what_it_needs_and_answers_by_it_alone(match: World, tmp_path: Path) -> None:
    table = sent_to(match, match.on_turn())
    letter = "COLONIZE any\nHIER all workers\nSET zoen Mars\nCHOOSE Gems\nPREVIEW\nHIRE all workers\nEND"
    about = [("judge", [letter]), ("choices", [letter]), ("preview", [letter]), ("step", ["HIRE", [], ""])]
    trial = [
        ("try", ["bots", "7"]),
        ("play", ["HIRE all workers"]),
        ("play", ["CHOOSE Gems"]),
        ("back", []),
        ("leave", []),
    ]
    lesson = [("lesson", ["newworld", 6]), ("tried", ["newworld", 6, 0, "PRESS TO France\nWell met.\nEND"])]
    asked = [("open", json.dumps(table)), *((what, json.dumps(given)) for what, given in (*about, *trial, *lesson))]
    laid_out(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", _ASKS],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert not ran.returncode, ran.stderr
    said, loaded = json.loads(ran.stdout)
    assert said == [answer(*each) for each in asked]
    rooms = ((room.replace("/", "."), names.split()) for room, names in SERVICE.items())
    carried = [
        ".".join(filter(None, ("referee.service", room, name))) for room, names in rooms for name in ("", *names)
    ]
    assert sorted(loaded) == sorted(carried)
    assert len(loaded) <= MODULES


# ---------------------------------------------------------------- a thousand lines of each game


MANY = 1_000
_SCRIPT = Path(__file__).with_name("engine.mjs")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_the_page_says_what_the_referee_says(world: World, tmp_path: Path, engine: Path, game: str) -> None:
    table = sent_to(world, begun(world, game))
    letters = list(islice(slips(known_lines(table, opened(json.dumps(table))), 7), MANY))
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps({"table": table, "letters": letters}), "utf-8")
    pyodide, _ = fetched()
    command = [node(), str(_SCRIPT), str(pyodide), str(engine), str(asked)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    said: list[str] = json.loads(ran.stdout)
    answer("open", json.dumps(table))
    assert len(said) == MANY
    for letter, there in zip(letters, said, strict=True):
        assert answer("judge", json.dumps([letter])) == there, letter


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_a_lesson_is_set_with_a_table_and_passed_by_the_lines_it_shows(game: str) -> None:
    """Doing nothing never passes; the third wrong try shows the lines, and none of them would be refused where none should be.

    Of a course the first, the last and one between them, for tests/games looks at all.
    """
    course = len(json.loads(answer("lesson", json.dumps([game, 1])))["course"])
    assert course == 8
    for number in (1, 5, course):
        said = json.loads(answer("lesson", json.dumps([game, number])))
        table = said["table"]
        assert table["map"] and table["duty"] in ("orders", "answer") and table["known"]["asked"]
        tries = [json.loads(answer("tried", json.dumps([game, number, tries, ""]))) for tries in range(3)]
        assert not any(one["verdict"]["passed"] for one in tries) and all(one["rule"] for one in tries)
        shown = tries[2]["verdict"]["shown"]
        done = json.loads(answer("tried", json.dumps([game, number, 3, shown])))
        assert done["verdict"]["passed"] and done["said"][0].startswith("Done.") and done["map"]
        assert number < 8 or done["map"] != table["map"]
        judged = json.loads(answer("judge", json.dumps([shown])))
        assert not judged["ignored"] and bool(judged["refused"]) == bool(done["verdict"]["refused"])
