"""The demo of War! Version 27: a match of four players by letter, its battles decided round by round by mail."""

from __future__ import annotations

import re

from referee.demo.client import Letter
from referee.demo.opening import begin, gather
from referee.demo.running import ADDRESS, House
from referee.demo.show import Show
from referee.demo.table import Unexpected, is_farewell, need
from referee.demo.war27_acts import ACTS, Act, ordinary
from referee.demo.war27_table import Asked, WarTable

__all__ = ["LAST_TURN", "MOST_TURNS", "people", "play_match"]

LAST_TURN = 2
"""The turn after which the match ends, unless somebody is eliminated before."""

MOST_TURNS = 1 + LAST_TURN * 8 + LAST_TURN - 1
"""The set-up, two rounds of movement for four players a turn, and productions from turn 2 on."""

_MATCH = "w27"
_WISHES = ("Red", "Blue", "Green", "Yellow")


def people(house: House, show: Show) -> WarTable:
    """Four players, a game master and somebody who watches, each at his own mail program."""
    names = ("Anna Berg", "Ben Ortiz", "Chiyo Tanaka", "Dan Hill")
    players = tuple(house.client(name, f"{name.split()[0].lower()}@players.example") for name in names)
    master = house.client("Gina Marsh", "gina@players.example")
    watcher = house.client("Otto Lind", "otto@players.example")
    return WarTable(house, show, _MATCH, "victory points", master, players, watcher)


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = people(house, show)
    create = f"CREATE war27 AS {_MATCH} WITH last_turn {LAST_TURN}"
    gather(table, create, "War! Age of Imperialism, Version 27", _WISHES)
    begin(table)
    watching = table.watcher.send(ADDRESS, "watching", f"OBSERVE {_MATCH}")
    need(table.watcher.answer_to(watching, "the receipt for OBSERVE"), "DONE", f"You watch {_MATCH}")
    left, seen = list(ACTS), 0
    while (now := table.asked()) is not None:
        seen = _tell_reports(table, seen)
        _respond(table, now, left)
    _tell_reports(table, seen)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended before these could be shown: {names}.")
    _look_back(table)
    return table, next(letter for letter in table.master.letters if is_farewell(letter))


def _respond(table: WarTable, now: Asked, left: list[Act]) -> None:
    act = next((act for act in left if act.fits(now)), None)
    if act is not None:
        left.remove(act)
    (act.perform if act else ordinary)(table, now)


def _tell_reports(table: WarTable, seen: int) -> int:
    """Show the subjects of the reports that came to the watcher since; how many there are now."""
    reports = table.reports(table.watcher)
    for number, report in enumerate(reports[seen:], seen + 1):
        table.show.turn(number, report.subject)
    return len(reports)


# ---------------------------------------------------------------- what must have happened


def _look_back(table: WarTable) -> None:
    """The reports say that it happened: the interception, the battle decided by letter, the sphere; and the map."""
    show = table.show
    show.scene(f"What {table.watcher.name} read of it")
    for client, phase, words in table.promised:
        need(table.report_of(client, phase), *words)
        show.good(f"{phase}: {'; '.join(words)}.")
    invasion = table.report_of(table.watcher, table.invaded)
    need(invasion, "Green intercepts Red's fleets in Eastern Mediterranean", "Battle of France")
    admirals = table.report_of(table.seats["Green"], table.invaded)
    need(admirals, "was decided by standing orders")
    show.got(table.seats["Green"].name, admirals, "Decided without a letter", 12)
    show.got(table.watcher.name, invasion, "Naval battle", 12)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    decided = ", ".join(f"{kind} {number}" for kind, number in table.decided.items())
    for kind in ("casualties", "retreat"):
        if not table.decided[kind]:
            raise Unexpected(f"Nobody was asked by letter about {kind}.")
    show.good(f"Decisions by letter in the middle of turns: {decided}.")
    placed = table.spheres()
    if not placed:
        raise Unexpected("None of the explorers placed a sphere of influence.")
    show.good(f"{placed[0]} {len(placed)} were placed in all.")
    _look_at_map(table, invasion)


def _look_at_map(table: WarTable, report: Letter) -> None:
    """The picture the HTML letter shows: a PNG, kept in the demo's folder; in the text stands a sentence instead."""
    shown = re.search(r'<img [^>]*src="cid:([^"]+)"', report.html)
    picture = report.pictures.get(shown[1], b"") if shown else b""
    if not picture.startswith(b"\x89PNG\r\n") or not picture.endswith(b"IEND\xaeB`\x82"):
        raise Unexpected(f"The letter “{report.subject}” does not show the map.")
    need(report, "The map shows who holds what")
    kept = table.house.folder / "map.png"
    kept.write_bytes(picture)
    wide, high = (int.from_bytes(picture[start : start + 4]) for start in (16, 20))
    table.show.good(f"The HTML letter shows the map, {wide} by {high} points; it was saved as {kept}.")
