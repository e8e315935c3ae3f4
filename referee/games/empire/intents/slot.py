"""The parts of a slot and its end."""

from __future__ import annotations

from typing import ClassVar

from referee.core.order import Intent

__all__ = ["Execute", "RollOut"]


class Execute(Intent, frozen=True):
    """What is written so far is carried out now and stands (wind and attacks need their dice)."""

    closes: ClassVar[bool] = True

    def meaning(self) -> str:
        return "Carry out what is written above now; it stands."


class RollOut(Intent, frozen=True):
    """The slot ends: end-of-turn work and the roll of confidence (P6)."""

    closes: ClassVar[bool] = True

    def meaning(self) -> str:
        return "End your turn and roll for confidence."
