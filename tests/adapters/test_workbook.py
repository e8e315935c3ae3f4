"""Record sheets as workbooks, read back by another program's reader."""

from __future__ import annotations

import io
import zipfile

from openpyxl import load_workbook

from referee.adapters.pages.workbook import workbook
from referee.core.page import Grid, Sheet

GOODS = Grid(("What", "Number"), (("gold", 3), ("=1+1", -2), ("007", 0), ("http://x.example", 1)), "Goods", ("all", 5))
SHEET = Sheet("goods", "Goods of France", (GOODS, Grid(("Alone",), ())), None, ("A note.",))


def cells(data: bytes, name: str) -> list[tuple[object, ...]]:
    """The rows of a worksheet that hold anything."""
    page = load_workbook(io.BytesIO(data))[name]
    return [tuple(value for value in row if value is not None) for row in page.iter_rows(values_only=True) if any(row)]


def test_tables_stand_under_their_captions_with_totals_and_notes() -> None:
    assert cells(workbook([SHEET]), "Goods of France") == [
        ("Goods of France",), ("Goods",), ("What", "Number"), ("gold", 3), ("=1+1", -2), ("007", 0),
        ("http://x.example", 1), ("all", 5), ("Alone",), ("A note.",),
    ]  # fmt: skip


def test_what_a_player_wrote_is_text_and_numbers_are_numbers() -> None:
    page = load_workbook(io.BytesIO(workbook([SHEET])))["Goods of France"]
    kinds = {str(cell.value): cell.data_type for row in page.iter_rows() for cell in row}
    assert (kinds["=1+1"], kinds["007"], kinds["http://x.example"], kinds["-2"]) == ("s", "s", "s", "n")
    assert all(cell.hyperlink is None for row in page.iter_rows() for cell in row)


def test_worksheets_have_short_lawful_names_and_no_two_alike() -> None:
    long = "Arcadia: d. Economic and Military Record [of *all* turns?]"
    sheets = [Sheet("d", title, ()) for title in (long, long.upper(), "", "'/:", long)]
    names = load_workbook(io.BytesIO(workbook(sheets))).sheetnames
    assert names[0] == "Arcadia d. Economic and Militar"
    assert len({name.lower() for name in names}) == 5 and all(0 < len(name) <= 31 for name in names)


def test_equal_sheets_give_equal_bytes_whenever_they_are_made() -> None:
    first = workbook([SHEET])
    assert workbook([SHEET]) == first
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert {entry.date_time[0] for entry in packed.infolist()} == {1980}
        assert b"2000-01-01T00:00:00Z" in packed.read("docProps/core.xml")
