"""MOVE: Armies go from Region to Region in the Transport Phase."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.newworld.events.war import ArmiesMoved
from referee.games.newworld.orders.base import SHEET, Done, Plan, TurnOrder
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import REGIONS
from referee.kit.declared import Words
from referee.kit.fields import Counted, Got, One
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

_ONE_WAY = ("MOVE goes from one Region to one other.", "nw.transport.move")


def _no_fleets(_: str) -> tuple[str, str]:
    return "Fleets are everywhere at once and are never moved.", "nw.r34"


def _manned(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    return (placed(region, counted(number, "armies")) for region, number in world.powers[seat].manned.items())


def _targets(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """Where there are rebels to be put down first."""
    risen = {t.region for t in world.territories if t.rebels is not None}
    return (placed(r, "in revolt" if r in risen else "") for r in sorted(REGIONS, key=lambda r: r not in risen))


class MoveArmies(TurnOrder, frozen=True):
    """nw.transport.move"""

    quantity: Quantity
    origin: str
    target: str

    words = Words(
        "MOVE", "ship Armies from one Region to another", "nw.transport.move", "MOVE 2 armies FROM Europe TO Canada"
    )
    fields = (
        One("origin", ("region",), "FROM", taken=str, several=_ONE_WAY, among=_manned),
        One("target", ("region",), "TO", taken=str, several=_ONE_WAY, among=_targets),
        Counted(
            "quantity",
            "armies",
            ("unit", "number", "any"),
            wrong=_no_fleets,
            rule=SHEET,
            held=lambda world, seat, got: world.powers[seat].armies[got["origin"]],
        ),
    )
    says, phase = "Move {quantity} from {origin} to {target}.", "Transport"

    def check(self, world: World, seat: Seat) -> None:
        if self.origin == self.target:
            raise Refused(f"The armies are to leave {self.origin} for {self.target}.", "nw.transport.move", self.target)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        stand = in_a_row([f"{number} in {region}" for region, number in power.manned.items()]) or "none"
        return f"Armies: {stand}; fleets: {power.fleets}; you can move {power.carried}.", False

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """nw.r20: no more than Transportation and fleets carry, and no army twice a turn."""
        moved = [event for event in done if isinstance(event, ArmiesMoved)]
        left = world.powers[seat].carried - sum(event.amount for event in moved)
        come = sum(event.amount for event in moved if event.target == self.origin)
        waiting = world.powers[seat].armies[self.origin] - come
        wanted = self.quantity.of(waiting)
        amount = min(wanted, waiting, left)
        if amount > 0:
            yield ArmiesMoved(seat, amount, self.origin, self.target)
        if amount == wanted and wanted:
            return
        if left < waiting:
            yield Refused(f"Transportation and fleets carry {left} more this turn", "nw.r20")
        else:
            yield Refused(f"{counted(waiting, 'armies')} in {self.origin} can still move", "nw.transport.move")
