"""What a seat may order now: the position its orders will be carried out in, and examples for HELP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.dispatch import foresee
from referee.games.empire.position.state import Empire
from referee.games.empire.telling.forecast import open_next
from referee.kit.declared import AT_ONCE, Ahead
from referee.kit.refused import Refused

_AT_ONCE = BOOK.verbs_of(AT_ONCE)


def ahead(empire: Empire, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[Empire]:
    """The position in the seat's slot after this sheet, as far as it is certain."""
    if empire.stage != "play" or empire.ended or not empire.owned(seat) or (empire.active == seat and not sheet):
        return lambda _: empire
    orders = tuple(sheet)
    return lambda verb: empire if verb in _AT_ONCE else _in_slot(empire, seat, orders)


class _Slot(NamedTuple):
    """A slot that was played ahead, from a position that never changes, and what came of it."""

    empire: Empire
    seat: Seat
    sheet: tuple[Intent, ...]
    then: Empire


_LAST: list[_Slot] = []
"""The slot that was asked for last, at most one: each step of each order asks for the same."""


def _in_slot(empire: Empire, seat: Seat, sheet: tuple[Intent, ...]) -> Empire:
    for last in _LAST:
        if last.empire is empire and (last.seat, last.sheet) == (seat, sheet):
            return last.then
    table: Table[Empire] = Table("ahead", empire, Keyed(b"ahead", 0), evolve)
    open_next(table, seat)
    for intent in sheet:
        with suppress(Refused):
            foresee(table, seat, bare(intent))
    _LAST[:] = [_Slot(empire, seat, sheet, table.state)]
    return table.state


def examples(empire: Empire, seat: Seat) -> Mapping[str, str]:
    """A line for every verb that this position has one for, by the word."""
    then = ahead(empire, seat)
    found = ((verb, next(iter(kind.proposed(then(verb), seat)), None)) for verb, kind in BOOK.orders.items())
    return {verb: BOOK.line(then(verb), order) for verb, order in found if order is not None}
