"""Worked examples and tests of War!, Version 1.7."""

from tests.contract.effort import Effort

EFFORT = Effort(
    played=14, choices=20, states=24, slots=40, most_turns=20, unseen=frozenset({"PLACE", "ASK", "RESOLVE"})
)
"""What places pieces does nothing without the line that buys them, and two battles in a share are rare; RESOLVE is Version 27's."""
