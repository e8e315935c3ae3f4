"""RESEARCH: what is bought among the research cards drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.newworld.orders.base import SHEET, Kept, TurnOrder, Wishes, held_back, kept, limit
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.rulebook.tables import TABLES, TECHNOLOGIES, advance_price
from referee.kit.declared import Words
from referee.kit.fields import ANY, Got, Most, Said, meant, most_of, named, written
from referee.kit.wording import counted


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
    fields = (
        _Technologies(
            "technologies", ("technology", "any"), taken=Wanted, say=_in_words, among=_cards, usual=lambda *_: (ANY,)
        ),
        held_back("gold", usual="gold"),
    )
    says, phase, rare = "Of the cards drawn, buy in this order of preference: {technologies}{keeping}.", "Research", 4

    def sensible(self, world: World, seat: Seat) -> bool:
        """Whether the gold that is not kept pays for one of them, were all cards drawn."""
        return bool(choose_research(world.powers[seat], TECHNOLOGIES, (self,)))

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
