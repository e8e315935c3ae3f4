"""Dice that stay the same when a log reads otherwise.

In tests of one process dice come of the match secret alone, as long as they do not ask for `sealed_dice`: else what is told and
kept of a game would read otherwise after any change of a word in a log, and two games that differ in one letter could not be
compared. Whatever starts a process has the dice of the log, unless its environment says STEADY_DICE.
"""

from __future__ import annotations

import pytest

from referee.core.chance import Chance, Keyed
from referee.service.match.sealing import Key

SEALED = Key.chance
"""The dice of every match: by the seals of its log."""

STEADY = "STEADY_DICE"


def _steady(self: Key, secret: bytes) -> Chance:
    return Keyed(secret, self.chain)


def steady_dice() -> pytest.MonkeyPatch:
    """Have steady dice from now on, until it is undone."""
    patch = pytest.MonkeyPatch()
    patch.setattr(Key, "chance", _steady)
    return patch
