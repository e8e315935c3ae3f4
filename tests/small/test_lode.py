"""A game written by docs/adding.md plugs in by itself and is played by letters, with no line of it outside its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import games
from tests.service.conftest import ANNA, BEN, GINA
from tests.small.lode.game import GAME
from tests.world import Mail, World

HERE = Path(__file__).parent


@pytest.fixture
def lode(tmp_path: Path) -> Iterator[World]:
    """The match l1 of Lode begun by letters; Anna is Ada, Ben is Bert."""
    world = World(tmp_path)
    world.office = replace(world.office, games={**world.office.games, GAME.name: GAME})
    world.write(GINA, "CREATE lode AS l1 WITH days 3")
    for player in (ANNA, BEN):
        world.write(player, "JOIN l1")
    world.reply(GINA, "START l1", kind="receipt")
    yield world
    world.close()


def sheet_of(mail: Mail) -> list[str]:
    """The lines of the order sheet in a letter that could be sent as they stand."""
    return re.findall(r"^(?:DIG|SELL) .*$", mail.text.replace("\r", ""), re.MULTILINE)


def test_a_folder_with_a_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {*games.BY_NAME}
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(HERE)])
    assert {*games.BY_NAME} - known == {"lode"}


def test_two_may_play_nobody_alone_and_no_more_than_there_are_names() -> None:
    options = {setting.name: setting.default for setting in GAME.settings}
    assert [GAME.refuse_options(options, players) for players in (2, 4)] == [None, None]
    assert GAME.refuse_options(options, 1) == "Lode is for 2 to 4 players, not 1."
    assert GAME.refuse_options(options, 5) == "Lode is for 2 to 4 players, not 5."


def test_the_letters_carry_a_sheet_that_can_be_returned(lode: World) -> None:
    first = lode.last(ANNA)
    assert sheet_of(first) == ["DIG 1 shaft"] and "You have 10 coins; a shaft costs 2." in first.flat
    receipt, *_ = lode.reply(ANNA, "\n".join(sheet_of(first)))
    assert "Sink 1 shaft." in receipt.flat


def test_who_orders_what_cannot_be_is_told_what_can(lode: World) -> None:
    receipt, *_ = lode.reply(ANNA, "GIVE 9 coins TO Bert")
    assert "Give Bert 9 coins." in receipt.flat
    receipt, *_ = lode.reply(ANNA, "DIG 3 shafts")
    assert "You have 1 coin, which pays for 0 shafts." in receipt.flat


def test_help_and_choices_speak_of_it(lode: World) -> None:
    receipt, *_ = lode.reply(ANNA, "HELP DIG")
    assert "sink shafts" in receipt.flat and "DIG 2 shafts" in receipt.flat
    receipt, *_ = lode.reply(ANNA, "SEND choices")
    assert "- DIG 1 shaft" in receipt.text and "- GIVE 1 coin TO Bert" in receipt.text


def test_a_match_is_played_to_its_end(lode: World) -> None:
    for _ in range(3):
        for player in (ANNA, BEN):
            lode.reply(player, "DIG 2 shafts\nSELL all ore\nROLL OUT")
    assert lode.status("l1") == "over"
    assert "coins" in lode.last(ANNA).flat
