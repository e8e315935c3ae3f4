"""RESEARCH: what is bought among the research cards drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Choice, number, several
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.newworld.orders.base import KEEPING_GOLD, MOST, Kept, TurnOrder, for_units, held_back
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import TECHNOLOGIES, advance_price
from referee.kit.declared import Declared, Words
from referee.kit.fields import ANY, Field, Most, Said, most_of, named, share_of, written
from referee.kit.wording import counted


def limit(most: Most, noun: str = "") -> str:
    """` (2 cards at most)`, ` (half of them at most)`; nothing without a limit."""
    if isinstance(most, Quantity):
        return f" ({share_of(most)} of them at most)"
    return f" ({counted(most, noun) if noun else most} at most)" if most else ""


W = TypeVar("W", bound=msgspec.Struct)


def limited(wishes: Sequence[W], word: Callable[[W], str]) -> Asking[tuple[W, ...]]:
    """Ask which of these are wanted so many times at most, and how many times."""
    few = yield from several("only so many of", [Choice(word(wish), wish) for wish in wishes])
    found = list[W]()
    for wish in wishes:
        many = (yield from number(f"how many {word(wish)}", word(wish), 1, MOST)) if wish in few else 0
        found.append(replace(wish, most=many))
    return tuple(found)


class Wanted(msgspec.Struct, frozen=True):
    """A technology, or `any`; no more than `most` of its cards are bought."""

    technology: str
    most: Most = 0

    def words(self) -> str:
        """The wish in plain words."""
        name = "whatever else is cheapest" if self.technology == ANY else self.technology
        return name + limit(self.most, "cards")


class _Row(Field[tuple[Wanted, ...]]):
    """Technologies in order of preference, each once."""

    most = None

    def read(self, said: Said) -> tuple[Wanted, ...]:
        wanted: dict[str, Most] = {}
        for thing in said.order.things:
            wanted[thing.name] = most_of(thing, "RESEARCH", "nw.h2", f"RESEARCH {thing.name}") or wanted.get(
                thing.name, 0
            )
        return tuple(Wanted(name, most) for name, most in wanted.items())

    def things(self, value: tuple[Wanted, ...], state: World) -> tuple[Thing, ...]:
        return tuple(named(w.technology, self.kinds[0], written(w.most)) for w in value)


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
    fields = (_Row("technologies", ("technology", "any"), say=_in_words), KEEPING_GOLD)
    says, phase, rare = "Of the cards drawn, buy in this order of preference: {technologies}{keeping}.", "Research", 4

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """The lowest levels first, for they are the cheapest, and whatever else comes."""
        power = world.powers[seat]
        low = sorted(TECHNOLOGIES, key=lambda technology: power.levels[technology])
        prices = ((t, power.levels[t] + 1) for t in low if advance_price(power.levels[t] + 1) <= power.stock["gold"])
        cards = [Choice(t, Wanted(t), f"level {level} for {advance_price(level)} gold") for t, level in prices]
        rest = [Choice(ANY, Wanted(ANY), "whatever is cheapest")] if cards else []
        named = yield from several("technologies", [*cards, *rest], 1, usual=(ANY,))
        wanted = yield from limited(named, lambda wish: wish.technology)
        return cls(wanted, (yield from held_back(world, seat, {"gold": advance_price(power.levels[low[0]] + 1)})))

    @classmethod
    def proposed(cls, world: World, seat: Seat) -> Iterable[Declared[World]]:
        """The usual one, with the gold kept that the units need."""
        keeping = for_units(world, seat, "gold")
        return tuple(order.but(keeping=keeping) for order in super().proposed(world, seat))

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        levels = world.powers[seat].levels
        cards = counted(levels["Science"] + levels["Urbanization"], "cards")
        kept = " What is kept feeds your units at Upkeep." if world.powers[seat].units else ""
        return f"Research draws {cards}; a level costs 3 gold + 2 for each level: 5, 7, 9 ...{kept}", True
