"""What every way of sending has in common: it sends, asks to be tried later, or gives up."""

from __future__ import annotations

from typing import Protocol

from referee.service.base.ports import LetterOut


class TryLater(Exception):
    """The letter was not handed on this time; the reason is fit to be shown to a game master."""


class NotLetIn(TryLater):
    """The relay refuses us, not the letter: nothing can go out until somebody mends the settings."""


class OutOfReach(TryLater):
    """The relay cannot be reached: nothing can go out until it, or the network, is back."""


class GiveUp(Exception):
    """The letter can never be handed on; the reason is fit to be shown to a game master."""


class Sender(Protocol):
    """A way of sending."""

    def send(self, letter: LetterOut) -> None:
        """Hand the letter's bytes on, unchanged. Raises TryLater, OutOfReach, NotLetIn or GiveUp."""
        ...

    def knock(self) -> None:
        """See whether letters could be handed on. Raises TryLater, OutOfReach or NotLetIn if not."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
