"""The verbs of air and sea war: bombing, scrambling, pirates. ATTACK with ships and ENGAGE are one."""

from __future__ import annotations

from referee.core.vocabulary import Verb
from referee.games.empire.orders import BOOK

__all__ = ["air_verbs"]

_UNITS = ("numbered", "unit", "number")
_PLACE = ("hex", "city")


def air_verbs() -> tuple[Verb, ...]:
    """The verbs, with examples that any position understands."""
    there = {"IN": _PLACE, "AT": _PLACE}
    return (
        BOOK.verb("ENGAGE"),
        Verb(
            "BOMB", "drop the bombs of strategic bombers over a square on a building or worked resource of it",
            "BOMB steel mill IN c12r7 WITH strategic bomber", "emp.H-31", ("plan", "goods"), 1, 1,
            {**there, "WITH": _UNITS, "BY": _UNITS}, ("IN", "WITH"),
        ),
        BOOK.verb("SCRAMBLE ALWAYS"),
        BOOK.verb("SCRAMBLE NEVER"),
        Verb(
            "TURN PIRATE", "make a cargo ship at sea with a SAC aboard a pirate ship; in a dock it is a cargo ship again",
            "TURN PIRATE cargo ship", "emp.H-33", _UNITS, 1, 1,
        ),
        Verb(
            "PLUNDER", "let a pirate ship try to take a ship of its square that no warship escorts: 4 to 6 takes it, 1 costs "
            "the SAC", "PLUNDER cargo ship WITH pirate ship", "emp.H-33", _UNITS, 1, 1,
            {"WITH": _UNITS, "BY": _UNITS}, ("WITH",),
        ),
    )  # fmt: skip
