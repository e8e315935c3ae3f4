"""The reasons of a steady player are true: what a reason names is switched off in his habits, and the line is another or gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed, commitment
from referee.core.game import Reasoned
from referee.core.position import completed
from referee.core.record import Created
from referee.games import BY_NAME
from referee.games.newworld.orders.army import MoveArmies
from referee.games.war.steady_player import lead
from referee.kit.bare_stage import Bare
from referee.kit.opponents import answer_of
from tests.ladder import seen_by

MANY, NONE = 10**9, -(10**9)
LINES = 50
"""So many lines of each game."""
OF_A_KIND = 14
"""So many of them with the same reason at most."""

HOMES = {
    "newworld": "newworld.steady_player",
    "war27": "war.steady_player",
    "war17": "war17.steady_player",
    "empire": "empire.steady_player",
}
OFF: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "newworld": {
        "is lost last": {"dearth": NONE},
        "point of Culture for": {"culture": 0},
        "pays back its": {"income": 1, "least": MANY},
        "brings claims": {"claims": 0},
        "brings research cards": {"cards": 0},
        "An army takes": {"armies": 0, "muster": MANY},
        "Fleets carry armies": {"fleets": 0},
        "dice are twice": {"daring": MANY},
    },
    "war27": {
        "infantry holds it": {"explorers": 0},
        "Native regions next door": {"explorers": 0, "more": NONE},
        "points.": {"worth": MANY},
        "few brigades": {"revolt": MANY},
        "times in 100": {"least": MANY},
        "may be won there": {"least": MANY},
        "more than": {"war": MANY},
        "there, you send": {"garrison": MANY},
        "lies at the border": {"garrison": MANY},
    },
    "war17": {
        "more at your border": {"war": MANY},
        "there, you send": {"odds": MANY},
        "lies at the border": {"garrison": MANY},
        "times in 100": {"least": MANY},
        "likelier with a leader": {"led": 0, "leaders": 0},
        "faces the strongest": {"army": 0},
        "held to the last": {"stand": 0},
        "without a building": {"works": MANY},
    },
    "empire": {
        "station gives": {"works": ()},
        "It makes": {"works": ()},
        "gives EDU once": {"first": 0, "opened": 0},
        "A city is": {"colonies": (99,)},
        "food for more, and work": {"hands": NONE},
        "would only eat": {"hands": MANY, "spared": NONE},
    },
}
"""Of each game: words of a reason, and the habits without what it names."""


def sheets_of(game: str) -> Iterator[tuple[Any, str, Sequence[Reasoned]]]:
    """Positions and sheets of a match of steady players."""
    rules: Any = BY_NAME[game]
    options = {setting.name: setting.default for setting in rules.settings}
    secret = b"reasons"
    seats = rules.seat_players(((),) * 4, options, Keyed(secret))
    created = completed(rules, Created(rules.name, seats, options, commitment(secret)))
    match: Bare[Any] = Bare(rules, created, Keyed(secret), lambda _: True)
    while match.open:
        question, seen = match.open[0], seen_by(match, match.open[0].seat)
        if question.wants_orders:
            yield seen, question.seat, rules.steady(seen, question.seat)
        match.answer(question, answer_of("steady", rules, seen, question, lambda _: 0))


def told(game: str) -> Iterator[tuple[bool, str]]:
    """Of lines whose reason names a habit: whether the line is another without it; and the line."""
    home = import_module(f"referee.games.{HOMES[game]}")
    steady: Callable[..., Sequence[Reasoned]] = home.steady
    seen_so_far: Counter[str] = Counter()
    for seen, seat, sheet in sheets_of(game):
        for one in sheet:
            words = next((words for words in OFF[game] if words in one.why), "")
            if words and seen_so_far[words] < OF_A_KIND:
                seen_so_far[words] += 1
                without = steady(seen, seat, replace(home.STEADY, **OFF[game][words]))
                same = one.order in [other.order for other in without]
                yield not same, f"{BY_NAME[game].line(seen, one.order)}: {one.why}"


@pytest.mark.parametrize("game", BY_NAME)
def test_what_a_reason_names_switched_off_changes_the_line(game: str) -> None:
    found = list(islice(told(game), LINES))
    assert len(found) == LINES
    assert [line for changes, line in found if not changes] == []


def outnumbers(world: Any, seat: Any, order: Any, sheet: Sequence[Reasoned]) -> bool:
    """Whether no army stands against an attack in New World, or it has twice the dice."""
    own, theirs, there = world.powers[seat], world.powers.get(order.foe), order.region
    going = [one.order for one in sheet if isinstance(one.order, MoveArmies)]
    come = sum(move.quantity.number for move in going if move.target == there)
    left = sum(move.quantity.number for move in going if move.origin == there)
    held = theirs.armies[there] if theirs else 0
    dice = own.armies[there] + come - left + own.fleets
    return not held or dice >= 2 * (held + theirs.fleets + 2)


def stronger(by: int, alone: bool = False) -> Callable[[Any, Any, Any, Any], bool]:
    """Whether a war is declared by who can send so many brigades more, and has no other war where he has but one."""
    return lambda war, seat, order, _: lead(war, seat, order.enemy) >= by and not (alone and war.enemies(seat))


PEACE = ("base", "building", "feeding", "industry", "loading", "moving", "standing", "working", "zero_turn")
"""Rooms of Empire's orders without arms."""

SAID: Mapping[str, tuple[str, str, Callable[[Any, Any, Any, Any], bool]]] = {
    "newworld": ("attacks an army only with twice its dice", "AttackRegion", outnumbers),
    "war27": ("starts one war at a time, with two brigades more than its neighbour", "DeclareWar", stronger(2, True)),
    "war17": ("starts a war with six brigades more than its neighbour", "DeclareWar17", stronger(6)),
    "empire": (
        "arms nobody and attacks nobody",
        "",
        lambda empire, seat, order, sheet: type(order).__module__.rpartition(".")[2] in PEACE,
    ),
}
"""Of each game: words said of a steady bot, the kind of order that they tell of ("": every kind), and whether one is so."""


@pytest.mark.parametrize("game", BY_NAME)
def test_what_is_said_of_a_steady_bot_is_so(game: str) -> None:
    words, kind, so = SAID[game]
    assert words in BY_NAME[game].guide.bots["steady"]
    orders = (
        (seen, seat, one.order, sheet)
        for seen, seat, sheet in islice(sheets_of(game), 60 if game == "empire" else 400)
        for one in sheet
        if type(one.order).__name__.startswith(kind)
    )
    found = [(so(*each), each) for each in orders]
    assert len(found) >= 3 and [each[1:] for is_so, each in found if not is_so] == []
