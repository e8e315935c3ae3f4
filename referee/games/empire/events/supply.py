"""Events of supply."""

from __future__ import annotations

from referee.games.empire.events.base import OpenEvent

__all__ = ["EVENTS"]

EVENTS: tuple[type[OpenEvent], ...] = ()
"""Every event class of this module."""
