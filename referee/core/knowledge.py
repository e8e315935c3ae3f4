"""What a reader knows: the fold of what he was told, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from referee.core.amend import evolved
from referee.core.event import Event
from referee.core.game import Game, Options
from referee.core.names import Reader, Seat

S = TypeVar("S")


def told(events: Iterable[Event], reader: Reader) -> tuple[Event, ...]:
    """The events as this reader learnt of them: whole, redacted, or left out."""
    return tuple(learnt for event in events if (learnt := event.told_to(reader)) is not None)


def knowledge(game: Game[S], sides: tuple[Seat, ...], options: Options, events: Iterable[Event], reader: Reader) -> S:
    """The position as this reader knows it: the set-up, then every event he was told of, as far as he was told."""
    state = game.setup(sides, options)
    for event in told(events, reader):
        state = evolved(game, state, event)
    return state
