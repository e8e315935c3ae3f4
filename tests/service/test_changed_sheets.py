"""A turn letter shows of a record sheet what is not as its reader last had it, and says truly what is gone."""

from __future__ import annotations

from referee.core.page import Cell, Grid, Sheet
from referee.service.turn.reports import changed

_COLUMNS = ("Region", "Units", "Buildings")
_STOCK = ("City", "What", "Number")
_FLEETS = ("Owner", "Fleet", "Sea area")


def sheet(*rows: tuple[Cell, ...], columns: tuple[str, ...] = _COLUMNS, total: tuple[Cell, ...] | None = None) -> Sheet:
    return Sheet("one", "Regions of Red", (Grid(columns, rows, "Regions", total),))


FRANCE = ("France", "5 infantry, 1 general", "")
GERMANY = ("Germany", "6 infantry, 1 cavalry", "city")
SPAIN = ("Spain", "1 infantry", "")


def test_a_line_that_changed_is_shown_and_is_not_gone() -> None:
    left = ("Germany", "1 infantry", "city")
    shown = changed((sheet(FRANCE, left),), (sheet(FRANCE, GERMANY),))
    (news,) = shown.sheets
    assert news.grids[0].rows == (left,) and not news.notes and shown.part


def test_a_line_that_is_no_more_is_named() -> None:
    (news,) = changed((sheet(FRANCE, SPAIN),), (sheet(FRANCE, GERMANY),)).sheets
    assert news.grids[0].rows == (SPAIN,) and news.notes == ("No longer there: Germany.",)
    (less,) = changed((sheet(FRANCE),), (sheet(FRANCE, GERMANY),)).sheets
    assert not less.grids and less.notes == ("No longer there: Germany.",)


def test_another_number_is_no_loss_and_a_fleet_goes_by_its_number() -> None:
    before = sheet(("Aurora", "food", 3), ("Aurora", "Bm", 9), columns=_STOCK)
    after = sheet(("Aurora", "food", 2), columns=_STOCK)
    (news,) = changed((after,), (before,)).sheets
    assert news.grids[0].rows == (("Aurora", "food", 2),) and news.notes == ("No longer there: Aurora Bm.",)
    fleets = sheet(("Red", 5, "Red Sea"), ("Red", 6, "Red Sea"), columns=_FLEETS)
    (lost,) = changed((sheet(("Red", 6, "Red Sea"), columns=_FLEETS),), (fleets,)).sheets
    assert lost.notes == ("No longer there: Red 5 Red Sea.",)


def test_what_is_summed_is_shown_whole() -> None:
    before = sheet(("regions", "", 40), ("city", "", 5), total=("Together", "", 45))
    after = sheet(("regions", "", 45), ("city", "", 5), total=("Together", "", 50))
    assert changed((after,), (before,)).sheets == (after,)


def test_an_unchanged_sheet_is_named_and_a_new_one_is_whole() -> None:
    same = changed((sheet(FRANCE),), (sheet(FRANCE),))
    assert not same.sheets and same.same == ("Regions of Red",) and not same.part
    assert changed((sheet(FRANCE),), ()).sheets == (sheet(FRANCE),)
