"""COLONIZE: which of the territories turned up are claimed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.games.newworld.orders.base import GOODS, SHEET, TurnOrder, Wishes, good_thing, limit
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import (
    CARDS,
    COLONIES,
    EUROPE,
    RESOURCES,
    TABLES,
    Card,
    card_named,
    goods_in_words,
    in_gold,
)
from referee.kit.declared import Plain, Words
from referee.kit.fields import ANY, Got, Most, Said, exact, exactly, meant, most_of, written
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


class _Wishes(Wishes[Wish]):
    """A Region or a yield narrows the wish just before it; whatever else follows is a further wish."""

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
                wishes.append(replace(_wish(thing), most=most_of(thing, "COLONIZE", SHEET, f"COLONIZE {thing.name}")))
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
        raise Refused(f"YIELDING needs a number of {thing.name}, at least 1.", SHEET, thing.name)
    return max(1, least)


def _thing(wish: Wish) -> Thing:
    if wish.region and wish.good != ANY:
        return Thing("card", f"{TABLES.adjectives[wish.region]} {wish.good}", written(wish.most))
    return good_thing(wish.good, written(wish.most))


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


def fits(card: Card, wish: Wish) -> bool:
    """Whether a card is of the kind that is wished for."""
    good = wish.good in (ANY, card.good) and wish.region in ("", card.region)
    return good and (not wish.resource or (card.resource == wish.resource and card.amount >= wish.least))


def choose_colonies(face_up: Sequence[str], wishes: Sequence[Wish], at_most: int) -> tuple[int, ...]:
    """The places of the cards that wishes claim (nw.h3)."""
    cards = [card_named(name) for name in face_up]
    taken: list[int] = []
    for wish in wishes:
        fitting = [place for place, card in enumerate(cards) if fits(card, wish) and place not in taken]
        best = sorted(fitting, key=lambda place: (-worth_of(cards[place]), CARDS.index(cards[place])))
        taken += best[: meant(wish.most, len(best))]
    return tuple(taken[:at_most])


def _wished(world: World, seat: Seat, got: Got) -> Iterator[Choice[Wish]]:
    """The cards in sight, or all, those first that yield most; their kinds, and territories of any kind, by yield and Region."""
    seen = map(card_named, dict.fromkeys(world.face_up))
    cards = list(seen) if world.in_sight(seat) else sorted(CARDS, key=lambda card: -worth_of(card))
    yield from (Choice(card.name, Wish(card.good, card.region), yield_of(card), card.region) for card in cards)
    for good in dict.fromkeys(card.good for card in cards if card.good.lower() not in RESOURCES):
        yield Choice(good, Wish(good), "in any Region")
    for name, n in sorted({(card.resource, card.amount) for card in CARDS}, key=lambda least: (least[0], -least[1])):
        yield Choice(f"{ANY} YIELDING {n} {name}", Wish(ANY, "", name, n), "so much or more")
    yield from (Choice(f"{ANY} IN {r}", Wish(ANY, r), "whatever yields most there", r) for r in COLONIES)
    yield Choice(ANY, Wish(ANY), "whatever yields most")


def _usual(world: World, seat: Seat, got: Got) -> Sequence[str]:
    """As many of the cards in sight as can be claimed."""
    return tuple(dict.fromkeys(world.face_up))[: world.powers[seat].claims] if world.in_sight(seat) else (ANY,)


def yield_of(card: Card) -> str:
    """What a card says."""
    return f"yields {card.amount} {card.resource}"


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
    plain = Plain("Claim", rank=1)
    fields = (_Wishes("wishes", GOODS, taken=Wish, say=_in_words, among=_wished, usual=_usual),)
    says, phase, rare = "Of the territories turned up, claim in this order of preference: {wishes}.", "Colonization", 0

    def sensible(self, world: World, seat: Seat) -> bool:
        """Whether it claims anything, where the cards are in sight."""
        if not world.in_sight(seat):
            return True
        return bool(choose_colonies(world.face_up, self.wishes, world.powers[seat].claims))

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        if world.in_sight(seat):
            shown = [f"{card.name} ({card.amount} {card.resource})" for card in map(card_named, world.face_up)]
            return f"Face up: {in_a_row(shown) or 'nothing'}. You can claim {power.claims}.", True
        cards, price = counted(power.turned_up, "cards"), goods_in_words(TABLES.prices.colony)
        return f"Exploration turns up {cards}; a claim costs {price} each.", True
