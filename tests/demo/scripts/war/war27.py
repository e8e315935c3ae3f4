"""The demo of War! Version 27: a match of four players by letter, its battles decided round by round by mail."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.running import House
from referee.demo.table import Show, Unexpected, need
from tests.demo.scripts.war.match import Edition, play_edition, tell_decisions
from tests.demo.scripts.war.table import WarTable
from tests.demo.scripts.war.war27_acts import ACTS, MANNERS

LAST_TURN = 2
"""The turn after which the match ends, unless somebody is eliminated before."""

MOST_TURNS = 1 + LAST_TURN * 8 + LAST_TURN - 1
"""The set-up, two rounds of movement for four players a turn, and productions from turn 2 on."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    return play_edition(house, show, _EDITION)


# ---------------------------------------------------------------- what must have happened


def _look_back(table: WarTable, invasion: Letter) -> None:
    """The reports say that it happened: the interception, the battle decided by letter, the sphere."""
    show = table.show
    need(invasion, "Green intercepts Red's fleets in Eastern Mediterranean", "Battle of France")
    admirals = table.report_of(table.seats["Green"], table.invaded)
    need(admirals, "was decided by standing orders")
    show.got(table.seats["Green"].name, admirals, "Decided without a letter", 12)
    show.got(table.watcher.name, invasion, "Naval battle", 12)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    tell_decisions(table, "casualties", "retreat")
    placed = table.spheres()
    if not placed:
        raise Unexpected("None of the explorers placed a sphere of influence.")
    show.good(f"{placed[0]} {len(placed)} were placed in all.")


_EDITION = Edition("war27", "War! Age of Imperialism, Version 27", "w27", LAST_TURN, MANNERS, ACTS, _look_back)
