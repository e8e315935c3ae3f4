"""The demo of New World: a match of four players by letter, from CREATE to the farewell."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.match import begin, company, gather
from referee.demo.running import House
from referee.demo.table import Show, play_through
from tests.demo.scripts.newworld.acts import ACTS, ordinary
from tests.demo.scripts.newworld.orders import by_the_form, colonist, soldier, trader
from tests.demo.scripts.newworld.table import NewWorldTable

MOST_TURNS = 80
"""Four players, and round 20 is the last."""

_WISHES = ("England, France", "Holland", "Spain", "Portugal")
_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")


_MANNERS = (by_the_form, trader, colonist, soldier)
_SLEEPER = 2
"""How the players play, and which of them will fall silent."""


def play_match(house: House, show: Show) -> tuple[NewWorldTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    master, players, watcher = company(house, len(_WISHES))
    manners = {player.address: manner for player, manner in zip(players, _MANNERS, strict=True)}
    table = NewWorldTable(house, show, "nw1", "culture", master, players, watcher, manners, players[_SLEEPER])
    gather(table, f"CREATE newworld AS {table.match} WITH last_round 20", "New World", _WISHES)
    begin(table, _ZONES)
    return table, play_through(table, table.asked, ordinary, ACTS)
