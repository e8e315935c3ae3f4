"""Everything that can happen in War!, by the part of the game it belongs to. Read base, then the others."""

from __future__ import annotations

from referee.kit.game import events_in

EVENTS = events_in(__name__)
"""Every event class of the game."""
