"""The history cut into player-turns, each with the position before and after it: what all sheets are views of.

With it what is a transfer of control, willing or not: units and goods that an event takes from one country to another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.empire.events import evolve
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.course import SlotOpened
from referee.games.empire.events.dealing import ControlPassed, CountryPassed, CountrySplit, GoodsTaken, UnitSeized
from referee.games.empire.events.economy import ExchangeSent
from referee.games.empire.events.war.land import CityFell, CooliesCaptured
from referee.games.empire.events.war.sea import ShipPlundered
from referee.games.empire.position.board import Board
from referee.games.empire.position.countries import Country
from referee.games.empire.position.state import Empire, first_position


class Trade(NamedTuple):
    """Units and goods that went from one country to another, counted by kind."""

    giver: str
    to: str
    at: str
    counts: tuple[tuple[str, int], ...]
    how: str


def trade_of(event: OpenEvent) -> Trade | None:
    """What an event takes from one country and gives to another; None for one that is no transfer of control."""
    match event:
        case ControlPassed():
            return Trade(event.giver, event.to, event.at, event.counts, "given and accepted")
        case CountryPassed():
            how = f"the whole country, from {event.giver} to {event.seat}"
            return Trade(event.country, event.country, "", (), how)
        case UnitSeized():
            return Trade(event.giver, event.to, event.at, event.counts, f"seized by unit {event.by}")
        case GoodsTaken():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken by force by unit {event.by}")
        case CooliesCaptured():
            return Trade(event.giver, event.to, event.at, event.counts, "captured in an attack")
        case CityFell():
            return Trade(event.giver, event.to, event.at, event.counts, f"taken with the city {event.city}")
        case ShipPlundered() if event.taken:
            how = f"plundered by pirate ship {event.by}"
            return Trade(event.giver, event.to, event.at, event.counts, how)
        case CountrySplit():
            return Trade(event.parent, event.country.name, "", event.counts, "Balkanization")
        case ExchangeSent():
            aid = (("foreign exchange", event.points),)
            return Trade(event.country, event.to, "", aid, "foreign aid")
        case _:
            return None


class Slot(msgspec.Struct, frozen=True, dict=True):
    """One player-turn: whose, of which turn, what happened in it in order, and the positions around it.

    The first one, of turn 0 and nobody, is the zero turn.
    """

    seat: Seat
    turn: int
    number: int
    before: Empire
    events: tuple[OpenEvent, ...]
    after: Empire

    @cached_property
    def trades(self) -> tuple[tuple[int, OpenEvent, Trade], ...]:
        """Transfers of control in it, each with the number of events before it."""
        found = ((time, event, trade_of(event)) for time, event in enumerate(self.events))
        return tuple((time, event, trade) for time, event, trade in found if trade)


def slots_of(history: Sequence[Event], empire: Empire) -> tuple[Slot, ...]:
    """Every slot so far, the one that is going on included; the zero turn first.

    A letter needs them all, so where a history goes on from one that was cut before, only what is new is cut.
    """
    whole = tuple(history)
    known = next((cut for cut in _CUT if cut.begins(whole, empire)), None)
    cut = _cut_on(known or _nothing_cut(empire), whole)
    _CUT[:] = [cut, *(other for other in _CUT if other is not known)][:_MOST_CUT]
    return (*cut.over, _slot(cut.seat, cut.before, cut.gathered, cut.now))


class _Cut(msgspec.Struct, frozen=True):
    """A history cut so far: slots that are over, and what is known of the one that goes on."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    history: tuple[Event, ...]
    over: tuple[Slot, ...]
    seat: Seat
    before: Empire
    gathered: tuple[OpenEvent, ...]
    now: Empire

    def begins(self, history: tuple[Event, ...], empire: Empire) -> bool:
        """Whether this is the beginning of that history, of a match of the same seats and options."""
        same = (self.seats, self.options) == (empire.seats, empire.options)
        return same and history[: len(self.history)] == self.history


_CUT: list[_Cut] = []
"""What was cut last, the latest first."""

_MOST_CUT = 4
"""Of so many histories the slots are kept; each holds the positions between its slots."""


def _nothing_cut(empire: Empire) -> _Cut:
    first = first_position(empire.seats, empire.options, _BARE)
    return _Cut(empire.seats, empire.options, (), (), Seat(""), first, (), first)


def _cut_on(cut: _Cut, history: tuple[Event, ...]) -> _Cut:
    """The whole of a history that begins with one that was cut."""
    over, seat, before, gathered, now = list(cut.over), cut.seat, cut.before, list(cut.gathered), cut.now
    for event in history[len(cut.history) :]:
        if not isinstance(event, OpenEvent):
            continue
        if isinstance(event, SlotOpened):
            over.append(_slot(seat, before, gathered, now))
            seat, before, gathered = event.seat, now, []
        gathered.append(event)
        now = evolve(now, event)
    return _Cut(cut.seats, cut.options, history, tuple(over), seat, before, tuple(gathered), now)


_BARE = Board("none yet", 2, 1, True, {})
"""Before the board is laid."""


def _slot(seat: Seat, before: Empire, events: Sequence[OpenEvent], after: Empire) -> Slot:
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
