"""The demo of War! Version 1.7: three players by letter; one leaves a battle plan, one fights turn by turn by mail."""

from __future__ import annotations

from referee.demo.acting import play_through
from referee.demo.client import Letter
from referee.demo.opening import company, open_match
from referee.demo.running import House
from referee.demo.scenes import keep_map
from referee.demo.show import Show
from referee.demo.table import Unexpected, need
from referee.demo.war17_acts import ACTS, ordinary
from referee.demo.war_table import WarTable

__all__ = ["LAST_TURN", "MOST_TURNS", "play_match"]

LAST_TURN = 2
"""The turn after which the match ends."""

_WISHES = ("Red", "Blue", "Green")

MOST_TURNS = 1 + LAST_TURN * (2 * len(_WISHES) + 1)
"""The set-up, and in each turn two rounds of movement for three players and a production."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = WarTable(house, show, "w17", "victory points", *company(house, len(_WISHES)))
    create = f"CREATE war17 AS {table.match} WITH last_turn {LAST_TURN}"
    open_match(table, create, "War! Age of Imperialism, Version 1.7", _WISHES)
    farewell = play_through(table, table.asked, ordinary, ACTS)
    _look_back(table)
    return table, farewell


def _look_back(table: WarTable) -> None:
    """The reports say that it happened: the sea battle, the tactical battle fought by letter; and the map."""
    table.keep_promises()
    show = table.show
    invasion = table.report_of(table.watcher, table.invaded)
    need(invasion, "Red attacks France", "leader")
    show.got(table.watcher.name, invasion, "Naval battle", 10)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    if not table.decided["battle turns"]:
        raise Unexpected("Nobody was asked by letter in a turn of a battle.")
    decided = ", ".join(f"{kind} {number}" for kind, number in table.decided.items())
    show.good(f"Decisions by letter in the middle of turns: {decided}.")
    keep_map(table, invasion)
