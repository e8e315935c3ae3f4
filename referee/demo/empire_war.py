"""The demo of Empire at war: an air raid, a landing from the sea and a siege by letter, whatever the dice say."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.empire_table import EmpireTable, OnTurn
from referee.demo.empire_war_acts import AIMS, War, defend, invade
from referee.demo.opening import begin, gather
from referee.demo.running import ADDRESS, House
from referee.demo.show import Show
from referee.demo.table import Unexpected, is_farewell, need

__all__ = ["LAST_TURN", "MOST_TURNS", "people", "play_match"]

LAST_TURN = 6
"""The turn after which the match ends."""

_MATCH = "emp2"
_WISHES = ("Arcadia", "Borealis")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def people(house: House, show: Show) -> EmpireTable:
    """Two players, a game master and somebody who watches, each at his own mail program."""
    players = tuple(
        house.client(name, f"{name.split()[0].lower()}@players.example") for name in ("Anna Berg", "Ben Ortiz")
    )
    master = house.client("Gina Marsh", "gina@players.example")
    watcher = house.client("Otto Lind", "otto@players.example")
    return EmpireTable(house, show, _MATCH, "points", master, players, watcher)


def play_match(house: House, show: Show) -> tuple[EmpireTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = people(house, show)
    create = f"CREATE empire AS {_MATCH} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}, start armed"
    gather(table, create, "Empire", _WISHES)
    begin(table)
    watching = table.watcher.send(ADDRESS, "watching", f"OBSERVE {_MATCH}")
    need(table.watcher.answer_to(watching, "the receipt for OBSERVE"), "DONE", f"You watch {_MATCH}")
    war = War()
    while (now := table.on_turn()) is not None:
        _respond(table, war, now)
    _look_back(table)
    return table, next(letter for letter in table.master.letters if is_farewell(letter))


def _respond(table: EmpireTable, war: War, now: OnTurn) -> None:
    (invade if now.seat == "Arcadia" else defend)(table, war, now)
    if now.turn:  # the zero turn's report comes when both capitals stand
        told = table.report_of(now.client, now.phase)
        table.show.turn(len(table.reports(now.client)), told.subject)


def _look_back(table: EmpireTable) -> None:
    """Every aim of the war stands in some report; which way the dice fell is told, not demanded."""
    show = table.show
    show.scene(f"What {table.watcher.name} read of it")
    reports = table.reports(table.watcher)
    for aim, words in AIMS.items():
        found = next((report for report in reports if all(word in report.flat for word in words)), None)
        if found is None:
            raise Unexpected(f"No report tells of {aim}.")
        show.good(f"{aim[0].upper()}{aim[1:]}: told in “{found.subject}”.")
    show.got(table.watcher.name, reports[-1], "Where everybody stands", 20)
