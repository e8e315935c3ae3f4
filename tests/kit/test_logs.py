"""The log as rows: nothing told is missing, and each row names its phase."""

from __future__ import annotations

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.page import Sheet
from referee.kit.reports import by_phase, chance_sheet, events_sheet


class Silent(Event, frozen=True):
    """An event that has nothing to say."""

    def sentence(self) -> str:
        return ""


DICE = Rolled("war/1", "Battle in Egypt", "x.war.1", 6, (3, 5))
CARDS = Drawn("deal", "A card", "x.cards.1", "event deck", ("Plague",))
HISTORY = (
    PhaseBegan("T1", "Turn 1"), DICE, Silent(), PhaseEnded("T1", "Turn 1"),
    PhaseBegan("T2", "Turn 2"), CARDS, PhaseEnded("T2", "Turn 2"),
)  # fmt: skip


def rows(sheet: Sheet) -> tuple[tuple[object, ...], ...]:
    (grid,) = sheet.grids
    return grid.rows


def test_beginnings_and_ends_are_keys_not_events() -> None:
    assert [key for key, _ in by_phase(HISTORY)] == ["T1", "T1", "T2"]


def test_what_says_nothing_has_no_row() -> None:
    told = rows(events_sheet(HISTORY, "Turn"))
    assert [row[0] for row in told] == ["T1", "T2"]
    assert told[0][1:] == ("Battle in Egypt: 2d6 = 3 5.", "x.war.1")


def test_dice_and_draws_with_purpose_and_result() -> None:
    assert rows(chance_sheet(HISTORY, "Turn", "bag")) == (
        ("T1", "Battle in Egypt", "x.war.1", "2d6", "3 5"),
        ("T2", "A card", "x.cards.1", "event deck", "Plague"),
    )
