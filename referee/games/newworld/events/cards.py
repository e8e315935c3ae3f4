"""The two decks: what was drawn, bought, claimed, discarded and shuffled again."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.position.state import Deck, World
from referee.games.newworld.rulebook.tables import card_named
from referee.kit.stock import fewer, gathered, more
from referee.kit.wording import in_a_row


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards with one copy of this one taken away, where there is one."""
    place = cards.index(card) if card in cards else len(cards)
    return cards[:place] + cards[place + 1 :]


def _drawn(deck: Deck, cards: tuple[str, ...]) -> Deck:
    return replace(deck, draw=fewer(deck.draw, gathered(cards)))


def _discarded(deck: Deck, cards: tuple[str, ...]) -> Deck:
    return replace(deck, discard=more(deck.discard, gathered(cards)))


class DeckReshuffled(OpenEvent, frozen=True):
    """A deck ran out and its discards became the deck. `deck` is exploration or research."""

    rule: ClassVar[str] = "nw.r16"
    deck: str
    cards: int

    def change(self, world: World) -> World:
        if self.deck == "research":
            return replace(world, research=self._turned(world.research))
        return replace(world, exploration=self._turned(world.exploration))

    def _turned(self, deck: Deck) -> Deck:
        return Deck(more(deck.draw, deck.discard), {})

    def sentence(self) -> str:
        return f"The {self.deck} deck has run out; its {self.cards} discards are shuffled."


class ResearchDrawn(OpenEvent, frozen=True):
    """Research cards were drawn into the hand."""

    rule: ClassVar[str] = "nw.research.draw"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, world: World) -> World:
        return replace(world, research=_drawn(world.research, self.cards), hand=world.hand + self.cards)

    def sentence(self) -> str:
        return f"{self.seat} can research {in_a_row(self.cards, 'or') or 'nothing'}."


class TechnologyAdvanced(OpenEvent, frozen=True):
    """A seat paid for a level of a technology and discarded its card."""

    rule: ClassVar[str] = "nw.research.price"
    seat: Seat
    technology: str
    level: int
    gold: int

    def change(self, world: World) -> World:
        power = world.powers[self.seat]
        wiser = replace(power, levels={**power.levels, self.technology: self.level})
        paid = world.with_power(wiser).gaining(self.seat, {"gold": -self.gold})
        discarded = _discarded(paid.research, (self.technology,))
        return replace(paid, hand=_without(paid.hand, self.technology), research=discarded)

    def sentence(self) -> str:
        return f"{self.seat} advances {self.technology} to level {self.level} for {self.gold} gold."


class ResearchDiscarded(OpenEvent, frozen=True):
    """Research cards that were not bought were discarded; `why` some could not be, where no order of the turn is told so."""

    rule: ClassVar[str] = "nw.research.discard"
    seat: Seat
    cards: tuple[str, ...]
    why: str = ""

    def change(self, world: World) -> World:
        hand = world.hand
        for card in self.cards:
            hand = _without(hand, card)
        return replace(world, hand=hand, research=_discarded(world.research, self.cards))

    def sentence(self) -> str:
        return f"{self.seat} discards {in_a_row(self.cards)} unbought{f': {self.why}' if self.why else ''}."


class CardsTurnedUp(OpenEvent, frozen=True):
    """Exploration cards were turned face up."""

    rule: ClassVar[str] = "nw.exploration.draw"
    seat: Seat
    cards: tuple[str, ...]

    def change(self, world: World) -> World:
        deck = _drawn(world.exploration, self.cards)
        return replace(world, exploration=deck, face_up=world.face_up + self.cards, explored=True)

    def sentence(self) -> str:
        return f"{self.seat} explores {in_a_row(self.cards) or 'in vain: no card is left'}."


class ColonyClaimed(OpenEvent, frozen=True):
    """A Worker settled a face-up colonial territory."""

    rule: ClassVar[str] = "nw.colonization.claim"
    seat: Seat
    card: str
    paid: dict[str, int]

    def change(self, world: World) -> World:
        card = card_named(self.card)
        settled = world.gaining(self.seat, fewer({}, self.paid)).adding(card.good, card.region, None, self.seat)
        return replace(settled, face_up=_without(settled.face_up, self.card))

    def sentence(self) -> str:
        return f"{self.seat} sends a worker and claims {self.card}."


class ColoniesDiscarded(OpenEvent, frozen=True):
    """Face-up territories that nobody claimed were discarded; `why` so, where no order of the turn is told it."""

    rule: ClassVar[str] = "nw.colonization.discard"
    cards: tuple[str, ...]
    why: str = ""

    def change(self, world: World) -> World:
        left = world.face_up
        for card in self.cards:
            left = _without(left, card)
        return replace(world, face_up=left, exploration=_discarded(world.exploration, self.cards))

    def sentence(self) -> str:
        go = "goes" if len(self.cards) == 1 else "go"
        return f"{in_a_row(self.cards)} {go} to the discard unclaimed{f': {self.why}' if self.why else ''}."
