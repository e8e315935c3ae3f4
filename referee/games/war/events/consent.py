"""Sealed purchases (27.opt.simultaneous): lines mended by consent, and westernizing that a revolt puts off."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.position.state import War
from referee.kit.wording import in_a_row


class MendingDecided(OpenEvent, frozen=True):
    """All agreed to the mending of an unlawful line, or somebody was against it and it is undone."""

    rule: ClassVar[str] = "27.opt.simultaneous.2"
    seat: Seat
    was: str
    now: str
    against: tuple[Seat, ...] = ()

    def sentence(self) -> str:
        what = f"{self.seat}'s line cannot stand ({self.was.rstrip('.')})"
        if self.against:
            return f"{what} and is undone: {in_a_row(self.against)} will not have it mended."
        return f"{what}; all agree to the mending: {self.now}"


class WesternizingPutOff(OpenEvent, frozen=True):
    """A region that is being westernized rose this very turn: the strength falls if the revolt is suppressed."""

    rule: ClassVar[str] = "27.opt.simultaneous.3"
    region: str
    points: int

    def change(self, war: War) -> War:
        return replace(war, put_off={**war.put_off, self.region: war.put_off.get(self.region, 0) + self.points})

    def sentence(self) -> str:
        return f"{self.region} is in revolt: its natives lose {self.points} more only if the revolt is suppressed."
