"""ACCEPT what was given, at any time; EXCHANGE, points of foreign exchange (P12, H-17)."""

from __future__ import annotations

from typing import Self

from referee.core.choices import Asking, Choice, number, one
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.countries import Transfer
from referee.games.empire.orders.base import AsideOrder, SlotOrder, granted
from referee.games.empire.state import Empire
from referee.games.empire.steps.exchange import can_exchange, may_send
from referee.games.empire.steps.transfers import check_accept, do_accept, wares
from referee.kit.declared import Words
from referee.kit.fields import Number, One

__all__ = ["AcceptControl", "Exchange"]


# ---------------------------------------------------------------- what was given is taken


class AcceptControl(AsideOrder, frozen=True):
    """A transfer of control accepted."""

    number: int

    words = Words("ACCEPT", "accept a transfer by its number; done at once", "emp.P12", "ACCEPT 1")
    fields = (Number("number"),)
    says = "Accept transfer {number}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        mine = [transfer for transfer in empire.transfers if granted(check_accept, empire, seat, transfer.number)]
        return cls((yield from one("number", [_waits(empire, transfer) for transfer in mine])))

    def check(self, empire: Empire, seat: Seat) -> None:
        check_accept(empire, seat, self.number)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        do_accept(table, seat, self.number)


def _waits(empire: Empire, transfer: Transfer) -> Choice[int]:
    return Choice(str(transfer.number), transfer.number, f"{transfer.giver} gives {wares(empire, transfer)}", transfer.at)


# ---------------------------------------------------------------- foreign exchange


class Exchange(SlotOrder, frozen=True):
    """Foreign exchange sent (H-17)."""

    points: int
    to: str

    words = Words("EXCHANGE", "send points of foreign exchange", "emp.H-17", "EXCHANGE 2 TO {other}")
    fields = (Number("points"), One("to", ("country",), "TO", taken=str))
    says = "Send {points} points of foreign exchange to {to}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """To a country of another, and how many of the points that one's strongest country has left."""
        most = max((may_send(empire, country) for country in empire.owned(seat)), default=0)
        others = [name for name in empire.countries if most and granted(can_exchange, empire, seat, 1, name)]
        to = yield from one("to", [Choice(name, name) for name in others])
        return cls((yield from number("points", "points", 1, most)), to)

    def do(self, table: Table[Empire], seat: Seat) -> None:
        table.emit(can_exchange(table.state, seat, self.points, self.to))
