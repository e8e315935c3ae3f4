"""A match of War! in a demo from CREATE to the farewell, the same for every edition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.match import company, open_match
from referee.demo.running import House
from referee.demo.table import Act, Show, Unexpected, play_through
from tests.demo.scripts.scenes import keep_map
from tests.demo.scripts.war.scenes import ordinary
from tests.demo.scripts.war.table import Manners, Summoned, WarTable


@dataclass(frozen=True)
class Edition:
    """Which edition is played, up to which turn, how its players play, what happens on the way, and what must have."""

    game: str
    """As CREATE names it."""
    title: str
    match: str
    last_turn: int
    manners: Manners
    acts: Sequence[Act[WarTable, Summoned]]
    look_back: Callable[[WarTable, Letter], None]
    """Looks whether it happened; gets the report of the invasion. Raises NoLetter, Unexpected."""


def play_edition(house: House, show: Show, edition: Edition) -> tuple[WarTable, Letter]:
    """From CREATE to the end, and what the reports say of it; the table, and the farewell as the game master got it."""
    wishes = (*edition.manners.empires,)
    table = WarTable(house, show, edition.match, "victory points", *company(house, len(wishes)), edition.manners)
    create = f"CREATE {edition.game} AS {table.match} WITH last_turn {edition.last_turn}"
    open_match(table, create, edition.title, wishes)
    farewell = play_through(table, table.asked, ordinary, edition.acts)
    table.keep_promises()
    invasion = table.report_of(table.watcher, table.invaded)
    edition.look_back(table, invasion)
    keep_map(table, invasion)
    return table, farewell


def tell_decisions(table: WarTable, *wanted: str) -> None:
    """Count the decisions by letter. Raises Unexpected where nobody was asked for one of the kinds wanted."""
    for kind in wanted:
        if not table.decided[kind]:
            raise Unexpected(f"Nobody was asked by letter about {kind}.")
    decided = ", ".join(f"{kind} {number}" for kind, number in table.decided.items())
    table.show.good(f"Decisions by letter in the middle of turns: {decided}.")
