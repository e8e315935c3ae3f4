"""The words of Version 1.7: those of War! that it has, in its numbers, and those of the battle plan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.vocabulary import Noun, Verb, Vocabulary
from referee.games.war.optional_words import optional_nouns, optional_verbs
from referee.games.war.state import War
from referee.games.war.words import vocabulary_of as vocabulary_27
from referee.games.war17.citing import cite
from referee.games.war17.orders import BOOK17
from referee.games.war17.orders.asides import CallHour
from referee.games.war17.state import first_position

_SHARED = (
    "STRAITS", "INTERCEPT", "BREAK OFF", "LOSE FLEETS",
    "EVACUATE", "LOSE", "RUN NATIVES",
)  # fmt: skip
"""Verbs that mean the same in both editions."""

_NO_NOUNS = ("spheres", "bribe", "gift", "support", "suppress", "points", "strength")
_NO_TESTS = ("IN REVOLT", "WESTERNIZED", "DP", "spheres")
_IN: Mapping[str, tuple[str, ...]] = {"IN": ("region",)}


def vocabulary_of(war: War) -> Vocabulary:
    """The words of a match; the same object for the same seats."""
    return _vocabulary(tuple(sorted(war.seats)), war.options["end"])


@lru_cache(maxsize=256)
def _vocabulary(seats: tuple[Seat, ...], end: str) -> Vocabulary:
    from_27 = vocabulary_27(first_position(seats, {"decisions": "standing"}))
    other = seats[-1]
    shared = {verb.word: verb for verb in (*from_27.verbs, *optional_verbs(("scorched",), other))}
    declared = [verb for verb in BOOK17.verbs(other=other) if verb.word != CallHour.words.verb]
    verbs = [*map(_here, declared), *(_here(shared[word]) for word in _SHARED)]
    verbs += [*_own(shared, other), *_plan(), *((CallHour.verb(),) if end == "hour" else ())]
    nouns = (_led(noun) for noun in (*from_27.nouns, *optional_nouns(("scorched",))) if noun.name not in _NO_NOUNS)
    tests = (_here(test) for test in from_27.predicates if test.word not in _NO_TESTS)
    return Vocabulary(tuple(verbs), tuple(dict.fromkeys((*nouns, *_NOUNS))), tuple(tests))


def _here(verb: Verb) -> Verb:
    """A verb of Version 27 with this edition's rule and name of a leader (R17-22)."""
    word, meaning, example = (text.replace("general", "leader") for text in (verb.word, verb.meaning, verb.example))
    return replace(verb, word=word, meaning=meaning, example=example, rule=cite(verb.rule))


def _led(noun: Noun) -> Noun:
    """R17-22: leaders may be called generals."""
    return Noun("leaders", noun.kind, ("leader", noun.name, *noun.aliases)) if noun.name == "generals" else noun


def _own(shared: Mapping[str, Verb], other: Seat) -> tuple[Verb, ...]:
    """Shared verbs that do less here, or cost less."""
    retreat = shared["RETREAT"]
    return (
        replace(
            retreat, rule="17.tactical.10",
            meaning="say when to leave a land battle (NEVER, AFTER turn n, that is from it on, BELOW so many brigades, "
            "OUTNUMBERED so many TO 1), and where to",
        ),
        replace(shared["PICK"], rule="R17-13"),
        Verb(
            "CROSS", "let units of these players cross your regions; none lets nobody", f"CROSS {other}",
            "17.move.land.4", ("side", "nothing"), 1,
        ),
    )  # fmt: skip


def _plan() -> tuple[Verb, ...]:
    """17.tactical.plan.1: the battle plan; IN a region it holds there alone."""
    return (
        Verb(
            "DEPLOY", "say how many of your brigades stand in which sector of a battle, or even",
            "DEPLOY 2 left, 3 centre, 2 right IN Egypt", "17.tactical.plan.1", ("sector", "spread"), 1, 3, _IN,
        ),
        Verb(
            "RESERVE", "say how many brigades are held back in a major battle", "RESERVE 2 brigades IN Egypt",
            "17.tactical.plan.1", ("strength", "nothing"), 1, 1, _IN,
        ),
        Verb(
            "STANCE", "say whether you charge (assault), hold (stand) or do either (auto), in all sectors or ON one",
            "STANCE assault ON left IN Egypt", "17.tactical.plan.2", ("stance",), 1, 1, {**_IN, "ON": ("sector",)},
        ),
        Verb(
            "FEED", "say to which sector reserves go: the weakest, or one by name", "FEED weakest IN Egypt",
            "17.tactical.plan.3", ("sector", "weakness"), 1, 1, _IN,
        ),
        Verb(
            "LEADERS", "say in which sectors your leaders stand, one after the other", "LEADERS centre, left IN Egypt",
            "17.tactical.plan.1", ("sector",), 1, 3, _IN,
        ),
        Verb(
            "PURSUE", "say what your pursuers strike first, cavalry or artillery", "PURSUE cavalry IN Egypt",
            "17.tactical.plan.1", ("unit",), 1, 1, _IN,
        ),
    )  # fmt: skip


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
