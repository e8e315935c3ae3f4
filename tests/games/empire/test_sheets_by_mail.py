"""Record sheets of Empire as players get them: by mail, of any player, for any past slot, as text, HTML and files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook

from referee.games.empire.game import EmpireGame
from referee.service.base.office import At
from referee.service.house import archive
from referee.service.house.documents import Wanted
from referee.service.house.match_pages import file_names
from referee.service.intake.counter import document_at_the_counter, replay_at_the_counter
from referee.service.turn.knowledge import Found, sheets_of
from tests.service.conftest import ANNA, BEN, GINA
from tests.service.test_map import files
from tests.world import Mail, World

MATCH = "e1"


@pytest.fixture
def empire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A match for two whose players have let the zero turn and a few slots pass."""
    monkeypatch.setattr("tests.world.GAMES", (EmpireGame(),))
    world = World(tmp_path)
    world.write(GINA, f"CREATE empire AS {MATCH} WITH board small, overdue auto")
    for player in (ANNA, BEN):
        world.write(player, f"JOIN {MATCH}")
    world.reply(GINA, f"START {MATCH}", kind="receipt")
    for _ in range(8):
        world.wait(hours=25)
    world.new_mail()
    yield world
    world.close()


def asked(world: World, line: str) -> Mail:
    """The receipt of a line of Anna's."""
    return next(mail for mail in world.reply(ANNA, line) if mail.is_a("receipt"))


def test_sheets_of_another_player_after_a_past_slot(empire: World) -> None:
    other = empire.seat(BEN, MATCH)
    receipt = asked(empire, f"SEND sheets OF {other} TURN 2")
    for title in ("a. Military Location", "b. City", "c. Turn", "d. Economic and Military Record", "e. Trade",
                  "f. Had-Used-Produced", "g. Items Not Listed Elsewhere", "h. Permanent Items Not Listed",
                  "i. Balkanization", "j. Road, Railroad, Power Line, Pipeline and Canal"):  # fmt: skip
        assert f"{other}: {title}" in receipt.flat and f"{other}: {title}" in receipt.html
    assert f"{empire.seat(ANNA, MATCH)}: a. Military" not in receipt.flat
    kept = document_at_the_counter(empire.office, MATCH, Wanted("sheets", 2, other))
    now = document_at_the_counter(empire.office, MATCH, Wanted("sheets", seat=other))
    assert isinstance(kept, Found) and isinstance(now, Found) and kept.sheets != now.sheets


def test_the_ten_sheets_as_a_workbook_and_as_csv(empire: World) -> None:
    mine = empire.seat(ANNA, MATCH)
    receipt = asked(empire, f"SEND sheets OF {mine} AS xlsx")
    book = load_workbook(io.BytesIO(files(receipt)[f"e1-sheets-{mine}.xlsx"][1]))
    assert sum(name.startswith(mine) for name in book.sheetnames) == 10
    stock = [
        row for row in book[f"{mine} f. Had-Used-Produced"].iter_rows(min_row=5, values_only=True) if row[5] is not None
    ]
    assert stock and all(had + made + traded - used == now for _, had, made, traded, used, now in stock)
    receipt = asked(empire, f"SEND sheets OF {mine} AS csv")
    assert f"e1-sheets-{mine}-{mine}-f.csv" in files(receipt)


def test_turn_letters_leave_out_sheets_with_nothing_on_them(empire: World) -> None:
    report = empire.last(ANNA, "report")
    mine = empire.seat(ANNA, MATCH)
    assert f"{mine}: f. Had-Used-Produced" in report.flat
    assert f"{mine}: h. Permanent Items" not in report.flat


def test_a_page_shows_a_sheet_or_leads_to_the_page_that_shows_it_as_it_is(
    empire: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_IN_FULL", 4)
    with empire.store.look() as step:
        row = step.match(MATCH)
        assert row is not None
        files = archive.archive_of(At(empire.office, step), row).files
        public = step.listed_reports(MATCH)
        kept = [step.report(MATCH, one.turn, "", one.epoch) for one in public]
    names, known = file_names(public), [{s.title: s for s in sheets_of(one)} for one in kept if one is not None]
    pages = [files[name].decode() for name in names]
    led = 0
    for at, (page, sheets) in enumerate(zip(pages, known, strict=True)):
        elsewhere = {
            f"{of}: {title}": names.index(there)
            for there, of, titles in re.findall(r'<p>As in <a href="(.+?)#sheets-(.+?)">.*?</a>: (.*?)\.</p>', page)
            for title in re.split(r", (?=[a-z]\. )", titles)
        }
        for title in sheets:
            there = elsewhere.get(title, at)
            assert (
                re.search(rf"<h2[^>]*>.*{re.escape(title)}</h2>", pages[there]) and known[there][title] == sheets[title]
            )
            assert there >= at - at % 4
        led += len(elsewhere)
    assert led > sum(map(len, known)) / 3


def test_the_match_replays_with_every_sheet(empire: World) -> None:
    found = replay_at_the_counter(empire.office, MATCH)
    assert found is not None and found.sound, found
