"""The demo of Empire at war: an air raid, a landing from the sea and a siege by letter, whatever the dice say."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.match import company, open_match
from referee.demo.running import House
from referee.demo.table import Show, Unexpected, play_through
from tests.demo.scripts.empire.at_war_acts import FALLEN, HIT, LAST_TURN, MET, RAISED, WarTable, respond
from tests.demo.scripts.empire.at_war_orders import BEACH, CITY, SEA

_WISHES = ("Arcadia", "Borealis")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = WarTable(house, show, "emp2", "points", *company(house, len(_WISHES)))
    create = f"CREATE empire AS {table.match} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}, start armed"
    open_match(table, create, "Empire", _WISHES)
    farewell = play_through(table, table.asked, respond)
    _look_back(table)
    return table, farewell


# ---------------------------------------------------------------- what must have happened


def _look_back(table: WarTable) -> None:
    """The raid, the landing and the siege came to something, whichever way the dice fell; the reports say to what."""
    show = table.show
    show.scene(f"What {table.watcher.name} read of it")
    for what, came_to in (
        ("The air raid", _raid(table)),
        ("The battle at sea", _told(table, "battle at sea", f"Arcadia attacks {SEA} with")),
        ("The landing", _landing(table)),
        ("The siege", _siege(table)),
    ):
        show.good(f"{what}: {came_to}")
    show.got(table.watcher.name, table.reports(table.watcher)[-1], "Where everybody stands", 20)


def _told(table: WarTable, what: str, words: str) -> str:
    """The sentence of some report that begins with these words, or has them in it. Raises Unexpected."""
    for report in table.reports(table.watcher):
        if words in report.flat:
            before, _, after = report.flat.partition(words)
            return f"{before.rpartition(' - ')[2]}{words}{after.partition(' [emp')[0]}"
    raise Unexpected(f"No report tells of the {what}: none says “{words}”.")


def _raid(table: WarTable) -> str:
    """The raid hit, or was intercepted."""
    reports = table.reports(table.watcher)
    met = next(filter(None, (MET.search(report.flat) for report in reports)), None)
    if any(HIT in report.flat and "airport destroyed" in report.flat for report in reports):
        return f"{'intercepted, and yet it hit' if met else 'it hit'}. {_told(table, 'raid', HIT)}"
    if met is not None:
        return f"intercepted. {_told(table, 'raid', met[0])}"
    raise Unexpected("The raid neither hit the airport nor was it intercepted.")


def _landing(table: WarTable) -> str:
    """Troops stood on the enemy's coast."""
    _told(table, "fight for the shore", f"Arcadia attacks {BEACH} with")
    return _told(table, "landing", f"from {SEA} to {BEACH}")


def _siege(table: WarTable) -> str:
    """The city changed hands, or was relieved; the last table of figures agrees."""
    _told(table, "siege", f"Arcadia attacks {CITY} with")
    fallen, raised = table.told(FALLEN), table.told(RAISED)
    if fallen == raised:
        raise Unexpected("The siege came to no decision: New Haven neither changed hands nor was it relieved.")
    return f"New Haven changed hands. {_told(table, 'fall', FALLEN)}" if fallen else "New Haven was relieved."
