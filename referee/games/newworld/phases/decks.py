"""Drawing from a deck that is an unordered bag, with the reshuffle of nw.r16."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.core.choices import Choice
from referee.core.table import Table
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.events.cards import DeckReshuffled
from referee.games.newworld.position.state import Deck, World


def card_options(cards: Sequence[str], meaning: Callable[[str, int], str]) -> list[Choice[int]]:
    """One option a card, with what its first or further copy means; the second of a kind is called `Finance 2`."""
    copies = [(card, cards[: place + 1].count(card)) for place, card in enumerate(cards)]
    words = (card if copy == 1 else f"{card} {copy}" for card, copy in copies)
    return [Choice(word, place, meaning(*copies[place])) for place, word in enumerate(words)]


def draw_cards(
    table: Table[World],
    name: str,
    deck: Callable[[World], Deck],
    count: int,
    rule: str,
    drawn: Callable[[tuple[str, ...]], OpenEvent],
) -> None:
    """nw.r16: draw `count` cards."""
    if count and not deck(table.state).left + deck(table.state).discarded:
        table.emit(drawn(()))
    missing = _draw(table, name, deck(table.state), count, rule, drawn)
    if missing and deck(table.state).discarded:
        table.emit(DeckReshuffled(name, deck(table.state).discarded))
        _draw(table, name, deck(table.state), missing, rule, drawn)


def _draw(
    table: Table[World], name: str, deck: Deck, count: int, rule: str, drawn: Callable[[tuple[str, ...]], OpenEvent]
) -> int:
    """Draw up to `count`; returns how many are missing."""
    if deck.left and count:
        cards = table.draw(f"the {name} deck", deck.draw, count, f"{name.capitalize()} cards", rule)
        table.emit(drawn(cards))
    return max(0, count - deck.left)
