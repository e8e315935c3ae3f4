"""ATTACK, DECLARE WAR, and what allies do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import ALL, Asking, Choice, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.core.table import Table
from referee.games.war.deeds import Lot, NotYet, Outright, Plan, line_of, named_fleets
from referee.games.war.deeds import ships as ships_of
from referee.games.war.deeds.marching import check_attack, declaration
from referee.games.war.events import WarEvent
from referee.games.war.events.course import LeaveSet
from referee.games.war.events.moving import WarDeclared
from referee.games.war.orders.base import ALL as ALL_OF_THEM
from referee.games.war.orders.base import (
    MOVEMENT,
    NONE,
    Opponent,
    Place,
    StandingOrder,
    named_seats,
    opponent,
    opponents,
    others,
    ships_named,
)
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.movement_base import Fleets, MoveOrder, least, seas_with_fleets, ships, strange_ship
from referee.games.war.position import DONE
from referee.games.war.position.state import War
from referee.games.war.reckoning import allied, partners
from referee.games.war.rulebook import BOARD, SHIP, WAR_PRICE
from referee.kit.declared import AT_ONCE, Declared, Plain, Words
from referee.kit.fields import Field, Joint, Leads, Row, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- ATTACK and DECLARE WAR
# An enemy's fleets sought out at sea, and who is an enemy (27.move.naval.2, 27.war).


_ATTACK, _DECLARE = "27.move.naval.2", "27.war.3"


# ---------------------------------------------------------------- ATTACK


class _Sea(Place):
    """A sea area; regions are attacked by entering them."""

    def read(self, said: Said) -> str:
        sea = super().read(said)
        if not BOARD.is_sea(sea):
            raise _by_marching(said.state, said.seat, sea)
        return sea


def _by_marching(war: War, seat: Seat, region: str) -> Refused:
    """27.move.land.3: a region is attacked by entering it."""
    owner = war.lands[region].owner
    if owner not in (None, seat) and not war.at_war(seat, owner):
        why = f"{region} is {owner}'s, with whom you are not at war; regions are attacked by entering them."
        return Refused(why + declaration(war, seat, owner), "27.war.1", region)
    near = [name for name in BOARD.regions[region].borders if war.lands[name].brigades(seat)]
    instead = tuple(line_of(MoveUnits((Lot("infantry", ALL_OF_THEM),), name, region)) for name in near[:2])
    return Refused(f"{region} is attacked by marching or landing there.", "27.move.land.3", region, instead)


class _Force(Fleets):
    """Fleets by their numbers, or so many; all there are where WITH is missing."""

    needed = False

    def counted(self, many: int) -> None:
        return None

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Any, ...]]
    ) -> Asking[tuple[Any, ...]]:
        wanted, fleets = yield from super().asked(state, seat, got, leads)
        return None if wanted == ALL.value else wanted, fleets

    def read(self, said: Said) -> tuple[Any, ...]:
        things, instead = said.after("WITH"), (line_of(AttackFleets(said.got["enemy"], said.got["sea"])),)
        some, fleets = [thing for thing in things if thing.kind != SHIP], ships_named(things, _ATTACK)
        for thing in some:
            if thing.kind != "any" and thing.name != "fleets":
                raise Refused("Fleets alone fight at sea.", _ATTACK, thing.name, instead)
        if len(some) + bool(fleets) > 1:
            why = "Say once how many fleets attack, or name them by their numbers."
            raise Refused(why, _ATTACK, some[-1].name, instead)
        return some[0].quantity if some else None, fleets

    def clauses(self, value: tuple[Any, ...], state: Any) -> Iterator[Clause]:
        wanted, fleets = value
        things = ships(fleets) or ((Thing("unit", "fleets", wanted),) if wanted else ())
        if things:
            yield Clause("WITH", things)


def _force_in_words(wanted: Quantity | None, fleets: tuple[int, ...]) -> str:
    return named_fleets(fleets) or (Lot("fleet", wanted).words() if wanted else "all your fleets there")


_FORCE = _Force("force", "WITH", "sea", lambda value: _force_in_words(*value))


class Assault(Plan, frozen=True):
    """The fleets that attack; what comes of it the battle decides."""

    fleets: tuple[int, ...]

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        return ()


class AttackFleets(MoveOrder, frozen=True):
    """An attack on an enemy's fleets in a sea area, with the fleets named or so many; `quantity` None: with all there."""

    enemy: Seat
    sea: str
    quantity: Quantity | None = None
    fleets: tuple[int, ...] = ()

    words = Words(
        "ATTACK",
        "attack an enemy's fleets in a sea area",
        _ATTACK,
        "ATTACK {other} IN Arabian Sea WITH 2 fleets",
        ("ATTACK FLEETS OF",),
    )
    plain = Plain("Attack at sea", rank=1)
    fields = (
        Opponent("enemy", "", _ATTACK),
        _Sea("sea", "IN", (), _ATTACK, ("sea", "region"), seas_with_fleets),
        _FORCE,
    )
    says, phase = "Attack {enemy}'s fleets in {sea} with {force}.", MOVEMENT

    def plan(self, war: War, seat: Seat, strict: bool) -> Assault:
        """Unloaded fleets first; it costs no MP (27.move.naval.2, R27-33)."""
        check_attack(war, seat, self.enemy, self.enemy)
        if not war.fleets_of(self.enemy, self.sea):
            elsewhere = [f.sea for f in war.fleets_of(self.enemy) if war.fleets_of(seat, f.sea)]
            instead = tuple(line_of(self.but(sea=sea, quantity=None, fleets=())) for sea in elsewhere[:1])
            raise Refused(f"{self.enemy} has no fleet in {self.sea}.", _ATTACK, self.sea, instead)
        here = ships_of(war, seat, war.fleets_of(seat, self.sea), self.sea, self.fleets, _ATTACK, strict)
        able = [fleet for fleet in here if fleet.spent != DONE]
        if not able:
            if here:
                why = f"Your fleets in {self.sea} broke off a battle: their move is over."
                raise NotYet(why, "27.combat.naval.4", self.sea)
            raise NotYet(f"You have no fleet in {self.sea}.", _ATTACK, self.sea)
        number = self.quantity.of(len(here)) if self.quantity and not self.fleets else len(able)
        if strict and self.quantity and self.quantity.portion is Portion.EXACTLY and not 0 < number <= len(able):
            why = f"You have {counted(len(able), 'fleets')} in {self.sea} that can attack."
            raise NotYet(why, _ATTACK, str(number), (line_of(self.but(quantity=None, fleets=())),))
        able.sort(key=lambda fleet: (fleet.points, fleet.number))
        return Assault(tuple(fleet.number for fleet in able[: max(1, number)]))

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or least(self.quantity) > len(war.fleets_of(seat))


# ---------------------------------------------------------------- DECLARE WAR


class DeclareWar(MoveOrder, frozen=True):
    """War declared, for a price in DP (27.war.3)."""

    enemy: Seat

    words = Words(
        "DECLARE WAR",
        f"declare war for {WAR_PRICE} DP; you may attack from your next movement phase",
        _DECLARE,
        "DECLARE WAR ON {other}",
    )
    plain = Plain("Declare war", theme="Other powers")
    fields = (Opponent("enemy", "ON", _DECLARE),)
    says = f"Declare war on {{enemy}} for {WAR_PRICE} DP; you may attack from your next movement phase."
    phase = MOVEMENT

    def plan(self, war: War, seat: Seat, strict: bool) -> Outright:
        if self.enemy == seat:
            raise Refused("You cannot declare war on yourself.", _DECLARE, self.enemy)
        if self.enemy in war.out:
            raise Refused(f"{self.enemy} has been eliminated.", _DECLARE, self.enemy)
        if war.at_war(seat, self.enemy):
            raise Refused(f"You are at war with {self.enemy} already.", "R27-71", self.enemy)
        if self.enemy in partners(war, seat):
            direct = "your ally" if allied(war, seat, self.enemy) else "an ally of your allies"
            why = f"{self.enemy} is {direct}; peace with the common enemy comes first."
            raise Refused(why, "27.opt.alliances.3", self.enemy)
        held = war.treasuries[seat].dp
        if war.diplomatic and held < WAR_PRICE:
            why = f"A declaration of war costs {WAR_PRICE} DP and you have {held or 'none'}."
            raise Refused(why, _DECLARE, self.enemy)
        return Outright((WarDeclared(seat, self.enemy),))


# ---------------------------------------------------------------- JOIN, APPROVE and ADMIT
# Sides in a war, and what an alliance opens (27.opt.alliances).


_JOIN, _VOTE, _LEAVE = "27.opt.alliances.1", "27.opt.alliances.2", "27.opt.alliances.6"
_ALL = Thing("any", "all")


# ---------------------------------------------------------------- JOIN


class _Side(Field[Seat | None]):
    """The player of a side; None for nobody's."""

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
    plain = Plain("Join a side")
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
            raise Refused("JOIN nobody takes no AGAINST.", _JOIN, self.against, (line_of(JoinRule(None)),))
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
    """The players whom you let join your side of a war; with `everybody` all who ask (27.opt.alliances.2)."""

    seats: tuple[Seat, ...] = ()
    everybody: bool = False

    words = Words("APPROVE", "say whom you let join your side of a war: these, all, or none", _VOTE, "APPROVE {other}")
    plain = Plain("Let others join me")
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
    """The players kept out: those whom EXCEPT names, or all who are not named."""

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
    """The players whose units are kept out of one's land and off one's fleets, allies or not (27.opt.alliances.6)."""

    refused: tuple[Seat, ...] = ()

    words = Words(
        "ADMIT",
        "say which allies may enter your land and board your fleets: all, none, or all EXCEPT some; done at once",
        _LEAVE,
        "ADMIT all EXCEPT {other}",
    )
    plain = Plain("Let allies in", theme="Other powers")
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
