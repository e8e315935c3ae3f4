"""A backup every night, by who keeps house: made once, made up for, tried again, thinned out; and what the keeper hears of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.adapters.clock_and_secrets import FileClock
from referee.adapters.store.store import Store
from referee.bootstrap.backups_and_moves import Nights, back_up, note
from referee.bootstrap.offices import opened
from referee.config import Config, read
from referee.doctor import examine
from referee.service.base.note_values import BackedUp
from referee.service.intake.keepers_digest import concerns, send_digest
from tests.backup.commands import backed_up
from tests.kill.running import CONFIG, Running
from tests.torn import tear

BEGINS = datetime(2026, 11, 25, 18, 0, tzinfo=UTC)
SETTINGS = """
[referee]
address = "referee@games.example"
zone = "Europe/Berlin"
[clock]
file = "clock"
[gm]
keeper = "keeper@club.example"
[backup]
folder = "nights"
keep = 3
"""


class House:
    """A data folder with a match in it, its clock, and the nights of its service."""

    def __init__(self, home: Path, begun: Path) -> None:
        (home / "var").mkdir()
        shutil.copy(begun, home / "var" / "referee.sqlite")
        self.home, self.clock = home, FileClock(home / "clock")
        self.clock.set(BEGINS)
        self.config: Config = read(SETTINGS, home)
        self.store = Store(self.config.database_url)
        self.nights = Nights(self.config, self.store)
        self.nights.keeps_house = True

    @property
    def made(self) -> list[str]:
        folder = self.home / "nights"
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def at(self, day: int, hour: float) -> list[str]:
        """What stands once it has looked at this hour, UTC, of a day of November."""
        self.clock.set(datetime(2026, 11, day, tzinfo=UTC) + timedelta(hours=hour))
        self.nights.look()
        return self.made

    def concerns(self) -> list[str]:
        """What the digest has to say of backups."""
        with opened(self.config) as office, office.look() as at:
            return [concern.sentence for concern in concerns(at) if concern.kind == "backup"]

    def findings(self) -> list[tuple[bool, str]]:
        """What the doctor has to say of backups."""
        return [(finding.well, finding.sentence) for finding in examine(self.config) if finding.what == "backup"]


@pytest.fixture
def house(tmp_path: Path, databases: Path) -> Iterator[House]:
    made = House(tmp_path, databases / "begun.sqlite")
    yield made
    made.store.close()


def test_one_is_made_every_night_at_its_hour_in_the_zone_of_the_house(house: House) -> None:
    assert house.at(25, 18) == ["referee-2026-11-25T180000Z"], "the night before was missed"
    assert len(house.at(26, 1.9)) == 1
    assert house.at(26, 2)[1:] == ["referee-2026-11-26T020000Z"]
    assert len(house.at(26, 2.1)) == len(house.at(27, 1.9)) == 2


def test_a_night_that_was_missed_is_made_up_for(house: House) -> None:
    house.at(25, 18)
    assert house.at(28, 9)[1:] == ["referee-2026-11-28T090000Z"]
    assert house.at(29, 3)[2:] == ["referee-2026-11-29T030000Z"]


def test_older_ones_go_when_the_new_one_stands_and_nothing_else_does(house: House) -> None:
    (house.home / "nights" / "mine").mkdir(parents=True)
    for day in (25, 26, 27, 28):
        house.at(day, 18)
    assert house.made == ["mine", *(f"referee-2026-11-{day}T180000Z" for day in (26, 27, 28))]


def test_one_that_fails_leaves_the_others_and_is_tried_again_after_an_hour(house: House) -> None:
    house.at(25, 18)
    good = (house.home / "var" / "referee.sqlite").read_bytes()
    tear(house.home / "var" / "referee.sqlite", "letter_body")
    assert len(house.at(26, 18)) == 1
    (house.home / "var" / "referee.sqlite").write_bytes(good)
    assert len(house.at(26, 18.9)) == 1
    assert len(house.at(26, 19)) == 2


def test_whoever_does_not_keep_house_makes_none(house: House) -> None:
    house.nights.keeps_house = False
    assert house.at(25, 18) == []


def test_none_is_made_where_none_is_asked_for(house: House) -> None:
    for off in (SETTINGS.replace('folder = "nights"', ""), SETTINGS.replace("keep = 3", "keep = 0")):
        house.nights = Nights(read(off, house.home), house.store)
        house.nights.keeps_house = True
        assert house.at(25, 18) == []


def test_doctor_and_digest_say_when_the_last_one_was_made_and_warn_after_two_days(house: House) -> None:
    house.at(25, 18)
    assert house.concerns() == []
    (told, beside) = house.findings()
    where = str(house.home / "nights" / "referee-2026-11-25T180000Z")
    assert told[0] and told[1].startswith(f"The last good backup was made on Wed 25 Nov 2026, 18:00 UTC: {where} on ")
    assert beside[0] and "is on the disk of the data folder" in beside[1]
    house.clock.advance(timedelta(hours=49))
    (sentence,) = house.concerns()
    assert sentence.startswith("The last good backup was made on Wed 25 Nov 2026, 18:00 UTC")
    assert house.findings()[0] == (False, told[1])
    with opened(house.config) as office:
        assert send_digest(office)


def test_what_failed_and_why_is_said(house: House) -> None:
    with (house.home / "var" / "referee.sqlite-mailbag").open("wb") as bag:
        bag.truncate(10**13)
    assert house.at(25, 18) == []
    (sentence,) = house.concerns()
    assert (
        sentence.startswith("No backup could be made yet: A backup in ")
        and " MB are free there: make room." in sentence
    )
    (told, _) = house.findings()
    assert not told[0] and "It failed on 2026-11-25 18:00 UTC: A backup in " in told[1]


def test_too_little_room_is_said_before_the_next_one(house: House) -> None:
    note(house.config, BackedUp(BEGINS, "nights", size=10**15, host="pbem", free=2_000_000))
    (sentence,) = house.concerns()
    assert sentence == (
        "2 MB were free beside the last backup, which takes 1000000000 MB: make room, or keep fewer ([backup] keep)."
    )
    assert any("and a backup takes 1000000000 MB" in said for well, said in house.findings() if not well)


def test_a_backup_by_hand_counts_too(house: House) -> None:
    back_up(house.config, house.home / "by hand")
    assert "by hand on" in house.findings()[0][1]


def test_the_running_service_makes_them(tmp_path: Path, databases: Path) -> None:
    template = tmp_path / "template"
    (template / "var").mkdir(parents=True)
    shutil.copy(databases / "begun.sqlite", template / "var" / "referee.sqlite")
    FileClock(template / "clock").set(BEGINS)
    (template / "config.toml").write_text(CONFIG + '[backup]\nfolder = "nights"\nkeep = 1\n')
    service = Running(tmp_path / "running", template)
    try:
        nights = service.folder / "nights"
        service.until("the first", lambda: (nights / "referee-2026-11-25T180000Z" / "SHA256SUMS").is_file())
        service.clock.advance(timedelta(days=1))
        service.until("the second alone", lambda: [p.name for p in nights.iterdir()] == ["referee-2026-11-26T180000Z"])
        backed_up(service.folder, nights / "mine")
    finally:
        service.kill()
        service.buried()
