"""The verbs and nouns that a match has only with an optional rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from referee.core.names import Seat
from referee.core.vocabulary import Noun, Verb
from referee.games.war.orders.combat import DestroyWorks
from referee.games.war.orders.movement.alliances import ALLIANCES
from referee.games.war.orders.opening.optional import GIFTS, NameCapital, SwapRegions
from referee.games.war.orders.production.auction import BIDS
from referee.games.war.orders.production.resources import BuildCanal
from referee.games.war.orders.standing.home import ConsentRule
from referee.games.war.position.options import plays
from referee.games.war.position.state import War


def optional_verbs(playing: Sequence[str], other: Seat) -> tuple[Verb, ...]:
    """What can be ordered by the optional rules in play; the examples speak of `other`."""
    return tuple(verb for name in playing if name in _VERBS for verb in _VERBS[name](other))


def optional_nouns(playing: Sequence[str]) -> tuple[Noun, ...]:
    """What the optional rules in play speak of."""
    return tuple(noun for name in playing for noun in _NOUNS.get(name, ()))


def optional_tests(playing: Sequence[str], one: Seat, other: Seat) -> tuple[Verb, ...]:
    """What an IF may ask by the optional rules in play."""
    if "alliances" not in playing:
        return ()
    return (
        Verb(
            "ALLIED WITH", "whether two players are allies in a war", f"{one} ALLIED WITH {other}", "27.opt.alliances.5",
            ("side",), 1, 1, {"": ("side",)},
        ),
    )  # fmt: skip


def optional_sheet(war: War, sheet: str) -> tuple[str, ...]:
    """The verbs that the optional rules in play add to a sheet: `natives`, `construction` or `movement`."""
    return tuple(
        word for (option, name), words in _SHEETS.items() if name == sheet and plays(war, option) for word in words
    )


def _suez(other: Seat) -> tuple[Verb, ...]:
    return (BuildCanal.verb(other=other),)


def _scorched(other: Seat) -> tuple[Verb, ...]:
    return (DestroyWorks.verb(other=other),)


def _alliances(other: Seat) -> tuple[Verb, ...]:
    return tuple(order.verb(other=other) for order in ALLIANCES)


def _random_regions(_: Seat) -> tuple[Verb, ...]:
    return (SwapRegions.verb(),)


def _capital(_: Seat) -> tuple[Verb, ...]:
    return (NameCapital.verb(),)


def _auction(other: Seat) -> tuple[Verb, ...]:
    return tuple(order.verb(other=other) for order in BIDS)


def _simultaneous(_: Seat) -> tuple[Verb, ...]:
    return (ConsentRule.verb(),)


def _historical(_: Seat) -> tuple[Verb, ...]:
    return tuple(order.verb() for order in GIFTS)


_VERBS: Mapping[str, Callable[[Seat], tuple[Verb, ...]]] = {
    "random_regions": _random_regions,
    "capital_only": _capital,
    "auction": _auction,
    "historical": _historical,
    "simultaneous": _simultaneous,
    "suez": _suez,
    "scorched": _scorched,
    "alliances": _alliances,
}

_SHEETS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("suez", "construction"): (BuildCanal.words.verb,),
    ("scorched", "movement"): (DestroyWorks.words.verb,),
}
"""The verbs that an optional rule adds to a sheet: `natives`, `construction` or `movement`."""

_NOUNS: Mapping[str, tuple[Noun, ...]] = {
    "suez": (Noun("canal", "works", ("Suez Canal",)),),
    "historical": (Noun("colony", "lot", ("random colony",)),),
    "scorched": (Noun("resource", "riches", ("resources",)),),
}
