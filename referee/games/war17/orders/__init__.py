"""The orders of Version 1.7 by their verbs, and the words in which they are written."""

from __future__ import annotations

from functools import cache, lru_cache

from msgspec.structs import astuple, replace

from referee.core.names import Seat
from referee.core.order import Noun, Verb, Vocabulary
from referee.games.war.deeds.muster import SINGULARS
from referee.games.war.orders import optional_nouns
from referee.games.war.orders import vocabulary_of as vocabulary_27
from referee.games.war.orders.attack import AttackFleets
from referee.games.war.orders.combat import DestroyWorks, ResolveInOrder
from referee.games.war.position.state import War
from referee.games.war17.orders.sheet import (
    ASIDES,
    SET_UP,
    BuildBuilding17,
    BuildUnits17,
    CallHour,
    DeclareWar17,
    DevelopResource17,
    EmbarkUnits17,
    ExploreRegion17,
    LandUnits17,
    MoveUnits17,
    SailFleets17,
)
from referee.games.war17.orders.standing import STANDING17
from referee.games.war17.position import first_position
from referee.games.war17.rulebook import cite
from referee.kit.declared import Book, Declared
from referee.kit.rulebook import Tongues, tongues

BOOK17: Book[War] = Book(
    (
        *SET_UP,
        BuildUnits17,
        BuildBuilding17,
        DevelopResource17,
        MoveUnits17,
        EmbarkUnits17,
        SailFleets17,
        LandUnits17,
        AttackFleets,
        DeclareWar17,
        DestroyWorks,
        ResolveInOrder,
        ExploreRegion17,
        *ASIDES,
        *STANDING17,
    ),
    SINGULARS,
)


def here(order: Declared[War]) -> Declared[War]:
    """An order of Version 27 as this edition's: the same words, judged by its rules."""
    kind = BOOK17.orders[order.words.verb]
    return order if type(order) is kind else kind(*astuple(order))


# ---------------------------------------------------------------- the words of Version 1.7
# Those of War! that it has, in its numbers, and those of the battle plan.


_NO_NOUNS = ("spheres", "bribe", "gift", "support", "suppress", "points", "strength")
_NO_TESTS = ("IN REVOLT", "WESTERNIZED", "DP", "spheres")


@cache
def spoken() -> Tongues:
    """What the words of Version 1.7 are called by people: those of War!, and its own."""
    shared = ("referee.games.war.rulebook/names.toml", "referee.games.war.orders/verbs.toml")
    return tongues(*shared, "referee.games.war17.orders/names.toml", "referee.games.war17.orders/verbs.toml")


def vocabulary_of(war: War) -> Vocabulary:
    """The words of a match; the same object for the same seats."""
    return _vocabulary(tuple(sorted(war.seats)), war.options["end"])


@lru_cache(maxsize=256)
def _vocabulary(seats: tuple[Seat, ...], end: str) -> Vocabulary:
    from_27 = vocabulary_27(first_position(seats, {"decisions": "standing"}))
    declared = BOOK17.verbs(other=seats[-1])
    verbs = tuple(_here(verb) for verb in declared if end == "hour" or verb.word != CallHour.words.verb)
    nouns = (_led(noun) for noun in (*from_27.nouns, *optional_nouns(("scorched",))) if noun.name not in _NO_NOUNS)
    tests = (_here(test) for test in from_27.predicates if test.word not in _NO_TESTS)
    return spoken().vocabulary(Vocabulary(verbs, tuple(dict.fromkeys((*nouns, *_NOUNS))), tuple(tests)))


def _here(verb: Verb) -> Verb:
    """A verb of Version 27 with this edition's rule and name of a leader (R17-22)."""
    word, meaning, example = (text.replace("general", "leader") for text in (verb.word, verb.meaning, verb.example))
    return replace(verb, word=word, meaning=meaning, example=example, rule=cite(verb.rule))


def _led(noun: Noun) -> Noun:
    """R17-22: leaders may be called generals."""
    return Noun("leaders", noun.kind, ("leader", noun.name, *noun.aliases)) if noun.name == "generals" else noun


_NOUNS = (
    Noun("left", "sector", ("left wing",)),
    Noun("centre", "sector", ("center", "middle")),
    Noun("right", "sector", ("right wing",)),
    Noun("even", "spread", ("evenly",)),
    Noun("weakest", "weakness"),
    Noun("assault", "stance", ("charge",)),
    Noun("stand", "stance", ("hold",)),
    Noun("auto", "stance", ("automatic",)),
    Noun("hour", "hour", ("the end",)),
)
