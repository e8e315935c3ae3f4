"""What players meet after a restore: one letter with their new deadline, other dice, and no answer taken to a lost question."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.adapters.incoming.mailbag import Mailbag
from referee.adapters.store.store import Store
from referee.bootstrap.backups_and_moves import back_up
from referee.bootstrap.mail_ways import accepts
from referee.bootstrap.restoration import proved, restore
from referee.config import Config, read
from referee.core.record import Overrode, Pledged, Sealed
from referee.service.base import notes
from referee.service.base.ports import LetterIn
from referee.service.intake.counter import replay_at_the_counter
from referee.service.intake.downtime import beat, tell_of_restore
from tests.service.conftest import GINA, PLAYERS
from tests.world import ADDRESS, BEGINS, World

LOST_AFTER = timedelta(hours=6)


def house(folder: Path) -> Config:
    return read(
        f'[referee]\naddress = "{ADDRESS}"\ndata = "."\n[clock]\nfile = "../clock"\n[imap]\nhost = "mail.example"\n',
        folder,
    )


class Fate:
    """A referee that was backed up, went on and was lost, and the one that was restored from the backup."""

    def __init__(self, folder: Path, begun: Path) -> None:
        self._folder, self._restored = folder, 0
        (folder / "before").mkdir()
        shutil.copy(begun, folder / "before" / "referee.sqlite")
        self.lost = World(folder / "before", first=1000)
        self.lost.new_mail()
        self._backup = self.backed_up()
        self.here = self.lost

    def backed_up(self) -> Path:
        (self._folder / "clock").write_text(self.lost.clock.now().isoformat())
        return back_up(house(self._folder / "before"), self._folder / "backup").folder

    def befalls(self) -> World:
        """Six hours after the backup was made the disk is lost; what is restored has told everybody."""
        self._restored += 1
        home = self._folder / f"after{self._restored}"
        home.mkdir()
        now = BEGINS + LOST_AFTER * self._restored
        (self._folder / "clock").write_text(now.isoformat())
        manifest, left = restore(self._backup, house(home), aside=False)
        assert left == () and [each.trouble for each in proved(house(home), manifest, lost=True)] == [""]
        world = World(home, first=1000 + 1000 * self._restored)
        world.clock.advance(now - world.clock.now())
        with world.store.look() as step:
            world.office = replace(world.office, restores=notes.RESTORED.of().read(step) or ())
        world.new_mail()
        if self.here is not self.lost:
            self.here.close()
        self.here = world
        return world

    def close(self) -> None:
        self.lost.close()
        self.here.close()


@pytest.fixture
def fate(tmp_path: Path, databases: Path) -> Iterator[Fate]:
    made = Fate(tmp_path, databases / "begun.sqlite")
    yield made
    made.close()


def test_everybody_is_told_once_with_the_deadline_moved_by_the_time_since_the_backup(fate: Fate) -> None:
    here = fate.befalls()
    (before,) = here.alarms("deadline")
    assert tell_of_restore(here.office)
    mails = here.new_mail()
    assert sorted(mail.to for mail in mails) == sorted({*PLAYERS, GINA})
    (alarm,) = here.alarms("deadline")
    assert alarm.due_at == before.due_at + LOST_AFTER
    said = mails[0].flat
    assert "I know this match as it was on Sat 21 Nov 2026, 12:00 UTC, at Turn 1: Spain (round 1)." in said
    assert "letters that still lie in my mailbox I read again now" in said
    assert "now has until Sun 22 Nov 2026, 18:00 UTC; it was Sun 22 Nov 2026, 12:00 UTC." in said
    assert not tell_of_restore(here.office) and not beat(here.office) and here.work() == []


def test_who_owes_orders_finds_his_sheet_in_that_letter_and_can_reply_to_it(fate: Fate) -> None:
    here = fate.befalls()
    tell_of_restore(here.office)
    here.new_mail()
    who = here.on_turn()
    assert "RESEARCH" in here.last(who).text
    here.reply(who, "RESEARCH any\nROLL OUT")
    assert here.playing().turn == 2


def test_the_log_says_that_it_was_restored_and_commits_to_new_secrets(fate: Fate) -> None:
    here = fate.befalls()
    chains = len(here.log(Pledged))
    tell_of_restore(here.office)
    (override,) = [each for each in here.log(Overrode) if each.restores]
    assert override.action == "RESTORED from the backup of 2026-11-21T12:00:00Z"
    assert len(here.log(Pledged)) == chains + 1
    here.reply(here.on_turn(), "RESEARCH any\nROLL OUT")
    assert [seal.chain for seal in here.log(Sealed) if not seal.hidden][-1] == here.log(Pledged)[-1].chain
    found = replay_at_the_counter(here.office, "nw1")
    assert found is not None and found.sound, found


def test_no_secret_that_was_told_with_lost_dice_serves_again(fate: Fate) -> None:
    fate.lost.reply(fate.lost.on_turn(), "RESEARCH any\nROLL OUT")
    here = fate.befalls()
    tell_of_restore(here.office)
    here.reply(here.on_turn(), "RESEARCH any\nROLL OUT")
    lost, now = ([(seal.chain, seal.link) for seal in world.log(Sealed) if seal.link] for world in (fate.lost, here))
    before = [(seal.chain, seal.link) for seal in here.log(Sealed)[: len(lost)] if seal.link]
    assert set(lost) - set(before) and not (set(lost) - set(before)) & set(now)


def test_an_answer_to_a_lost_turn_is_not_taken_for_one_to_the_turn_of_that_number_now(fate: Fate) -> None:
    lost = fate.lost
    lost.reply(lost.on_turn(), "RESEARCH any\nROLL OUT")
    who = lost.on_turn()
    to = lost.last(who, "report").reply_to
    here = fate.befalls()
    tell_of_restore(here.office)
    here.reply(here.on_turn(), "RESEARCH any\nROLL OUT")
    assert here.playing().turn == 2 and here.on_turn() == who
    assert accepts(here.office, to) == "yes"
    (told,) = here.write(who, "RESEARCH any\nROLL OUT", to)
    assert "Your letter answers one of mine of nw1 that I do not know" in told.flat
    assert (
        "restored from a backup of Sat 21 Nov 2026, 12:00 UTC, in which nw1 stands at Turn 1: Spain (round 1)"
        in told.flat
    )
    assert here.playing().turn == 2
    here.write(who, "RESEARCH any\nROLL OUT", told.reply_to)
    assert here.playing().turn == 3


def test_letters_after_a_restore_have_other_numbers_than_lost_ones(fate: Fate) -> None:
    """Mail programs show one letter of those that have the same Message-ID, and the calendar entry of the highest number."""
    before = {mail.message_id for mail in fate.lost.all_mail()}
    for world in (fate.lost, fate.befalls()):
        tell_of_restore(world.office)
        world.reply(world.on_turn(), "RESEARCH any\nROLL OUT")
    ids = [{mail.message_id for mail in world.all_mail()} for world in (fate.lost, fate.here)]
    assert ids[0] & ids[1] <= before and len(ids[1] - ids[0]) >= 5


def test_after_a_second_restore_too(fate: Fate) -> None:
    first = fate.befalls()
    tell_of_restore(first.office)
    first.reply(first.on_turn(), "RESEARCH any\nROLL OUT")
    who = first.on_turn()
    lost = first.last(who).reply_to
    here = fate.befalls()
    tell_of_restore(here.office)
    assert len(here.office.restores) == 1, "the backup is older than the first restore"
    assert accepts(here.office, lost) == "unknown", "what nobody noted cannot be known"
    assert here.reply(here.on_turn(), "RESEARCH any\nROLL OUT")


@pytest.fixture
def paused(tmp_path: Path, databases: Path) -> Iterator[Fate]:
    """The match was paused when the backup was made."""
    folder = tmp_path / "paused"
    folder.mkdir()
    shutil.copy(databases / "begun.sqlite", folder / "referee.sqlite")
    world = World(folder, first=500)
    world.new_mail()
    world.reply(GINA, 'PAUSE BECAUSE "tea"')
    world.close()
    made = Fate(tmp_path, folder / "referee.sqlite")
    yield made
    made.close()


def test_a_match_that_is_paused_is_told_and_stays_so(paused: Fate) -> None:
    here = paused.befalls()
    assert tell_of_restore(here.office)
    assert {mail.to for mail in here.new_mail()} == {*PLAYERS, GINA}
    assert here.status() == "paused" and here.alarms("deadline") == []
    here.reply(GINA, "RESUME")
    assert here.status() == "running" and len(here.alarms("deadline")) == 1


@pytest.mark.parametrize("carried", [False, True])
def test_a_letter_in_the_mailbag_comes_back_and_counts_once(tmp_path: Path, databases: Path, carried: bool) -> None:
    """Whether the desk has not taken it yet, or has taken it and not thrown it out of the bag."""
    before, after = tmp_path / "before", tmp_path / "after"
    for home in (before, after):
        home.mkdir()
    shutil.copy(databases / "begun.sqlite", before / "referee.sqlite")
    (tmp_path / "clock").write_text(BEGINS.isoformat())
    bag, store = Mailbag(before / "referee.sqlite-mailbag"), Store(house(before).database_url)
    letter = LetterIn(0, "lmtp:1", BEGINS, GINA, ADDRESS, f"From: {GINA}\r\n\r\nGAMES\r\n".encode())
    with bag.step() as step:
        step.receive([letter])
    if carried:
        assert bag.empty_into(store) == 1
    made = back_up(house(before), tmp_path / "backup").folder
    bag.close()
    store.close()
    restore(made, house(after), aside=False)
    bag, store = Mailbag(after / "referee.sqlite-mailbag"), Store(house(after).database_url)
    bag.empty_into(store)
    with store.look() as step:
        assert [row.transport for row in step.letters("new")] == ["lmtp:1"]
    bag.close()
    store.close()
