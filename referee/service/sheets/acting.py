"""How an act of the desk reads its sentence, and how it says what came of it."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.order import Order, Thing
from referee.service.overrides.base import Deed, Denied
from referee.service.sheets.visit import Visit

Do = Callable[[Visit, Order, str], None]
"""What a word does: the visit, the sentence, and the line as it was written."""


def first(things: tuple[Thing, ...], *kinds: str) -> Thing | None:
    """The first of these things that is of one of the kinds, or of any where none is named."""
    return next((thing for thing in things if not kinds or thing.kind in kinds), None)


def named(order: Order, *kinds: str) -> str:
    """The name of the first thing of these kinds that a sentence is about, "" without one."""
    found = first(order.things, *kinds)
    return found.name if found else ""


def reason(order: Order) -> str:
    """What a game master gave as his reason."""
    return order.words_after("BECAUSE")


def settle(visit: Visit, source: str, outcome: Deed | Denied) -> None:
    """Note in the visit what an override did, or why it could not."""
    if isinstance(outcome, Denied):
        visit.deny(source, outcome.sentence)
    else:
        visit.playing = outcome.playing
        visit.done += outcome.sentences


def by_game_master(act: Callable[[Visit, Order], Deed | Denied]) -> Do:
    """An act of a game master that an override settles."""

    def do(visit: Visit, order: Order, source: str) -> None:
        settle(visit, source, act(visit, order))

    return do
