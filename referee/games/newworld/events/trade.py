"""Offers among players: posted, answered, carried out or void."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.position.state import Offer, World
from referee.games.newworld.rulebook.tables import goods_in_words
from referee.kit.stock import fewer


def _dropped(world: World, number: int) -> World:
    return replace(world, offers=tuple(offer for offer in world.offers if offer.number != number))


def _in_words(to: Seat, gives: dict[str, int], asks: dict[str, int]) -> str:
    return f"{goods_in_words(gives)} to {to} " + (f"for {goods_in_words(asks)}" if asks else "as a gift")


class OfferMade(OpenEvent, frozen=True):
    """A trade was offered; a gift (nothing asked) counts as accepted."""

    rule: ClassVar[str] = "nw.trade.players"
    number: int
    maker: Seat
    to: Seat
    gives: dict[str, int]
    asks: dict[str, int]

    def change(self, world: World) -> World:
        offer = Offer(self.number, self.maker, self.to, self.gives, self.asks, accepted=not self.asks)
        return replace(world, offers=(*world.offers, offer), next_offer=self.number + 1)

    def sentence(self) -> str:
        return f"Offer {self.number}: {self.maker} offers {_in_words(self.to, self.gives, self.asks)}."


class OfferAccepted(OpenEvent, frozen=True):
    """An offer was accepted; it is carried out in the next Trade Phase of either party."""

    rule: ClassVar[str] = "nw.r12"
    number: int
    seat: Seat

    def change(self, world: World) -> World:
        offers = tuple(replace(o, accepted=True) if o.number == self.number else o for o in world.offers)
        return replace(world, offers=offers)

    def sentence(self) -> str:
        return f"{self.seat} accepts offer {self.number}."


class OfferDeclined(OpenEvent, frozen=True):
    """An offer was declined and is off the table."""

    rule: ClassVar[str] = "nw.r12"
    number: int
    seat: Seat

    def change(self, world: World) -> World:
        return _dropped(world, self.number)

    def sentence(self) -> str:
        return f"{self.seat} declines offer {self.number}."


class OfferWithdrawn(OpenEvent, frozen=True):
    """The maker took an offer back before it was carried out."""

    rule: ClassVar[str] = "nw.r12"
    number: int
    seat: Seat

    def change(self, world: World) -> World:
        return _dropped(world, self.number)

    def sentence(self) -> str:
        return f"{self.seat} withdraws offer {self.number}."


class TradeDone(OpenEvent, frozen=True):
    """An accepted offer was carried out."""

    rule: ClassVar[str] = "nw.trade.players"
    number: int
    maker: Seat
    to: Seat
    gives: dict[str, int]
    asks: dict[str, int]

    def change(self, world: World) -> World:
        traded = world.gaining(self.maker, fewer(self.asks, self.gives))
        traded = traded.gaining(self.to, fewer(self.gives, self.asks))
        return _dropped(traded, self.number)

    def sentence(self) -> str:
        return f"Offer {self.number} is carried out: {self.maker} gives {_in_words(self.to, self.gives, self.asks)}."


class TradeVoided(OpenEvent, frozen=True):
    """An accepted offer could not be paid and is void."""

    rule: ClassVar[str] = "nw.r12"
    number: int
    seat: Seat
    lacking: dict[str, int]

    def change(self, world: World) -> World:
        return _dropped(world, self.number)

    def sentence(self) -> str:
        return f"Offer {self.number} is void: {self.seat} cannot pay {goods_in_words(self.lacking)}."
