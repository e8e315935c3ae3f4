"""The course of a demo: whoever is asked replies as usual, or does what is to be shown; the master's reports are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.demo.asking import Asked
from referee.demo.client import Letter
from referee.demo.show import Table, Unexpected, is_farewell

TableOf = TypeVar("TableOf", bound=Table)
AskedOf = TypeVar("AskedOf", bound=Asked)


@dataclass(frozen=True)
class Act(Generic[TableOf, AskedOf]):
    """Something that is to be shown: what happens, and whether this is its moment."""

    perform: Callable[[TableOf, AskedOf], None]
    fits: Callable[[TableOf, AskedOf], bool]


def play_through(
    table: TableOf,
    asked: Callable[[], AskedOf | None],
    ordinary: Callable[[TableOf, AskedOf], None],
    acts: Sequence[Act[TableOf, AskedOf]] = (),
) -> Letter:
    """Let everybody reply until the match is over: the first act left that fits, else as usual; the farewell.

    Raises Unexpected when the match ends before every act was shown.
    """
    left, told = list(acts), 0
    while (now := asked()) is not None:
        told = _tell_reports(table, told)
        act = next((act for act in left if act.fits(table, now)), None)
        if act is not None:
            left.remove(act)
        (act.perform if act else ordinary)(table, now)
    _tell_reports(table, told)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended before these could be shown: {names}.")
    return next(letter for letter in table.master.letters if is_farewell(letter))


def _tell_reports(table: Table, told: int) -> int:
    """Show the subjects of the reports that came to the game master since; how many there are now."""
    reports = table.reports(table.master)
    for number, report in enumerate(reports[told:], told + 1):
        table.show.turn(number, report.subject)
    return len(reports)
