"""Events of setup."""

from __future__ import annotations

from referee.games.war.events.base import WarEvent

__all__ = ["EVENTS"]

EVENTS: tuple[type[WarEvent], ...] = ()
"""Every event class of this module."""
