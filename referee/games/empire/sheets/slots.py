"""The history cut into player-turns, each with the position before and after it: what all sheets are views of."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.empire.board import Board
from referee.games.empire.events import evolve
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.course import SlotOpened
from referee.games.empire.state import Country, Empire, first_position

__all__ = ["Slot", "latest_of", "slots_by_turn", "slots_of"]


class Slot(msgspec.Struct, frozen=True):
    """One player-turn: whose, of which turn, what happened in it in order, and the positions around it.

    The first one, of turn 0 and nobody, is the zero turn.
    """

    seat: Seat
    turn: int
    number: int
    before: Empire
    events: tuple[OpenEvent, ...]
    after: Empire


def slots_of(history: Sequence[Event], empire: Empire) -> tuple[Slot, ...]:
    """Every slot so far, the one that is going on included; the zero turn first."""
    before = now = first_position(empire.seats, empire.options, _BARE)
    slots: list[Slot] = []
    seat, gathered = Seat(""), list[OpenEvent]()
    for event in history:
        if not isinstance(event, OpenEvent):
            continue
        if isinstance(event, SlotOpened):
            slots.append(_slot(seat, before, gathered, now))
            seat, before, gathered = event.seat, now, []
        gathered.append(event)
        now = evolve(now, event)
    return (*slots, _slot(seat, before, gathered, now))


_BARE = Board("none yet", 2, 1, True, {})
"""Before the board is laid."""


def _slot(seat: Seat, before: Empire, events: list[OpenEvent], after: Empire) -> Slot:
    turn, number = (before.turn, before.slot) if seat else (0, 0)
    return Slot(seat, turn, number, before, tuple(events), after)


def slots_by_turn(slots: Sequence[Slot], country: Country) -> tuple[Slot, ...]:
    """The player-turns in which a country moved, oldest first, whoever ran it then."""
    return tuple(slot for slot in slots if _moved(slot, country.name))


def _moved(slot: Slot, name: str) -> bool:
    country = slot.after.countries.get(name)
    return bool(slot.seat) and country is not None and country.slot == slot.number


def latest_of(slots: Sequence[Slot], country: Country) -> tuple[Slot, ...]:
    """A country's latest player-turn and what others did since; before its first one, everything so far."""
    for start in range(len(slots) - 1, -1, -1):
        if _moved(slots[start], country.name):
            return tuple(slots[start:])
    return tuple(slots)
