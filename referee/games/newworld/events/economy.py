"""Goods, trade and territories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events import Bought, Gain, OfferGone, OpenEvent
from referee.games.newworld.position import Deck, Offer, World
from referee.games.newworld.rulebook import EUROPE, card_named, goods_in_words
from referee.kit.stock import Flow, fewer, gathered, more
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


# ---------------------------------------------------------------- offers among players
# Posted, answered, carried out or void.


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


# ---------------------------------------------------------------- the two decks
# The cards drawn, bought, claimed, discarded and shuffled again.


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards with one copy of this one taken away, where there is one."""
    place = cards.index(card) if card in cards else len(cards)
    return cards[:place] + cards[place + 1 :]


def _drawn(deck: Deck, cards: tuple[str, ...]) -> Deck:
    return replace(deck, draw=fewer(deck.draw, gathered(cards)))


def _discarded(deck: Deck, cards: tuple[str, ...]) -> Deck:
    return replace(deck, discard=more(deck.discard, gathered(cards)))


def _piled(deck: str, cards: int) -> Flow:
    return Flow(f"{deck} cards to draw or discarded", cards)


class DeckReshuffled(OpenEvent, frozen=True):
    """A deck ran out and its discards became the deck. `deck` is exploration or research."""

    rule, says = "nw.r16", "The {deck} deck has run out; its {cards} discards are shuffled."
    deck: str
    cards: int

    def change(self, world: World) -> World:
        deck: Deck = getattr(world, self.deck)
        return replace(world, **{self.deck: Deck(more(deck.draw, deck.discard), {})})


class ResearchDrawn(OpenEvent, frozen=True):
    """Research cards were drawn into the hand."""

    rule = "nw.research.draw"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, world: World) -> World:
        return replace(world, research=_drawn(world.research, self.cards), hand=world.hand + self.cards)

    def flows(self) -> Iterator[Flow]:
        yield _piled("research", -len(self.cards))

    def sentence(self) -> str:
        return f"{self.seat} can research {in_a_row(self.cards, 'or') or 'nothing'}."


class TechnologyAdvanced(OpenEvent, frozen=True):
    """A seat paid for a level of a technology and discarded its card."""

    did = "advances {0.technology} to {0.level}"
    rule, says = "nw.research.price", "{seat} advances {technology} to level {level} for {gold} gold."
    seat: Seat
    technology: str
    level: int
    gold: int

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {"gold": -self.gold}, levels={self.technology: 1})

    def change(self, world: World) -> World:
        world = super().change(world)
        discarded = _discarded(world.research, (self.technology,))
        return replace(world, hand=_without(world.hand, self.technology), research=discarded)

    def flows(self) -> Iterator[Flow]:
        yield from (*super().flows(), _piled("research", 1))

    def charged(self) -> tuple[str, int, Mapping[str, int]]:
        return f"technologies of level {self.level}", 1, {"gold": self.gold}


class ResearchDiscarded(OpenEvent, frozen=True):
    """Research cards that were not bought were discarded; `why` some could not be, where no order of the turn is told so."""

    rule = "nw.research.discard"
    seat: Seat
    cards: tuple[str, ...]
    why: str = ""

    def change(self, world: World) -> World:
        left = reduce(_without, self.cards, world.hand)
        return replace(world, hand=left, research=_discarded(world.research, self.cards))

    def flows(self) -> Iterator[Flow]:
        yield _piled("research", len(self.cards))

    def sentence(self) -> str:
        return f"{self.seat} discards {in_a_row(self.cards)} unbought{f': {self.why}' if self.why else ''}."


class CardsTurnedUp(OpenEvent, frozen=True):
    """Exploration cards were turned face up."""

    rule = "nw.exploration.draw"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, world: World) -> World:
        deck = _drawn(world.exploration, self.cards)
        return replace(world, exploration=deck, face_up=world.face_up + self.cards, explored=True)

    def flows(self) -> Iterator[Flow]:
        yield _piled("exploration", -len(self.cards))

    def sentence(self) -> str:
        return f"{self.seat} explores {in_a_row(self.cards) or 'in vain: no card is left'}."


class ColonyClaimed(OpenEvent, frozen=True):
    """A Worker settled a face-up colonial territory."""

    did = "claims {0.card}"
    rule, says = "nw.colonization.claim", "{seat} sends a worker and claims {card}."
    seat: Seat
    card: str
    paid: dict[str, int]

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, fewer({}, self.paid))

    def change(self, world: World) -> World:
        card = card_named(self.card)
        settled = super().change(world).adding(card.good, card.region, None, self.seat)
        return replace(settled, face_up=_without(settled.face_up, self.card))

    def flows(self) -> Iterator[Flow]:
        claimed = Flow("colonial territories claimed", 1), Flow(f"{self.seat}: territories", 1)
        yield from (*super().flows(), *claimed)

    def charged(self) -> tuple[str, int, Mapping[str, int]]:
        return "colonies", 1, self.paid


class ColoniesDiscarded(OpenEvent, frozen=True):
    """Face-up territories that nobody claimed were discarded; `why` so, where no order of the turn is told it."""

    rule = "nw.colonization.discard"
    cards: tuple[str, ...]
    why: str = ""

    def change(self, world: World) -> World:
        left = reduce(_without, self.cards, world.face_up)
        return replace(world, face_up=left, exploration=_discarded(world.exploration, self.cards))

    def flows(self) -> Iterator[Flow]:
        yield _piled("exploration", len(self.cards))

    def sentence(self) -> str:
        go = "goes" if len(self.cards) == 1 else "go"
        return f"{in_a_row(self.cards)} {go} to the discard unclaimed{f': {self.why}' if self.why else ''}."
