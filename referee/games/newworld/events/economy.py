"""Production and everything that is bought from the bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from referee.core.names import Seat
from referee.games.newworld.events.base import Bought, Gain, OpenEvent
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import EUROPE, goods_in_words
from referee.kit.stock import fewer
from referee.kit.wording import counted, in_a_row


class Yield(msgspec.Struct, frozen=True):
    """One source of production: `Ore`, `2 Grain`, `Farming 1`, `Canadian Furs`."""

    source: str
    gives: dict[str, int]


class ResourcesProduced(OpenEvent, frozen=True):
    """A seat's territories and technologies produced."""

    rule = "nw.production.territories"
    seat: Seat
    gains: dict[str, int]
    yields: tuple[Yield, ...]

    def gained(self) -> Iterator[Gain]:
        yield from (Gain(self.seat, source.gives) for source in self.yields)

    def change(self, world: World) -> World:
        return world.gaining(self.seat, self.gains)

    def sentence(self) -> str:
        sources = in_a_row([f"{y.source} ({goods_in_words(y.gives)})" for y in self.yields])
        return f"{self.seat} produces {goods_in_words(self.gains)}: {sources or 'no sources'}."


class ResourcesBought(OpenEvent, frozen=True):
    """A seat bought a resource from the bank."""

    rule = "nw.trade.bank"
    seat: Seat
    resource: str
    amount: int
    gold: int

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {"gold": -self.gold, self.resource: self.amount})

    def charged(self) -> tuple[str, int, Mapping[str, int]]:
        return "resources of the bank", self.amount, {"gold": self.gold}

    def sentence(self) -> str:
        return f"{self.seat} buys {counted(self.amount, self.resource)} from the bank for {self.gold} gold."


class WorkersHired(Bought, frozen=True):
    """A seat bought Workers."""

    rule, noun, says = "nw.worker.price", "workers", "{seat} hires {what} for {price}."

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, fewer({"workers": self.amount}, self.paid))


class FleetsBuilt(Bought, frozen=True):
    """A seat built Fleets."""

    rule, noun, says = "nw.ship.price", "fleets", "{seat} builds {what} for {price}."
    did = "builds {0.what}"

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, fewer({}, self.paid), self.amount)


class ArmiesRaised(Bought, frozen=True):
    """A seat raised Armies in Europe."""

    rule, noun, says = "nw.army.price", "armies", "{seat} raises {what} in Europe for {price}."
    did = "raises {0.what}"

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, fewer({}, self.paid), armies={EUROPE: self.amount})
