"""OFFER and the answers to it, done at once; and BUY, from the bank."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from referee.core.choices import Asking, Choice
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.core.table import Table
from referee.games.newworld.events import (
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    OfferWithdrawn,
    OpenEvent,
    ResourcesBought,
)
from referee.games.newworld.orders.base import (
    SHEET,
    Done,
    Kept,
    Plan,
    TurnOrder,
    eliminated,
    gold_to_spend,
    held_back,
)
from referee.games.newworld.orders.spending import made_otherwise
from referee.games.newworld.position import Offer, World
from referee.games.newworld.rulebook import TABLES, goods_in_words
from referee.kit.declared import AT_ONCE, Plain, Words, allowed
from referee.kit.fields import Field, Got, Leads, Number, Said, Stock, exact, exactly, portion_in_words, quantity_of
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

_WARES = ("resource", "unit", "technology", "territory", "card")
"""The wares of an offer, with those that nobody may trade, so that a refusal tells the rule."""


# ---------------------------------------------------------------- an offer is made


class _Partner(Field[Seat]):
    """To whom, after TO or, where something is asked for, after WITH."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"TO": ("side",), "WITH": ("side",)}

    def read(self, said: Said) -> Seat:
        partners = (*said.after("TO"), *said.after("WITH"))
        if not partners or (said.after("WITH") and not said.after("FOR")):
            raise Refused(_to_nobody(said), "nw.trade.bank", said.order.verb)
        if len(partners) > 1:
            raise Refused("An offer goes to one player.", "nw.r12", partners[1].name)
        return Seat(partners[0].name)

    def things(self, value: Seat, state: World) -> tuple[Thing, ...]:
        return (Thing("side", value),)


def _to_nobody(said: Said) -> str:
    things, world = said.order.things, said.state
    goods = ", ".join(f"{exactly(thing) or 1} {thing.name}" if thing.quantity else thing.name for thing in things)
    others = (*(thing.name for thing in said.after("WITH")), *world.others(said.seat))
    line = f"OFFER {goods} TO {others[0]} FOR 2 gold, for example" if others else ""
    return f"The bank buys nothing. Say to whom, and what for: {line}."


def _no_ware(thing: Thing, _: str) -> tuple[str, str]:
    if thing.kind == "resource":
        return "", ""
    return f"Only the seven resources change hands; {thing.name} cannot be traded.", "nw.r12"


def _held(said: Said, thing: Thing) -> int | None:
    """How much he gives: a part is told at once of what he has."""
    return thing.quantity.of(said.state.powers[said.seat].stock[thing.name]) if thing.quantity else None


def _others(world: World, seat: Seat, got: Got) -> Iterator[Choice[Seat]]:
    return (Choice(other, other) for other in world.others(seat))


def _own(world: World, seat: Seat, got: Got) -> dict[str, int]:
    """The seat's resources, the most plentiful first."""
    return dict(sorted(world.powers[seat].stock.items(), key=lambda held: -held[1]))


def _theirs(world: World, seat: Seat, got: Got) -> dict[str, int]:
    """Of what they have what there is least of first; of what they have not one."""
    own, theirs = world.powers[seat].stock, world.powers[got["to"]].stock
    return {ware: max(1, theirs[ware]) for ware in sorted(own, key=lambda ware: (not theirs[ware], own[ware]))}


def _they_have(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    theirs = world.powers[got["to"]].stock
    return (Choice(w, w, f"{got['to']} has {theirs[w]}") for w in _theirs(world, seat, got))


def _something(world: World, seat: Seat, got: Got) -> dict[str, int]:
    return {ware: 1 for ware in [ware for ware in _theirs(world, seat, got) if ware not in got["gives"]][:1]}


def _stock(name: str, under: str = "", **about: Any) -> Stock:
    needs = "Say exactly how many {}."
    return Stock(name, _WARES, under, least=1, needs=needs, rule="nw.r12", strange=_no_ware, **about)


class MakeOffer(TurnOrder, frozen=True):
    """nw.r12: propose a trade, or make a gift, to another seat."""

    to: Seat
    gives: dict[str, int]
    asks: dict[str, int] = {}

    words = Words(
        "OFFER",
        "offer resources to a player for others, or as a gift; done at once",
        "nw.r12",
        "OFFER 3 gold, 1 wood TO {other} FOR 1 cloth",
        ("SELL", "TRADE"),
    )
    plain = Plain("Offer a trade", theme="Market")
    fields = (
        _Partner("to", ("side",), "TO", among=_others),
        _stock("gives", much=_held, needed=True, held=_own),
        _stock("asks", "FOR", held=_theirs, among=_they_have, usual=_something),
    )
    phase = AT_ONCE

    def meaning(self) -> str:
        given = f"{goods_in_words(self.gives)} to {self.to}"
        if self.asks:
            return f"Offer {given} for {goods_in_words(self.asks)}."
        return f"Give {given}: handed over in your next Trade Phase or theirs, and yours to withdraw till then."

    def check(self, world: World, seat: Seat) -> None:
        if self.to == seat:
            raise Refused("You cannot trade with yourself.", "nw.r12", self.to)
        if world.powers[self.to].out:
            raise eliminated(self.to, "cannot trade", self.to)
        if sum(offer.maker == seat for offer in world.offers) >= TABLES.figures.offers:
            raise Refused(f"You have {TABLES.figures.offers} offers open; withdraw one first.", "nw.h7", "OFFER")
        both = [name for name in self.gives if name in self.asks]
        if both:
            raise Refused(f"You would give {both[0]} for {both[0]}.", "nw.r12", both[0])

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        world = table.state
        if not world.powers[self.to].out and not world.powers[seat].out:
            table.emit(OfferMade(world.next_offer, seat, self.to, self.gives, self.asks))


# ---------------------------------------------------------------- an offer is answered, or taken back


def _on_the_table(world: World, seat: Seat, got: Got) -> Iterator[Choice[int]]:
    for offer in world.offers:
        trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
        yield Choice(str(offer.number), offer.number, f"Offer {offer.number}: {offer.maker} gives you {trade}.")


class _Answer(TurnOrder, frozen=True):
    """An answer to one open offer, by its number."""

    number: int

    fields = (Number("number", among=_on_the_table),)
    phase = AT_ONCE
    own: ClassVar[bool] = False
    """Whether it is about offers of one's own."""
    answered: ClassVar[Callable[..., OpenEvent]]

    def check(self, world: World, seat: Seat) -> None:
        """An offer that can be answered so, or the same verb with the numbers it could have."""
        number, offer = str(self.number), world.offer(self.number)
        mine = [offer.number for offer in world.offers if seat == (offer.maker if self.own else offer.to)]
        others = tuple(f"{self.words.verb} {other}" for other in mine[:3])
        if offer is None:
            raise Refused(f"There is no offer {number} on the table.", "nw.r12", number, others)
        if offer.number not in mine:
            whose = f"{offer.maker}'s" if self.own else f"made to {offer.to}"
            raise Refused(f"Offer {number} is {whose}.", "nw.r12", number, others)
        why = self.settled(offer)
        if why:
            raise Refused(f"Offer {number} {why}.", "nw.r12", number)

    def settled(self, offer: Offer) -> str:
        """Why an offer cannot be answered so any more."""
        return ""

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        if allowed(self, table.state, seat):
            table.emit(type(self).answered(self.number, seat))


class AcceptOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("ACCEPT", "accept an offer by its number; done at once", "nw.r12", "ACCEPT 1")
    plain = Plain("Accept an offer", theme="Market")
    says = "Accept offer {number}; it is carried out in the next Trade Phase of either party."
    answered = OfferAccepted

    def settled(self, offer: Offer) -> str:
        return "is accepted already" if offer.accepted else ""


class DeclineOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("DECLINE", "decline an offer or a gift by its number; done at once", "nw.r12", "DECLINE 1")
    plain = Plain("Decline an offer", theme="Market")
    says, answered = "Decline offer {number}.", OfferDeclined


class WithdrawOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("WITHDRAW", "take back your own offer by its number; done at once", "nw.r12", "WITHDRAW 1")
    plain = Plain("Take an offer back", theme="Market")
    says, own, answered = "Withdraw offer {number}.", True, OfferWithdrawn

    def settled(self, offer: Offer) -> str:
        return "has been accepted and stands" if offer.accepted and offer.asks else ""


OFFERS = (MakeOffer, AcceptOffer, DeclineOffer, WithdrawOffer)


# ---------------------------------------------------------------- BUY
# Resources from the bank, in the Trade Phase.


class Lot(msgspec.Struct, frozen=True):
    """So much of a resource."""

    resource: str
    quantity: Quantity


class _Lots(Field[tuple[Lot, ...]]):
    """So much of each of some resources that the bank sells, those first of which there is least."""

    most, counts = None, True

    def offers(self, state: World, seat: Seat, got: Got) -> Iterator[Choice[tuple[Lot, ...]]]:
        return (Choice(found.word, _lots(found.value), found.meaning) for found in _SOLD.offers(state, seat, got))

    def asked(self, state: World, seat: Seat, got: Got, leads: Leads[tuple[Lot, ...]]) -> Asking[tuple[Lot, ...]]:
        return _lots((yield from _SOLD.asked(state, seat, got, lambda stock: leads(_lots(stock)))))

    def read(self, said: Said) -> tuple[Lot, ...]:
        for thing in said.order.things:
            _check_sold(thing)
        return tuple(Lot(t.name, quantity_of(t, t.name, SHEET, "BUY")) for t in said.order.things)

    def things(self, value: tuple[Lot, ...], state: World) -> tuple[Thing, ...]:
        return tuple(Thing("resource", lot.resource, lot.quantity) for lot in value)


def _scarce(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    stock = world.powers[seat].stock
    return (Choice(w, w, f"{stock[w]} on hand") for w in sorted(TABLES.prices.bank_sells, key=stock.__getitem__))


def _payable(world: World, seat: Seat, got: Got) -> dict[str, int]:
    """The most of each resource beside so much of all."""
    lots = got["lots"]
    more = _sold_for(_left(world, seat, {"lots": _lots(lots)})["gold"])
    return {resource: lots.get(resource, 0) + more for resource in TABLES.prices.bank_sells}


def _left(world: World, seat: Seat, got: Got) -> dict[str, int]:
    """The gold that is left of these lots."""
    bought = BuyResources(got["lots"]).plan(world, seat)
    paid = sum(found.gold for found in bought if isinstance(found, ResourcesBought))
    return {"gold": world.powers[seat].stock["gold"] - paid}


def _sold_for(gold: int) -> int:
    """How much of a resource the bank gives for so much gold."""
    return gold // TABLES.prices.bank


_SOLD = Stock("lots", (), least=1, needs="", rule="", needed=True, held=_payable, among=_scarce)


def _lots(stock: Mapping[str, int]) -> tuple[Lot, ...]:
    return tuple(Lot(resource, exact(number)) for resource, number in stock.items())


def _check_sold(thing: Thing) -> None:
    if thing.name == "workers":
        instead = (f"HIRE {counted(thing.count(), 'workers')}",)
        raise Refused("Workers are not sold by the bank; they are hired.", "nw.trade.bank", "workers", instead)
    if thing.kind == "unit":
        raise Refused(*made_otherwise(thing.name), thing.name)
    if thing.name not in TABLES.prices.bank_sells:
        raise Refused(f"The bank does not sell {thing.name}.", "nw.trade.bank", thing.name)


def _buying(lots: Sequence[Lot]) -> str:
    return in_a_row([portion_in_words(lot.quantity, lot.resource) for lot in lots])


class BuyResources(TurnOrder, frozen=True):
    """nw.trade.bank"""

    lots: tuple[Lot, ...]
    keeping: Kept = {}

    words = Words("BUY", "buy resources from the bank in the Trade Phase", "nw.trade.bank", "BUY 2 food, 1 cloth")
    plain = Plain("Buy at the bank", theme="Market")
    fields = (_Lots("lots", ("resource", "unit"), say=_buying), held_back("gold", left=_left))
    says, phase = f"Buy {{lots}} from the bank at {TABLES.prices.bank} gold each{{keeping}}.", "Trade"

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        return f"The bank sells at {TABLES.prices.bank} gold each: {', '.join(TABLES.prices.bank_sells)}.", False

    def idle(self, world: World, seat: Seat) -> Refused | None:
        """All that the gold pays is nothing."""
        gold = gold_to_spend(self.keeping, world.powers[seat].stock["gold"])
        if any(lot.quantity.of(_sold_for(gold)) for lot in self.lots):
            return None
        return Refused(f"{gold} gold pays for nothing, at {TABLES.prices.bank} each", self.words.rule)

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """Lot after lot, as much of each as the gold pays that is not kept."""
        left = world.powers[seat].stock["gold"]
        for lot in self.lots:
            gold = gold_to_spend(self.keeping, left)
            most = _sold_for(gold)
            wanted = lot.quantity.of(most)
            amount = min(wanted, most)
            if amount > 0:
                paid = amount * TABLES.prices.bank
                left -= paid
                yield ResourcesBought(seat, lot.resource, amount, paid)
            if amount < wanted:
                why = f"{gold} gold pays for {amount} {lot.resource} only, at {TABLES.prices.bank} each"
                yield Refused(why, "nw.trade.bank")
