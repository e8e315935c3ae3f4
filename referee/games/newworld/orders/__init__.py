"""The orders of New World in the order of the phases that carry them out, and the words in which they are written."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache, lru_cache

from referee.core.names import Seat
from referee.core.order import Illegal, Intent, Noun, Order, Verb, Vocabulary
from referee.games.newworld.orders.army import AttackRegion, DiscardUnits, LoseUnits, MoveArmies, RobSeats
from referee.games.newworld.orders.base import SHEET, eliminated
from referee.games.newworld.orders.spending import PURCHASES, ColonizeCards, ResearchTechnologies
from referee.games.newworld.orders.trade import OFFERS, BuyResources
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import CARDS, REGIONS, RESOURCES, TECHNOLOGIES, TERRAINS
from referee.kit.declared import Book
from referee.kit.rulebook import Tongues, tongues

_SINGULARS = {
    ("unit", "armies"): "army",
    ("unit", "fleets"): "fleet",
    ("resource", "workers"): "worker",
    ("resource", "horses"): "horse",
}

BOOK: Book[World] = Book(
    (
        ResearchTechnologies,
        BuyResources,
        *PURCHASES,
        ColonizeCards,
        MoveArmies,
        AttackRegion,
        DiscardUnits,
        LoseUnits,
        RobSeats,
        *OFFERS,
    ),
    _SINGULARS,
)

FIRST_HALF = BOOK.verbs_of("Trade", "Research", "Worker", "Ship Building", "Raise Armies")
SECOND_HALF = BOOK.verbs_of("Colonization", "Transport", "War", "")
"""Verbs of the sheet: those before Exploration and those after it or for any time of the turn."""


def bind(world: World, seat: Seat, order: Order) -> Intent | Illegal:
    """The meaning of an order for this seat now, or the reason why it is not allowed."""
    if world.powers[seat].out:
        return eliminated(seat, "gives no more orders", order.verb).illegal
    return BOOK.bind(world, seat, order)


def bound_by(world: World, seat: Seat) -> Hashable:
    """All that `bind` looks at besides the order: who gives it, what he has, who is out of the game, the offers on the table."""
    out = tuple(power.out for power in world.powers.values())
    offers = tuple((o.number, o.maker, o.to, o.accepted, bool(o.asks)) for o in world.offers)
    return seat, tuple(world.powers[seat].stock.values()), tuple(world.powers), out, offers


# ---------------------------------------------------------------- the words of New World for the order language
# Verbs, nouns, and the tests an IF may make.


_ALIASES = {
    "workers": ("worker", "laborers", "labourers"),
    "horses": ("horse",),
    "Transportation": ("Transport",),
    "Fortifications": ("Fortification",),
    "Forest": ("Woods",),
    "Urbanization": ("Urbanisation",),
}


@cache
def spoken() -> Tongues:
    """People's own words for the words of New World, in several languages."""
    return tongues("referee.games.newworld.rulebook/names.toml", "referee.games.newworld.orders/verbs.toml")


def vocabulary_of(world: World) -> Vocabulary:
    """The words of a match; the same object for the same seats."""
    return _vocabulary(tuple(sorted(world.powers)))


@lru_cache(maxsize=64)
def _vocabulary(seats: tuple[Seat, ...]) -> Vocabulary:
    words = Vocabulary(BOOK.verbs(other=seats[-1]), _nouns(seats), _predicates(seats[0]))
    return spoken().vocabulary(words)


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
            SHEET,
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
    return Verb(word, meaning, example, SHEET, aliases=_ALIASES.get(word, ()))
