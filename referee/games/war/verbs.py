"""The verbs of a turn's sheet and of what is done at once, in the order of play."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.vocabulary import Verb
from referee.games.war.orders import BOOK, OPTIONAL_VERBS

__all__ = ["sheet_verbs"]



def sheet_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs but those of standing orders; the examples speak of `other`."""
    return (*_setup(), *_declared(other), *_at_once(other))


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
    return tuple(verb for verb in BOOK.verbs(other=other) if verb.word not in OPTIONAL_VERBS)


def _at_once(other: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "GIVE", "give PP to another player; done at once", f"GIVE 20 PP TO {other}", "R27-16",
            ("money",), 1, 1, {"TO": ("side",)}, ("TO",),
        ),
        Verb(
            "OFFER", "offer peace, or a region of yours, to another player; stands until withdrawn",
            f"OFFER peace TO {other}", "27.war.6", ("treaty", "region"), 1, 1, {"TO": ("side",)}, ("TO",),
        ),
        Verb(
            "CEDE", "offer a region of yours to another player, who takes it by moving a brigade in",
            f"CEDE Egypt TO {other}", "27.move.cede.1", ("region",), 1, 1, {"TO": ("side",)}, ("TO",), ("OFFER CEDE",),
        ),
        _answer("ACCEPT", "accept an offer by its number; done at once"),
        _answer("DECLINE", "decline an offer by its number; done at once"),
        _answer("WITHDRAW", "take back your own offer by its number; done at once"),
        Verb(
            "DECISIONS", "be asked by mail in the middle of a turn (interactive), or never be waited for (standing)",
            "DECISIONS interactive", "R27-82", ("mode",), 1, 1,
        ),
    )  # fmt: skip


def _answer(word: str, meaning: str) -> Verb:
    return Verb(word, meaning, f"{word} 1", "27.war.6", ("number",), 1, 1)


def _to(preposition: str, *kinds: str) -> dict[str, tuple[str, ...]]:
    """Where something is: several prepositions say the same."""
    same = {"IN": ("IN", "INTO"), "FROM": ("FROM", "IN")}[preposition]
    return dict.fromkeys(same, kinds)
