"""What a turn letter says: duty and time in its subject, and truly what changed in a record sheet."""

from __future__ import annotations

from referee.core.page import Cell, Grid, Sheet
from referee.service.base.letter_facts import Deadline, Duty, Frame
from referee.service.post import subjects
from referee.service.turn.reports import changed
from tests.service.conftest import PLAYERS
from tests.world import World


def framed(duty: Duty = "", left: str = "1 h 50 min") -> Frame:
    due = Deadline("Mon 23 Nov 2026, 18:00 CET", "Mon 23 Nov 2026, 17:00 UTC", left, "Mon 18:00") if duty else None
    return Frame("friday", "New World", "Turn 3", "Anna", "Spain", duty=duty, deadline=due)


SEATS = ("France", "Spain")


def report(duty: Duty, summary: str, title: str = "Turn 3: France (round 2)") -> str:
    return subjects.whole("friday", subjects.reported(framed(duty), title, summary, SEATS))


def test_who_owes_reads_it_first_and_what_happened_after_it() -> None:
    said = report("orders", "France claims Caribbean Tobacco.")
    assert said == "[friday] Your turn, Spain, by Mon 18:00 (France claims Caribbean Tobacco)"


def test_who_owes_nothing_reads_what_happened() -> None:
    assert report("", "France claims Tobacco.") == "[friday] Turn 3: France claims Tobacco"
    assert report("on file", "France claims Tobacco.") == "[friday] Turn 3: France claims Tobacco"


def test_a_subject_names_whose_turn_it_was_where_the_summary_does_not() -> None:
    assert report("", "1 coolie born.") == "[friday] Turn 3: France: 1 coolie born"
    assert report("", "Income: 3 PP.", "Turn 2: production") == "[friday] Turn 2: production: Income: 3 PP"


def test_a_long_subject_is_cut_at_a_word_or_a_sentence() -> None:
    long = report("orders", "France meets Discovery, advances Finance to 1 and claims South American Coffee.")
    assert long == "[friday] Your turn, Spain, by Mon 18:00 (France meets Discovery, advances…)"
    whole = report("orders", "France meets Disease. 37 colonial territories left to claim.")
    assert whole == "[friday] Your turn, Spain, by Mon 18:00 (France meets Disease)"
    for length in range(1, 200):
        said = report("orders", "word " * length)
        assert len(said) <= subjects.LONGEST and said.endswith(")")


def test_a_decision_is_asked_in_the_subject() -> None:
    said = subjects.asked(framed("answer"), "Which two infantry go?")
    assert said == "Your decision, Spain, by Mon 18:00: Which two infantry go?"


def test_a_reminder_says_what_is_still_owed_or_that_it_may_be_changed() -> None:
    assert subjects.reminder(framed("orders")) == "Still your turn, Spain: 1 h 50 min left (by Mon 18:00)"
    assert subjects.reminder(framed("answer")) == "Still your decision, Spain: 1 h 50 min left (by Mon 18:00)"
    said = subjects.reminder(framed("on file"))
    assert said == "Your orders are on file, Spain: 1 h 50 min left to change them (by Mon 18:00)"
    assert subjects.late(framed("orders", "now")) == "Still your turn, Spain: you are late"


def test_press_says_in_its_subject_that_its_reader_owes_something(match: World) -> None:
    player, seat = match.on_turn(), match.waits_for()
    writer = next(address for address in PLAYERS if address != player)
    match.reply(writer, f"PRESS TO {seat}\nHello there.\nEND")
    subject = match.last(player, "press").subject
    assert f"] Your turn, {seat}, by " in subject and subject.endswith(f"(press from {match.seat(writer)})")
    match.reply(player, "Hello yourself.", kind="press")
    assert f"] Your turn, {seat}, by " in match.last(player, "sent").subject
    assert match.last(writer, "press").subject == f"[nw1] press from {seat}"


# ---------------------------------------------------------------- record sheets that changed


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
