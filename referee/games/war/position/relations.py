"""What players have, and how they stand to each other: money, wars, alliances, offers."""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.core.names import Seat


class Treasury(msgspec.Struct, frozen=True):
    """Production points and diplomacy points in hand."""

    pp: int = 0
    dp: int = 0


class Feud(msgspec.Struct, frozen=True):
    """A war between two players. `ready`: who may attack by now (27.war.4, 27.war.5)."""

    declarer: Seat
    victim: Seat
    ready: tuple[Seat, ...] = ()

    def between(self, one: Seat, other: Seat) -> bool:
        """Whether these two are its parties."""
        return {one, other} == {self.declarer, self.victim}


class Coalition(msgspec.Struct, frozen=True):
    """A war with its two sides, the declarer's first; each begins with who declared it or was declared it.

    `turn`: in which it was declared (27.opt.alliances.1).
    """

    number: int
    turn: int
    sides: tuple[tuple[Seat, ...], tuple[Seat, ...]]

    def side(self, seat: Seat) -> int | None:
        """Which side a player is on, 0 or 1; None for neither."""
        declarers, victims = self.sides
        return 0 if seat in declarers else 1 if seat in victims else None


class Offer(msgspec.Struct, frozen=True):
    """A standing word: `peace` with somebody, or `cede` a region to him (27.war.6, 27.move.cede.1)."""

    number: int
    kind: Literal["peace", "cede"]
    maker: Seat
    to: Seat
    region: str = ""
    accepted: bool = False
