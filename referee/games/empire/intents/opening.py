"""Orders of the zero turn, and the picks of the start."""

from __future__ import annotations

from referee.core.order import Intent

__all__ = ["PlaceCapital", "TakePicks"]


class PlaceCapital(Intent, frozen=True):
    """Squares wanted for the capital, best first, and its name (P3)."""

    squares: tuple[str, ...]
    name: str = ""

    def meaning(self) -> str:
        return f"Place your capital on the first of these that is lawful: {', '.join(self.squares)}."


class TakePicks(Intent, frozen=True):
    """The two picks of the start (P5)."""

    picks: tuple[str, ...]
    path: tuple[str, ...] = ()

    def meaning(self) -> str:
        return f"Take {' and '.join(self.picks)} as your picks."
