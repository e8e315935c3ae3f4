"""The auction of the movement order (27.opt.auction)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.events.course import OrderOfPlaySet
from referee.games.war.position.state import War
from referee.kit.ledger import Flow
from referee.kit.wording import in_a_row


class BidsRevealed(OpenEvent, frozen=True):
    """The sealed bids were opened, and all were paid; `turn` is theirs."""

    rule: ClassVar[str] = "27.opt.auction.1"
    bids: tuple[tuple[Seat, int], ...]
    turn: int

    def change(self, war: War) -> War:
        for seat, pp in self.bids:
            war = war.paying(seat, -pp)
        return replace(war, bid_in=self.turn)

    def flows(self) -> tuple[Flow, ...]:
        return tuple(Flow(f"{seat} PP", -pp) for seat, pp in self.bids if pp)

    def sentence(self) -> str:
        return f"Bids for the order of the turn: {in_a_row([f'{seat} {pp} PP' for seat, pp in self.bids])}."


class OrderBidFor(OrderOfPlaySet, frozen=True):
    """The movement order that the bidders made, from the lowest bid up (27.opt.auction.3)."""

    rule: ClassVar[str] = "27.opt.auction.3"
