"""How much is done of each game under test; one whose games are long says in its own tests that less is enough."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from referee.core.game import AnyGame


class Effort(msgspec.Struct, frozen=True):
    """Bot games for all tests, enough for every event to come up at least once; those of the long run; random choices a verb,
    and how `many` of them in the slow run.

    `states`: questions with the states they were put in, from all bot games, for tests that look long at each.
    `unseen` are verbs that bots come to too rarely; tests of the game itself hold what the contract says of choices for them.
    Of these and of standing orders a case of the rules shows that they make a difference.
    With `slots`, games are as long as their last turn and number of players make them, and so many slots show what they are;
    those of more than `most_turns` are for the long run, which plays games of any length where `long_ones` are not too long.
    """

    played: int = 24
    long_run: int = 1000
    choices: int = 30
    many: int = int(os.environ.get("CHOICES", "20000"))
    states: int = 30
    slots: int | None = None
    most_turns: int | None = None
    long_ones: bool = True
    unseen: frozenset[str] = frozenset()


@cache
def effort_of(name: str) -> Effort:
    """EFFORT of `tests.games.NAME`, else the usual."""
    there = find_spec(f"tests.games.{name}") is not None
    return getattr(import_module(f"tests.games.{name}"), "EFFORT", Effort()) if there else Effort()


def verbs_tried(game: AnyGame) -> tuple[str, ...]:
    """The verbs for which bot games show what the contract says of choices."""
    return tuple(verb for verb in game.declared() if verb not in effort_of(game.name).unseen)


def scenes_of(name: str) -> Iterator[Any]:
    """Positions that bot games do not come to, from `tests.games.NAME.scenes`, where there is such a module."""
    if find_spec(f"tests.games.{name}") is not None and find_spec(f"tests.games.{name}.scenes") is not None:
        yield from import_module(f"tests.games.{name}.scenes").scenes()
