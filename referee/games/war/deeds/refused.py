"""A refusal that an earlier line of the same sheet may still mend."""

from __future__ import annotations

from collections.abc import Callable

from referee.kit.refused import Refused


class NotYet(Refused):
    """Not allowed as things stand; an earlier line of the same sheet may still mend it."""


def granted(check: Callable[..., object], *about: object) -> bool:
    """Whether a check that raises Refused lets it pass."""
    try:
        check(*about)
    except Refused:
        return False
    return True
