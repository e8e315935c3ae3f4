"""ROB: whom the privateers of a seat rob."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.games.newworld.orders.base import TurnOrder, eliminated
from referee.games.newworld.position.state import World
from referee.kit.declared import Words
from referee.kit.fields import Got, Row
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row


def _rich(world: World, seat: Seat, got: Got) -> Iterator[Choice[Seat]]:
    """Who has most gold first."""
    rich = sorted(world.others(seat), key=lambda other: -world.powers[other].stock["gold"])
    return (Choice(other, other, f"{world.powers[other].stock['gold']} gold") for other in rich)


class RobSeats(TurnOrder, frozen=True):
    """nw.event.privateers: in order of preference."""

    victims: tuple[Seat, ...]

    words = Words("ROB", "say whom your privateers rob, in order of preference", "nw.event.privateers", "ROB {other}")
    fields = (Row("victims", ("side",), taken=Seat, say=lambda victims: in_a_row(victims, "or else"), among=_rich),)
    says, phase, rare = "Privateers rob {victims}.", "", 3

    def check(self, world: World, seat: Seat) -> None:
        for victim in self.victims:
            if victim == seat:
                raise Refused("Privateers rob an opponent, not their own side.", "nw.event.privateers", victim)
            if world.powers[victim].out:
                raise eliminated(victim, "has nothing", victim)
