"""The verbs of Empire: one for each thing that can be ordered, in the order a turn is usually written."""

from __future__ import annotations

from referee.core.vocabulary import Verb
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.standing import STANCES
from referee.games.empire.verbs_air import air_verbs

__all__ = ["verbs"]

_UNITS = ("numbered", "unit", "number")
_CARGO = ("numbered", "unit", "goods", "number")
_PLACE = ("hex", "city")


def verbs(other: str, number: int) -> tuple[Verb, ...]:
    """All verbs; the examples speak of the country `other` and of coolie `number`."""
    who = f"coolie {number}"
    return (
        *_start(),
        *_moving(who),
        *(stance.verb() for stance in STANCES),
        *_working(who),
        *_feeding(who),
        *_destroying(who),
        *_war(who),
        *air_verbs(),
        *_dealing(other, who),
        *_voting(),
    )


def _start() -> tuple[Verb, ...]:
    return (BOOK.verb("PLACE CAPITAL"), BOOK.verb("PICK"))


def _moving(who: str) -> tuple[Verb, ...]:
    words = ("MOVE", "LOAD", "UNLOAD", "DISEMBARK", "TOW", "CAST OFF", "PUMP", "ROLL WIND")
    return tuple(BOOK.verb(word, who=who) for word in words)


def _working(who: str) -> tuple[Verb, ...]:
    words = ("WORK", "ABANDON", "BUILD", "FOUND", "RUN", "CONSUME", "APPOINT", "SUPPRESS BIRTHS", "ALLOW BIRTHS")
    return tuple(BOOK.verb(word, who=who) for word in words)


def _feeding(who: str) -> tuple[Verb, ...]:
    words = ("FEED FIRST", "FEED LAST", "FEED FROM", "SPARE FOOD", "FEED AS USUAL")
    return tuple(BOOK.verb(word, who=who) for word in words)


def _destroying(who: str) -> tuple[Verb, ...]:
    return tuple(BOOK.verb(word, who=who) for word in ("SCRAP", "DESTROY", "BURN"))


def _war(who: str) -> tuple[Verb, ...]:
    words = ("ARM", "DISARM", "ATTACK", "RETREAT", "RETREAT AS USUAL")
    return tuple(BOOK.verb(word, who=who) for word in words)


def _dealing(other: str, who: str) -> tuple[Verb, ...]:
    return (
        Verb(
            "GIVE", "hand units, or goods where both are, to another country, or a whole country to a player; he has to ACCEPT",
            f"GIVE {who} TO {other}", "emp.P12", (*_CARGO, "country"), 1, None,
            {"TO": ("country",), "IN": _PLACE, "AT": _PLACE}, ("TO",),
        ),
        BOOK.verb("ACCEPT"),
        Verb(
            "SEIZE", "seize somebody's unit in the same square, or a factory there that is in no city, or take goods by force",
            f"SEIZE cargo ship WITH {who}", "emp.P13", (*_CARGO, "plan"), 1, None,
            {"WITH": _UNITS, "BY": _UNITS, "OF": ("country",), "FROM": ("country",)}, (), ("TAKE BY FORCE",),
        ),
        BOOK.verb("EXCHANGE", other=other),
        BOOK.verb("TREAT", other=other),
        Verb(
            "BALKANIZE", "split off a country with cities and units; UNDER names the coolie that becomes its government",
            f'BALKANIZE "Northland" WITH {who}', "emp.P18", ("text", "word"), 1, 1,
            {"WITH": ("city", *_UNITS), "UNDER": _UNITS, "FROM": _PLACE}, ("WITH",), ("SPLIT OFF", "SPLIT"),
        ),
        BOOK.verb("INTERPRET LINE"),
    )  # fmt: skip


def _voting() -> tuple[Verb, ...]:
    return tuple(map(BOOK.verb, ("PETITION", "SUSPEND", "VOTE", "EXECUTE", "ROLL OUT")))
