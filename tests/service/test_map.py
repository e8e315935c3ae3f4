"""The map goes with letters as a picture and as SVG, shows each reader what he knows, and stands in the archive."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from referee.service.base.ports import LetterOut
from referee.service.intake.counter import replay_at_the_counter
from referee.service.post.tray import written
from tests.service.conftest import ANNA, BEN, CARLA, GINA
from tests.service.test_press import begun, toy
from tests.world import DRAWING, Mail, World, data_of

__all__ = ["toy"]


@pytest.fixture
def war(world: World) -> Iterator[World]:
    """A referee with the match w1 of War! begun: Anna and Ben play, Gina is game master; nothing mailed is left unread."""
    world.office = replace(world.office, renderer=DRAWING)
    world.write(GINA, "CREATE war27 AS w1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    yield world


def files(mail: Mail) -> dict[str, tuple[str, bytes]]:
    """The files of a letter by name: their type and what is in them."""
    parts = [part for part in mail.message.walk() if part.get_filename()]
    return {str(p.get_filename()): (p.get_content_type(), data_of(p)) for p in parts}


def holds_a_map(mail: Mail) -> None:
    """The HTML shows the halves of the picture, the text has the sentence, and the SVG can be opened."""
    halves = [part for part in mail.message.walk() if part.get_content_type() == "image/png"]
    assert [(half.get_filename(), half["Content-ID"], half.get_content_disposition()) for half in halves] == [
        (f"map-{name}.png", f"<map-{name}@letter>", "inline") for name in ("west", "east")
    ]
    assert all(Image.open(io.BytesIO(data_of(half))).size[0] == 450 for half in halves)
    assert sum(len(data_of(half)) for half in halves) < 150_000
    kind, svg = files(mail)["map.svg"]
    assert kind == "image/svg+xml" and ElementTree.fromstring(svg).tag.endswith("svg")
    assert re.findall(r'src="cid:([^"]+)"', mail.html) == ["map-west@letter", "map-east@letter"]
    assert "The map shows whose the regions are: " in mail.flat


def test_the_first_letter_shows_the_map(war: World) -> None:
    holds_a_map(war.last(ANNA, "started"))


def test_a_report_shows_the_map_and_the_match_replays_word_for_word(war: World) -> None:
    """Who wishes no HTML gets the picture in one piece."""
    war.reply(BEN, "SET format text")
    for _ in range(40):
        if any(mail.kind == "report" for mail in war.all_mail()):
            break
        war.wait(hours=25)
    holds_a_map(war.last(ANNA, "report"))
    kind, png = files(war.last(BEN, "report"))["map.png"]
    assert kind == "image/png" and Image.open(io.BytesIO(png)).size[0] == 900
    found = replay_at_the_counter(war.office, "w1")
    assert found is not None and found.sound, found
    assert found.letters > 0


def test_send_map_brings_it_to_players_and_to_strangers(war: World) -> None:
    (mail,) = war.reply(ANNA, "SEND map")
    holds_a_map(mail)
    (mail,) = [mail for mail in war.vouched(CARLA, "SEND map OF w1") if mail.to == CARLA]
    holds_a_map(mail)


def test_a_game_without_a_map_says_so(toy: World) -> None:
    begun(toy)
    (mail,) = toy.reply(ANNA, "SEND map")
    assert "has no map" in mail.flat
    assert not any(name.startswith("map") for name in files(mail))


def test_the_board_of_new_world_is_drawn_by_the_postman_for_all_its_readers(match: World) -> None:
    match.office = replace(match.office, renderer=DRAWING)
    first = match.on_turn()
    (mail,) = [
        mail for mail in match.reply(first, "HIRE 1 worker\nROLL OUT") if mail.kind == "report" and mail.to == first
    ]
    with match.store.look() as step:
        queued = [letter for letter in step.outgoing("nw1") if letter.kind == "report"]
    assert len(queued) == 5 and all(letter.said and b"<svg" not in letter.said for letter in queued)
    found = [files(match.last(player, "report")) for player in (ANNA, BEN, CARLA, GINA)]
    assert {one["map.png"][1] for one in found} == {files(mail)["map.png"][1]}
    assert all(one["map.svg"] == found[0]["map.svg"] for one in found)
    assert "The board: " in mail.flat and mail.html.count('src="cid:map@letter"') == 1


def test_a_letter_brings_the_board_of_its_own_turn_also_when_that_was_played_again(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    with match.store.look() as step:
        (letter, *_) = [letter for letter in step.outgoing("nw1") if letter.kind == "report"]
    was = board_of(match, letter)
    match.reply(GINA, "REWIND nw1 TO turn 1 REASON again")
    match.reply(match.on_turn(), "BUY 1 cloth\nROLL OUT")
    assert board_of(match, letter) == was
    assert files(match.last(ANNA, "report"))["map.svg"][1] != was


def board_of(match: World, letter: LetterOut) -> bytes:
    """The map as SVG in a letter that is written out now."""
    return files(Mail("report", written(match.office, letter).raw, ANNA))["map.svg"][1]


def test_the_archive_shows_the_public_map_of_every_report(war: World, tmp_path: Path) -> None:
    for _ in range(4):
        war.wait(hours=25)
    index = publish(war.office, Site(tmp_path / "site"), "w1")
    assert index is not None
    pages = sorted(index.parent.glob("turn-*.html"))
    assert pages
    for page in pages:
        drawn = page.with_suffix(".svg")
        assert f'<img src="{drawn.name}"' in page.read_text("utf-8")
        assert ElementTree.fromstring(drawn.read_text("utf-8")).get("width") == "900"
