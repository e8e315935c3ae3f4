"""Orders -> intents: what a sentence means in Empire, or why it is not allowed."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Order
from referee.core.table import Table
from referee.games.empire.events import evolve
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.base import AsideOrder
from referee.games.empire.orders.dispatch import carry_out
from referee.games.empire.orders.movement.move import MoveUnits, RollWind
from referee.games.empire.orders.offers import offered
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import seat_of
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.refused import Refused

_FOR_GOOD = frozenset(
    {"emp.P3", "emp.P5", "emp.P23", "emp.H-06", "emp.H-27", "emp.board.square", "emp.move.hauled", "emp.board.grade"}
)
"""Refusals under these rules cannot be mended by an earlier line of the same sheet."""


def bind(empire: Empire, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order means for this seat now, or why it is not allowed.

    Refused is what no earlier line of the same sheet can mend; the rest is left to the forecast and to play.
    """
    if empire.stage == "play" and empire.active != seat and not empire.owned(seat) and order.verb != "ACCEPT":
        why = f"{seat} runs no country and gives no orders; a country that is given to him he may ACCEPT."
        return Illegal(why, "emp.P2", order.verb)
    try:
        return _bound(empire, seat, order)
    except Refused as refusal:
        return offered(empire, order, refusal.illegal, partial(_binds, empire, seat))


def _bound(empire: Empire, seat: Seat, order: Order) -> Intent:
    intent = BOOK.read(empire, seat, order)
    intent.check(empire, seat)
    _check(empire, seat, intent)
    return intent


def _binds(empire: Empire, seat: Seat, order: Order) -> bool:
    try:
        _bound(empire, seat, order)
    except Refused:
        return False
    return True


def bind_later(empire: Empire, seat: Seat, order: Order) -> Intent | Illegal:
    """What an order in an IF or FOR TURN means: its words and the board are judged, not what stands where today."""
    return bind(replace(empire, active=None), seat, order)


def _check(empire: Empire, seat: Seat, intent: Intent) -> None:
    """Try the order in one's own slot; refuse what is beyond hope."""
    if empire.active != seat or isinstance(intent, AsideOrder | PlaceCapital | RollWind):
        return
    try:
        carry_out(Table("try", empire, Keyed(b"try", 0), evolve), seat, intent)
    except Refused as refused:
        if refused.illegal.rule in _FOR_GOOD or _beyond(empire, seat, intent, refused):
            raise


def _beyond(empire: Empire, seat: Seat, intent: Intent, refused: Refused) -> bool:
    """A way too far or barred for units ashore that nothing could carry there: no earlier line helps."""
    if not isinstance(intent, MoveUnits) or refused.illegal.rule not in ("emp.move.bta", "emp.move.barrier"):
        return False
    units = [empire.units[number] for number in intent.units]
    kinds = [KINDS[unit.kind] for unit in units] + [KINDS[some.kind] for some in intent.some]
    on_foot = all(kind.category == "land" for kind in kinds) and not any(unit.aboard for unit in units)
    mine = [country.name for country in empire.owned(seat)]
    carriers = dict.fromkeys(unit.kind for unit in empire.units.values() if unit.country in mine)
    return on_foot and not any(seat_of(KINDS[carrier], kind) for carrier in carriers for kind in kinds)
