"""Offers among players: posted, answered, carried out or void."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import Gain, OfferGone, OpenEvent
from referee.games.newworld.position.state import Offer, World
from referee.games.newworld.rulebook.tables import goods_in_words
from referee.kit.stock import fewer


def _in_words(to: Seat, gives: dict[str, int], asks: dict[str, int]) -> str:
    return f"{goods_in_words(gives)} to {to} " + (f"for {goods_in_words(asks)}" if asks else "as a gift")


class OfferMade(OpenEvent, frozen=True):
    """A trade was offered; a gift (nothing asked) counts as accepted."""

    rule = "nw.trade.players"
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

    rule, says = "nw.r12", "{seat} accepts offer {number}."
    number: int
    seat: Seat

    def change(self, world: World) -> World:
        offers = tuple(replace(o, accepted=True) if o.number == self.number else o for o in world.offers)
        return replace(world, offers=offers)


class OfferDeclined(OfferGone, frozen=True):
    """An offer was declined and is off the table."""

    rule, says = "nw.r12", "{seat} declines offer {number}."
    seat: Seat


class OfferWithdrawn(OfferGone, frozen=True):
    """The maker took an offer back before it was carried out."""

    rule, says = "nw.r12", "{seat} withdraws offer {number}."
    seat: Seat


class TradeDone(OfferGone, frozen=True):
    """An accepted offer was carried out."""

    rule = "nw.trade.players"
    maker: Seat
    to: Seat
    gives: dict[str, int]
    asks: dict[str, int]

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.maker, fewer(self.asks, self.gives))
        yield Gain(self.to, fewer(self.gives, self.asks))

    def sentence(self) -> str:
        return f"Offer {self.number} is carried out: {self.maker} gives {_in_words(self.to, self.gives, self.asks)}."


class TradeVoided(OfferGone, frozen=True):
    """An accepted offer could not be paid and is void."""

    rule = "nw.r12"
    seat: Seat
    lacking: dict[str, int]

    def sentence(self) -> str:
        return f"Offer {self.number} is void: {self.seat} cannot pay {goods_in_words(self.lacking)}."
