"""The words of Version 1.7: those of War! that it has, in its numbers, and those of the battle plan."""

from __future__ import annotations

from functools import cache, lru_cache

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.vocabulary import Noun, Verb, Vocabulary
from referee.games.war.orders.words import optional_nouns
from referee.games.war.orders.words import vocabulary_of as vocabulary_27
from referee.games.war.position.state import War
from referee.games.war17.orders import BOOK17
from referee.games.war17.orders.asides import CallHour
from referee.games.war17.position import first_position
from referee.games.war17.rulebook.rules import cite
from referee.kit.tongues import Tongues, tongues

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
