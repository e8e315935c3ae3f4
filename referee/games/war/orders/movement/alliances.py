"""JOIN, APPROVE and ADMIT: sides in a war, and what an alliance opens (27.opt.alliances)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.core.table import Table
from referee.games.war.deeds.lines import line_of
from referee.games.war.events.alliances import LeaveSet
from referee.games.war.orders.base import NONE, StandingOrder
from referee.games.war.orders.fields import Opponent, named_seats, others
from referee.games.war.orders.naming import opponent, opponents
from referee.games.war.position.state import War
from referee.kit.declared import AT_ONCE, Declared, Words
from referee.kit.fields import Field, Joint, Leads, Row, Said
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_JOIN, _VOTE, _LEAVE = "27.opt.alliances.1", "27.opt.alliances.2", "27.opt.alliances.6"
_ALL = Thing("any", "all")


# ---------------------------------------------------------------- JOIN


class _Side(Field[Seat | None]):
    """Whose side; None for nobody's."""

    def read(self, said: Said) -> Seat | None:
        (thing,) = said.order.things
        return None if thing.kind == "nothing" else opponent(said.state, said.seat, thing.name, _JOIN)

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat | None]]:
        yield from others(state, seat, got)
        yield Choice("none", None, "join nobody")

    def things(self, value: Seat | None, state: Any) -> tuple[Thing, ...]:
        return named_seats((value,)) if value else (NONE,)


class JoinRule(StandingOrder, frozen=True):
    """Join `side` in a war, only `against` this enemy if named; None: join nobody (27.opt.alliances.1)."""

    side: Seat | None
    against: Seat | None = None

    words = Words(
        "JOIN",
        "say whose side you ask to join when he declares war or war is declared on him, or none",
        _JOIN,
        "JOIN {other}",
        ("ALLY WITH",),
    )
    fields = (_Side("side", ("side", "nothing")), Opponent("against", "AGAINST", _JOIN, needed=False))

    def meaning(self) -> str:
        if self.side is None:
            return "Join nobody when war is declared."
        foe = f" between {self.side} and {self.against}" if self.against else f" by or on {self.side}"
        return f"When war is declared{foe}, ask to join {self.side}."

    @classmethod
    def read(cls, said: Said) -> Self:
        """JOIN Red AGAINST Blue, JOIN none."""
        order = super().read(said)
        assert isinstance(order, cls)
        return order if order.side else replace(order, against=None)

    def check(self, war: War, seat: Seat) -> None:
        if self.against and self.side is None:
            raise Refused("Who joins nobody joins nobody against him.", _JOIN, self.against, (line_of(JoinRule(None)),))
        if self.against and self.against == self.side:
            instead = (line_of(JoinRule(self.side)),)
            raise Refused(f"{self.side} is at war with others, not with himself.", _JOIN, self.side, instead)


# ---------------------------------------------------------------- APPROVE


class _Whom(Joint):
    """Some players, all or none."""

    joins, most = ("seats", "everybody"), None

    def read(self, said: Said) -> tuple[Any, ...]:
        named = [thing for thing in said.order.things if thing.kind == "side"]
        everybody = any(thing.kind == "any" for thing in said.order.things)
        return opponents(said.state, said.seat, named, _VOTE), everybody

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        seats, everybody = value
        return (_ALL,) if everybody else named_seats(seats) or (NONE,)


class ApproveRule(StandingOrder, frozen=True):
    """Whom you let join your side of a war; with `everybody` all who ask (27.opt.alliances.2)."""

    seats: tuple[Seat, ...] = ()
    everybody: bool = False

    words = Words("APPROVE", "say whom you let join your side of a war: these, all, or none", _VOTE, "APPROVE {other}")
    fields = (_Whom("whom", ("side", "any", "nothing")),)

    def meaning(self) -> str:
        who = "everybody" if self.everybody else ", ".join(self.seats) or "nobody"
        return f"Let {who} join your side of a war."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """All, none, or some by name: the first of them tells which."""
        more: list[Choice[Seat | None]] = [Choice("all", None, "whoever asks")]
        rivals = list(others(war, seat, {}))
        first = yield from one("whom", [*rivals, *more, Choice("none", Seat(""), "nobody")])
        if not first:
            return cls((), first is None)
        return cls((first, *(yield from several("and", [choice for choice in rivals if choice.value != first]))))


# ---------------------------------------------------------------- ADMIT


class _KeptOut(Row[Seat]):
    """Who is kept out: those whom EXCEPT names, or all who are not named."""

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Seat, ...]]
    ) -> Asking[tuple[Seat, ...]]:
        return (yield from several("kept out", others(state, seat, got)))

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"EXCEPT": ("side",)}

    def read(self, said: Said) -> tuple[Seat, ...]:
        war, seat = said.state, said.seat
        if any(thing.kind == "any" for thing in said.order.things):
            return opponents(war, seat, said.after("EXCEPT"), _LEAVE)
        let_in = opponents(war, seat, [thing for thing in said.order.things if thing.kind == "side"], _LEAVE)
        return tuple(other for other in war.seats if other not in (seat, *let_in))

    def clauses(self, value: tuple[Seat, ...], state: Any) -> Iterator[Clause]:
        yield Clause("", (_ALL,))
        if value:
            yield Clause("EXCEPT", named_seats(value))


class SetLeave(Declared[War], frozen=True):
    """Which players' units are kept out of one's land and off one's fleets, allies or not (27.opt.alliances.6)."""

    refused: tuple[Seat, ...] = ()

    words = Words(
        "ADMIT",
        "say which allies may enter your land and board your fleets: all, none, or all EXCEPT some; done at once",
        _LEAVE,
        "ADMIT all EXCEPT {other}",
    )
    fields = (_KeptOut("refused", ("side", "any", "nothing"), taken=Seat, say=", ".join, among=others),)
    phase = AT_ONCE

    def meaning(self) -> str:
        if not self.refused:
            return "Let every ally into your land and aboard your fleets."
        return f"Keep {in_a_row(list(self.refused))} out of your land and off your fleets, allies or not."

    def do_at_once(self, table: Table[War], seat: Seat) -> None:
        if table.state.shut.get(seat, ()) != self.refused:
            table.emit(LeaveSet(seat, self.refused))


ALLIANCES = (JoinRule, ApproveRule, SetLeave)
