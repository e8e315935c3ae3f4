"""The demo of Empire: a match of three players by letter, from the cards of the zero turn to the sixth turn."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.match import company, open_match
from referee.demo.running import House
from referee.demo.table import Show, Unexpected, need, play_through
from tests.demo.scripts.empire.acts import ACTS, ordinary
from tests.demo.scripts.empire.table import EmpireTable
from tests.demo.scripts.scenes import keep_map

LAST_TURN = 6
"""The turn after which the match ends."""

_WISHES = ("Arcadia", "Borealis", "Cascadia")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def play_match(house: House, show: Show) -> tuple[EmpireTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = EmpireTable(house, show, "emp1", "points", *company(house, len(_WISHES)))
    create = f"CREATE empire AS {table.match} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}"
    open_match(table, create, "Empire", _WISHES)
    show.scene("The zero turn: cards are drawn, and capitals placed in their order")
    farewell = play_through(table, table.asked, ordinary, ACTS)
    # The reports say that it happened, and the last of them brings the chart as a picture and as SVG.
    table.keep_promises()
    if not any("Petition 1 passed, 2 to " in report.flat for report in table.reports(table.watcher)):
        raise Unexpected("No report says that the petition passed.")
    zero = table.report_of(table.watcher, "Zero turn: capitals")
    need(zero, "Movement order:")
    table.show.got(table.watcher.name, zero, "Zero turn", 14)
    last = table.reports(table.watcher)[-1]
    table.show.got(table.watcher.name, last, "Where everybody stands", 20)
    keep_map(table, last)
    return table, farewell
