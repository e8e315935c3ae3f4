"""COLONIZE: which of the territories turned up are claimed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Choice, Nothing, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.games.newworld.orders.base import GOODS, TurnOrder
from referee.games.newworld.orders.research import limit, limited
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.rulebook.tables import CARDS, COLONIES, EUROPE, RESOURCES, TABLES, Card, card_named, in_gold
from referee.kit.declared import Words
from referee.kit.fields import ANY, Field, Most, Said, exact, exactly, most_of, written
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


class Wish(msgspec.Struct, frozen=True):
    """A kind of territory wanted: a good, or `any`; `region` empty for all Regions.

    `resource` and `least` restrict it to cards that yield at least so much of a resource; no more than `most` of
    those that were turned up are claimed.
    """

    good: str
    region: str = ""
    resource: str = ""
    least: int = 0
    most: Most = 0

    def words(self) -> str:
        """The wish in plain words."""
        return self.kind() + limit(self.most)

    def kind(self) -> str:
        """What is wished for, however many."""
        name = "any territory" if self.good == ANY else self.good
        where = f" in {self.region}" if self.region else ""
        return name + where + (f" yielding {self.least} {self.resource} or more" if self.resource else "")


# ---------------------------------------------------------------- read and written


def in_row(order: Order) -> list[Thing]:
    """All things of a sentence in the order written, whatever preposition they stand under."""
    return [*order.things, *(thing for clause in order.clauses for thing in clause.things)]


class _Wishes(Field[tuple[Wish, ...]]):
    """A Region or a yield narrows the wish just before it; whatever else follows is a further wish."""

    most = None

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"IN": ("region", *GOODS), "YIELDING": ("resource", "territory", "card", "any")}

    def read(self, said: Said) -> tuple[Wish, ...]:
        wishes: list[Wish] = []
        for thing in in_row(said.order):
            if thing.kind == "region":
                wishes[-1] = _in_region(wishes[-1], thing.name)
            elif thing.kind == "resource":
                wishes[-1] = replace(wishes[-1], resource=thing.name, least=_least(thing))
            else:
                wishes.append(replace(_wish(thing), most=most_of(thing, "COLONIZE", "nw.h2", f"COLONIZE {thing.name}")))
        return tuple(wishes)

    def clauses(self, value: tuple[Wish, ...], state: World) -> Iterator[Clause]:
        """A wish stands under the preposition that narrows the one before it."""
        under = ""
        for wish in value:
            yield Clause(under, (_thing(wish),))
            if wish.region and wish.good == ANY:
                under = "IN"
                yield Clause(under, (Thing("region", wish.region),))
            if wish.resource:
                under = "YIELDING"
                yield Clause(under, (Thing("resource", wish.resource, exact(wish.least)),))


def _least(thing: Thing) -> int:
    """How much a card yields at least."""
    least = exactly(thing) if thing.quantity else 1
    if least is None:
        raise Refused(f"YIELDING needs a number of {thing.name}, at least 1.", "nw.h2", thing.name)
    return max(1, least)


def _thing(wish: Wish) -> Thing:
    most = written(wish.most)
    if wish.good == ANY:
        return Thing("any", ANY, most)
    if wish.region:
        return Thing("card", f"{TABLES.adjectives[wish.region]} {wish.good}", most)
    return Thing("treasure" if wish.good.lower() in RESOURCES else "territory", wish.good, most)


def _wish(thing: Thing) -> Wish:
    if thing.kind == "any":
        return Wish(ANY)
    if thing.kind == "card":
        card = card_named(thing.name)
        return Wish(card.good, card.region)
    if all(card.good != thing.name for card in CARDS):
        raise Refused(f"{thing.name} is a European terrain; it cannot be colonized.", "nw.cards.list", thing.name)
    return Wish(thing.name)


def _in_region(wish: Wish, region: str) -> Wish:
    if region == EUROPE:
        raise Refused("Nothing in Europe can be colonized.", "nw.colonization.claim", region)
    if wish.good not in (ANY, *(card.good for card in CARDS if card.region == region)):
        homes = tuple(f"COLONIZE {card.name}" for card in CARDS if card.good == wish.good)
        raise Refused(f"There is no {wish.good} in {region}.", "nw.cards.list", region, homes)
    return replace(wish, region=region)


# ---------------------------------------------------------------- the order


def _in_words(wishes: Sequence[Wish]) -> str:
    return ", ".join(wish.words() for wish in wishes)


def worth_of(card: Card) -> int:
    """A card's yield in gold (nw.h3)."""
    return in_gold({card.resource: card.amount})


class ColonizeCards(TurnOrder, frozen=True):
    """Claim cards turned up, in this order of preference."""

    wishes: tuple[Wish, ...]

    words = Words(
        "COLONIZE",
        "claim territories turned up, in order of preference; YIELDING sets a least yield",
        "nw.colonization.claim",
        "COLONIZE Gems IN Central America, Canadian Furs, any YIELDING 3 gold",
        ("COLONISE", "CLAIM"),
    )
    fields = (_Wishes("wishes", GOODS, say=_in_words),)
    says, phase, rare = "Of the territories turned up, claim in this order of preference: {wishes}.", "Colonization", 0

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """The cards in sight, as many as can be claimed; before they are turned up what would yield most, or any."""
        if world.explored and world.active == seat:
            seen = [card_named(name) for name in dict.fromkeys(world.face_up)]
            most = min(_claims(world.powers[seat]), len(seen))
            if not most:
                raise Nothing
            return cls((yield from _wished(seen, tuple(card.name for card in seen[:most]))))
        return cls((yield from _wished(sorted(CARDS, key=lambda card: -worth_of(card)), (ANY,))))

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        if world.explored and world.active == seat:
            shown = [f"{card.name} ({card.amount} {card.resource})" for card in map(card_named, world.face_up)]
            return f"Face up: {in_a_row(shown) or 'nothing'}. You can claim {_claims(power)}.", True
        cards = counted(power.levels["Exploration"], "cards")
        return f"Exploration turns up {cards}; a claim costs a worker each.", True


def _wished(cards: Sequence[Card], usual: tuple[str, ...]) -> Asking[tuple[Wish, ...]]:
    """These cards, their kinds, and territories of any kind, those that yield so much, and those of one Region."""
    yields = sorted({(card.resource, card.amount) for card in CARDS}, key=lambda least: (least[0], -least[1]))
    offered = [Choice(card.name, Wish(card.good, card.region), _yields(card), card.region) for card in cards]
    offered += [
        Choice(good, Wish(good), "in any Region")
        for good in dict.fromkeys(card.good for card in cards)
        if good.lower() not in RESOURCES
    ]
    offered += [Choice(f"{ANY} YIELDING {n} {name}", Wish(ANY, "", name, n), "so much or more") for name, n in yields]
    offered += [Choice(f"{ANY} IN {r}", Wish(ANY, r), "whatever yields most there", r) for r in COLONIES]
    offered.append(Choice(ANY, Wish(ANY), "whatever yields most"))
    words = {choice.value: choice.word for choice in offered}
    return (yield from limited((yield from several("wishes", offered, 1, usual=usual)), words.__getitem__))


def _claims(power: Power) -> int:
    """nw.r19"""
    return min(power.levels["Transportation"], power.stock["workers"])


def _yields(card: Card) -> str:
    return f"yields {card.amount} {card.resource}"
