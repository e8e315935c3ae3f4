"""A fault never wedges a match: the others go on, letters to this one are kept, and its game master has a way out by letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee import games as all_games
from referee.core.event import PhaseBegan
from referee.core.game import AnyGame
from referee.core.record import Renewed, Rewound
from referee.games.newworld import phases
from referee.games.newworld.events import EventCame
from referee.games.newworld.game import NewWorld
from referee.service.base.office import At
from referee.service.intake.counter import at_the_counter
from referee.service.intake.downtime import look_after_all
from referee.service.intake.health import Around, health
from referee.service.intake.keepers_digest import concerns
from referee.service.match import playing
from tests.service.conftest import GINA, PLAYERS, begin, begin_empire
from tests.world import BEGINS, Mail, World, asks_for_yes

Start = Callable[[str], list[Mail]]
"""Another program is started, of which the rules have this fingerprint; what it writes at once."""

SOUND = phases.event_phase.__code__


def _broken(*_: Any) -> Any:
    yield from ()
    raise KeyError("a mistake of the new version")


def breaks() -> None:
    """The next version has a mistake in the event phase."""
    phases.event_phase.__code__ = _broken.__code__


def mends() -> None:
    phases.event_phase.__code__ = SOUND


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, world: World) -> Any:
    """Two matches. In the first the event is rolled and research is asked about; the second waits for its first sheet."""
    begin(world, "WITH mode two_step")
    begin(world, "WITH mode two_step", match="nw2")

    def started(build: str) -> list[Mail]:
        monkeypatch.setattr(NewWorld, "build", build)
        playing._CACHE.clear()
        world.office = replace(world.office, build=build)
        look_after_all(world.office)
        return world.work()

    started("sound")
    answer(world, world.player("Spain"), "HIRE 1 worker\nROLL OUT")
    yield started
    mends()


@pytest.fixture
def stuck(start: Start, world: World) -> World:
    breaks()
    start("broken")
    return world


def answer(world: World, sender: str, body: str, match: str = "nw1") -> list[Mail]:
    """Reply to the last letter of a match that came to this address, and say YES where that is asked for."""
    last = next(mail for mail in reversed(world.all_mail()) if mail.to == sender and f"+{match}" in mail.reply_to)
    mails = world.write(sender, body, last.reply_to, f"Re: {last.subject}", In_Reply_To=last.message_id)
    asked = [mail for mail in mails if mail.to == sender and asks_for_yes(mail)]
    return [m for m in mails if m not in asked] + [m for q in asked for m in world.write(sender, "YES", q.reply_to)]


def test_a_program_that_changes_nothing_is_noted_and_nobody_is_written_to(start: Start, world: World) -> None:
    before = len(world.log(Renewed))
    assert start("another") == []
    assert len(world.log(Renewed)) == before + 1
    began = [event.build for event in world.playing().outcome.events if isinstance(event, PhaseBegan)]
    assert began == ["another"]
    assert start("another") == [] and len(world.log(Renewed)) == before + 1


def test_the_game_master_is_told_and_the_other_matches_go_on(start: Start, world: World) -> None:
    breaks()
    told = start("broken")
    assert [(mail.to, mail.subject) for mail in told] == [(GINA, "[nw1] the match stands still")]
    assert "a mistake of the new version" in told[0].flat and "REWIND" in told[0].flat
    assert (world.status("nw1"), world.status("nw2")) == ("shunted", "running")
    (receipt,) = answer(world, world.on_turn("nw2"), "HIRE 1 worker", "nw2")
    assert "Hire 1 worker" in receipt.flat and world.status("nw2") == "running"


def test_a_turn_that_breaks_at_its_deadline_is_played_by_the_next_program(start: Start, world: World) -> None:
    seat = world.waits_for("nw2")
    breaks()
    start("broken")
    told = world.wait(hours=30)
    assert (GINA, "[nw2] the match stands still") in [(mail.to, mail.subject) for mail in told]
    assert (world.status("nw2"), world.closed("nw2")) == ("shunted", [])
    mends()
    told = start("mended")
    assert world.status("nw2") == "running"
    assert [answer.seat for answer in world.closed("nw2")][:1] == [seat]
    assert {mail.to for mail in told} >= {GINA, *PLAYERS}


def test_a_letter_is_kept_told_of_once_and_done_when_the_program_is_mended(stuck: World, start: Start) -> None:
    (told,) = answer(stuck, stuck.player("Spain"), "CHOOSE none\nROLL OUT")
    assert told.subject == "[nw1] your letter is kept" and "you need not send it again" in told.flat
    (held,) = stuck.letters("held")
    mends()
    start("mended")
    assert stuck.status() == "running" and stuck.letters("held") == []
    with stuck.store.look() as step:
        again = step.letter(held.id)
    assert again is not None and again.status == "done"
    assert any(answer.seat == "Spain" for answer in stuck.closed())


def test_status_says_what_is_wrong_to_the_game_master_alone(stuck: World) -> None:
    (mine,) = answer(stuck, GINA, "Hi referee,\nSTATUS\nGina")
    (his,) = answer(stuck, stuck.player("Spain"), "STATUS")
    assert "a mistake of the new version" in mine.flat and "REWIND" in mine.flat
    assert "a mistake" not in his.flat and "stands still" in his.flat and "goes on by itself" in his.flat


def test_the_game_master_rewinds_it_by_letter_and_it_is_played_on(stuck: World) -> None:
    answer(stuck, GINA, "REWIND TO TURN 1 BECAUSE the event phase is broken")
    assert len(stuck.log(Rewound)) == 1 and stuck.status() == "running"
    assert stuck.playing().row.trouble == "" and stuck.waits_for()


def test_the_keeper_rewinds_it_at_the_machine(stuck: World) -> None:
    said = at_the_counter(stuck.office, "nw1", "STATUS", "the keeper")
    assert "a mistake of the new version" in " ".join(said.sentences)
    refused = at_the_counter(stuck.office, "nw1", "ROLL OUT Spain BECAUSE he is away", "the keeper")
    assert not refused.granted and "stands still" in " ".join(refused.sentences)
    assert at_the_counter(stuck.office, "nw1", "REWIND TO TURN 1 BECAUSE it is broken", "the keeper").granted
    assert stuck.status() == "running"


def test_resume_says_why_it_does_not_go_on_yet(stuck: World) -> None:
    (said,) = answer(stuck, GINA, "RESUME nw1 BECAUSE I hope")
    assert "cannot be run on yet" in said.flat and stuck.status() == "shunted"


def test_an_announcement_goes_out_and_stands_in_the_log(stuck: World, start: Start) -> None:
    told = answer(stuck, GINA, "ANNOUNCE A mistake stopped us; the keeper is at it.")
    assert {mail.to for mail in told} >= set(PLAYERS)
    mends()
    start("mended")
    assert stuck.status() == "running"


def test_a_letter_that_broke_the_program_is_tried_again_by_the_next(start: Start, world: World) -> None:
    seat = world.waits_for("nw2")
    answer(world, world.on_turn("nw2"), "HIRE 1 worker", "nw2")
    breaks()
    start("broken")
    (told,) = answer(world, world.on_turn("nw2"), "ROLL OUT", "nw2")
    (kept,) = world.letters("shunted")
    assert "tried again" in told.flat and "need not send it again" in told.flat
    mends()
    start("mended")
    assert world.letters("shunted") == []
    assert kept.verdict and any(answer.seat == seat for answer in world.closed("nw2"))


def test_an_event_that_the_rules_know_no_more_is_left_behind_by_a_rewind(
    start: Start, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in a phase that ended, so no phase can be played anew for it."""
    for _ in range(len(PLAYERS)):
        world.wait(days=2)
    assert world.playing().turn == 2
    known = tuple(kind for kind in NewWorld.events if kind is not EventCame)
    monkeypatch.setattr(NewWorld, "events", known)
    monkeypatch.setattr(playing, "_CODECS", {})
    told = [mail.flat for mail in start("without it") if "[nw1] the match stands still" in mail.subject]
    assert "EventCame" in told[0] and world.status() == "shunted"
    (refused,) = answer(world, GINA, "REWIND TO TURN 2 BECAUSE it is broken")
    assert "Turn 2 cannot be reached; turns that can be rewound to: 0 to 1." in refused.flat
    answer(world, GINA, "REWIND TO TURN 1 BECAUSE it is broken")
    assert world.status() == "running" and world.playing().turn == 1 and world.waits_for()


def test_a_player_who_waits_for_nothing_here_is_answered_in_his_other_match(stuck: World) -> None:
    """A match that cannot be read keeps no letter of another from being answered."""
    (who,) = answer(stuck, stuck.player("Spain"), "STATUS", "nw2")
    assert "nw2 is running" in who.flat
    (who,) = stuck.write(stuck.player("Spain"), "WHO nw1")
    assert "nw1" in who.flat


@pytest.fixture
def unloaded(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Mail]]:
    """A match of New World, one of Empire, and one of New World that forms; New World breaks while the next program loads it.
    Handed is the program after that, in which it is mended."""
    begin(world)
    begin_empire(world, "c2r2, c6r6")
    world.write(GINA, "CREATE newworld AS nw9")
    sound = world.office.games

    def started(games: Mapping[str, AnyGame], build: str) -> list[Mail]:
        playing._CACHE.clear()
        world.office = replace(world.office, build=build, games=games)
        look_after_all(world.office)
        return world.work()

    started(sound, "sound")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "game.py").write_text(
        "GAME = {'worker': 2}['colonist']  # one table has a name that another does not"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(all_games, "_folders", lambda: {"newworld": "torn"})
    started(dict(sound) | {"newworld": all_games.BY_NAME["newworld"]}, "torn")
    return lambda: started(sound, "mended")


def test_matches_of_a_game_that_cannot_be_loaded_stand_still_and_go_on_when_it_is_mended(
    unloaded: Callable[[], list[Mail]], world: World
) -> None:
    assert (world.status("nw1"), world.status("emp1")) == ("shunted", "running")
    told = next(mail for mail in world.all_mail() if mail.subject == "[nw1] the match stands still")
    assert told.to == GINA and "newworld cannot be loaded" in told.flat
    (kept,) = answer(world, world.player("Spain"), "HIRE 1 worker\nROLL OUT")
    assert kept.subject == "[nw1] your letter is kept"
    (status,) = answer(world, world.player("England"), "STATUS")
    assert "stands still" in status.flat
    before = len(world.entries())
    world.wait(days=3)
    assert len(world.entries()) == before and not world.closed("nw1")
    told_again = unloaded()
    assert world.status("nw1") == "running" and world.letters("held") == []
    assert [answer.seat for answer in world.closed("nw1")][:1] == ["Spain"]
    assert {mail.to for mail in told_again} >= {GINA, *PLAYERS}


def test_the_keeper_is_told_of_a_game_that_cannot_be_loaded_and_nobody_begins_one(
    unloaded: Callable[[], list[Mail]], world: World
) -> None:
    for wish in ("CREATE newworld AS nw3", "JOIN nw9"):
        assert "newworld cannot be loaded" in world.write(GINA, wish)[0].flat, wish
    assert "newworld cannot be loaded" in answer(world, GINA, "START nw9", "nw9")[0].flat
    assert "newworld cannot be loaded" in world.write(GINA, "GAMES")[0].flat
    with world.store.look() as step:
        (concern,) = [each for each in concerns(At(world.office, step)) if each.kind == "missing"]
        assert "newworld cannot be loaded" in concern.sentence
        assert any("newworld cannot be loaded" in said for said in health(BEGINS, step, Around(1), timedelta()).wrong)
    unloaded()
    with world.store.look() as step:
        assert not [each for each in concerns(At(world.office, step)) if each.kind == "missing"]
    assert "You are in nw9" in world.write(GINA, "JOIN nw9")[0].flat
