"""SEND sheets AS csv or xlsx: files with what the sheets show, for every game, at the desk and at the machine."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from referee.core.names import Role
from referee.core.page import Grid, Sheet
from referee.service.turn.knowledge import Found, csv_bytes, enclosed, exported, stem_of
from referee.service.turn.reports import sheets_now
from tests.commands import app
from tests.service.conftest import ANNA, BEN, GINA, OTTO, begin
from tests.service.test_map import files
from tests.world import Mail, World


@pytest.fixture
def war(world: World) -> World:
    """The match w1 of War! begun."""
    world.write(GINA, "CREATE war27 AS w1")
    for player in (ANNA, BEN):
        world.write(player, "JOIN w1")
    world.reply(GINA, "START w1", kind="receipt")
    world.new_mail()
    return world


def shown(sheet: Sheet) -> list[list[str]]:
    """Every row of a sheet's tables, as text."""
    return [[str(cell) for cell in row] for grid in sheet.grids for row in (grid.columns, *grid.rows)]


def in_workbook(mail: Mail) -> dict[str, list[list[str]]]:
    """The rows of each worksheet of the letter's only workbook."""
    ((_, (kind, data)),) = [item for item in files(mail).items() if item[0].endswith(".xlsx")]
    assert kind == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    book = load_workbook(io.BytesIO(data))
    return {
        page.title: [[str(cell) for cell in row if cell is not None] for row in page.iter_rows(values_only=True)]
        for page in book
    }


def holds(rows: list[list[str]], sheet: Sheet) -> bool:
    """Whether every row that the sheet shows is among these; empty cells at a row's end are not kept in files."""
    have = [[cell for cell in row if cell] for row in rows]
    return all([cell for cell in row if cell] in have for row in shown(sheet))


def test_sheets_of_new_world_as_a_workbook(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    assert receipt.subject.startswith("[nw1] DONE")
    assert "A file goes with this letter: nw1-sheets.xlsx." in receipt.flat
    assert "Record sheet of" not in receipt.flat
    pages, sheets = in_workbook(receipt), match.told(sheets_now, "nw1", Role.OBSERVER)
    assert list(pages) == [sheet.title[:31] for sheet in sheets]
    for sheet in sheets:
        assert holds(pages[sheet.title[:31]], sheet), sheet.title


def test_sheets_of_war_as_a_workbook(war: World) -> None:
    receipt = next(mail for mail in war.reply(ANNA, "SEND sheets AS xlsx") if mail.is_a("receipt"))
    pages, sheets = in_workbook(receipt), war.told(sheets_now, "w1", Role.OBSERVER)
    assert len(pages) == len(sheets) >= 10
    for page, sheet in zip(pages.values(), sheets, strict=True):
        assert holds(page, sheet), sheet.title


def test_sheets_of_war_as_csv_one_file_a_sheet(war: World) -> None:
    receipt = next(mail for mail in war.reply(ANNA, "SEND sheets AS csv") if mail.is_a("receipt"))
    made = {name: data for name, (kind, data) in files(receipt).items() if kind == "text/csv"}
    sheets = war.told(sheets_now, "w1", Role.OBSERVER)
    assert len(made) == len(sheets)
    for data, sheet in zip(made.values(), sheets, strict=True):
        assert holds(list(csv.reader(io.StringIO(data.decode()))), sheet), sheet.title
    assert "w1-sheets-standings.csv" in made


def test_the_same_question_has_the_same_bytes_for_an_answer(match: World) -> None:
    first, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    match.wait(hours=1)
    again, *_ = match.reply(ANNA, "SEND sheets AS xlsx")
    assert files(first)["nw1-sheets.xlsx"] == files(again)["nw1-sheets.xlsx"]


def test_sheets_of_one_seat_after_a_past_turn(match: World) -> None:
    match.reply(match.on_turn(), "ROLL OUT")
    match.reply(match.on_turn(), "ROLL OUT")
    receipt, *_ = match.reply(ANNA, "SEND sheets OF Holland TURN 1 AS csv")
    names = [name for name in files(receipt) if name.endswith(".csv")]
    assert names[0] == "nw1-sheets-Holland-turn-1-Holland.csv"
    assert not any("France" in name for name in names)


def test_the_log_goes_as_a_workbook_too(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND log AS xlsx")
    assert "Every die and every draw" in in_workbook(receipt)


def test_what_cannot_be_made_is_refused(match: World) -> None:
    receipt, *_ = match.reply(ANNA, "SEND sheets TURN 77 AS xlsx")
    assert "There is no report of turn 77" in receipt.flat
    match.reply(match.on_turn(), "ROLL OUT")
    receipt, *_ = match.reply(ANNA, "SEND report AS xlsx")
    assert "Only sheets and log are made as xlsx; write SEND report or SEND report AS json." in receipt.flat
    receipt, *_ = match.reply(ANNA, "SEND sheets AS pdf")
    assert "NOTHING USABLE" in receipt.subject and not files(receipt).keys() & {"nw1-sheets.pdf"}


def test_anybody_at_the_front_door_may_have_them(match: World) -> None:
    (answer,) = match.vouched(OTTO, "SEND sheets OF nw1 AS csv")
    assert sum(name.endswith(".csv") for name in files(answer)) == len(match.told(sheets_now, "nw1", Role.OBSERVER))
    (answer,) = match.vouched(OTTO, "SEND standings OF nw1 AS csv")
    assert "Only sheets and log" in answer.flat


def test_tables_of_a_sheet_stand_one_under_the_other_and_nothing_is_a_formula() -> None:
    one = Grid(("What",), (("=HYPERLINK(1)",), ("-3",), ("-x",), (-3,)), "One", ("all",))
    assert csv_bytes([one]).decode().splitlines() == ["What", "'=HYPERLINK(1)", "-3", "'-x", "-3", "all"]
    assert csv_bytes([one, Grid(("B",), ())]).decode().splitlines()[-3:] == ["", '""', "B"]


def test_names_of_files_are_plain_and_no_two_alike(world: World) -> None:
    sheets = tuple(Sheet("a", title, (), None) for title in "xyz")
    made = exported(world.office.renderer, Found(sheets=sheets), "csv", stem_of("w1", "sheets", 3, "Dar al-Bayda"))
    stem = "w1-sheets-Dar-al-Bayda-turn-3"
    assert [file.name for file in made] == [f"{stem}-a.csv", f"{stem}-a_2.csv", f"{stem}-a_3.csv"]
    assert enclosed(made).startswith("3 files go with this letter:")


def test_the_command_line_writes_the_same_files(tmp_path: Path, databases: Path) -> None:
    settings = tmp_path / "config.toml"
    (tmp_path / "data").mkdir()
    world = World(tmp_path / "data")
    begin(world)
    receipt, *_ = world.reply(ANNA, "SEND sheets AS xlsx")
    world.close()
    url = f"sqlite:///{tmp_path / 'data' / 'referee.sqlite'}"
    settings.write_text(f'[database]\nurl = "{url}"\n')
    arguments = ["--to", str(tmp_path / "out"), "--config", str(settings)]
    ran = CliRunner().invoke(app, ["show", "sheets", "nw1", "--as", "xlsx", *arguments])
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "out" / "nw1-sheets.xlsx").read_bytes() == files(receipt)["nw1-sheets.xlsx"][1]
    ran = CliRunner().invoke(app, ["show", "log", "nw1", "--as", "csv", *arguments])
    assert (tmp_path / "out" / "nw1-log-dice.csv").read_text("utf-8").startswith("Turn,Purpose")
    ran = CliRunner().invoke(app, ["show", "log", "nw1", "--as", "pdf", *arguments])
    assert ran.exit_code == 1
