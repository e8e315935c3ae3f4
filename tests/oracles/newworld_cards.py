"""Oracles of New World's two decks: research and exploration, the cards that are drawn, bought, claimed and thrown away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.games.newworld.events import (
    CardsTurnedUp,
    ColoniesDiscarded,
    ColonyClaimed,
    EventCame,
    GameEnded,
    ResearchDiscarded,
    ResearchDrawn,
    ResourcesProduced,
    TechnologyAdvanced,
    TurnPassed,
    WorkersHired,
)
from tests.oracles.audit import Line, Stretch, at_most

COLONIES = {
    "Caribbean": {"Sugar": (2, "food", 1), "Tobacco": (2, "gold", 3), "Indigo": (2, "gold", 2), "Coffee": (2, "gold", 4)},
    "Canada": {"Lumber": (2, "wood", 1), "Furs": (4, "cloth", 1), "Syrup": (2, "food", 1)},
    "North America": {
        "Tobacco": (2, "gold", 3), "Fish": (2, "food", 1), "Cotton": (2, "cloth", 1), "Rice": (2, "food", 1),
    },
    "Central America": {
        "Gold": (2, "gold", 6), "Fish": (2, "food", 1), "Gems": (2, "gold", 7), "Cotton": (2, "cloth", 1),
    },
    "South America": {
        "Coffee": (2, "gold", 4), "Cocoa": (2, "gold", 3), "Silver": (2, "gold", 5), "Indigo": (2, "gold", 2),
    },
}  # fmt: skip
"""Exploration Deck Card List: copies, and what a card gives."""


def some(stock: dict[str, int]) -> dict[str, int]:
    """What there is of a stock, in order of name."""
    return {name: number for name, number in sorted(stock.items()) if number}


def research(stretch: Stretch) -> Iterator[Line]:
    """Research Phase: a card for each level of Science and Urbanization; an advance costs 3 + 2X Gold; no hand is kept."""
    for fact in stretch.of(TechnologyAdvanced):
        power = fact.before.powers[fact.event.seat]
        yield Line("next level", fact.event.level, power.levels[fact.event.technology] + 1)
        yield Line("price of an advance", fact.event.gold, 3 + 2 * fact.event.level)
        yield at_most("gold paid", fact.event.gold, power.stock["gold"])
        yield Line("a card for it", fact.event.technology in fact.before.hand, True)
    for thrown in stretch.of(ResearchDiscarded):
        yield Line("the whole hand goes", thrown.after.hand, ())
    yield from _drawn(stretch)
    yield Line("hand between turns", stretch.after.hand, ())


def _drawn(stretch: Stretch) -> Iterator[Line]:
    draws = list(stretch.of(ResearchDrawn))
    for first in (fact for fact in draws if not fact.before.hand):
        levels, deck = first.before.powers[first.event.seat].levels, first.before.research
        there = sum(deck.draw.values()) + sum(deck.discard.values())
        wanted = levels["Science"] + levels["Urbanization"]
        rest = list(stretch.since(first.place - 1, TechnologyAdvanced, ResearchDiscarded, WorkersHired, CardsTurnedUp))
        got = sum(len(fact.event.cards) for fact in rest if isinstance(fact.event, ResearchDrawn))
        yield Line("research cards", got, min(wanted, there))


def exploration(stretch: Stretch) -> Iterator[Line]:
    """Exploration Phase: a card for each level of Exploration, claimed by a Worker each up to the level of Transportation."""
    rounds = _rounds(stretch)
    for facts in rounds:
        first = facts[0]
        levels, deck = first.before.powers[first.event.seat].levels, first.before.exploration
        there = sum(deck.draw.values()) + sum(deck.discard.values())
        drawn = sum(len(fact.event.cards) for fact in facts if isinstance(fact.event, CardsTurnedUp))
        yield Line("exploration cards", drawn, min(levels["Exploration"], there))
        claims = [fact for fact in facts if isinstance(fact.event, ColonyClaimed)]
        yield at_most("claims", len(claims), levels["Transportation"])
        for claim in claims:
            yield Line("a claim costs", some(claim.event.paid), {"workers": 1})
            yield at_most("workers", 1, claim.before.powers[claim.event.seat].stock["workers"])
            yield Line("face up", claim.event.card in claim.before.face_up, True)
    for fact in stretch.any_of(TurnPassed, GameEnded):
        yield Line("face up between turns", fact.before.face_up, ())
    turns = list(stretch.of(ResourcesProduced))
    discovery = any(fact.event.name == "Discovery" for fact in stretch.of(EventCame))
    if turns:
        yield Line("exploration phases", len(rounds), 2 if discovery else 1)


def _rounds(stretch: Stretch) -> list[list[Any]]:
    """The facts of each Exploration Phase with its Colonization: a phase begins where cards are drawn and none lies face up."""
    rounds: list[list[Any]] = []
    fresh = True
    for fact in stretch.any_of(CardsTurnedUp, ColonyClaimed, ColoniesDiscarded):
        if isinstance(fact.event, CardsTurnedUp) and fresh:
            rounds.append([])
        rounds[-1].append(fact)
        fresh = not fact.after.face_up
    return rounds


def decks(stretch: Stretch) -> Iterator[Line]:
    """Decks: 40 cards of the list, two research cards for each of 20 technologies; none is ever lost or made."""
    world = stretch.facts[-1].after
    research_cards = Counter(world.research.draw) + Counter(world.research.discard) + Counter(world.hand)
    yield Line("research deck", (len(research_cards), set(research_cards.values())), (20, {2}))
    cards = Counter(world.exploration.draw) + Counter(world.exploration.discard) + Counter(world.face_up)
    cards += Counter(t.name for t in world.territories if t.home is None)
    adjectives = {
        "South America": "South American",
        "Central America": "Central American",
        "North America": "North American",
        "Canada": "Canadian",
    }
    due = {
        f"{adjectives.get(region, region)} {good}": n
        for region, goods in COLONIES.items()
        for good, (n, _, _) in goods.items()
    }
    yield Line("exploration deck", dict(cards), due)
