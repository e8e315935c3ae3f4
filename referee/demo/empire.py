"""The demo of Empire: a match of three players by letter, from the cards of the zero turn to the sixth turn."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.empire_acts import ACTS, Act, ordinary
from referee.demo.empire_table import EmpireTable, OnTurn
from referee.demo.opening import begin, gather
from referee.demo.running import ADDRESS, House
from referee.demo.show import Show
from referee.demo.table import Unexpected, is_farewell, need

__all__ = ["LAST_TURN", "MOST_TURNS", "people", "play_match"]

LAST_TURN = 6
"""The turn after which the match ends."""

_MATCH = "emp1"
_WISHES = ("Arcadia", "Borealis", "Cascadia")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def people(house: House, show: Show) -> EmpireTable:
    """Three players, a game master and somebody who watches, each at his own mail program."""
    names = ("Anna Berg", "Ben Ortiz", "Chiyo Tanaka")
    players = tuple(house.client(name, f"{name.split()[0].lower()}@players.example") for name in names)
    master = house.client("Gina Marsh", "gina@players.example")
    watcher = house.client("Otto Lind", "otto@players.example")
    return EmpireTable(house, show, _MATCH, "points", master, players, watcher)


def play_match(house: House, show: Show) -> tuple[EmpireTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = people(house, show)
    create = f"CREATE empire AS {_MATCH} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}"
    gather(table, create, "Empire", _WISHES)
    begin(table)
    watching = table.watcher.send(ADDRESS, "watching", f"OBSERVE {_MATCH}")
    need(table.watcher.answer_to(watching, "the receipt for OBSERVE"), "DONE", f"You watch {_MATCH}")
    left, seen = list(ACTS), 0
    show.scene("The zero turn: cards are drawn, and capitals placed in their order")
    while (now := table.on_turn()) is not None:
        seen = _tell_reports(table, seen)
        _respond(table, now, left)
    _tell_reports(table, seen)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended before these could be shown: {names}.")
    _look_back(table)
    return table, next(letter for letter in table.master.letters if is_farewell(letter))


def _respond(table: EmpireTable, now: OnTurn, left: list[Act]) -> None:
    act = next((act for act in left if act.fits(now)), None)
    if act is not None:
        left.remove(act)
    (act.perform if act else ordinary)(table, now)


def _tell_reports(table: EmpireTable, seen: int) -> int:
    """Show the subjects of the reports that came to the watcher since; how many there are now."""
    reports = table.reports(table.watcher)
    for number, report in enumerate(reports[seen:], seen + 1):
        table.show.turn(number, report.subject)
    return len(reports)


# ---------------------------------------------------------------- what must have happened


def _look_back(table: EmpireTable) -> None:
    """The reports say that it happened, and the last of them brings the chart as a picture and as SVG."""
    show = table.show
    show.scene(f"What {table.watcher.name} read of it")
    for phase, words in table.promised:
        need(table.report_of(table.watcher, phase), *words)
        show.good(f"{phase}: {'; '.join(words)}.")
    if not any("Petition 1 passed, 2 to " in report.flat for report in table.reports(table.watcher)):
        raise Unexpected("No report says that the petition passed.")
    zero = table.report_of(table.watcher, "Zero turn: capitals")
    need(zero, "Movement order:")
    show.got(table.watcher.name, zero, "Zero turn", 14)
    last = table.reports(table.watcher)[-1]
    show.got(table.watcher.name, last, "Where everybody stands", 20)
    _look_at_chart(table, last)


def _look_at_chart(table: EmpireTable, report: Letter) -> None:
    """A PNG in the HTML letter and an SVG beside it, both kept in the demo's folder."""
    pictures = [data for data in report.pictures.values() if data.startswith(b"\x89PNG\r\n")]
    drawings = [data for name, data in report.files.items() if name.endswith(".svg") and b"<svg" in data]
    if len(pictures) != 1 or len(drawings) != 1:
        raise Unexpected(f"The letter “{report.subject}” does not bring the chart as a PNG and an SVG.")
    for name, data in (("chart.png", pictures[0]), ("chart.svg", drawings[0])):
        (table.house.folder / name).write_bytes(data)
    wide, high = (int.from_bytes(pictures[0][start : start + 4]) for start in (16, 20))
    table.show.good(
        f"The chart came as a picture of {wide} by {high} points and as SVG; both lie in {table.house.folder}."
    )
