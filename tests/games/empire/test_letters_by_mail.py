"""What Empire's letters say in the middle of a slot and after it, as their reader finds it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.core.names import Seat
from referee.games.empire.steady_player import order_form
from tests.games.empire.test_procedure_by_mail import MATCH, another, begin
from tests.service.conftest import ANNA, BEN, CARLA, GINA
from tests.service.test_map import files
from tests.world import Mail, World


@pytest.fixture
def empire(tmp_path: Path) -> Iterator[World]:
    world = begin(World(tmp_path, seed="letters"))
    yield world
    world.close()


def farming(world: World) -> str:
    """The order form's own proposals of coolies for farms, as orders."""
    seat = Seat(world.seat(world.on_turn(MATCH), MATCH))
    form = "\n".join(line.removeprefix("# ") for line in order_form(world.playing(MATCH).outcome.state, seat))
    pairs = re.findall(r"^(?:MOVE (\w+ \d+) TO \w+\n)?WORK \w+ WITH (\w+ \d+)$", form, re.M)
    assert pairs, form
    return "\n".join(
        found[0] for found in re.finditer(r"^(?:MOVE \w+ \d+ TO \w+\n)?WORK \w+ WITH \w+ \d+$", form, re.M)
    )


def too_few(world: World) -> str:
    """The first two of them: not enough for all to eat."""
    return "\nMOVE".join(farming(world).split("\nMOVE")[:2])


def part(mail: Mail, heading: str) -> str:
    """What stands under a heading of a letter; empty where it has none."""
    _, found, rest = "\n".join(mail.text.splitlines()).partition(f"\n{heading}\n{'-' * len(heading)}\n")
    lines = rest.splitlines() if found else []
    ends = next((n - 1 for n, line in enumerate(lines) if n and line and not line.strip("-")), len(lines))
    return " ".join(" ".join(lines[:ends]).split())


def choices_of(world: World, player: str) -> dict[str, dict[str, Any]]:
    """What SEND choices AS json tells a player, by the verb."""
    ((_, data),) = files(receipt(world.reply(player, "SEND choices AS json"))).values()
    return {order["verb"]: order for order in json.loads(data)["orders"]}


def receipt(mails: list[Mail]) -> Mail:
    return next(mail for mail in mails if mail.is_a("receipt"))


def test_who_knows_nothing_plays_a_slot_from_the_choices(empire: World) -> None:
    player = empire.on_turn(MATCH)
    told = choices_of(empire, player)
    assert {"PICK", "MOVE", "WORK", "BUILD", "GIVE", "FEED FIRST", "SCRAMBLE NEVER", "ROLL OUT"} <= set(told)
    assert told["FEED FIRST"]["at_once"] and not told["MOVE"].get("at_once")
    lines = [
        order["lines"][0] for verb, order in told.items() if verb in ("PICK", "MOVE", "WORK", "TREAT", "FEED FIRST")
    ]
    taken = receipt(empire.reply(player, "\n".join(lines)))
    assert "not allowed" not in taken.flat and "not understood" not in taken.flat
    assert (
        "WORK" not in choices_of(empire, player) or told["WORK"]["lines"] != choices_of(empire, player)["WORK"]["lines"]
    )
    ended = empire.reply(player, told["ROLL OUT"]["lines"][0])
    assert any(mail.kind == "report" for mail in ended)


def test_choices_after_a_sheet_name_what_it_brings(empire: World) -> None:
    """Picks come on the board in the second turn, before the other orders of the sheet."""
    while empire.playing(MATCH).outcome.state.turn < 2:
        player = empire.on_turn(MATCH)
        empire.reply(player, "ROLL OUT")
        if empire.on_turn(MATCH) == player:
            empire.reply(player, "YES")
    player = empire.on_turn(MATCH)
    empire.reply(player, "PICK cargo ship, truck")
    told = choices_of(empire, player)
    brought = [
        line for order in told.values() for line in order["lines"] if re.search(r"truck \d+|cargo ship \d+", line)
    ]
    assert brought
    assert any(name.endswith(".table.json") for name in files(receipt(empire.reply(player, "SEND table"))))


def test_who_is_not_on_turn_is_told_what_he_can_do_at_once_and_in_his_next_slot(empire: World) -> None:
    told = choices_of(empire, another(empire))
    assert told["RETREAT"]["at_once"] and "MOVE" in told
    taken = receipt(empire.reply(another(empire), told["RETREAT"]["lines"][0]))
    assert "not allowed" not in taken.flat


LOOK_AGAIN = "Lawful, but please look again"


def test_who_rolls_out_is_warned_of_what_his_orders_on_file_leave_open_and_of_nothing_else(empire: World) -> None:
    player = empire.on_turn(MATCH)
    filed = receipt(empire.reply(player, too_few(empire)))
    ended = receipt(empire.reply(player, "ROLL OUT"))
    doubtful = part(ended, "Doubts about your orders").partition(" Turn 1: ")[0]
    assert doubtful == part(filed, LOOK_AGAIN) != ""


def test_lines_that_are_added_are_looked_at_with_those_on_file(empire: World) -> None:
    player = empire.on_turn(MATCH)
    whole = too_few(empire)
    first, rest = whole.split("\nMOVE", 1)
    empire.reply(player, first)
    added = receipt(empire.reply(player, f"ADD\nMOVE{rest}"))
    again = receipt(empire.reply(player, whole))
    assert part(added, LOOK_AGAIN) == part(again, LOOK_AGAIN) != ""


def two_turns(world: World) -> None:
    """Everybody takes farms and rolls out."""
    for _ in range(3):
        world.reply(world.on_turn(MATCH), f"{farming(world)}\nROLL OUT")


def test_what_happened_so_far_is_told_as_the_report_tells_it(empire: World) -> None:
    two_turns(empire)
    (mail,) = (
        mail for mail in empire.reply(empire.on_turn(MATCH), f"{farming(empire)}\nEXECUTE") if mail.kind == "question"
    )
    told = mail.flat.partition("Your answer")[0] + mail.flat.partition("Earlier events")[2]
    assert re.search(r"\w+'s \d+ worked squares give \d+ food[^.]*\. \[emp\.board\.output\]", told), told
    assert "The farm in" not in told
    assert "PICK, MOVE, LOAD" not in mail.flat and "What you can answer" not in mail.flat


def test_news_of_a_petition_names_it_in_the_subject_and_nobody_else_as_its_doer(empire: World) -> None:
    mails = empire.reply(another(empire), 'PETITION FOR clarification "May a ship lie on two beaches?"')
    news = [mail for mail in mails if mail.kind in ("notice", "receipt")]
    assert {mail.to for mail in news} >= {ANNA, BEN, CARLA}
    assert all("posted petition 1 (clarification)" in mail.flat for mail in news)
    assert not any("Done by" in mail.flat for mail in news)


def test_a_petition_is_told_once_in_the_report_of_the_slot_in_which_it_was_posted(empire: World) -> None:
    asked = "May a ship lie on two beaches?"
    empire.reply(another(empire), f'PETITION FOR clarification "{asked}"')
    report, *_ = (mail for mail in empire.reply(empire.on_turn(MATCH), "ROLL OUT") if mail.kind == "report")
    assert report.flat.count(f"(clarification): {asked}") == 1
    later, *_ = (mail for mail in empire.reply(empire.on_turn(MATCH), "ROLL OUT") if mail.kind == "report")
    assert "NOTE: Petition 1 (clarification)" in later.flat


def test_the_report_says_who_ended_what_was_left_of_a_slot(empire: World) -> None:
    late, roller = empire.waits_for(MATCH), another(empire)
    empire.reply(empire.on_turn(MATCH), f"{farming(empire)}\nEXECUTE")
    empire.wait(hours=24)
    report, *_ = (mail for mail in empire.reply(roller, f"ROLL OUT {late}") if mail.kind == "report")
    said = part(report, "Decided without a letter")
    assert (
        f"{late}, the rest of the turn: played by default after the deadline, ended by {empire.seat(roller, MATCH)}."
        in said
    )


def test_a_refusal_begins_as_a_sentence_does(empire: World) -> None:
    coolie = farming(empire).split()[2]
    (answer,) = empire.reply(empire.on_turn(MATCH), f"MOVE coolie {coolie} TO c1r1")
    assert f"Coolie {coolie} finds no way from" in answer.flat


def test_a_siege_is_told_to_both_and_a_city_eats_what_is_in_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write(GINA, f"CREATE empire AS {MATCH} WITH board drawn:two-isthmuses, start armed")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    for player, at in ((world.on_turn(MATCH), "c8r6"), (another(world), "c2r2")):
        world.reply(player, f"PLACE CAPITAL {at}")
        world.wait(hours=1)
    state = world.playing(MATCH).outcome.state
    besieger, city = state.active, next(city for city in state.cities.values() if city.country != state.active)
    assert (city.at, world.on_turn(MATCH)) == ("c8r6", world.player(besieger, MATCH))
    regiment = state.units_of(besieger, "infantry regiment")[0].number
    warned = receipt(world.reply(world.on_turn(MATCH), f"MOVE infantry regiment {regiment} TO c8r5"))
    step = f"Infantry regiment {regiment} of {besieger} would besiege people of {city.country}: in c8r6 38 mouths have 70 food."
    assert step in part(warned, LOOK_AGAIN)
    assert f"If you mean no siege, TREAT {city.country} AS friendly." in part(warned, LOOK_AGAIN)
    ended = world.reply(world.on_turn(MATCH), "ROLL OUT")
    (told,) = (mail for mail in ended if mail.to == world.player(city.country, MATCH))
    siege = f"{city.country} is besieged by infantry regiment {regiment} of {besieger}: in c8r6 38 mouths have 70 food."
    assert f"{siege} No food from outside reaches them" in told.flat and "may walk out or carry food in" in told.flat
    for _ in range(3):
        ended = world.reply(world.on_turn(MATCH), "ROLL OUT")
    fed = " ".join(mail.flat for mail in ended if mail.to == world.player(city.country, MATCH))
    assert f"39 mouths of {city.country} eat 39 food." in fed and "dies of hunger" not in fed
    world.close()
