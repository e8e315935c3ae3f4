"""Exploration Phase: cards are turned up."""

from __future__ import annotations

from functools import partial

from referee.core.table import Script, Table
from referee.games.newworld.events.cards import CardsTurnedUp
from referee.games.newworld.phases.decks import draw_cards
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn


def exploration_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.exploration.draw, nw.r18"""
    count = turn.power(table).turned_up
    drawn = partial(CardsTurnedUp, turn.seat)
    draw_cards(table, "exploration", lambda world: world.exploration, count, "nw.exploration.draw", drawn)
    yield from ()
