"""Tests of War! Age of Imperialism, Version 27."""

from referee.games.war.orders import OPTIONAL_VERBS
from tests.contract.effort import Effort

EFFORT = Effort(
    played=14,
    long_run=300,
    choices=20,
    states=24,
    slots=40,
    most_turns=20,
    unseen=frozenset({"PLACE", "ASK", *OPTIONAL_VERBS}),
)
"""Its games are long, and much happens in each. What places pieces does nothing without the line that buys them."""
