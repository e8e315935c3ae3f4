"""Lawful orders of movement and combat."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Quantity
from referee.games.war.lots import Lot, lots_in_words, named_fleets

__all__ = [
    "AttackFleets",
    "DeclareWar",
    "DestroyWorks",
    "EmbarkUnits",
    "ExploreRegion",
    "LandUnits",
    "MoveUnits",
    "ProspectRegion",
    "ResolveInOrder",
    "SailFleets",
]


class MoveUnits(Intent, frozen=True):
    """Land units that march together from a region to another, through `via` where named."""

    lots: tuple[Lot, ...]
    origin: str
    target: str
    via: tuple[str, ...] = ()

    def meaning(self) -> str:
        way = f" through {', '.join(self.via)}" if self.via else ""
        return f"March {lots_in_words(self.lots)} from {self.origin} to {self.target}{way}."


class EmbarkUnits(Intent, frozen=True):
    """Land units that board own fleets in a sea area beside their region (27.move.carry.3); those named, in this order."""

    lots: tuple[Lot, ...]
    origin: str
    sea: str
    fleets: tuple[int, ...] = ()

    def meaning(self) -> str:
        ships = f" {named_fleets(self.fleets)}" if self.fleets else ""
        return f"Take {lots_in_words(self.lots)} of {self.origin} aboard{ships} in {self.sea}."


class SailFleets(Intent, frozen=True):
    """Fleets that sail together to a sea area, with what they carry: those named, or so many.

    `loaded` None: of so many the fullest go first.
    """

    quantity: Quantity
    origin: str
    target: str
    via: tuple[str, ...] = ()
    loaded: bool | None = None
    fleets: tuple[int, ...] = ()

    def meaning(self) -> str:
        way = f" through {', '.join(self.via)}" if self.via else ""
        fleets = named_fleets(self.fleets) or Lot("fleet", self.quantity).words()
        return f"Sail {fleets} from {self.origin} to {self.target}{way}."


class LandUnits(Intent, frozen=True):
    """Units put ashore from own fleets in a sea area, of those named if any are (27.move.carry.4)."""

    lots: tuple[Lot, ...]
    sea: str
    target: str
    fleets: tuple[int, ...] = ()

    def meaning(self) -> str:
        ships = f"{named_fleets(self.fleets)} in " if self.fleets else ""
        return f"Put {lots_in_words(self.lots)} ashore in {self.target} from {ships}{self.sea}."


class AttackFleets(Intent, frozen=True):
    """An attack on an enemy's fleets in a sea area, with the fleets named or so many; `quantity` None: with all there."""

    enemy: Seat
    sea: str
    quantity: Quantity | None = None
    fleets: tuple[int, ...] = ()

    def meaning(self) -> str:
        force = Lot("fleet", self.quantity).words() if self.quantity else "all your fleets there"
        force = named_fleets(self.fleets) or force
        return f"Attack {self.enemy}'s fleets in {self.sea} with {force}."


class DeclareWar(Intent, frozen=True):
    """War declared, for so many DP: one, or none in an edition without them (27.war.3)."""

    enemy: Seat
    dp: int = 1

    def meaning(self) -> str:
        price = f" for {self.dp} DP" if self.dp else ""
        return f"Declare war on {self.enemy}{price}; you may attack from your next movement phase."


class DestroyWorks(Intent, frozen=True):
    """A building destroyed, or the resource (`what` "resource") undeveloped, by one unit of a kind; "" any (27.opt.scorched)."""

    region: str
    what: str
    kind: str = ""

    def meaning(self) -> str:
        does = "Undevelop the resource of" if self.what == "resource" else f"Destroy the {self.what} of"
        by = f"1 {self.kind}" if self.kind else "a brigade or an engineer"
        return f"{does} {self.region} with {by}, which then neither moves nor fights in this phase."


class ResolveInOrder(Intent, frozen=True):
    """The order in which battles and actions are resolved (27.move.order.2)."""

    regions: tuple[str, ...]

    def meaning(self) -> str:
        return f"Resolve in this order: {', '.join(self.regions)}; then the rest."


class ExploreRegion(Intent, frozen=True):
    """Explorer diplomacy: with a gift or not; whose sphere to remove, None to place one's own if possible.

    `wait`: the explorer stays among the natives and does not try them now (17.explore.1).
    """

    region: str
    gift: bool = False
    remove: Seat | None = None
    before_battle: bool = False
    wait: bool = False

    def meaning(self) -> str:
        if self.wait:
            return f"Let your explorers wait in {self.region}; they do not try its natives now."
        gift = " with a gift of 1 DP" if self.gift else ""
        aim = f", removing a sphere of {self.remove}" if self.remove else ""
        before = ", before the battle" if self.before_battle else ""
        return f"Let your explorers try the natives of {self.region}{gift}{aim}{before}."


class ProspectRegion(Intent, frozen=True):
    """An engineer looks for another resource, for 5 PP (27.combat.prospect)."""

    region: str

    def meaning(self) -> str:
        return f"Prospect in {self.region} for 5 PP."
