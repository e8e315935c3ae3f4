"""Everything that can happen in New World, as facts in the past tense. Read base, then the others in turn order."""

from __future__ import annotations

from referee.kit.game import events_in

EVENTS = events_in(__name__)
"""Every event class of the game."""
