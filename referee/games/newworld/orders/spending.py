"""RESEARCH, BUY, and the purchases of workers, ships and armies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from referee.core.choices import Asking, Choice
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.events.economy import ArmiesRaised, FleetsBuilt, ResourcesBought, WorkersHired
from referee.games.newworld.orders.base import SHEET, Done, Kept, Plan, TurnOrder, Wishes, held_back, kept, limit
from referee.games.newworld.position import Power, World
from referee.games.newworld.rulebook import TABLES, TECHNOLOGIES, advance_price, goods_in_words
from referee.kit.declared import Plain, Words
from referee.kit.fields import (
    ANY,
    Counted,
    Field,
    Got,
    Leads,
    Most,
    Said,
    Stock,
    exact,
    meant,
    most_of,
    named,
    portion_in_words,
    quantity_of,
    written,
)
from referee.kit.refused import Refused
from referee.kit.stock import fewer, times_covered
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- RESEARCH
# What is bought among the research cards drawn.


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
    """What the next level costs."""
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

    def sensible(self, world: World, seat: Seat) -> bool:
        """Whether the gold that is not kept pays for one of them, were its card drawn."""
        named = [wish.technology for wish in self.technologies]
        return bool(choose_research(world.powers[seat], TECHNOLOGIES if ANY in named else named, (self,)))

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power, prices = world.powers[seat], TABLES.prices
        kept = " What is kept feeds your units at Upkeep." if power.units else ""
        cost = f"{prices.advance_base} gold + {prices.advance_per_level} for each level"
        some = ", ".join(str(advance_price(level)) for level in (1, 2, 3))
        return f"Research draws {counted(power.drawn, 'cards')}; a level costs {cost}: {some} ...{kept}", True


def choose_research(power: Power, hand: Sequence[str], orders: Sequence[ResearchTechnologies]) -> tuple[int, ...]:
    """The places in the hand that lists of preference buy (nw.r14, nw.h3)."""
    gold, levels = power.stock["gold"], dict(power.levels)
    taken: list[int] = []
    for order in orders:
        keeping = kept(order.keeping, power.stock)
        for wish in order.technologies:
            found = [place for place in _matching(hand, levels, wish.technology) if place not in taken]
            room = meant(wish.most, len(found))
            for place in found:
                price = advance_price(levels[hand[place]] + 1)
                if room and gold - price >= keeping.get("gold", 0):
                    room -= 1
                    taken.append(place)
                    gold -= price
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
            why = f"one costs {goods_in_words(self.price)}, and that pays for {counted(amount, self.noun)}"
            yield Refused(why, self.words.rule)


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
    return dict.fromkeys(TABLES.prices.bank_sells, _sold_for(world.powers[seat].stock["gold"]))


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
    fields = (_Lots("lots", ("resource", "unit"), say=_buying), held_back("gold"))
    says, phase = f"Buy {{lots}} from the bank at {TABLES.prices.bank} gold each{{keeping}}.", "Trade"

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        return f"The bank sells at {TABLES.prices.bank} gold each: {', '.join(TABLES.prices.bank_sells)}.", False

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """Lot after lot, as much of each as the gold pays that is not kept."""
        for lot in self.lots:
            stock = world.powers[seat].stock
            gold = max(0, stock["gold"] - kept(self.keeping, stock).get("gold", 0))
            most = _sold_for(gold)
            wanted = lot.quantity.of(most)
            amount = min(wanted, most)
            if amount > 0:
                bought = ResourcesBought(seat, lot.resource, amount, amount * TABLES.prices.bank)
                world = bought.change(world)
                yield bought
            if amount < wanted:
                why = f"{gold} gold pays for {amount} {lot.resource} only, at {TABLES.prices.bank} each"
                yield Refused(why, "nw.trade.bank")
