"""MOVE: Armies go from Region to Region in the Transport Phase."""

from __future__ import annotations

from typing import Self

from referee.core.choices import Asking, Choice, one, placed, quantity
from referee.core.names import Seat
from referee.core.order import Quantity
from referee.core.table import Script, Table
from referee.games.newworld.events.war import ArmiesMoved
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import REGIONS
from referee.kit.declared import Words
from referee.kit.fields import Counted, One
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

_ONE_WAY = ("MOVE goes from one Region to one other.", "nw.transport.move")


def _no_fleets(_: str) -> tuple[str, str]:
    return "Fleets are everywhere at once and are never moved.", "nw.r34"


class MoveArmies(TurnOrder, frozen=True):
    """nw.transport.move"""

    quantity: Quantity
    origin: str
    target: str

    words = Words(
        "MOVE", "ship Armies from one Region to another", "nw.transport.move", "MOVE 2 armies FROM Europe TO Canada"
    )
    fields = (
        Counted("quantity", "armies", ("unit", "number", "any"), wrong=_no_fleets, rule="nw.h2"),
        One("origin", ("region",), "FROM", taken=str, several=_ONE_WAY),
        One("target", ("region",), "TO", taken=str, several=_ONE_WAY),
    )
    says, phase = "Move {quantity} from {origin} to {target}.", "Transport"

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """Where there are armies, to where there are rebels to be put down first."""
        power, limit = world.powers[seat], transport_limit(world.powers[seat])
        manned = power.manned if limit else {}
        origin = yield from one("origin", (placed(r, counted(n, "armies")) for r, n in manned.items()))
        risen = {t.region for t in world.territories if t.rebels is not None}
        targets = sorted((r for r in REGIONS if r != origin), key=lambda region: region not in risen)
        target = yield from one("target", (Choice(r, r, "in revolt" if r in risen else "", r) for r in targets))
        armies = manned[origin]
        return cls((yield from quantity("quantity", "armies", min(armies, limit), of=armies)), origin, target)

    def check(self, world: World, seat: Seat) -> None:
        if self.origin == self.target:
            raise Refused(f"The armies are to leave {self.origin} for {self.target}.", "nw.transport.move", self.target)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        stand = in_a_row([f"{number} in {region}" for region, number in power.manned.items()]) or "none"
        return f"Armies: {stand}; fleets: {power.fleets}; you can move {transport_limit(power)}.", False


# ---------------------------------------------------------------- carried out


def transport_limit(power: Power) -> int:
    """nw.r20"""
    return min(power.levels["Transportation"], power.fleets)


def transport_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.transport.move, nw.r20"""
    left = transport_limit(turn.power(table))
    waiting = dict(turn.power(table).armies)
    for order in turn.wanted(table, MoveArmies):
        wanted = order.quantity.of(waiting[order.origin])
        amount = min(wanted, waiting[order.origin], left)
        if amount:
            table.emit(ArmiesMoved(turn.seat, amount, order.origin, order.target))
        if amount < wanted or not wanted:
            _explain(table, turn, order, waiting[order.origin], left)
        waiting[order.origin] -= amount
        left -= amount
    yield from ()


def _explain(table: Table[World], turn: Turn, order: MoveArmies, waiting: int, left: int) -> None:
    if left < waiting:
        why, rule = f"Transportation and fleets carry {left} more this turn", "nw.r20"
    else:
        why, rule = f"{counted(waiting, 'armies')} in {order.origin} can still move", "nw.transport.move"
    order.fell_short(table, turn, why, rule)
