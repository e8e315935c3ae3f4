"""The positions in which the orders of a sheet are carried out, as far as they can be foreseen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION, DIPLOMACY, NATIVE_DIPLOMACY, SETTING_UP
from referee.games.war.orders.production.natives import RemoveSphere
from referee.games.war.position.state import War
from referee.games.war.telling.forecast import (
    after_construction,
    after_maintenance,
    after_moves,
    after_natives,
    before_natives,
)
from referee.kit.declared import Ahead, Declared


def ahead(war: War, seat: Seat, sheet: Sequence[Intent] = ()) -> Ahead[War]:
    """The position in which an order of a verb is carried out after this sheet, if nothing else happens."""
    if war.stage == "movement":
        moved = cache(lambda: after_moves(war, seat, sheet))
        return lambda _: moved()
    if war.stage != "production":
        return lambda _: war
    kept = cache(lambda: after_maintenance(war, seat))
    before, after = cache(lambda: before_natives(war, seat, sheet)), cache(lambda: after_natives(war, seat, sheet))
    built = cache(lambda: after_construction(war, seat, sheet))
    first = not any(_is_native(intent) for intent in sheet)
    seen = {SETTING_UP: kept, DIPLOMACY: kept, NATIVE_DIPLOMACY: after, CONSTRUCTION: built}
    return lambda verb: (
        before() if first and verb == RemoveSphere.words.verb else seen.get(BOOK.orders[verb].phase, lambda: war)()
    )


def _is_native(intent: Intent) -> bool:
    order = bare(intent)
    return isinstance(order, Declared) and order.phase == NATIVE_DIPLOMACY
