"""The verbs of land war: arming, attacking, and where beaten formations go."""

from __future__ import annotations

from referee.core.vocabulary import Verb
from referee.games.empire.orders import BOOK

__all__ = ["WAR_VERBS", "war_verbs"]

WAR_VERBS = ("ARM", "DISARM", "ATTACK", "RETREAT", "RETREAT AS USUAL")
"""The words of these verbs."""

_UNITS = ("numbered", "unit", "number")
_PLACE = ("hex", "city")


def war_verbs(who: str) -> tuple[Verb, ...]:
    """The verbs; the examples speak of the coolie `who`."""
    there = {"IN": _PLACE, "AT": _PLACE}
    return (
        Verb(
            "ARM", "make coolies a formation with arms of their square, 4 BTA a part; with arms made this turn at its end",
            f"ARM {who} AS SAC", "emp.H-25", _UNITS, 1, None, {**there, "AS": ("unit",)}, ("AS",),
        ),
        Verb(
            "DISARM", "lay all arms of formations down in their square; they are coolies again and are not paid",
            "DISARM SAC IN c12r7", "emp.H-25", _UNITS, 1, None, there,
        ),
        BOOK.verb("ATTACK"),
        BOOK.verb("RETREAT"),
        BOOK.verb("RETREAT AS USUAL"),
    )  # fmt: skip
