"""Orders that act at once, at any time."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent
from referee.kit.wording import in_a_row

__all__ = [
    "AcceptOffer",
    "DeclineOffer",
    "GivePoints",
    "OfferCession",
    "OfferPeace",
    "SetDecisions",
    "SetLeave",
    "WithdrawOffer",
]


class GivePoints(Intent, frozen=True):
    """PP given to another player (R27-16)."""

    pp: int
    to: Seat

    def meaning(self) -> str:
        return f"Give {self.pp} PP to {self.to}."


class OfferPeace(Intent, frozen=True):
    """Peace offered (27.war.6)."""

    to: Seat

    def meaning(self) -> str:
        return f"Offer peace to {self.to}."


class OfferCession(Intent, frozen=True):
    """A region offered to another player, until withdrawn (R27-37)."""

    region: str
    to: Seat

    def meaning(self) -> str:
        leave = "your units there then leave, and those without a friendly neighbour or room aboard are lost"
        return f"Offer {self.region} to {self.to}, who takes it by moving a brigade in; {leave}."


class AcceptOffer(Intent, frozen=True):
    """An offer accepted."""

    number: int

    def meaning(self) -> str:
        return f"Accept offer {self.number}."


class DeclineOffer(Intent, frozen=True):
    """An offer declined."""

    number: int

    def meaning(self) -> str:
        return f"Decline offer {self.number}."


class WithdrawOffer(Intent, frozen=True):
    """One's own offer withdrawn."""

    number: int

    def meaning(self) -> str:
        return f"Withdraw offer {self.number}."


class SetDecisions(Intent, frozen=True):
    """Whether decisions in the middle of a turn are mailed (`interactive`) or never waited for (`standing`)."""

    mode: str

    def meaning(self) -> str:
        if self.mode == "interactive":
            return "Ask you by mail whatever your standing orders leave open."
        return "Never wait for you: what your standing orders leave open is decided by the default."


class SetLeave(Intent, frozen=True):
    """Which players' units are kept out of one's land and off one's fleets, allies or not (27.opt.alliances.6)."""

    refused: tuple[Seat, ...] = ()

    def meaning(self) -> str:
        if not self.refused:
            return "Let every ally into your land and aboard your fleets."
        return f"Keep {in_a_row(list(self.refused))} out of your land and off your fleets, allies or not."
