"""Empire, tested part by part."""

from tests.contract.effort import Effort

EFFORT = Effort(played=13, long_run=300, choices=8, states=16, slots=30, most_turns=15, long_ones=False)
"""Its games are long, and much happens in each; its forecasts take long, and it has 59 orders."""
