"""Worked examples and tests of War!, Version 1.7."""

from tests.contract.effort import Effort

__all__ = ["EFFORT"]

EFFORT = Effort(unseen=frozenset({"PLACE", "ASK"}))
"""What places pieces does nothing without the line that buys them."""
