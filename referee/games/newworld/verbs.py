"""The verbs of New World, in the order of the phases that carry them out."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.vocabulary import Verb

__all__ = ["verbs"]

_KEEPING = {"KEEPING": ("resource",)}
_GOODS = ("territory", "treasure", "card", "any")
_WARES = ("resource", "unit", "technology", "territory", "card")
"""What is offered, with what nobody may: so that the rule is told."""


def verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs; the examples speak of `other`."""
    return (*_purses(), *_colonies(), *_wars(other), *_losses(other), *_offers(other))


def _purses() -> tuple[Verb, ...]:
    return (
        Verb(
            "RESEARCH",
            "buy these among the research cards drawn, in order of preference, while the gold lasts",
            "RESEARCH Finance, Science, any KEEPING 4 gold",
            "nw.research.price",
            takes=("technology", "any"),
            least=1,
            prepositions=_KEEPING,
        ),
        Verb(
            "BUY",
            "buy resources from the bank in the Trade Phase",
            "BUY 2 food, 1 cloth",
            "nw.trade.bank",
            takes=("resource", "unit"),
            least=1,
            prepositions=_KEEPING,
        ),
        _purchase("HIRE", "buy Workers", "HIRE 2 workers", "nw.worker.price", "resource", "unit"),
        _purchase("BUILD", "build Fleets", "BUILD 1 fleet", "nw.ship.price", "unit"),
        _purchase("RAISE", "raise Armies in Europe", "RAISE 2 armies", "nw.army.price", "unit"),
    )


def _purchase(word: str, meaning: str, example: str, rule: str, *kinds: str) -> Verb:
    return Verb(word, meaning, example, rule, (*kinds, "number", "any"), 1, 1, _KEEPING)


def _colonies() -> tuple[Verb, ...]:
    return (
        Verb(
            "COLONIZE",
            "claim territories turned up, in order of preference; YIELDING sets a least yield",
            "COLONIZE Gems IN Central America, Canadian Furs, any YIELDING 3 gold",
            "nw.colonization.claim",
            takes=_GOODS,
            least=1,
            prepositions={"IN": ("region", *_GOODS), "YIELDING": ("resource", "territory", "card", "any")},
            aliases=("COLONISE", "CLAIM"),
        ),
    )


def _wars(other: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "MOVE",
            "ship Armies from one Region to another",
            "MOVE 2 armies FROM Europe TO Canada",
            "nw.transport.move",
            ("unit",),
            1,
            1,
            {"FROM": ("region",), "TO": ("region",)},
            ("FROM", "TO"),
        ),
        Verb(
            "ATTACK",
            "attack a player, rebels or neutral territories in a Region, for a territory there",
            f"ATTACK {other} IN Europe FOR Ore, any WITH 1 fleet UNLESS outnumbered",
            "nw.war.attack",
            ("side", "foe"),
            1,
            1,
            {"IN": ("region",), "FOR": _GOODS, "WITH": ("unit",), "OF": ("side", *_GOODS), "UNLESS": ("case",)},
            ("IN",),
        ),
    )


def _losses(other: Seat) -> tuple[Verb, ...]:
    return (
        _loss("DISCARD", "say which units go first when Upkeep cannot keep them", "nw.r10"),
        _loss("LOSE", "say which units go first to events and in battle, and at Upkeep without DISCARD", "nw.r23"),
        Verb(
            "ROB",
            "say whom your privateers rob, in order of preference",
            f"ROB {other}",
            "nw.event.privateers",
            takes=("side",),
            least=1,
        ),
    )


def _loss(word: str, meaning: str, rule: str) -> Verb:
    places = {"FROM": ("region", "unit"), "IN": ("region", "unit")}
    return Verb(word, meaning, f"{word} armies FROM Canada, fleets", rule, ("unit",), 1, None, places)


def _offers(other: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "OFFER",
            "offer resources to a player for others, or as a gift; done at once",
            f"OFFER 3 gold, 1 wood TO {other} FOR 1 cloth",
            "nw.r12",
            _WARES,
            1,
            None,
            {"TO": ("side",), "WITH": ("side",), "FOR": _WARES},
            (),
            ("SELL", "TRADE"),
        ),
        _answer("ACCEPT", "accept an offer by its number; done at once"),
        _answer("DECLINE", "decline an offer or a gift by its number; done at once"),
        _answer("WITHDRAW", "take back your own offer by its number; done at once"),
    )


def _answer(word: str, meaning: str) -> Verb:
    return Verb(word, meaning, f"{word} 1", "nw.r12", ("number",), 1, 1)
