"""The verbs of a turn's sheet and of what is done at once, in the order of play."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.names import Seat
from referee.core.vocabulary import Verb
from referee.games.war.orders import BOOK, OPTIONAL_VERBS
from referee.games.war.pieces import SHIP

__all__ = ["sheet_verbs"]

_LAND = ("unit", "any")


def sheet_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs but those of standing orders; the examples speak of `other`."""
    return (*_setup(), *_production(other), *_movement(other), *_combat(other), *_at_once(other))


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


def _production(other: Seat) -> tuple[Verb, ...]:
    return tuple(verb for verb in BOOK.verbs(other=other) if verb.word not in OPTIONAL_VERBS)


def _movement(other: Seat) -> tuple[Verb, ...]:
    way = dict.fromkeys(("FROM", "TO", "VIA"), ("region", "sea"))
    course = {"FROM": ("sea",), "TO": ("sea",), "VIA": ("sea",), "WITH": ("cargo",), "WITHOUT": ("cargo",)}
    return (
        Verb(
            "MOVE", "march land units from region to region", "MOVE 3 infantry, 1 general FROM Egypt TO Palestine",
            "27.move.land.2", (*_LAND, SHIP), 1, None, way, ("FROM", "TO"), ("MARCH", "MV"),
        ),
        Verb(
            "EMBARK", "take land units aboard own fleets in a sea area beside their region; ABOARD fleet 2 names one of them",
            "EMBARK 3 infantry FROM Egypt IN Eastern Mediterranean", "27.move.carry.3", _LAND, 1, None,
            {"FROM": ("region",), **_to("IN", "sea", SHIP), "TO": ("sea", SHIP), "ABOARD": (SHIP,)}, ("FROM",), ("LOAD",),
        ),
        Verb(
            "SAIL", "sail fleets with what they carry; WITH cargo or WITHOUT cargo says which, or name them: SAIL fleet 2",
            "SAIL 2 fleets FROM Persian Gulf TO Arabian Sea", "27.move.naval.1", ("unit", "any", SHIP), 1, None, course,
            ("FROM", "TO"),
        ),
        Verb(
            "LAND", "put units ashore from own fleets; FROM fleet 2 names one of them",
            "LAND 2 infantry FROM Persian Gulf IN Arabia", "27.move.carry.4", _LAND, 1, None,
            {"FROM": ("sea", SHIP), **_to("IN", "region"), "TO": ("region",), "ABOARD": (SHIP,)}, ("FROM",),
            ("DISEMBARK", "UNLOAD"),
        ),
        Verb(
            "ATTACK", "attack an enemy's fleets in a sea area", f"ATTACK {other} IN Arabian Sea WITH 2 fleets",
            "27.move.naval.2", ("side",), 1, 1, {"IN": ("sea", "region"), "WITH": ("unit", SHIP)}, ("IN",),
            ("ATTACK FLEETS OF",),
        ),
        Verb(
            "DECLARE WAR", "declare war for 1 DP; you may attack from your next movement phase",
            f"DECLARE WAR ON {other}", "27.war.3", prepositions={"ON": ("side",)}, needs=("ON",),
        ),
    )  # fmt: skip


def _combat(other: Seat) -> tuple[Verb, ...]:
    explorer: Mapping[str, tuple[str, ...]] = {
        "WITH": ("gift",), "GIFT": (), "REMOVING": ("side",), "BEFORE": ("battle",),
    }  # fmt: skip
    return (
        Verb(
            "RESOLVE", "say in which order battles and actions are resolved", "RESOLVE Egypt, Sudan",
            "27.move.order.2", ("region",), 1,
        ),
        Verb(
            "EXPLORE", "try your explorer's diplomacy in a native region; a gift of 1 DP adds a die",
            "EXPLORE Sudan WITH gift", "27.combat.explorer.1", ("region",), 1, 1, explorer,
        ),
        Verb(
            "PROSPECT", "let an engineer look for another resource, for 5 PP", "PROSPECT Egypt",
            "27.combat.prospect.1", ("region",), 1, 1, {}, (), ("PROSPECT IN",),
        ),
    )  # fmt: skip


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
