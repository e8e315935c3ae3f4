"""GIVE, OFFER, CEDE and the answers to offers, and DECISIONS: what is done at once, at any time."""

from __future__ import annotations

from typing import ClassVar

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.deeds import line_of
from referee.games.war.events.course import DecisionsSet, OfferAccepted, OfferClosed, OfferMade, PointsGiven
from referee.games.war.orders.base import Opponent, Region, number_of, own_regions
from referee.games.war.position import Offer
from referee.games.war.position.state import War
from referee.kit.declared import AT_ONCE, Declared, Plain, Words, allowed
from referee.kit.fields import Fixed, HowMany, Number, One, Said
from referee.kit.refused import Refused

_PEACE, _CESSION, _GIFT = "27.war.6", "27.move.cede.1", "R27-16"


class _Aside(Declared[War], frozen=True):
    """Done when the letter is read; nothing happens where it has become void meanwhile."""

    phase = AT_ONCE

    def do_at_once(self, table: Table[War], seat: Seat) -> None:
        if allowed(self, table.state, seat):
            self.do(table, seat)

    def do(self, table: Table[War], seat: Seat) -> None:
        """Do what is allowed."""
        raise NotImplementedError(type(self).__name__)


# ---------------------------------------------------------------- gifts


class _Points(HowMany):
    """So many PP."""

    def read(self, said: Said) -> int:
        (thing,) = said.order.things
        if thing.name != "PP":
            raise Refused("DP cannot be given away; PP can.", _GIFT, thing.name)
        if thing.quantity is None:
            raise Refused(f"Say how many PP, such as {line_of(GivePoints(10, said.got['to']))}.", _GIFT, "PP")
        return number_of(said.order, thing, _GIFT, said.state.treasuries[said.seat].pp)


class GivePoints(_Aside, frozen=True):
    """PP given to another player (R27-16)."""

    pp: int
    to: Seat

    words = Words("GIVE", "give PP to another player; done at once", _GIFT, "GIVE 20 PP TO {other}")
    plain = Plain("Pay somebody", theme="Treasury")
    fields = (
        Opponent("to", "TO", _GIFT),
        _Points("pp", "PP", "money", held=lambda war, seat: war.treasuries[seat].pp, rule=_GIFT, usual=20),
    )
    says = "Give {pp} to {to}."

    def check(self, war: War, seat: Seat) -> None:
        held = war.treasuries[seat].pp
        if self.pp > held:
            raise Refused(f"You have {held} PP and cannot give {self.pp}.", "27.money.1", str(self.pp))

    def do(self, table: Table[War], seat: Seat) -> None:
        table.emit(PointsGiven(seat, self.to, self.pp))


# ---------------------------------------------------------------- offers


class OfferCession(_Aside, frozen=True):
    """A region offered to another player, until withdrawn (R27-37)."""

    region: str
    to: Seat

    words = Words(
        "CEDE",
        "offer a region of yours to another player, who takes it by moving a brigade in",
        _CESSION,
        "CEDE Egypt TO {other}",
        ("OFFER CEDE",),
    )
    plain = Plain("Give it away")
    fields = (
        Opponent("to", "TO", _CESSION),
        Region(own_regions),
    )
    says = (
        "Offer {region} to {to}, who takes it by moving a brigade in; your units there then leave, and those without a "
        "friendly neighbour or room aboard are lost."
    )

    def check(self, war: War, seat: Seat) -> None:
        land = war.lands[self.region]
        if land.owner != seat:
            raise Refused(f"{land.name} is not yours to cede.", _CESSION, land.name)
        if land.revolt is not None:
            raise Refused(f"{land.name} is in revolt and cannot be ceded now.", "R27-37", land.name)

    def do(self, table: Table[War], seat: Seat) -> None:
        war = table.state
        for old in [offer for offer in war.offers if offer.kind == "cede" and offer.region == self.region]:
            table.emit(OfferClosed(old.number, "void"))
        table.emit(OfferMade(Offer(war.next_offer, "cede", seat, self.to, self.region)))


class OfferPeace(_Aside, frozen=True):
    """Peace offered (27.war.6)."""

    to: Seat

    words = Words(
        "OFFER",
        "offer peace, or a region of yours, to another player; stands until withdrawn",
        _PEACE,
        "OFFER peace TO {other}",
    )
    plain = Plain("Offer peace", theme="Other powers")
    fields = (Opponent("to", "TO", _PEACE), Fixed(("treaty", "region"), "peace"))
    says, shapes = "Offer peace to {to}.", (OfferCession,)

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        """Peace, or a region."""
        return super().read(said) if said.order.things[0].kind == "treaty" else OfferCession.read(said)

    def check(self, war: War, seat: Seat) -> None:
        if not war.at_war(seat, self.to):
            raise Refused(f"You are not at war with {self.to}.", _PEACE, self.to)

    def sensible(self, war: War, seat: Seat) -> bool:
        """Whether it is not offered already."""
        return not any(o.kind == "peace" and o.maker == seat and o.to == self.to for o in war.offers)

    def do(self, table: Table[War], seat: Seat) -> None:
        if self.sensible(table.state, seat):
            table.emit(OfferMade(Offer(table.state.next_offer, "peace", seat, self.to)))


# ---------------------------------------------------------------- answers


class _Answer(_Aside, frozen=True):
    """An answer to one open offer, by its number; `own`: to one's own."""

    number: int

    fields = (
        Number(
            "number",
            among=lambda war, seat, got: (Choice(str(o.number), o.number, _in_words(o), o.region) for o in war.offers),
        ),
    )
    own: ClassVar[bool] = False

    def check(self, war: War, seat: Seat) -> None:
        mine = [offer for offer in war.offers if (offer.maker if self.own else offer.to) == seat]
        instead = tuple(f"{self.words.verb} {offer.number}" for offer in mine[:3])
        offer = next((offer for offer in war.offers if offer.number == self.number), None)
        if offer is None:
            raise Refused(f"There is no offer {self.number} on the table.", _PEACE, str(self.number), instead)
        if offer not in mine:
            whose = f"made by {offer.maker}" if self.own else f"made to {offer.to}"
            raise Refused(f"Offer {self.number} is {whose}.", _PEACE, str(self.number), instead)
        self.check_offer(offer)

    def check_offer(self, offer: Offer) -> None:
        """Raises Refused where this offer cannot be answered so."""


def _in_words(offer: Offer) -> str:
    what = "peace" if offer.kind == "peace" else offer.region
    return f"{offer.maker} offers {offer.to} {what}"


def _answering(verb: str, meaning: str) -> Words:
    return Words(verb, meaning, _PEACE, f"{verb} 1")


class AcceptOffer(_Answer, frozen=True):
    """An offer accepted."""

    words = _answering("ACCEPT", "accept an offer by its number; done at once")
    plain = Plain("Accept an offer", theme="Other powers")
    says = "Accept offer {number}."

    def check_offer(self, offer: Offer) -> None:
        if offer.kind == "cede":
            line = f"MOVE 1 infantry FROM a neighbour TO {offer.region}"
            sentence = f"A ceded region is taken by moving a brigade in: {line}. Nothing else is needed."
            raise Refused(sentence, "27.move.cede.2", str(offer.number))
        if offer.accepted:
            raise Refused(f"Offer {offer.number} is accepted already.", _PEACE, str(offer.number))

    def do(self, table: Table[War], seat: Seat) -> None:
        table.emit(OfferAccepted(self.number, seat))


class DeclineOffer(_Answer, frozen=True):
    """An offer declined."""

    words = _answering("DECLINE", "decline an offer by its number; done at once")
    plain = Plain("Decline an offer", theme="Other powers")
    says = "Decline offer {number}."

    def do(self, table: Table[War], seat: Seat) -> None:
        table.emit(OfferClosed(self.number, "declined", seat))


class WithdrawOffer(_Answer, frozen=True):
    """One's own offer withdrawn."""

    words = _answering("WITHDRAW", "take back your own offer by its number; done at once")
    plain = Plain("Take an offer back", theme="Other powers")
    says, own = "Withdraw offer {number}.", True

    def do(self, table: Table[War], seat: Seat) -> None:
        table.emit(OfferClosed(self.number, "withdrawn", seat))


# ---------------------------------------------------------------- how decisions are taken


_MODES = {
    "interactive": "Ask you by mail whatever your standing orders leave open.",
    "standing": "Never wait for you: the default decides whatever your standing orders leave open.",
}


class SetDecisions(_Aside, frozen=True):
    """Whether decisions in the middle of a turn are mailed (`interactive`) or never waited for (`standing`)."""

    mode: str

    words = Words(
        "DECISIONS",
        "be asked by mail in the middle of a turn (interactive), or never be waited for (standing)",
        "R27-82",
        "DECISIONS interactive",
    )
    plain = Plain("Ask me in battle")
    fields = (
        One(
            *("mode", ("mode",)),
            taken=str,
            among=lambda *_: (Choice(mode, mode, meaning) for mode, meaning in _MODES.items()),
        ),
    )

    def meaning(self) -> str:
        return _MODES[self.mode]

    def sensible(self, war: War, seat: Seat) -> bool:
        """Whether another mode is in force."""
        return self.mode != war.decisions.get(seat)

    def do(self, table: Table[War], seat: Seat) -> None:
        if table.state.decisions.get(seat) != self.mode:
            table.emit(DecisionsSet(seat, self.mode))


OFFERS = (GivePoints, OfferPeace, OfferCession, AcceptOffer, DeclineOffer, WithdrawOffer, SetDecisions)
