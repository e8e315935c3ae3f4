"""The verbs of a turn's sheet and of what is done at once, in the order of play."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.vocabulary import Verb
from referee.games.war.orders import BOOK, OPTIONAL_VERBS
from referee.games.war.orders.base import STANDING

__all__ = ["sheet_verbs"]


def sheet_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs but those of standing orders; the examples speak of `other`."""
    return (*_setup(), *_declared(other))


def _setup() -> tuple[Verb, ...]:
    return (
        Verb(
            "DRAFT", "rank the regions you want to start in, best first; those gone are passed over at each pick",
            "DRAFT Egypt, India, China",
            "R27-80", ("region",), 1,
        ),
        Verb(
            "BUY", "before play buy pieces; in production BUY 2 DP buys diplomacy points", "BUY 5 infantry, 2 cities, 1 fleet",
            "27.setup.4", ("unit", "building", "money"), 1, None, {"IN": ("region", "sea"), "AT": ("sea",)},
        ),
        Verb(
            "PLACE", "say where bought pieces stand at the start", "PLACE 3 infantry, 1 city IN Egypt",
            "27.setup.7", ("unit", "building", "any"), 1, None, _to("IN", "region", "sea"), ("IN",),
        ),
        Verb(
            "ASK", "be asked, piece by piece, where what is not yet placed stands", "ASK placement",
            "R27-81", ("matter",), 0, 1,
        ),
    )  # fmt: skip


def _declared(other: Seat) -> tuple[Verb, ...]:
    return tuple(
        BOOK.verb(word, other=other)
        for word in BOOK.orders
        if word not in OPTIONAL_VERBS and BOOK.orders[word].phase != STANDING
    )


def _to(preposition: str, *kinds: str) -> dict[str, tuple[str, ...]]:
    """Where something is: several prepositions say the same."""
    same = {"IN": ("IN", "INTO"), "FROM": ("FROM", "IN")}[preposition]
    return dict.fromkeys(same, kinds)
