"""The words of New World for the order language: verbs, nouns, and the tests an IF may make."""

from __future__ import annotations

from functools import lru_cache

from referee.core.names import Seat
from referee.core.vocabulary import Noun, Verb, Vocabulary
from referee.games.newworld.data import CARDS, REGIONS, RESOURCES, TECHNOLOGIES, TERRAINS
from referee.games.newworld.state import World

__all__ = ["FIRST_HALF", "SECOND_HALF", "vocabulary_of"]

FIRST_HALF = ("RESEARCH", "BUY", "HIRE", "BUILD", "RAISE")
SECOND_HALF = ("COLONIZE", "MOVE", "ATTACK", "DISCARD", "LOSE", "ROB")
"""Verbs of the sheet: those before Exploration and those after it or for any time of the turn."""

_ALIASES = {
    "workers": ("worker", "laborers", "labourers"),
    "horses": ("horse",),
    "Transportation": ("Transport",),
    "Fortifications": ("Fortification",),
    "Forest": ("Woods",),
    "Urbanization": ("Urbanisation",),
}


def vocabulary_of(world: World) -> Vocabulary:
    """The words of a match; the same object for the same seats."""
    return _vocabulary(tuple(sorted(world.powers)))


@lru_cache(maxsize=64)
def _vocabulary(seats: tuple[Seat, ...]) -> Vocabulary:
    return Vocabulary(_verbs(seats[0], seats[-1]), _nouns(seats), _predicates(seats[0]))


def _noun(name: str, kind: str) -> Noun:
    return Noun(name, kind, _ALIASES.get(name, ()))


def _nouns(seats: tuple[Seat, ...]) -> tuple[Noun, ...]:
    """Gold the territory has a kind of its own, so that gold the resource is not taken for it after YIELDING."""
    goods = dict.fromkeys((*TERRAINS, *(card.good for card in CARDS)))
    return (
        *(Noun(seat, "side") for seat in seats),
        *(Noun(region, "region") for region in REGIONS),
        *(_noun(resource, "resource") for resource in RESOURCES),
        *(_noun(technology, "technology") for technology in TECHNOLOGIES),
        *(_noun(good, "treasure" if good.lower() in RESOURCES else "territory") for good in goods),
        *(Noun(card.name, "card") for card in CARDS),
        Noun("armies", "unit", ("army",)),
        Noun("fleets", "unit", ("fleet", "ships", "ship")),
        Noun("rebels", "foe", ("rebel", "revolutionaries", "revolutionary armies")),
        Noun("neutral", "foe", ("neutrals", "nobody")),
        Noun("outnumbered", "case"),
    )


def _verbs(some: Seat, other: Seat) -> tuple[Verb, ...]:
    keeping = {"KEEPING": ("resource",)}
    return (
        Verb(
            "RESEARCH",
            "buy these among the research cards drawn, in order of preference, while the gold lasts",
            "RESEARCH Finance, Science, any KEEPING 4 gold",
            "nw.research.price",
            ("technology", "any"),
            1,
            None,
            keeping,
        ),
        Verb(
            "BUY",
            "buy resources from the bank in the Trade Phase",
            "BUY 2 food, 1 cloth",
            "nw.trade.bank",
            ("resource",),
            1,
            None,
            keeping,
        ),
        _purchase("HIRE", "buy Workers", "HIRE 2 workers", "nw.worker.price", "resource"),
        _purchase("BUILD", "build Fleets", "BUILD 1 fleet", "nw.ship.price", "unit"),
        _purchase("RAISE", "raise Armies in Europe", "RAISE 2 armies", "nw.army.price", "unit"),
        Verb(
            "COLONIZE",
            "claim territories turned up, in order of preference; YIELDING sets a least yield",
            "COLONIZE Gems IN Central America, Canadian Furs, any YIELDING 3 gold",
            "nw.colonization.claim",
            ("territory", "treasure", "card", "any"),
            1,
            None,
            {"IN": ("region", "territory", "treasure", "card", "any"), "YIELDING": ("resource", "territory", "card", "any")},
            (),
            ("COLONISE", "CLAIM"),
        ),
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
            {
                "IN": ("region",),
                "FOR": ("territory", "treasure", "card", "any"),
                "WITH": ("unit",),
                "OF": ("side",),
                "UNLESS": ("case",),
            },
            ("IN",),
        ),
        _loss("DISCARD", "say which units go first when Upkeep cannot keep them", "nw.r10"),
        _loss("LOSE", "say which units go first to events and in battle, and at Upkeep without DISCARD", "nw.r23"),
        Verb(
            "ROB",
            "say whom your privateers rob, in order of preference",
            f"ROB {other}",
            "nw.event.privateers",
            ("side",),
            1,
        ),
        Verb(
            "OFFER",
            "offer resources to a player for others, or as a gift; done at once",
            f"OFFER 3 gold, 1 wood TO {other} FOR 1 cloth",
            "nw.r12",
            ("resource",),
            1,
            None,
            {"TO": ("side",), "FOR": ("resource",)},
            ("TO",),
        ),
        _answer("ACCEPT", "accept an offer by its number; done at once"),
        _answer("DECLINE", "decline an offer or a gift by its number; done at once"),
        _answer("WITHDRAW", "take back your own offer by its number; done at once"),
    )


def _purchase(word: str, meaning: str, example: str, rule: str, kind: str) -> Verb:
    return Verb(word, meaning, example, rule, (kind, "number", "any"), 1, 1, {"KEEPING": ("resource",)})


def _loss(word: str, meaning: str, rule: str) -> Verb:
    places = {"FROM": ("region", "unit"), "IN": ("region", "unit")}
    return Verb(word, meaning, f"{word} armies FROM Canada, fleets", rule, ("unit",), 1, None, places)


def _answer(word: str, meaning: str) -> Verb:
    return Verb(word, meaning, f"{word} 1", "nw.r12", ("number",), 1, 1)


def _predicates(some: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "CONTROLS",
            "whether a player controls a territory of this kind",
            f"{some} CONTROLS Gems",
            "nw.war.capture",
            ("territory", "treasure", "card"),
            1,
            1,
            {"IN": ("region",)},
        ),
        *(_measure(resource, f"how many {resource} you have", f"{resource} >= 3") for resource in RESOURCES),
        _measure("fleets", "how many Fleets you have", "fleets >= 2"),
        Verb(
            "armies",
            "how many Armies you have, in a Region or in all",
            "armies IN Canada >= 2",
            "nw.h2",
            (),
            0,
            None,
            {"IN": ("region",)},
            (),
            ("army",),
        ),
        _measure("culture", "your Culture if the game ended now", "culture >= 15"),
        _measure("round", "the number of the round", "round >= 3"),
        _measure("turn", "the number of the turn", "turn >= 12"),
        *(_measure(t, f"your level in {t}", f"{t} >= 2") for t in TECHNOLOGIES),
    )


def _measure(word: str, meaning: str, example: str) -> Verb:
    return Verb(word, meaning, example, "nw.h2", aliases=_ALIASES.get(word, ()))
