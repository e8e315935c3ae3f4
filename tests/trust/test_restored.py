"""Who answers what came after the backup that a database was restored from by hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.bootstrap.mail_ways import accepts
from referee.service.intake.forgotten_letters import set_back_since
from tests.service.conftest import ANNA, BEN, CARLA, DAN
from tests.world import ADDRESS, World

KEEPER = "keeper@club.example"


@pytest.fixture
def restored(tmp_path: Path, databases: Path) -> Iterator[tuple[World, World]]:
    """A referee that went on for a turn, and the one that was restored from what it was before that."""
    worlds = []
    for name, first in (("before", 1000), ("after", 2000)):
        (tmp_path / name).mkdir()
        shutil.copy(databases / "begun.sqlite", tmp_path / name / "referee.sqlite")
        worlds.append(World(tmp_path / name, first=first, keeper=KEEPER))
        worlds[-1].new_mail()
    worlds[0].reply(worlds[0].on_turn(), "RESEARCH any\nROLL OUT")
    yield worlds[0], worlds[1]
    for world in worlds:
        world.close()


def test_who_answers_a_letter_of_a_lost_turn_is_asked_to_write_again(restored: tuple[World, World]) -> None:
    lost, here = restored
    who = lost.on_turn()
    to = lost.last(who, "report").reply_to
    assert accepts(here.office, to) == "yes"
    (told,) = [mail for mail in here.write(who, "RESEARCH any", to) if mail.to == who]
    assert "Your letter answers one of mine of nw1 that I do not know: I was restored from a backup" in told.flat
    assert "in which nw1 stands at Turn 1: Spain (round 1). Nothing of your letter was taken." in told.flat
    assert "Write in reply to this letter" in told.flat
    assert told.subject.startswith("[nw1] ")
    assert accepts(here.office, told.reply_to) == "yes" and told.reply_to not in (to, ADDRESS)
    assert here.write(who, "HELP", told.reply_to)[-1].to == who


def test_the_keeper_hears_of_a_database_that_is_older_than_its_letters(restored: tuple[World, World]) -> None:
    lost, here = restored
    for who in (ANNA, BEN, CARLA, DAN):
        here.write(who, "HOLD", lost.last(who, "report").reply_to)
    (told,) = [mail for mail in here.all_mail() if mail.to == KEEPER]
    assert (
        "answered a letter of mine that I do not know; in my database nw1 stands at Turn 1: Spain (round 1)"
        in told.flat
    )
    assert "Tell the game master of nw1." in told.flat
    with here.store.look() as step:
        assert set_back_since(step, here.clock.now()) == {"nw1": here.clock.now()}
    here.clock.advance(timedelta(days=14))
    with here.store.look() as step:
        assert set_back_since(step, here.clock.now()) == {}


def test_a_guess_is_still_refused_at_the_door(restored: tuple[World, World]) -> None:
    _, here = restored
    for guess in ("nw1.aaaaaaaaaaaaaaaa", "nw1.k3x", "nw9.aaaaaaaaaaaaaaaa"):
        assert accepts(here.office, ADDRESS.replace("@", f"+{guess}@")) == "unknown"
