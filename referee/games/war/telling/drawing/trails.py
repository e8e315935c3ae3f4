"""What happened in a phase, on the map: arrows for moves, and where there was a battle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.events.combat import BattleEnded
from referee.games.war.events.forces import FleetsMoved, UnitsMoved
from referee.games.war.events.moving import NavalBattleEnded
from referee.games.war.telling.drawing.coast import coast
from referee.kit.drawing.svg import part

_MOST = 60
"""A map with more arrows than this says nothing any more; the first are drawn."""

_KEPT = 512
_ROOM = 8
"""Pixels round an arrow for its head."""


class Move(NamedTuple):
    """A seat moved something from a place to another."""

    seat: Seat
    origin: str
    target: str


def battles(happened: Sequence[Event]) -> frozenset[str]:
    """The places in which a battle ended."""
    ashore = {event.region for event in happened if isinstance(event, BattleEnded)}
    return frozenset(ashore | {event.sea for event in happened if isinstance(event, NavalBattleEnded)})


def moves(happened: Sequence[Event]) -> tuple[Move, ...]:
    """Where a seat moved anything from and to, each way once."""
    found: dict[Move, None] = {}
    for event in happened:
        if isinstance(event, UnitsMoved):
            found[Move(event.before.owner, event.origin, event.target)] = None
        elif isinstance(event, FleetsMoved):
            found[Move(event.owner, event.origin, event.target)] = None
    return tuple(found)[:_MOST]


@lru_cache(_KEPT)
def arrow(move: Move) -> str:
    """A bowed arrow, in a part just large enough."""
    seat, (x, y), (u, v) = move.seat, coast().middles[move.origin], coast().middles[move.target]
    bow = ((x + u) / 2 + (y - v) * 0.16, (y + v) / 2 + (u - x) * 0.16)
    left, top = (int(min(values)) - _ROOM for values in ((x, u, bow[0]), (y, v, bow[1])))
    right, low = (int(max(values)) + _ROOM for values in ((x, u, bow[0]), (y, v, bow[1])))
    length = hypot(u - bow[0], v - bow[1]) or 1.0
    along = ((u - bow[0]) / length, (v - bow[1]) / length)
    neck = (u - along[0] * 9, v - along[1] * 9)
    wings = [(neck[0] - along[1] * side, neck[1] + along[0] * side) for side in (5.5, -5.5)]
    way = f"M{x - left} {y - top}Q{bow[0] - left:.0f} {bow[1] - top:.0f} {neck[0] - left:.1f} {neck[1] - top:.1f}"
    head = "L".join(f"{px - left:.1f} {py - top:.1f}" for px, py in (wings[0], (u, v), wings[1]))
    drawn = (
        f'<g class="rim"><path d="{way}" stroke="#fff" stroke-width="6.4"/><path d="{way}" stroke-width="4.6"/></g>'
        f'<path d="M{head}z" class="k-{seat} rim"/><path d="{way}" class="a-{seat}"/>'
    )
    return part(left, top, right - left, low - top, drawn)
