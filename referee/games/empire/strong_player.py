"""The sheets that a strong player of Empire tries beside the steady one: each is played ahead to the end of the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.game import Rigour
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.strategies import BREWERY
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.conditions import FUND, points
from referee.games.empire.steady_player import STEADY, named, steady
from referee.kit.opponents import near

STRONG = Rigour(heats=(1, 3), ahead=None, sheets=60, silent=True)
"""Dice decide little here, and neighbours who arm nobody hardly meet; a sheet of the seat takes some hundredths of a second."""

PATIENT = replace(STRONG, rollouts=5000, sheets=1000, stale=200, plans=75)
"""A plan shows only after many trials: with sixty sheets plans did worse than single sheets."""

_FIRST, _SECOND, _THIRD, *_LATER = STEADY.works
NEAR: Mapping[str, tuple[Any, ...]] = {
    "begun": (1, 3, 4),
    "first": (3, 4, 7, 9),
    "opened": (0, 1, 3, 4, 6),
    "colonies": ((1, 2, 3, 4), (2, 2, 2, 2), (2, 3, 4, 5), (3, 3, 4, 4)),
    "food": (2, 4, 9, 12),
    "hands": (3, 9, 12),
    "spared": (0, 4),
    "kept": (0, 3, 9),
    "coal": (0, 2, 4),
    "used": ((), ("C", "Fe", "O", "Rr", "Cu", "X")),
    "works": (
        (_FIRST, BREWERY, *STEADY.works[1:]),
        (_FIRST, _THIRD, _SECOND, *_LATER),
        tuple(work for work in STEADY.works if work not in ("steel mill", "building materials factory")),
        (*STEADY.works, "motor works"),
        (*STEADY.works, BREWERY),
    ),
}
"""The other values of a habit."""


def prospects(empire: Empire) -> dict[Seat, int]:
    """The points of each seat now, in hundredths, with what its popular fund has beyond whole points; no forecast is wanted."""
    found = {seat: 100 * points(empire, seat) for seat in empire.order}
    for country in empire.countries.values():
        if country.owner in found:
            found[country.owner] += 100 * (country.popular_fund % FUND) // FUND
    return found


def challenger(empire: Empire, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits, or the best without an order and all that the same units do."""
    if empire.stage != "play":
        return best
    if pick(4) or len(best) < 2:
        return tuple([one.order for one in steady(empire, seat, near(STEADY, NEAR, pick))])
    gone = best[pick(len(best) - 1)]  # not the roll that ends the slot
    units = named(gone)
    return tuple(order for order in best if order != gone and not units & named(order))
