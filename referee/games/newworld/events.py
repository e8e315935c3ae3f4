"""Everything that can happen in New World; and what all events share: everybody is told, and each knows what it brings whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.event import Audience
from referee.core.names import Seat
from referee.games.newworld.position import Deck, Offer, World, power_of
from referee.games.newworld.rulebook import (
    EUROPE,
    REGIONS,
    RESOURCES,
    Holdings,
    card_named,
    former_start,
    goods_in_words,
)
from referee.kit.game import Change
from referee.kit.stock import Flow, fewer, gathered, more
from referee.kit.wording import counted, in_a_row, in_number


class Gain(NamedTuple):
    """So much more for a seat: resources, Fleets, Armies by Region, levels of technologies (below 0: less)."""

    seat: Seat
    goods: Mapping[str, int] = {}
    fleets: int = 0
    armies: Mapping[str, int] = {}
    levels: Mapping[str, int] = {}


def booked(gain: Gain) -> Iterator[Flow]:
    """Its bookings in the accounts "France: gold", "France: armies in Canada" ... and out of them (below 0)."""
    seat, goods, fleets, armies, levels = gain
    yield from (Flow(f"{seat}: {name}", number) for name, number in goods.items())
    yield from (Flow(f"{seat}: armies in {region}", number) for region, number in armies.items())
    yield from (Flow(f"{seat}: {name} level", number) for name, number in levels.items())
    yield Flow(f"{seat}: fleets", fleets)


class OpenEvent(Change, frozen=True):
    """An event on the open pages of New World. `did` is its deed, with what it knows as blanks: `builds {0.what}`."""

    audience = Audience.EVERYONE
    did: ClassVar[str] = ""

    def deed(self) -> str:
        """The deed without the name of its doer, where it is worth a word in a summary."""
        return self.did.format(self)

    def gained(self) -> Iterator[Gain]:
        """Its gains and costs, by seat."""
        return iter(())

    def change(self, world: World) -> World:
        for gain in self.gained():
            world = world.gaining(*gain)
        return world

    def flows(self) -> Iterator[Flow]:
        """Its bookings into accounts and out of them."""
        for gain in self.gained():
            yield from booked(gain)

    def charged(self) -> tuple[str, int, Mapping[str, int]] | None:
        """The thing that was paid for, how many of it there were, and their cost."""
        return None


class Bought(OpenEvent, frozen=True):
    """So much of one thing at one price."""

    noun: ClassVar[str]
    seat: Seat
    amount: int
    paid: dict[str, int]

    @property
    def what(self) -> str:
        """So many of it."""
        return counted(self.amount, self.noun)

    @property
    def price(self) -> str:
        """The price that was paid, in words."""
        return goods_in_words(self.paid)

    def charged(self) -> tuple[str, int, Mapping[str, int]]:
        return self.noun, self.amount, self.paid


class OfferGone(OpenEvent, frozen=True):
    """An offer is off the table."""

    number: int

    def change(self, world: World) -> World:
        world = super().change(world)
        return replace(world, offers=tuple(offer for offer in world.offers if offer.number != self.number))


# ---------------------------------------------------------------- turns
# Set-up, the passing of the turn, orders that fell short, elimination, the end.


class OrderOfPlaySet(OpenEvent, frozen=True):
    """The order of play was drawn."""

    rule = "nw.r1"
    order: tuple[Seat, ...]

    def change(self, world: World) -> World:
        return replace(world, order=self.order)

    def sentence(self) -> str:
        return f"The order of play is {in_a_row(self.order)}."


class TerritoriesSettled(OpenEvent, frozen=True):
    """A seat's European territories were found, `rolled` after the given four; with them it has what it starts with.

    A log of version 0.2.0 does not say what that is.
    """

    rule = "nw.setup.territories"
    seat: Seat
    given: tuple[str, ...]
    rolled: tuple[str, ...]
    start: Holdings | None = None

    def begins_with(self, world: World) -> Holdings:
        """The holdings that the seat starts with, wherever the log tells them."""
        return self.start or former_start(self.seat, world.nationalities)

    def change(self, world: World) -> World:
        world = world.with_power(power_of(self.seat, self.begins_with(world)))
        for terrain in (*self.given, *self.rolled):
            world = world.adding(terrain, EUROPE, self.seat, self.seat)
        return world

    def flows(self) -> Iterator[Flow]:
        yield Flow(f"{self.seat}: territories", len(self.given) + len(self.rolled))

    def sentence(self) -> str:
        return f"{self.seat} holds {in_a_row(self.given)}, and by the dice {in_a_row(self.rolled)}."


class TurnPassed(OpenEvent, frozen=True):
    """The turn passed to a seat."""

    rule, says = "nw.turn.order", "{seat} is next: turn {turn}, round {round}."
    seat: Seat
    turn: int
    round: int

    def change(self, world: World) -> World:
        return replace(world, active=self.seat, turn=self.turn, round=self.round, extra="", explored=False)


class OrderFellShort(OpenEvent, frozen=True):
    """An order was not carried out, or not in full."""

    rule, says = "nw.h2", "{seat}'s order fell short ({order}): {why}."
    seat: Seat
    order: str
    why: str
    by_rule: str


class PowerEliminated(OpenEvent, frozen=True):
    """A seat lost too much of its homeland and is out."""

    rule, did = "nw.victory.elimination", "drives {0.seat} out of the game"
    seat: Seat
    lost: int

    def change(self, world: World) -> World:
        power = world.powers[self.seat]
        gone = replace(power, stock=dict.fromkeys(RESOURCES, 0), fleets=0, armies=dict.fromkeys(REGIONS, 0), out=True)
        territories = tuple(replace(t, owner=None) if t.owner == self.seat else t for t in world.territories)
        offers = tuple(offer for offer in world.offers if self.seat not in (offer.maker, offer.to))
        return replace(world.with_power(gone), territories=territories, offers=offers)

    def sentence(self) -> str:
        lost = counted(self.lost, "territories")
        return f"{self.seat} has lost {lost} of its homeland and is out; everything it held is neutral now."


class GameEnded(OpenEvent, frozen=True):
    """The game is over."""

    rule = "nw.end.claimed"
    why: str
    winners: tuple[Seat, ...]
    by_rule: str

    def change(self, world: World) -> World:
        return replace(world, ended=self.why, active=None)

    def sentence(self) -> str:
        verb = "wins" if len(self.winners) == 1 else "share the win"
        return f"The game is over: {self.why}. {in_a_row(self.winners)} {verb}."


# ---------------------------------------------------------------- armies on the move and in battle


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


# ---------------------------------------------------------------- fortunes
# The effects of the event table, and the units lost by Upkeep and battle.


class EventCame(OpenEvent, frozen=True):
    """The Event Phase brought something, or nothing (`name` empty)."""

    rule = "nw.event.check"
    seat: Seat
    name: str = ""

    def deed(self) -> str:
        return f"meets {self.name}" if self.name else ""

    def cites(self) -> str:
        return f"nw.event.{self.name.lower()}" if self.name else self.rule

    def change(self, world: World) -> World:
        return replace(world, extra=self.name if self.name in ("Discovery", "Invention") else "")

    def sentence(self) -> str:
        return f"{self.seat} meets {self.name}." if self.name else f"{self.seat} has a quiet year: no event."


class ResourcesLost(OpenEvent, frozen=True):
    """A seat lost some of a resource; nothing when there was none."""

    rule = "nw.r2"
    seat: Seat
    resource: str
    amount: int
    why: str
    by_rule: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {self.resource: -self.amount})

    def sentence(self) -> str:
        lost = counted(self.amount, self.resource) if self.amount else f"no {self.resource}, having none"
        return f"{self.seat} loses {lost} ({self.why})."


class ResourcesGained(OpenEvent, frozen=True):
    """A seat gained some of a resource by good fortune."""

    rule = "nw.event.prosperity"
    seat: Seat
    resource: str
    amount: int
    why: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {self.resource: self.amount})

    def sentence(self) -> str:
        return f"{self.seat} gains {counted(self.amount, self.resource)} ({self.why})."


class GoldRobbed(OpenEvent, frozen=True):
    """Privateers took gold from an opponent."""

    rule, says = "nw.event.privateers", "{seat}'s privateers take {amount} gold from {victim}."
    seat: Seat
    victim: Seat
    amount: int

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {"gold": self.amount})
        yield Gain(self.victim, {"gold": -self.amount})


class UnitsLost(OpenEvent, frozen=True):
    """A seat lost Fleets and Armies; none when there were none to lose."""

    rule = "nw.r2"
    seat: Seat
    fleets: int
    armies: dict[str, int]
    why: str
    by_rule: str

    def gained(self) -> Iterator[Gain]:
        yield Gain(self.seat, {}, -self.fleets, fewer({}, self.armies))

    def sentence(self) -> str:
        fleets = [counted(self.fleets, "fleets")] if self.fleets else []
        places = [region for region in REGIONS if self.armies.get(region)]
        armies = [f"{counted(self.armies[region], 'armies')} in {region}" for region in places]
        return f"{self.seat} loses {in_a_row([*fleets, *armies]) or 'nothing, having none'} ({self.why})."


class ColonyRevolted(OpenEvent, frozen=True):
    """Revolutionary armies rose in a colony, or joined those that stood there."""

    rule = "nw.revolution.armies"
    seat: Seat
    number: int
    name: str
    rebels: int

    def change(self, world: World) -> World:
        colony = world.territory(self.number)
        return world.with_territory(replace(colony, rebels=(colony.rebels or 0) + self.rebels))

    def sentence(self) -> str:
        return f"{self.name} ({self.seat}) revolts: {counted(self.rebels, 'revolutionary armies')} rise there."


# ---------------------------------------------------------------- goods, trade and territories
# Production, the bank, offers, research, cards and claims.


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
        go = in_number(len(self.cards), "go")
        return f"{in_a_row(self.cards)} {go} to the discard unclaimed{f': {self.why}' if self.why else ''}."
