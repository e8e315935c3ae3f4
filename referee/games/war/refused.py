"""A refusal that an earlier line of the same sheet may still mend."""

from __future__ import annotations

from referee.kit.refused import Refused

__all__ = ["NotYet"]


class NotYet(Refused):
    """Not allowed as things stand; an earlier line of the same sheet may still mend it."""
