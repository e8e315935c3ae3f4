"""What every way of sending has in common: it sends, asks to be tried later, or gives up."""

from __future__ import annotations

from typing import Protocol

from referee.service.ports import LetterOut

__all__ = ["GiveUp", "NotLetIn", "Sender", "TryLater"]


class TryLater(Exception):
    """The letter was not handed on this time; the reason is fit to be shown to a game master."""


class NotLetIn(TryLater):
    """The relay refuses us, not the letter: nothing can go out until somebody mends the settings."""


class GiveUp(Exception):
    """The letter can never be handed on; the reason is fit to be shown to a game master."""


class Sender(Protocol):
    """A way of sending."""

    def send(self, letter: LetterOut) -> None:
        """Hand the letter's bytes on, unchanged. Raises TryLater, NotLetIn or GiveUp."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
