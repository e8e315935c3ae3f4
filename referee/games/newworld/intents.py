"""Lawful orders as New World understands them: what a player wants done when his turn runs, or at once."""

from __future__ import annotations

from functools import cached_property

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.games.newworld.data import goods_in_words
from referee.kit.wording import counted, in_a_row

__all__ = [
    "ANY",
    "AcceptOffer",
    "Aim",
    "ArmyFrom",
    "AttackRegion",
    "BuildFleets",
    "BuyResources",
    "ColonizeCards",
    "DeclineOffer",
    "DiscardUnits",
    "HireWorkers",
    "INTENTS",
    "LoseUnits",
    "Lot",
    "MakeOffer",
    "MoveArmies",
    "RaiseArmies",
    "ResearchTechnologies",
    "RobSeats",
    "TurnOrder",
    "Wish",
    "WithdrawOffer",
    "amount_in_words",
]

ANY = "any"


def amount_in_words(quantity: Quantity, name: str) -> str:
    """`2 fleets`, `up to 3 workers`, `all armies`, `all but 1 armies`, `half the armies`."""
    match quantity.portion:
        case Portion.EXACTLY:
            return counted(quantity.number, name)
        case Portion.UP_TO:
            return f"up to {counted(quantity.number, name)}"
        case Portion.ALL:
            return f"as many {name} as possible"
        case Portion.ALL_BUT:
            return f"all possible {name} but {quantity.number}"
        case Portion.HALF:
            return f"half as many {name} as possible"


def _kept(keeping: dict[str, int]) -> str:
    return f", keeping {goods_in_words(keeping)}" if keeping else ""


class Lot(msgspec.Struct, frozen=True):
    """So much of a resource."""

    resource: str
    quantity: Quantity


class Wish(msgspec.Struct, frozen=True):
    """A kind of territory wanted: a good, or `any`; `region` empty for all Regions.

    `resource` and `least` restrict it to cards that yield at least so much of a resource; no more than `most` are
    claimed, where it is not 0.
    """

    good: str
    region: str = ""
    resource: str = ""
    least: int = 0
    most: int = 0

    def words(self) -> str:
        """The wish in plain words."""
        return self.kind() + (f" ({self.most} at most)" if self.most else "")

    def kind(self) -> str:
        """What is wished for, however many."""
        name = "any territory" if self.good == ANY else self.good
        where = f" in {self.region}" if self.region else ""
        return name + where + (f" yielding {self.least} {self.resource} or more" if self.resource else "")


class Aim(msgspec.Struct, frozen=True):
    """What an attack is for: a kind of territory, or `any`; `home` narrows it to those that were a seat's first."""

    good: str
    home: Seat | None = None

    def words(self) -> str:
        """The aim in plain words."""
        if self.good == ANY:
            return "whatever yields most" + (f" of {self.home}'s first territories" if self.home else "")
        return f"{self.good} ({self.home})" if self.home else self.good


class ArmyFrom(msgspec.Struct, frozen=True):
    """A place in an order of losses: Armies of a Region (`region` empty: wherever most are)."""

    region: str = ""


class TurnOrder(Intent, frozen=True, dict=True):
    """An order of a turn's sheet, or one that acts at once."""

    @cached_property
    def clause(self) -> str:
        """The meaning as a part of a sentence, put into words once: a sheet is played through for every letter about it."""
        meaning = self.meaning().removesuffix(".")
        return meaning[:1].lower() + meaning[1:]


class ResearchTechnologies(TurnOrder, frozen=True):
    """RESEARCH: buy these among the cards drawn, in order, while the gold lasts; `most` of those in it."""

    technologies: tuple[str, ...]
    keeping: dict[str, int] = {}
    most: dict[str, int] = {}

    def meaning(self) -> str:
        names = [self._words(name) for name in self.technologies]
        return f"Of the cards drawn, buy in this order of preference: {', '.join(names)}{_kept(self.keeping)}."

    def _words(self, name: str) -> str:
        limit = f" ({counted(self.most[name], 'cards')} at most)" if name in self.most else ""
        return ("whatever else is cheapest" if name == ANY else name) + limit


class BuyResources(TurnOrder, frozen=True):
    """BUY: buy resources from the bank in the Trade Phase."""

    lots: tuple[Lot, ...]
    keeping: dict[str, int] = {}

    def meaning(self) -> str:
        lots = in_a_row([amount_in_words(lot.quantity, lot.resource) for lot in self.lots])
        return f"Buy {lots} from the bank at 5 gold each{_kept(self.keeping)}."


class HireWorkers(TurnOrder, frozen=True):
    """HIRE: buy Workers in the Worker Phase."""

    quantity: Quantity
    keeping: dict[str, int] = {}

    def meaning(self) -> str:
        return f"Hire {amount_in_words(self.quantity, 'workers')}{_kept(self.keeping)}."


class BuildFleets(TurnOrder, frozen=True):
    """BUILD: buy Fleets in the Ship Building Phase."""

    quantity: Quantity
    keeping: dict[str, int] = {}

    def meaning(self) -> str:
        return f"Build {amount_in_words(self.quantity, 'fleets')}{_kept(self.keeping)}."


class RaiseArmies(TurnOrder, frozen=True):
    """RAISE: buy Armies in the Raise Armies Phase; they appear in Europe."""

    quantity: Quantity
    keeping: dict[str, int] = {}

    def meaning(self) -> str:
        return f"Raise {amount_in_words(self.quantity, 'armies')} in Europe{_kept(self.keeping)}."


class ColonizeCards(TurnOrder, frozen=True):
    """COLONIZE: claim cards turned up, in this order of preference."""

    wishes: tuple[Wish, ...]

    def meaning(self) -> str:
        wishes = ", ".join(wish.words() for wish in self.wishes)
        return f"Of the territories turned up, claim in this order of preference: {wishes}."


class MoveArmies(TurnOrder, frozen=True):
    """MOVE: ship Armies from one Region to another."""

    quantity: Quantity
    origin: str
    target: str

    def meaning(self) -> str:
        return f"Move {amount_in_words(self.quantity, 'armies')} from {self.origin} to {self.target}."


class AttackRegion(TurnOrder, frozen=True):
    """ATTACK: attack a foe (a seat, `rebels` or `neutral`) in a Region for one of these territories.

    `fleets` None: all that are not assigned to another attack. `owner` narrows rebels to one sheet.
    """

    foe: str
    region: str
    wishes: tuple[Aim, ...] = (Aim(ANY),)
    fleets: Quantity | None = None
    owner: Seat | None = None
    unless_outnumbered: bool = False

    def meaning(self) -> str:
        aims = [aim.words() for aim in self.wishes]
        owner = f" in a colony of {self.owner}" if self.owner else ""
        fleets = f" with {amount_in_words(self.fleets, 'fleets')}" if self.fleets else " with the fleets left over"
        caution = ", unless outnumbered in dice" if self.unless_outnumbered else ""
        return f"Attack {self.foe}{owner} in {self.region} for {in_a_row(aims, 'or else')}{fleets}{caution}."


def _losses(units: tuple[ArmyFrom | None, ...]) -> str:
    words = ["fleets" if u is None else f"armies in {u.region}" if u.region else "armies" for u in units]
    return ", then ".join(words)


class DiscardUnits(TurnOrder, frozen=True):
    """DISCARD: the order in which units go when Upkeep demands it. None stands for Fleets."""

    units: tuple[ArmyFrom | None, ...]

    def meaning(self) -> str:
        return f"If units must go at Upkeep: {_losses(self.units)}."


class LoseUnits(TurnOrder, frozen=True):
    """LOSE: the order in which units are lost to events and in battle, and at Upkeep without DISCARD."""

    units: tuple[ArmyFrom | None, ...]

    def meaning(self) -> str:
        return f"Losses come from: {_losses(self.units)}."


class RobSeats(TurnOrder, frozen=True):
    """ROB: whom the privateers of this seat rob, in order of preference."""

    victims: tuple[Seat, ...]

    def meaning(self) -> str:
        return f"Privateers rob {in_a_row(self.victims, 'or else')}."


class MakeOffer(TurnOrder, frozen=True):
    """OFFER: propose a trade, or make a gift, to another seat. Done at once."""

    to: Seat
    gives: dict[str, int]
    asks: dict[str, int] = {}

    def meaning(self) -> str:
        given = f"{goods_in_words(self.gives)} to {self.to}"
        if self.asks:
            return f"Offer {given} for {goods_in_words(self.asks)}."
        return f"Give {given}: handed over in your next Trade Phase or theirs, and yours to withdraw till then."


class AcceptOffer(TurnOrder, frozen=True):
    """ACCEPT: accept a trade offer by number. Done at once."""

    number: int

    def meaning(self) -> str:
        return f"Accept offer {self.number}; it is carried out in the next Trade Phase of either party."


class DeclineOffer(TurnOrder, frozen=True):
    """DECLINE: refuse a trade offer or gift by number. Done at once."""

    number: int

    def meaning(self) -> str:
        return f"Decline offer {self.number}."


class WithdrawOffer(TurnOrder, frozen=True):
    """WITHDRAW: take back an own offer by number. Done at once."""

    number: int

    def meaning(self) -> str:
        return f"Withdraw offer {self.number}."


INTENTS: tuple[type[Intent], ...] = (
    AcceptOffer,
    AttackRegion,
    BuildFleets,
    BuyResources,
    ColonizeCards,
    DeclineOffer,
    DiscardUnits,
    HireWorkers,
    LoseUnits,
    MakeOffer,
    MoveArmies,
    RaiseArmies,
    ResearchTechnologies,
    RobSeats,
    WithdrawOffer,
)
"""Every intent class of the game."""
