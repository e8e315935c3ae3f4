"""Hidden victory conditions: cards drawn in secret, and shown at the end (27.opt.hidden_victory)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.position.state import War
from referee.games.war.reckoning.cards import card_in_words
from referee.kit.wording import in_a_row


class CardDrawn(OpenEvent, frozen=True):
    """A player drew his card; what it says is told to him alone."""

    rule = "27.opt.hidden_victory.1"
    hides = {"card": "?"}
    seat: Seat
    card: str

    def change(self, war: War) -> War:
        return replace(war, cards={**war.cards, self.seat: self.card})

    def sentence(self) -> str:
        return f"{self.seat} draws {'a secret card' if self.card == '?' else card_in_words(self.card)}."


class CardsShown(OpenEvent, frozen=True):
    """All cards are turned up on the final position: whose, which, and the points it brings (R27-93)."""

    rule = "27.opt.hidden_victory.3"
    cards: tuple[tuple[Seat, str, int], ...]

    def change(self, war: War) -> War:
        return replace(war, cards={seat: card for seat, card, _ in self.cards}, cards_shown=True)

    def sentence(self) -> str:
        told = [f"{seat} {card}, {points or 'no'} points" for seat, card, points in self.cards]
        return f"The cards are shown: {in_a_row(told)}."
