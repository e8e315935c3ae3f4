"""Armies on the move and in battle."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import Gain, OpenEvent
from referee.games.newworld.position.state import World
from referee.kit.ledger import Flow
from referee.kit.wording import counted, in_a_row


class ArmiesMoved(OpenEvent, frozen=True):
    """Armies were shipped from one Region to another."""

    rule = "nw.transport.move"
    seat: Seat
    amount: int
    origin: str
    target: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, armies={self.origin: -self.amount, self.target: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} moves {counted(self.amount, 'armies')} from {self.origin} to {self.target}."


class AttackLaunched(OpenEvent, frozen=True):
    """An attack began. `foe` is a seat, `rebels` or `neutral`; no dice mean that it succeeds by itself.

    `strength` and `defence` list what rolls: (name, dice).
    """

    rule = "nw.war.attack"
    seat: Seat
    foe: str
    region: str
    strength: tuple[tuple[str, int], ...]
    defence: tuple[tuple[str, int], ...]

    def cites(self) -> str:
        return self.rule if self.defence else "nw.war.automatic"

    def sentence(self) -> str:
        opening = f"{self.seat} attacks {self.foe} in {self.region}"
        if not self.defence:
            return f"{opening} and meets no army: the attack succeeds by itself."
        ours, theirs = sum(n for _, n in self.strength), sum(n for _, n in self.defence)
        return (
            f"{opening}: {counted(ours, 'dice')} ({_listed(self.strength)}) "
            f"against {counted(theirs, 'dice')} ({_listed(self.defence)})."
        )


def _listed(strength: tuple[tuple[str, int], ...]) -> str:
    return in_a_row([f"{name} {number}" for name, number in strength])


class RebelsDestroyed(OpenEvent, frozen=True):
    """Revolutionary armies in a colony were destroyed."""

    rule = "nw.war.hits"
    number: int
    name: str
    amount: int
    left: int

    def change(self, world: World) -> World:
        return world.with_territory(replace(world.territory(self.number), rebels=self.left))

    def sentence(self) -> str:
        return f"{counted(self.amount, 'revolutionary armies')} in {self.name} destroyed; {self.left} left."


class TerritoryTaken(OpenEvent, frozen=True):
    """A territory changed hands; a revolt in it is over. `loser` None: it was neutral."""

    rule, did = "nw.war.capture", "takes {0.name}"
    seat: Seat
    number: int
    name: str
    loser: Seat | None
    rebels: bool = False

    def cites(self) -> str:
        return "nw.revolution.capture" if self.rebels else self.rule

    def change(self, world: World) -> World:
        return world.with_territory(replace(world.territory(self.number), owner=self.seat, rebels=None))

    def flows(self) -> Iterator[Flow]:
        yield Flow(f"{self.seat}: territories", 1)
        yield from [Flow(f"{self.loser}: territories", -1)] if self.loser else []

    def sentence(self) -> str:
        loser = "the rebels" if self.rebels else self.loser or "nobody"
        return f"{self.seat} takes {self.name} from {loser}."


class AttackBeaten(OpenEvent, frozen=True):
    """An attack took nothing."""

    did = "is beaten off by {0.foe}"
    rule, says = "nw.war.capture", "{seat}'s attack on {foe} in {region} takes nothing: {why}."
    seat: Seat
    foe: str
    region: str
    why: str
