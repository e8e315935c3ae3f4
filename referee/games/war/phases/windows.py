"""Order sheets: one player's, and one window for everybody, sealed until all are in."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Orders, Pace, Question
from referee.core.table import Script, Table
from referee.games.war.bots.stages import suggest
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import in_force

Sheets = dict[Seat, tuple[Intent, ...]]
"""What each player's sheet says."""


def sealed_sheets(
    table: Table[War], name: str, text: str, verbs: tuple[str, ...], kinds: tuple[type[Intent], ...], rule: str
) -> Script[Sheets]:
    """Everybody's order sheet of these verbs and intents, read when all are in; then each IF in them is judged."""
    seats = table.state.living
    questions = [order_sheet(table, f"{name}/{seat}", seat, text, verbs, kinds, Pace.WINDOW, rule) for seat in seats]
    answers = yield from table.ask_all(questions)
    war = table.state
    return {seat: in_force(war, seat, answer.value) for seat, answer in zip(seats, answers, strict=True)}


def order_sheet(
    table: Table[War],
    name: str,
    seat: Seat,
    text: str,
    verbs: tuple[str, ...],
    kinds: tuple[type[Intent], ...],
    pace: Pace,
    rule: str,
    suggest: Callable[[War, Seat, Pick], tuple[Intent, ...]] = suggest,
) -> Question[tuple[Intent, ...]]:
    """What asks a player for an order sheet of these verbs and intents."""
    war, allowed = table.state, reduce(or_, kinds)

    def some(pick: Pick) -> tuple[Intent, ...]:
        return tuple(intent for intent in suggest(war, seat, pick) if isinstance(intent, kinds))

    menu = Orders(verbs, allowed, some)
    return Question(f"{table.phase}/{name}", seat, text, menu, pace, war.cite(rule))
