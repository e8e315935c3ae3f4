"""Movement and combat in Version 1.7: the orders of Version 27, judged by its own rules where they differ."""

from __future__ import annotations

from collections.abc import Collection
from typing import Self

from msgspec.structs import astuple, replace

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.games.war.deeds.entry import open_by_cession
from referee.games.war.deeds.marching import March
from referee.games.war.deeds.muster import kinds_of, merged, muster
from referee.games.war.deeds.refused import NotYet
from referee.games.war.orders.base import COMBAT
from referee.games.war.orders.combat import Told
from referee.games.war.orders.movement.attack import DeclareWar
from referee.games.war.orders.movement.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement.move import MoveUnits
from referee.games.war.orders.movement.parts import MoveOrder
from referee.games.war.orders.movement.sail import SailFleets
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import Way, any_land_way, gate_between, land_way
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.games.war17.deeds.entry import check_entry
from referee.games.war17.deeds.exploring import explorers_in
from referee.kit.declared import Declared, Words
from referee.kit.fields import One
from referee.kit.refused import Refused


def _judged(order: MoveOrder, elder: type[MoveOrder], war: War, seat: Seat) -> None:
    """What Version 27 says of the map and, in one's own share, what this edition says. Raises Refused."""
    elder(*astuple(order)).check(replace(war, stage="movement", active=None), seat)
    if war.stage == "movement" and war.active == seat:
        try:
            order.permit(war, seat)
        except NotYet:
            if order.beyond_hope(war, seat):
                raise


# ---------------------------------------------------------------- movement


class SailFleets17(SailFleets, frozen=True, tag="SailFleets"):
    """Fleets that sail; an enemy's strait is not counted on (17.board.4, R17-19)."""

    def lawful(self, war: War, seat: Seat) -> bool:
        return super().lawful(war, seat) and not self._past_an_enemy(war, seat)

    def _past_an_enemy(self, war: War, seat: Seat) -> bool:
        gates = (gate_between(*step) for step in self.plan(war, seat, True).way.pairs())
        keepers = (war.lands[gate.region].owner for gate in gates if gate is not None)
        return any(keeper is not None and war.at_war(seat, keeper) for keeper in keepers)


class MoveUnits17(MoveUnits, frozen=True, tag="MoveUnits"):
    """Land units that march together, through `via` where named; a region may be left without a brigade (R17-10)."""

    leaves_one = False
    over_sea = ("17.board.2",)
    shapes = (SailFleets17,)

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        check_entry(war, seat, region, kinds)

    def march(self, war: War, seat: Seat, strict: bool) -> March:
        """17.move.land, R17-07."""
        lots = merged(self.lots)
        way = self._route(war, seat)
        self._check_steps(war, seat, way)
        for lot in lots:
            if way.cost > war.kinds[lot.kind].moves:
                why = f"The way to {self.target} costs {way.cost} MP; {plural(lot.kind)} have {war.kinds[lot.kind].moves}."
                raise Refused(why, "17.move.land.1", lot.kind)
        self.enter(war, seat, way.target, [lot.kind for lot in lots])
        stacks = muster(war, seat, self.origin, lots, way.cost, strict, self.line_for)
        self.enter(war, seat, way.target, kinds_of(stacks))
        return March(way, stacks, open_by_cession(war, seat, way.target))

    def _route(self, war: War, seat: Seat) -> Way:
        """17.board.2, 17.board.5, 17.move.land.1."""
        for place in (self.origin, self.target, *self.via):
            if BOARD.is_sea(place):
                raise Refused(f"Land units go to sea only aboard fleets: {place}.", "17.board.2", place)
        if {self.origin, *self.via} == {self.target}:
            raise Refused(f"The units are in {self.target} already.", "17.move.land.1", self.target)
        way = land_way(war, seat, self.origin, self.target, self.via)
        if way is not None:
            return way
        if {self.origin, self.target} == {"Spain", "Morocco"}:
            raise Refused("There is no passage by land between Spain and Morocco.", "17.board.5", self.target)
        through = any_land_way(war, seat, self.origin, self.target)
        if through is None:
            raise Refused(f"No way by land leads from {self.origin} to {self.target}.", "17.board.2", self.target)
        foreign = ", ".join(name for name in through.places[1:-1] if war.lands[name].owner != seat)
        why = f"The way to {self.target} leads through {foreign}; land of others is crossed only where VIA names it."
        raise Refused(why, "17.move.land.4", self.target)

    def _check_steps(self, war: War, seat: Seat, way: Way) -> None:
        """17.move.land.3: units stop at enemies, brigades in native regions."""
        for place in way.places[1:-1]:
            owner = war.lands[place].owner
            if owner is None and any(lot.kind in BRIGADES for lot in self.lots):
                raise Refused(f"Brigades that enter {place}, which is native, stop there.", "17.move.land.3", place)
            if owner not in (None, seat) and war.at_war(seat, owner):
                why = f"Units that enter {place}, which is {owner}'s, stop there."
                raise Refused(why, "17.move.land.3", place)

    def check(self, war: War, seat: Seat) -> None:
        _judged(self, MoveUnits, war, seat)


class EmbarkUnits17(EmbarkUnits, frozen=True, tag="EmbarkUnits"):
    """Land units that board; a region may be left without a brigade (R17-10)."""

    leaves_one = False


class LandUnits17(LandUnits, frozen=True, tag="LandUnits"):
    """Units put ashore where this edition lets them in (17.move.carry.2, 17.move.land.2)."""

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        check_entry(war, seat, region, kinds)

    def check(self, war: War, seat: Seat) -> None:
        _judged(self, LandUnits, war, seat)


class DeclareWar17(DeclareWar, frozen=True, tag="DeclareWar"):
    """War declared, which costs nothing (17.war.2)."""

    words = replace(DeclareWar.words, meaning="declare war; you may attack from your next movement phase")
    says = "Declare war on {enemy}; you may attack from your next movement phase."


# ---------------------------------------------------------------- combat


class ExploreRegion17(Declared[War], frozen=True, tag="ExploreRegion"):
    """Explorers who try the natives, or with `wait` stay among them and do not try them now (17.explore.1)."""

    region: str
    before_battle: bool = False
    wait: bool = False

    words = Words(
        "EXPLORE",
        "let your explorer try the natives of a region (he does, unless you say LATER); BEFORE battle where brigades came with him",
        "17.explore.1",
        "EXPLORE Sudan BEFORE battle",
    )
    fields = (
        One("region", ("region",), taken=str),
        Told("before_battle", "BEFORE", "battle", ", before the battle"),
        Told("wait", "LATER", "", ""),
    )
    says, phase = "Let your explorers try the natives of {region}{before_battle}.", COMBAT

    def meaning(self) -> str:
        if self.wait:
            return f"Let your explorers wait in {self.region}; they do not try its natives now."
        return super().meaning()

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where his explorers stand among natives; before the battle there, or not now."""
        region = yield from one("region", (Choice(name, name, "", name) for name in explorers_in(war, seat)))
        early, late = (
            Choice("BEFORE", "before", "rather than after a battle there"),
            Choice("LATER", "later", "they wait"),
        )
        when = yield from several("when", [early, late], 0, 1)
        return cls(region, when == ("before",), when == ("later",))

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "movement" and war.active == seat and war.lands[self.region].owner is not None:
            raise Refused(f"{self.region} is not native; explorers go among natives.", "17.explore.1", self.region)
