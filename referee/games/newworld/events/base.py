"""What all events of New World share: everybody is told, and each knows how it changes the position."""

from __future__ import annotations

from typing import ClassVar

from referee.core.event import Audience
from referee.kit.game import Change


class OpenEvent(Change, frozen=True):
    """An event on the open pages of New World: everything is public."""

    audience: ClassVar[Audience] = Audience.EVERYONE
