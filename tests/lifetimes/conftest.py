"""What versions left is gone on with by the dice that it was played with."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _dice_of_the_log(sealed_dice: None) -> None:
    """Dice are those of the kept logs, and not steady."""
