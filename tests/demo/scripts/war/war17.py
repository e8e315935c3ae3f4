"""The demo of War! Version 1.7: three players by letter; one leaves a battle plan, one fights turn by turn by mail."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.running import House
from referee.demo.table import Show, need
from tests.demo.scripts.war.match import Edition, play_edition, tell_decisions
from tests.demo.scripts.war.table import WarTable
from tests.demo.scripts.war.war17_acts import ACTS, MANNERS
from tests.demo.scripts.war.war17_orders import EMPIRES

LAST_TURN = 2
"""The turn after which the match ends."""

MOST_TURNS = 1 + LAST_TURN * (2 * len(EMPIRES) + 1)
"""The set-up, and in each turn two rounds of movement for three players and a production."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    return play_edition(house, show, _EDITION)


def _look_back(table: WarTable, invasion: Letter) -> None:
    """The reports say that it happened: the sea battle, the tactical battle fought by letter."""
    show = table.show
    need(invasion, "Red attacks France", "leader")
    show.got(table.watcher.name, invasion, "Naval battle", 10)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    tell_decisions(table, "battle turns")


_EDITION = Edition("war17", "War! Age of Imperialism, Version 1.7", "w17", LAST_TURN, MANNERS, ACTS, _look_back)
