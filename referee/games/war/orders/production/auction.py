"""BID and INSERT: the order of a turn bid for (27.opt.auction)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause
from referee.games.war.deeds.lines import line_of
from referee.games.war.orders.base import AUCTION
from referee.games.war.orders.fields import named_seats
from referee.games.war.orders.naming import one as named_once
from referee.games.war.orders.naming import opponent
from referee.games.war.position.state import War
from referee.kit.declared import Declared, Words
from referee.kit.fields import HowMany, Joint, Said, exactly
from referee.kit.refused import Refused

_BID, _INSERT = "27.opt.auction.1", "27.opt.auction.3"


class _Bid(HowMany):
    """A number of PP, 0 allowed, or a part of those in hand on the day they are bid (R27-94)."""

    def read(self, said: Said) -> int:
        (thing,) = said.order.things
        bid, war = exactly(thing), said.state
        if bid is None and thing.quantity and war.stage == "production":
            bid = thing.quantity.of(war.treasuries[said.seat].pp)
        if bid is None or thing.name not in ("PP", ""):
            raise Refused("Bid an exact number of PP.", _BID, thing.name, (line_of(BidForOrder(0)),))
        return bid


class BidForOrder(Declared[War], frozen=True):
    """PP bid for one's place in the order of the turn (27.opt.auction.1)."""

    pp: int

    words = Words("BID", "bid PP for your place in the order of the turn", _BID, "BID 5 PP")
    fields = (
        _Bid(
            *("pp", "PP", "money", "number"),
            held=lambda war, seat: war.treasuries[seat].pp,
            rule=_BID,
            least=0,
            usual=1,
        ),
    )
    says, phase = "Bid {pp} for your place in the order of the turn.", AUCTION

    def check(self, war: War, seat: Seat) -> None:
        """R27-94: what will be in hand on another day nobody knows."""
        held = war.treasuries[seat].pp
        if war.stage == "production" and self.pp > held:
            instead = (line_of(BidForOrder(held)),)
            raise Refused(f"You have {held} PP in hand and cannot bid {self.pp}.", "R27-94", str(self.pp), instead)


class _Place(Joint):
    """One place: first, last, or beside another player."""

    joins, needed = ("how", "seat"), False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"FIRST": (), "LAST": (), "BEFORE": self.kinds, "AFTER": self.kinds}

    def read(self, said: Said) -> tuple[Any, ...]:
        words = [clause.preposition for clause in said.order.clauses]
        if len(words) != 1:
            instead = (line_of(InsertInOrder("first")), line_of(InsertInOrder("last")))
            raise Refused("Name one place: FIRST, LAST, BEFORE or AFTER a player.", _INSERT, "INSERT", instead)
        name = named_once(said.order, _INSERT, *words)
        return words[0].lower(), opponent(said.state, said.seat, name, _INSERT) if name else None

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        yield from (Choice(how, (how.lower(), None)) for how in ("FIRST", "LAST"))
        beside = ((how, other) for other in state.after(seat) for how in ("BEFORE", "AFTER"))
        yield from (Choice(f"{how} {other}", (how.lower(), other)) for how, other in beside)

    def clauses(self, value: tuple[Any, ...], state: Any) -> Iterator[Clause]:
        how, seat = value
        yield Clause(how.upper(), named_seats((seat,)) if seat else ())


class InsertInOrder(Declared[War], frozen=True):
    """The place taken when one's bid comes up: `first`, `last`, `before` or `after` somebody (27.opt.auction.3)."""

    how: str
    seat: Seat | None = None

    words = Words(
        "INSERT",
        "say where you go into the order when your bid comes up; the first line that can be done counts",
        _INSERT,
        "INSERT BEFORE {other}",
    )
    fields = (_Place("place", ("side",), "FIRST"),)
    phase = AUCTION

    def meaning(self) -> str:
        return f"Go into the order {self.how}{f' {self.seat}' if self.seat else ''}, if that can be done."


BIDS = (BidForOrder, InsertInOrder)
