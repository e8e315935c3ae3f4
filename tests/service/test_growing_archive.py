"""The folder of a match grows with it: what is added letter by letter is what would be written at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.adapters.store.sql.log import Log
from referee.adapters.store.sql.reports_and_notes import Reports
from referee.bootstrap.mail_ways import publish
from referee.core.game import AnyGame
from referee.core.record import Entry
from referee.service.base.ports import Report
from referee.service.house import archive
from referee.service.match.playing import ReadLog, read_log
from tests.service.conftest import GINA, PLAYERS
from tests.table.test_other_programs import begun
from tests.world import World

LINES = ("log.jsonl", "reports.jsonl")


class Folder:
    """The folder of m1 as it grows, beside one that is written at once."""

    def __init__(self, world: World, root: Path) -> None:
        self.site, self._world, self._root, self._count = Site(root / "grown"), world, root, 0
        self.added = 0

    def line(self, name: str) -> Path:
        return self.site.root / "m1" / name

    def published(self) -> None:
        """Both are written now, and are the same."""
        self.added += self.site.grown("m1") is not None
        self._count += 1
        whole = self._root / str(self._count)
        publish(self._world.office, self.site, "m1")
        publish(self._world.office, Site(whole), "m1")
        assert files(self.site.root) == files(whole)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def folder(world: World, tmp_path: Path) -> Folder:
    return Folder(world, tmp_path)


def test_letter_by_letter_it_is_what_it_would_be_at_once(world: World, folder: Folder) -> None:
    begun(world, "newworld", "")
    for number in range(6):
        world.reply(PLAYERS[0], "STATUS")
        folder.published()
        world.reply(world.on_turn("m1"), "ROLL OUT" if number % 2 else "BUY food 1\nROLL OUT")
        folder.published()
    assert folder.added == 11


def test_after_a_rewind_and_when_it_is_taken_back(world: World, folder: Folder) -> None:
    begun(world, "newworld", "")
    for _ in range(4):
        world.reply(world.on_turn("m1"), "ROLL OUT")
        folder.published()
    for letter in ("REWIND TO TURN 2", "FORWARD", "REWIND TO TURN 2"):
        world.reply(GINA, letter)
        folder.published()
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()


def test_what_was_hidden_is_told_when_it_is_over(world: World, folder: Folder) -> None:
    begun(world, "newworld", "")
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()
    hidden = folder.line("log.jsonl").read_bytes().count(b'"payload":null')
    world.reply(GINA, 'TERMINATE BECAUSE "it is late"')
    folder.published()
    assert hidden and b'"payload":null' not in folder.line("log.jsonl").read_bytes()


def test_lateness_that_is_hidden_from_now_on_is_hidden_in_what_is_there(world: World, folder: Folder) -> None:
    begun(world, "newworld", "")
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()
    told = folder.line("log.jsonl").read_bytes().count(b'"cause":null')
    world.reply(GINA, "CLOCK lateness hidden")
    folder.published()
    assert folder.line("log.jsonl").read_bytes().count(b'"cause":null') > told + 10
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()


@pytest.mark.parametrize("name", LINES)
def test_a_file_that_another_hand_has_changed_is_written_whole(world: World, folder: Folder, name: str) -> None:
    begun(world, "newworld", "")
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()
    for change in (b"", b"half a li"):
        folder.line(name).write_bytes(change)
        world.reply(world.on_turn("m1"), "ROLL OUT")
        folder.published()
    folder.line(name).unlink()
    folder.published()


def test_nothing_is_added_to_what_a_link_leads_to(world: World, folder: Folder, tmp_path: Path) -> None:
    begun(world, "newworld", "")
    folder.published()
    log, elsewhere = folder.line("log.jsonl"), tmp_path / "elsewhere"
    elsewhere.write_bytes(kept := log.read_bytes())
    log.unlink()
    log.symlink_to(elsewhere)
    world.reply(world.on_turn("m1"), "ROLL OUT")
    folder.published()
    assert elsewhere.read_bytes() == kept and not log.is_symlink()


def test_no_more_of_the_log_is_read_than_is_new(world: World, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(world, "newworld", "")
    for _ in range(6):
        world.reply(world.on_turn("m1"), "ROLL OUT")
    publish(world.office, folder.site, "m1")
    before, read = len(world.entries("m1")), list[int]()

    def counting(game: AnyGame, entries: Sequence[Entry]) -> ReadLog:
        read.append(len(entries))
        return read_log(game, entries)

    monkeypatch.setattr(archive, "read_log", counting)
    world.reply(world.on_turn("m1"), "ROLL OUT")
    publish(world.office, folder.site, "m1")
    assert read == [len(world.entries("m1")) - before]


def test_what_is_read_of_a_match_does_not_grow_with_it(
    world: World, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(world, "newworld", "")
    world.reply(world.on_turn("m1"), "BUY food 1\nROLL OUT")
    for _ in range(16):
        world.clock.advance(timedelta(hours=25))
        world.work()
        publish(world.office, folder.site, "m1")
    whole, maps = list[str](), list[int]()
    entries, report = Log.entries, Reports.report

    def read(log: Log, match: str, since: int = 0) -> list[Entry]:
        whole.extend([match] if since == 0 else [])
        return entries(log, match, since)

    def shown(reports: Reports, match: str, turn: int, reader: str, epoch: int | None = None) -> Report | None:
        maps.append(turn)
        return report(reports, match, turn, reader, epoch)

    def every(reports: Reports, match: str) -> list[Report]:
        raise AssertionError("all reports of a match are read, with their maps")

    assert world.last(PLAYERS[0]).raw  # written out before it is counted what is read
    monkeypatch.setattr(Log, "entries", read)
    monkeypatch.setattr(Reports, "report", shown)
    monkeypatch.setattr(Reports, "reports", every)
    world.reply(PLAYERS[0], "STATUS\nHISTORY")
    publish(world.office, folder.site, "m1")
    assert (whole, maps) == ([], [15, 16])


_ON_FILE = {"newworld": "STANDING\nRESEARCH any\nEND", "war27": "LUCK clover", "empire": "LUCK clover"}


@pytest.mark.parametrize("game", _ON_FILE)
@pytest.mark.parametrize("how", ["", "lateness hidden", "anonymous yes"])
def test_it_tells_nobody_who_has_filed(world: World, tmp_path: Path, game: str, how: str) -> None:
    """The log up to what everybody was told, as letters quote it: neither a line more, nor when it came, nor a larger number."""
    begun(world, game, "")
    if how:
        world.reply(GINA, f"CLOCK {how}")
    shown = []
    for number in range(2):
        before = len(world.entries("m1"))
        if number:
            world.reply(PLAYERS[0], _ON_FILE[game])
            assert len(world.entries("m1")) > before
        publish(world.office, Site(tmp_path / str(number)), "m1")
        shown.append({name: data for name, data in files(tmp_path / str(number)).items() if name.startswith("m1/")})
    assert shown[0] == shown[1]
    playing = world.playing("m1")
    assert shown[0]["m1/log.jsonl"].count(b"\n") == playing.told.seq + 1 <= playing.head.seq
