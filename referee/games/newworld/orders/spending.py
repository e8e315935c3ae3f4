"""RESEARCH, the purchases of workers, ships and armies, and COLONIZE."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Order, Quantity, Thing
from referee.games.newworld.events import ArmiesRaised, FleetsBuilt, OpenEvent, WorkersHired
from referee.games.newworld.orders.base import (
    GOODS,
    SHEET,
    Done,
    Kept,
    Plan,
    TurnOrder,
    Wishes,
    gold_to_spend,
    good_thing,
    held_back,
    kept,
    limit,
)
from referee.games.newworld.position import Power, World
from referee.games.newworld.rulebook import (
    CARDS,
    COLONIES,
    EUROPE,
    RESOURCES,
    TABLES,
    TECHNOLOGIES,
    Card,
    advance_price,
    card_named,
    goods_in_words,
    in_gold,
)
from referee.kit.declared import Plain, Words
from referee.kit.fields import ANY, Counted, Got, Most, Said, exact, exactly, meant, most_of, named, written
from referee.kit.refused import Refused
from referee.kit.stock import fewer, times_covered
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- RESEARCH
# Purchases among the research cards drawn.


class Wanted(msgspec.Struct, frozen=True):
    """A technology, or `any`; no more than `most` of its cards are bought."""

    technology: str
    most: Most = 0

    def words(self) -> str:
        """The wish in plain words."""
        name = "whatever else is cheapest" if self.technology == ANY else self.technology
        return name + limit(self.most, "cards")


class _Technologies(Wishes[Wanted]):
    """Technologies in order of preference, each once."""

    def read(self, said: Said) -> tuple[Wanted, ...]:
        wanted: dict[str, Most] = {}
        for thing in said.order.things:
            wanted[thing.name] = most_of(thing, "RESEARCH", SHEET, f"RESEARCH {thing.name}") or wanted.get(
                thing.name, 0
            )
        return tuple(Wanted(name, most) for name, most in wanted.items())

    def things(self, value: tuple[Wanted, ...], state: World) -> tuple[Thing, ...]:
        return tuple(named(w.technology, self.kinds[0], written(w.most)) for w in value)


def _cards(world: World, seat: Seat, got: Got) -> Iterator[Choice[Wanted]]:
    """The lowest levels first, for they are the cheapest, and whatever else comes."""
    levels = world.powers[seat].levels
    for technology in sorted(TECHNOLOGIES, key=levels.__getitem__):
        level = levels[technology] + 1
        yield Choice(technology, Wanted(technology), f"level {level} for {advance_price(level)} gold")
    yield Choice(ANY, Wanted(ANY), "whatever is cheapest")


def price_of(power: Power, technology: str) -> int:
    """The price of the next level."""
    return advance_price(power.levels[technology] + 1)


def _in_words(wanted: Sequence[Wanted]) -> str:
    return ", ".join(each.words() for each in wanted)


class ResearchTechnologies(TurnOrder, frozen=True):
    """Buy these among the cards drawn, in order, while the gold lasts."""

    technologies: tuple[Wanted, ...]
    keeping: Kept = {}

    words = Words(
        "RESEARCH",
        "buy these among the research cards drawn, in order of preference, while the gold lasts",
        "nw.research.price",
        "RESEARCH Finance, Science, any KEEPING 4 gold",
    )
    plain = Plain(theme="Court")
    fields = (
        _Technologies(
            "technologies", ("technology", "any"), taken=Wanted, say=_in_words, among=_cards, usual=lambda *_: (ANY,)
        ),
        held_back("gold", usual="gold"),
    )
    says, phase, rare = "Of the cards drawn, buy in this order of preference: {technologies}{keeping}.", "Research", 4

    def idle(self, world: World, seat: Seat) -> Refused | None:
        """The gold that is not kept does not pay for one of them, were its card drawn."""
        power = world.powers[seat]
        gold = gold_to_spend(self.keeping, power.stock["gold"])
        wishes = [wish.technology for wish in self.technologies]
        dear = [wish for wish in wishes if not any(_pays(gold, price_of(power, name)) for name in _meant(wish))]
        if not dear:
            return None
        prices = {name: price_of(power, name) for wish in dear for name in _meant(wish)}
        least = f"none costs less than {min(prices.values())}"
        why = least if ANY in dear else in_a_row([f"{name} costs {price}" for name, price in prices.items()])
        return Refused(f"{gold} gold for research, and {why}", self.words.rule)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power, prices = world.powers[seat], TABLES.prices
        kept = " The gold you keep feeds your units at Upkeep." if power.units else ""
        cost = f"{prices.advance_base} gold + {prices.advance_per_level} for each level"
        some = ", ".join(str(advance_price(level)) for level in (1, 2, 3))
        return f"Research draws {counted(power.drawn, 'cards')}; a level costs {cost}: {some} ...{kept}", True


def _meant(wish: str) -> Sequence[str]:
    return TECHNOLOGIES if wish == ANY else (wish,)


def _pays(gold: int, price: int) -> bool:
    """Whether gold that is not kept pays for a card."""
    return gold >= price


def choose_research(power: Power, hand: Sequence[str], orders: Sequence[ResearchTechnologies]) -> tuple[int, ...]:
    """The places in the hand that lists of preference buy (nw.r14, nw.h3)."""
    spent, levels = 0, dict(power.levels)
    taken: list[int] = []
    for order in orders:
        gold = gold_to_spend(order.keeping, power.stock["gold"])
        for wish in order.technologies:
            found = [place for place in _matching(hand, levels, wish.technology) if place not in taken]
            room = meant(wish.most, len(found))
            for place in found:
                price = advance_price(levels[hand[place]] + 1)
                if room and _pays(gold - spent, price):
                    room -= 1
                    taken.append(place)
                    spent += price
                    levels[hand[place]] += 1
    return tuple(taken)


def _matching(hand: Sequence[str], levels: dict[str, int], wish: str) -> list[int]:
    """Places of the cards wished for, the first to be bought first (nw.h3)."""
    if wish != ANY:
        return [place for place, card in enumerate(hand) if card == wish]
    return sorted(range(len(hand)), key=lambda place: (levels[hand[place]], TECHNOLOGIES.index(hand[place])))


# ---------------------------------------------------------------- purchases
# HIRE, BUILD and RAISE in the Worker, Ship Building and Raise Armies Phases: three prices, one way of buying.


def made_otherwise(noun: str) -> tuple[str, str]:
    """How what is not bought or hired is come by, and the rule."""
    return {
        "fleets": ("Fleets are built.", "nw.ship.price"),
        "armies": ("Armies are raised.", "nw.army.price"),
    }.get(noun, (f"Only workers are hired, not {noun}.", "nw.worker.price"))


_NOTHING: Kept = {}


class Purchase(TurnOrder, frozen=True):
    """So many of one thing at one price."""

    quantity: Quantity
    keeping: Kept = {}

    noun: ClassVar[str]
    price: ClassVar[Mapping[str, int]]
    bought: ClassVar[Callable[..., OpenEvent]]

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        one = counted(1, cls.noun).capitalize()
        most = _paid_by(world.powers[seat].stock, cls.price)
        return f"{one} costs {goods_in_words(cls.price)}: you could pay for {most}.", False

    def idle(self, world: World, seat: Seat) -> Refused | None:
        """As many as possible are none."""
        most = _paid_by(world.powers[seat].stock, self.price, self.keeping)
        return None if self.quantity.of(most) else Refused(self._pays_for(most), self.words.rule)

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """As many as can be paid of what is not kept."""
        stock = world.powers[seat].stock
        most = _paid_by(stock, self.price, self.keeping)
        wanted = self.quantity.of(most)
        amount = min(wanted, most)
        if amount > 0:
            yield type(self).bought(
                seat, amount, {resource: number * amount for resource, number in self.price.items()}
            )
        if amount < wanted:
            yield Refused(self._pays_for(amount), self.words.rule)

    def _pays_for(self, most: int) -> str:
        return f"one costs {goods_in_words(self.price)}, and that pays for {counted(most, self.noun)}"


def _paid_by(stock: Mapping[str, int], price: Mapping[str, int], keeping: Kept = _NOTHING) -> int:
    """How often a stock pays a price without what is kept."""
    return times_covered(fewer(stock, kept(keeping, stock)) if keeping else stock, price)


def _many(noun: str, price: Mapping[str, int], *kinds: str) -> Counted:
    def payable(world: World, seat: Seat, got: Got) -> int:
        return _paid_by(world.powers[seat].stock, price)

    return Counted("quantity", noun, (*kinds, "number", "any"), wrong=made_otherwise, rule=SHEET, held=payable)


class HireWorkers(Purchase, frozen=True):
    """nw.worker.price"""

    words = Words("HIRE", "buy Workers", "nw.worker.price", "HIRE 2 workers")
    plain = Plain("Hire workers", theme="Court", most=True)
    fields = (_many("workers", TABLES.prices.worker, "resource", "unit"), held_back(usual="food"))
    says, phase, rare = "Hire {quantity}{keeping}.", "Worker", 0
    noun, price, bought = "workers", TABLES.prices.worker, WorkersHired


class BuildFleets(Purchase, frozen=True):
    """nw.ship.price"""

    words = Words("BUILD", "build Fleets", "nw.ship.price", "BUILD 1 fleet")
    plain = Plain("Build fleets", theme="Court")
    fields = (_many("fleets", TABLES.prices.fleet, "unit"), held_back())
    says, phase = "Build {quantity}{keeping}.", "Ship Building"
    noun, price, bought = "fleets", TABLES.prices.fleet, FleetsBuilt


class RaiseArmies(Purchase, frozen=True):
    """nw.army.price"""

    words = Words("RAISE", "raise Armies in Europe", "nw.army.price", "RAISE 2 armies")
    plain = Plain("Raise armies", theme="Court")
    fields = (_many("armies", TABLES.prices.army, "unit"), held_back())
    says, phase = "Raise {quantity} in Europe{keeping}.", "Raise Armies"
    noun, price, bought = "armies", TABLES.prices.army, ArmiesRaised


PURCHASES = (HireWorkers, BuildFleets, RaiseArmies)


# ---------------------------------------------------------------- COLONIZE
# The territories claimed of those turned up.


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
        """The thing that is wished for, however many."""
        name = "any territory" if self.good == ANY else self.good
        where = f" in {self.region}" if self.region else ""
        return name + where + (f" yielding {self.least} {self.resource} or more" if self.resource else "")


# ---------------------------------------------------------------- read and written


def in_row(order: Order) -> list[Thing]:
    """All things of a sentence in the order written, whatever preposition they stand under."""
    return [*order.things, *(thing for clause in order.clauses for thing in clause.things)]


class _Wishes(Wishes[Wish]):
    """A Region or a yield narrows the wish just before it; whatever else follows is a further wish."""

    free = True

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


def _claiming(wishes: Sequence[Wish]) -> str:
    return ", ".join(wish.words() for wish in wishes)


def worth_of(card: Card) -> int:
    """A card's yield in gold (nw.h3)."""
    return in_gold({card.resource: card.amount})


def fits(card: Card, wish: Wish) -> bool:
    """Whether a card is of the kind that is wished for."""
    good = wish.good in (ANY, card.good) and wish.region in ("", card.region)
    return good and (not wish.resource or (card.resource == wish.resource and card.amount >= wish.least))


_LISTED = {card.name: number for number, card in enumerate(CARDS)}


def choose_colonies(face_up: Sequence[str], wishes: Sequence[Wish], at_most: int) -> tuple[int, ...]:
    """The places of the cards that wishes claim (nw.h3)."""
    cards = [card_named(name) for name in face_up]
    taken: list[int] = []
    for wish in wishes:
        fitting = [place for place, card in enumerate(cards) if fits(card, wish) and place not in taken]
        best = sorted(fitting, key=lambda place: (-worth_of(cards[place]), _LISTED[face_up[place]]))
        taken += best[: meant(wish.most, len(best))]
    return tuple(taken[:at_most])


def _wished(world: World, seat: Seat, got: Got) -> Iterator[Choice[Wish]]:
    """All that may be wished for; where the cards are in sight, what one of them is."""
    seen = world.in_sight(seat)
    wishes = _wishes(world.face_up if seen else None)
    return (choice for choice in wishes if not seen or not ColonizeCards((choice.value,)).idle(world, seat))


@lru_cache(64)
def _wishes(in_sight: tuple[str, ...] | None) -> tuple[Choice[Wish], ...]:
    """The cards in sight, or all, those first that yield most; their kinds, and territories of any kind, by yield and Region."""
    seen = map(card_named, dict.fromkeys(in_sight or ()))
    cards = list(seen) if in_sight is not None else sorted(CARDS, key=lambda card: -worth_of(card))
    goods = dict.fromkeys(card.good for card in cards if card.good.lower() not in RESOURCES)
    yields = sorted({(card.resource, card.amount) for card in CARDS}, key=lambda least: (least[0], -least[1]))
    return (
        *(Choice(card.name, Wish(card.good, card.region), yield_of(card), card.region) for card in cards),
        *(Choice(good, Wish(good), "in any Region") for good in goods),
        *(Choice(f"{ANY} YIELDING {n} {name}", Wish(ANY, "", name, n), "so much or more") for name, n in yields),
        *(Choice(f"{ANY} IN {r}", Wish(ANY, r), "whatever yields most there", r) for r in COLONIES),
        Choice(ANY, Wish(ANY), "whatever yields most"),
    )


def _usual(world: World, seat: Seat, got: Got) -> Sequence[str]:
    """As many of the cards in sight as can be claimed."""
    return tuple(dict.fromkeys(world.face_up))[: world.powers[seat].claims] if world.in_sight(seat) else (ANY,)


def yield_of(card: Card) -> str:
    """The yield of a card, in words."""
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
    fields = (_Wishes("wishes", GOODS, taken=Wish, say=_claiming, among=_wished, usual=_usual),)
    says, phase, rare = "Of the territories turned up, claim in this order of preference: {wishes}.", "Colonization", 0

    def idle(self, world: World, seat: Seat) -> Refused | None:
        """Nobody is there to claim anything, or of the cards in sight none is such as is wished for."""
        if not world.powers[seat].claims:
            return Refused("no worker is left to colonize with", self.words.rule)
        if not world.in_sight(seat):
            return None
        cards = [card_named(name) for name in world.face_up]
        missing = [wish for wish in self.wishes if not any(fits(card, wish) for card in cards)]
        if not missing:
            return None
        return Refused(f"{in_a_row([wish.kind() for wish in missing], 'or')} does not lie face up", self.words.rule)

    def sensible(self, world: World, seat: Seat) -> bool:
        """Before the cards are in sight it is always offered: whoever has no worker yet may hire one."""
        return not world.in_sight(seat) or super().sensible(world, seat)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        if world.in_sight(seat):
            shown = [f"{card.name} ({card.amount} {card.resource})" for card in map(card_named, world.face_up)]
            return f"Face up: {in_a_row(shown) or 'nothing'}. You can claim {power.claims}.", True
        cards, price = counted(power.turned_up, "cards"), goods_in_words(TABLES.prices.colony)
        return f"Exploration turns up {cards}; a claim costs {price} each.", True
