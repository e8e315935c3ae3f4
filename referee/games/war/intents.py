"""Lawful orders of a turn's sheet and asides, as War! understands them. Standing orders are in standing.py."""

from __future__ import annotations

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.war.pieces import plural
from referee.kit.wording import in_a_row

__all__ = [
    "ASIDES",
    "AcceptOffer",
    "AskPlacement",
    "AttackFleets",
    "BidForOrder",
    "BuildBuilding",
    "BuildCanal",
    "BuildUnits",
    "BuyDiplomacy",
    "BuyPieces",
    "DeclareWar",
    "DeclineOffer",
    "DestroyWorks",
    "DevelopResource",
    "DraftRegions",
    "EmbarkUnits",
    "ExploreRegion",
    "FreeBuilding",
    "FreeResource",
    "GivePoints",
    "InciteRevolt",
    "Lot",
    "InsertInOrder",
    "LandUnits",
    "MoveUnits",
    "NameCapital",
    "OfferCession",
    "OfferPeace",
    "PlacePieces",
    "ProspectRegion",
    "RemoveSphere",
    "ResolveInOrder",
    "SHEET",
    "SailFleets",
    "SetDecisions",
    "SwapRegions",
    "SetLeave",
    "WesternizeRegion",
    "WithdrawOffer",
    "lots_in_words",
]


class Lot(msgspec.Struct, frozen=True):
    """So many of a kind: a land unit, a fleet, or a building."""

    kind: str
    quantity: Quantity

    def words(self) -> str:
        """`3 infantry`, `all generals`, `half the fleets`."""
        n, name = self.quantity.number, plural(self.kind)
        match self.quantity.portion:
            case Portion.EXACTLY:
                return f"{n} {self.kind if n == 1 else name}"
            case Portion.UP_TO:
                return f"up to {n} {name}"
            case Portion.ALL:
                return f"all {name}"
            case Portion.ALL_BUT:
                return f"all {name} but {n}"
            case Portion.HALF:
                return f"half the {name}"


def lots_in_words(lots: tuple[Lot, ...]) -> str:
    """`3 infantry and 1 general`."""
    return in_a_row([lot.words() for lot in lots])


# ---------------------------------------------------------------- set-up


class DraftRegions(Intent, frozen=True):
    """The regions wanted at the start, best first (R27-80)."""

    regions: tuple[str, ...]

    def meaning(self) -> str:
        return f"Pick the first of these that is still free, each time: {', '.join(self.regions)}."


class BuyPieces(Intent, frozen=True):
    """Units and buildings bought before play; placed by PlacePieces (R27-81)."""

    lots: tuple[Lot, ...]

    def meaning(self) -> str:
        return f"Buy {lots_in_words(self.lots)} for the start."


class PlacePieces(Intent, frozen=True):
    """Where bought pieces stand at the start: land units and buildings in a region, fleets in a sea area."""

    lots: tuple[Lot, ...]
    place: str

    def meaning(self) -> str:
        return f"Place {lots_in_words(self.lots)} in {self.place}."


class AskPlacement(Intent, frozen=True):
    """What is not placed by the lines above is asked piece by piece, when the others' pieces are seen (R27-81)."""

    def meaning(self) -> str:
        return "Ask me for the place of each further piece when its turn comes."


class SwapRegions(Intent, frozen=True):
    """A dealt region offered for another player's, or for one that a ring of such offers leads to (R27-90)."""

    region: str
    wanted: str

    def meaning(self) -> str:
        return f"Swap {self.region} for {self.wanted}, if its holder agrees."


class NameCapital(Intent, frozen=True):
    """The region that may hold several buildings (27.opt.multiple_buildings.3)."""

    region: str

    def meaning(self) -> str:
        return f"Make {self.region} your capital."


class FreeBuilding(Intent, frozen=True):
    """The building everybody has free in Europe (27.opt.historical.setup.4)."""

    kind: str
    region: str

    def meaning(self) -> str:
        return f"Your free {self.kind} stands in {self.region}."


class FreeResource(Intent, frozen=True):
    """Where everybody's free developed resource lies, in Europe (27.opt.historical.setup.4)."""

    region: str

    def meaning(self) -> str:
        return f"Your free resource lies in {self.region}."


# ---------------------------------------------------------------- the auction


class BidForOrder(Intent, frozen=True):
    """PP bid for one's place in the order of the turn (27.opt.auction.1)."""

    pp: int

    def meaning(self) -> str:
        return f"Bid {self.pp} PP for your place in the order of the turn."


class InsertInOrder(Intent, frozen=True):
    """The place taken when one's bid comes up: `first`, `last`, `before` or `after` somebody (27.opt.auction.3)."""

    how: str
    seat: Seat | None = None

    def meaning(self) -> str:
        return f"Go into the order {self.how}{f' {self.seat}' if self.seat else ''}, if that can be done."


# ---------------------------------------------------------------- production


class BuyDiplomacy(Intent, frozen=True):
    """Up to so many diplomacy points at 10 PP each (27.production.income.3)."""

    number: int

    def meaning(self) -> str:
        return f"Buy up to {self.number} DP at 10 PP each, as far as your cities and PP allow."


class RemoveSphere(Intent, frozen=True):
    """Spheres taken off a region: an enemy's or rival's as its owner, or one's own (27.production.natives.spheres)."""

    region: str
    owner: Seat
    number: int = 1

    def meaning(self) -> str:
        return f"Take {self.number} of {self.owner}'s spheres of influence off {self.region}."


class WesternizeRegion(Intent, frozen=True):
    """One DP to lower a region's native strength by 3, and so many own spheres taken off for 1 each."""

    region: str
    spheres: int = 0

    def meaning(self) -> str:
        more = f" and take {self.spheres} of your own spheres off it" if self.spheres else ""
        return f"Spend 1 DP on westernizing {self.region}{more}."


class InciteRevolt(Intent, frozen=True):
    """An attempt at a revolt in another's region (27.production.revolt)."""

    region: str
    bribe: bool = False
    with_sphere: bool = False

    def meaning(self) -> str:
        price = "one of your spheres there" if self.with_sphere else "1 DP"
        bribe = ", and 1 DP as a bribe" if self.bribe else ""
        return f"Try to incite a revolt in {self.region} for {price}{bribe}."


class BuildUnits(Intent, frozen=True):
    """Units bought in a region; fleets appear in `sea`, "" for the default (R27-25)."""

    kind: str
    number: int
    region: str
    sea: str = ""

    def meaning(self) -> str:
        where = f", into {self.sea}" if self.sea else ""
        return f"Buy {self.number} {self.kind if self.number == 1 else plural(self.kind)} in {self.region}{where}."


class BuildBuilding(Intent, frozen=True):
    """One building in a region."""

    kind: str
    region: str

    def meaning(self) -> str:
        return f"Build a {self.kind} in {self.region}."


class DevelopResource(Intent, frozen=True):
    """The resource of a region developed."""

    region: str

    def meaning(self) -> str:
        return f"Develop the resource of {self.region}."


class BuildCanal(Intent, frozen=True):
    """One half of the Suez Canal paid for (27.opt.suez.1)."""

    region: str = "Egypt"

    def meaning(self) -> str:
        return "Pay for half of the Suez Canal."


# ---------------------------------------------------------------- movement and combat


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
    """Land units that board own fleets in a sea area beside their region (27.move.carry.3)."""

    lots: tuple[Lot, ...]
    origin: str
    sea: str

    def meaning(self) -> str:
        return f"Take {lots_in_words(self.lots)} of {self.origin} aboard in {self.sea}."


class SailFleets(Intent, frozen=True):
    """Fleets that sail together to a sea area, with what they carry. `loaded` None: loaded ones go first."""

    quantity: Quantity
    origin: str
    target: str
    via: tuple[str, ...] = ()
    loaded: bool | None = None

    def meaning(self) -> str:
        way = f" through {', '.join(self.via)}" if self.via else ""
        fleets = Lot("fleet", self.quantity).words()
        return f"Sail {fleets} from {self.origin} to {self.target}{way}."


class LandUnits(Intent, frozen=True):
    """Units put ashore from own fleets in a sea area (27.move.carry.4)."""

    lots: tuple[Lot, ...]
    sea: str
    target: str

    def meaning(self) -> str:
        return f"Put {lots_in_words(self.lots)} ashore in {self.target} from {self.sea}."


class AttackFleets(Intent, frozen=True):
    """An attack on an enemy's fleets in a sea area; `quantity` None: with all there."""

    enemy: Seat
    sea: str
    quantity: Quantity | None = None

    def meaning(self) -> str:
        force = Lot("fleet", self.quantity).words() if self.quantity else "all your fleets there"
        return f"Attack {self.enemy}'s fleets in {self.sea} with {force}."


class DeclareWar(Intent, frozen=True):
    """War declared for 1 DP (27.war.3)."""

    enemy: Seat

    def meaning(self) -> str:
        return f"Declare war on {self.enemy} for 1 DP; you may attack from your next movement phase."


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
    """Explorer diplomacy: with a gift or not; whose sphere to remove, None to place one's own if possible."""

    region: str
    gift: bool = False
    remove: Seat | None = None
    before_battle: bool = False

    def meaning(self) -> str:
        gift = " with a gift of 1 DP" if self.gift else ""
        aim = f", removing a sphere of {self.remove}" if self.remove else ""
        return f"Explorer diplomacy in {self.region}{gift}{aim}{', before the battle' if self.before_battle else ''}."


class ProspectRegion(Intent, frozen=True):
    """An engineer looks for another resource, for 5 PP (27.combat.prospect)."""

    region: str

    def meaning(self) -> str:
        return f"Prospect in {self.region} for 5 PP."


# ---------------------------------------------------------------- at any time


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


SHEET: tuple[type[Intent], ...] = (
    DraftRegions, BuyPieces, PlacePieces, AskPlacement, SwapRegions, NameCapital,
    FreeBuilding, FreeResource, BidForOrder, InsertInOrder,
    BuyDiplomacy, RemoveSphere, WesternizeRegion, InciteRevolt, BuildUnits, BuildBuilding, DevelopResource, BuildCanal,
    MoveUnits, EmbarkUnits, SailFleets, LandUnits, AttackFleets, DeclareWar, ResolveInOrder, ExploreRegion,
    ProspectRegion, DestroyWorks,
)  # fmt: skip
"""Orders that wait for their phase."""

ASIDES = (GivePoints, OfferPeace, OfferCession, AcceptOffer, DeclineOffer, WithdrawOffer, SetDecisions, SetLeave)
"""Orders that act at once."""
