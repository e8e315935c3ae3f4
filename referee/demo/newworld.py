"""The demo of New World: a match of four players by letter, from CREATE to the farewell."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.newworld_acts import ACTS, Act, ordinary
from referee.demo.newworld_orders import by_the_form, colonist, soldier, trader
from referee.demo.newworld_table import NewWorldTable, OnTurn
from referee.demo.opening import begin, gather
from referee.demo.running import House
from referee.demo.show import Show
from referee.demo.table import Unexpected, is_farewell

__all__ = ["MOST_TURNS", "people", "play_match"]

MOST_TURNS = 80
"""Four players, and round 20 is the last."""

_MATCH = "nw1"
_WISHES = ("England, France", "Holland", "Spain", "Portugal")
_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")


def people(house: House, show: Show) -> NewWorldTable:
    """Four players, a game master and somebody who watches, each at his own mail program."""
    names = {"Anna Berg": by_the_form, "Ben Ortiz": trader, "Chiyo Tanaka": colonist, "Dan Hill": soldier}
    players = {name: house.client(name, f"{name.split()[0].lower()}@players.example") for name in names}
    manners = {players[name].address: manner for name, manner in names.items()}
    master = house.client("Gina Marsh", "gina@players.example")
    watcher = house.client("Otto Lind", "otto@players.example")
    seated = tuple(players.values())
    return NewWorldTable(house, show, _MATCH, "culture", master, seated, watcher, manners, players["Chiyo Tanaka"])


def play_match(house: House, show: Show) -> tuple[NewWorldTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = people(house, show)
    gather(table, f"CREATE newworld AS {_MATCH} WITH last_round 20", "New World", _WISHES)
    begin(table, _ZONES)
    left = list(ACTS)
    while (now := table.on_turn()) is not None:
        _play_turn(table, now, left)
    table.show.turn(table.next_turn, table.report_of(table.watcher, table.next_turn - 1).subject)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended on turn {table.next_turn - 1}, before these could be shown: {names}.")
    return table, next(letter for letter in table.master.letters if is_farewell(letter))


def _play_turn(table: NewWorldTable, now: OnTurn, left: list[Act]) -> None:
    table.next_turn = now.number + 1
    table.show.turn(now.number, now.letter.subject)
    act = next((act for act in left if act.earliest <= now.number and act.fits(table, now)), None)
    if act is not None:
        left.remove(act)
    (act.perform if act else ordinary)(table, now)
