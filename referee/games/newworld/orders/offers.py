"""OFFER, ACCEPT, DECLINE and WITHDRAW: trade between players, at any time (nw.r12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, number, one, several
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.newworld.events.trade import OfferAccepted, OfferDeclined, OfferMade, OfferWithdrawn
from referee.games.newworld.orders.base import TurnOrder
from referee.games.newworld.position.state import Offer, World
from referee.games.newworld.rulebook.tables import goods_in_words
from referee.kit.declared import AT_ONCE, Words, allowed
from referee.kit.fields import Field, Number, Said, Stock, exactly
from referee.kit.refused import Refused

MOST_OFFERS = 12
"""Open offers one seat may have (nw.h7)."""

_WARES = ("resource", "unit", "technology", "territory", "card")
"""What is offered, with what nobody may: so that the rule is told."""


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


_GIVES = Stock(
    "gives", _WARES, least=1, needs="Say exactly how many {}.", rule="nw.r12", strange=_no_ware, much=_held, needed=True
)
_ASKS = Stock("asks", _WARES, "FOR", least=1, needs="Say exactly how many {}.", rule="nw.r12", strange=_no_ware)


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
    fields = (_Partner("to", ("side",), "TO"), _GIVES, _ASKS)
    phase = AT_ONCE

    def meaning(self) -> str:
        given = f"{goods_in_words(self.gives)} to {self.to}"
        if self.asks:
            return f"Offer {given} for {goods_in_words(self.asks)}."
        return f"Give {given}: handed over in your next Trade Phase or theirs, and yours to withdraw till then."

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """To whom, so much of some of what there is most of, and for some of what there is least of."""
        stock = world.powers[seat].stock
        others = world.others(seat) if _open(world, seat) < MOST_OFFERS else ()
        to = yield from one("to", [Choice(other, other) for other in others])
        theirs = world.powers[to].stock
        held = sorted((w for w in stock if stock[w] > 0), key=lambda ware: -stock[ware])
        given = yield from several("gives", [Choice(w, w, f"you have {stock[w]}") for w in held], 1)
        gives = {}
        for ware in given:
            gives[ware] = yield from number(f"how much {ware}", ware, 1, stock[ware])
        scarce = sorted((w for w in stock if w not in gives), key=lambda other: (not theirs[other], stock[other]))
        wanted = [Choice(w, w, f"{to} has {theirs[w]}") for w in scarce]
        asks = {}
        for ware in (yield from several("asks", wanted, 0, usual=tuple(choice.word for choice in wanted[:1]))):
            asks[ware] = yield from number(f"how much {ware}", ware, 1, max(1, theirs[ware]))
        return cls(to, gives, asks)

    def check(self, world: World, seat: Seat) -> None:
        if self.to == seat:
            raise Refused("You cannot trade with yourself.", "nw.r12", self.to)
        if world.powers[self.to].out:
            raise Refused(f"{self.to} has been eliminated and cannot trade.", "nw.r28", self.to)
        if _open(world, seat) >= MOST_OFFERS:
            raise Refused(f"You have {MOST_OFFERS} offers open; withdraw one first.", "nw.h7", "OFFER")
        both = [name for name in self.gives if name in self.asks]
        if both:
            raise Refused(f"You would give {both[0]} for {both[0]}.", "nw.r12", both[0])

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        world = table.state
        if not world.powers[self.to].out and not world.powers[seat].out:
            table.emit(OfferMade(world.next_offer, seat, self.to, self.gives, self.asks))


def _open(world: World, seat: Seat) -> int:
    return sum(offer.maker == seat for offer in world.offers)


# ---------------------------------------------------------------- an offer is answered, or taken back


class _Answer(TurnOrder, frozen=True):
    """An answer to one open offer, by its number."""

    number: int

    fields = (Number("number"),)
    phase = AT_ONCE
    own: ClassVar[bool] = False
    """Whether it is about offers of one's own."""

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        return cls((yield from one("number", _as_choices(cls._answerable(world, seat)))))

    @classmethod
    def _answerable(cls, world: World, seat: Seat) -> list[Offer]:
        return [offer for offer in world.offers if allowed(cls(offer.number), world, seat)]

    def check(self, world: World, seat: Seat) -> None:
        offer = world.offer(self.number)
        if offer is None:
            raise Refused(
                f"There is no offer {self.number} on the table.", "nw.r12", str(self.number), self._others(world, seat)
            )
        self.check_offer(offer, seat, self._others(world, seat))

    def check_offer(self, offer: Offer, seat: Seat, others: tuple[str, ...]) -> None:
        """Raises Refused where this offer cannot be answered so; `others` are lines about those that can."""
        if offer.to != seat:
            raise Refused(f"Offer {offer.number} is made to {offer.to}.", "nw.r12", str(offer.number), others)

    def _others(self, world: World, seat: Seat) -> tuple[str, ...]:
        """The same verb with the numbers it could have."""
        mine = [o for o in world.offers if (o.maker if self.own else o.to) == seat]
        return tuple(f"{self.words.verb} {offer.number}" for offer in mine[:3])


def _as_choices(offers: Iterable[Offer]) -> list[Choice[int]]:
    return [Choice(str(offer.number), offer.number, _in_words(offer)) for offer in offers]


def _in_words(offer: Offer) -> str:
    trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
    return f"Offer {offer.number}: {offer.maker} gives you {trade}."


class AcceptOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("ACCEPT", "accept an offer by its number; done at once", "nw.r12", "ACCEPT 1")
    says = "Accept offer {number}; it is carried out in the next Trade Phase of either party."

    def check_offer(self, offer: Offer, seat: Seat, others: tuple[str, ...]) -> None:
        super().check_offer(offer, seat, others)
        if offer.accepted:
            raise Refused(f"Offer {offer.number} is accepted already.", "nw.r12", str(offer.number))

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        if allowed(self, table.state, seat):
            table.emit(OfferAccepted(self.number, seat))


class DeclineOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("DECLINE", "decline an offer or a gift by its number; done at once", "nw.r12", "DECLINE 1")
    says = "Decline offer {number}."

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        if allowed(self, table.state, seat):
            table.emit(OfferDeclined(self.number, seat))


class WithdrawOffer(_Answer, frozen=True):
    """nw.r12"""

    words = Words("WITHDRAW", "take back your own offer by its number; done at once", "nw.r12", "WITHDRAW 1")
    says, own = "Withdraw offer {number}.", True

    def check_offer(self, offer: Offer, seat: Seat, others: tuple[str, ...]) -> None:
        if offer.maker != seat:
            raise Refused(f"Offer {offer.number} is {offer.maker}'s.", "nw.r12", str(offer.number))
        if offer.accepted and offer.asks:
            raise Refused(f"Offer {offer.number} has been accepted and stands.", "nw.r12", str(offer.number))

    def do_at_once(self, table: Table[World], seat: Seat) -> None:
        if allowed(self, table.state, seat):
            table.emit(OfferWithdrawn(self.number, seat))


OFFERS = (MakeOffer, AcceptOffer, DeclineOffer, WithdrawOffer)
