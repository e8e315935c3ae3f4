"""Movement and combat in Version 1.7: the orders of Version 27, judged by its own rules where they differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.games.war.deeds.entry import attack_allowed, cession_of
from referee.games.war.deeds.refused import NotYet
from referee.games.war.orders.base import COMBAT
from referee.games.war.orders.combat import Told
from referee.games.war.orders.movement.attack import DeclareWar
from referee.games.war.orders.movement.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement.move import MoveUnits
from referee.games.war.orders.movement.sail import SailFleets
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import Way, gate_between
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.declared import Declared, Words
from referee.kit.fields import One
from referee.kit.refused import Refused

# ---------------------------------------------------------------- who may enter


def _check_attack(war: War, seat: Seat, enemy: Seat, at: str) -> None:
    """17.war.1, 17.war.3: raises Refused unless this player may attack that one now."""
    if not war.at_war(seat, enemy):
        why = f"You are not at war with {enemy}; war declared now lets you attack in your next movement phase."
        raise Refused(why, "17.war.1", at)
    if not attack_allowed(war, seat, enemy):
        why = f"You declared war on {enemy} in this movement phase and may attack only from your next."
        raise Refused(why, "17.war.3", at)


def _check_entry(war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
    """Raises Refused unless units of these kinds may enter a region together and stay there."""
    land = war.lands[region]
    if land.owner == seat:
        return
    brigade = any(kind in BRIGADES for kind in kinds) or land.brigades(seat) > 0
    if land.owner is None:
        _check_native(land, seat, kinds, brigade)
        return
    if cession_of(war, seat, region) is None:
        if not war.at_war(seat, land.owner):
            why = f"{region} belongs to {land.owner}, with whom you are not at war: nobody of yours may stay there."
            raise Refused(why, "17.move.land.2", region)
        _check_attack(war, seat, land.owner, region)
    if not brigade:
        raise NotYet(f"Only brigades can take {region}; parties go with them.", "R17-24", region)


def _check_native(land: Land, seat: Seat, kinds: Collection[str], brigade: bool) -> None:
    """17.move.land.5: who would be lost at the end of the phase is not sent; leaders go with an explorer."""
    explorer = "explorer" in kinds or land.count(seat, "explorer") > 0
    lost = [k for k in kinds if k not in BRIGADES and k != "explorer" and not (k == "leader" and explorer)]
    if lost and not brigade:
        why = f"{plural(lost[0]).capitalize()} in {land.name}, which is native, would be lost without a brigade."
        raise NotYet(why, "17.move.land.5", lost[0])


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
    over_sea = ("27.board.3",)
    shapes = (SailFleets17,)

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        _check_entry(war, seat, region, kinds)

    def _through_others(self, war: War, seat: Seat, legs: Sequence[Way]) -> Refused:
        foreign = ", ".join(name for leg in legs for name in leg.places[1:-1] if war.lands[name].owner != seat)
        why = f"The way to {self.target} leads through {foreign}; land of others is crossed only where VIA names it."
        return Refused(why, "17.move.land.4", self.target)

    def _check_steps(self, war: War, seat: Seat, way: Way) -> None:
        """17.move.land.3: units stop at enemies, brigades in native regions."""
        for place in way.places[1:-1]:
            owner = war.lands[place].owner
            if owner is None and any(lot.kind in BRIGADES for lot in self.lots):
                raise Refused(f"Brigades that enter {place}, which is native, stop there.", "17.move.land.3", place)
            if owner not in (None, seat) and war.at_war(seat, owner):
                why = f"Units that enter {place}, which is {owner}'s, stop there."
                raise Refused(why, "17.move.land.3", place)


class EmbarkUnits17(EmbarkUnits, frozen=True, tag="EmbarkUnits"):
    """Land units that board; a region may be left without a brigade (R17-10)."""

    leaves_one = False


class LandUnits17(LandUnits, frozen=True, tag="LandUnits"):
    """Units put ashore where this edition lets them in (17.move.carry.2, 17.move.land.2)."""

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        _check_entry(war, seat, region, kinds)


class DeclareWar17(DeclareWar, frozen=True, tag="DeclareWar"):
    """War declared, which costs nothing (17.war.2)."""

    words = replace(DeclareWar.words, meaning="declare war; you may attack from your next movement phase")
    says = "Declare war on {enemy}; you may attack from your next movement phase."


# ---------------------------------------------------------------- combat


def explorers_in(war: War, seat: Seat) -> tuple[str, ...]:
    """17.explore.1: native regions where his explorers stand, in the order of the map."""
    return tuple(land.name for land in war.regions_of(None) if land.count(seat, "explorer"))


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
