"""Production and everything that is bought from the bank."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from referee.core.names import Seat
from referee.games.newworld.events.base import OpenEvent
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

    rule: ClassVar[str] = "nw.production.territories"
    seat: Seat
    gains: dict[str, int]
    yields: tuple[Yield, ...]

    def change(self, world: World) -> World:
        return world.gaining(self.seat, self.gains)

    def sentence(self) -> str:
        sources = in_a_row([f"{y.source} ({goods_in_words(y.gives)})" for y in self.yields])
        return f"{self.seat} produces {goods_in_words(self.gains)}: {sources or 'no sources'}."


class ResourcesBought(OpenEvent, frozen=True):
    """A seat bought a resource from the bank."""

    rule: ClassVar[str] = "nw.trade.bank"
    seat: Seat
    resource: str
    amount: int
    gold: int

    def change(self, world: World) -> World:
        return world.gaining(self.seat, {"gold": -self.gold, self.resource: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} buys {counted(self.amount, self.resource)} from the bank for {self.gold} gold."


class WorkersHired(OpenEvent, frozen=True):
    """A seat bought Workers."""

    rule: ClassVar[str] = "nw.worker.price"
    seat: Seat
    amount: int
    paid: dict[str, int]

    def change(self, world: World) -> World:
        return world.gaining(self.seat, fewer({"workers": self.amount}, self.paid))

    def sentence(self) -> str:
        return f"{self.seat} hires {counted(self.amount, 'workers')} for {goods_in_words(self.paid)}."


class FleetsBuilt(OpenEvent, frozen=True):
    """A seat built Fleets."""

    rule: ClassVar[str] = "nw.ship.price"
    seat: Seat
    amount: int
    paid: dict[str, int]

    def change(self, world: World) -> World:
        return world.gaining(self.seat, fewer({}, self.paid)).mustering(self.seat, fleets=self.amount)

    def sentence(self) -> str:
        return f"{self.seat} builds {counted(self.amount, 'fleets')} for {goods_in_words(self.paid)}."


class ArmiesRaised(OpenEvent, frozen=True):
    """A seat raised Armies in Europe."""

    rule: ClassVar[str] = "nw.army.price"
    seat: Seat
    amount: int
    paid: dict[str, int]

    def change(self, world: World) -> World:
        return world.gaining(self.seat, fewer({}, self.paid)).mustering(self.seat, armies={EUROPE: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} raises {counted(self.amount, 'armies')} in Europe for {goods_in_words(self.paid)}."
