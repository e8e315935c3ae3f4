"""The common ground of all orders of New World."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Asking, Choice, number, several
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.core.table import Table
from referee.games.newworld.events import OpenEvent, OrderFellShort
from referee.games.newworld.position import Turn, World
from referee.games.newworld.rulebook import RESOURCES
from referee.kit.declared import Declared, allowed
from referee.kit.fields import Got, Held, Leads, Most, Row, Stock, named, part, share_of
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

Plan = Iterator[OpenEvent | Refused]
"""The effects of an order, fact by fact; Refused where it falls short."""

Done = Sequence[Event]
"""The events of the phase so far."""

SHEET = "nw.h2"
"""The rule on what a sheet says and how far it is carried out."""

GOODS = ("territory", "treasure", "card", "any")


class TurnOrder(Declared[World], frozen=True, dict=True):
    """An order of a turn's sheet, or one that is done at once."""

    @cached_property
    def clause(self) -> str:
        """The meaning as a part of a sentence, put into words once: a sheet is played through for every letter about it."""
        meaning = self.meaning().removesuffix(".")
        return meaning[:1].lower() + meaning[1:]

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """The rule: what comes of it in this position, as far as it hangs on no card and no die."""
        return iter(())

    def refused(self, world: World, seat: Seat, done: Done = ()) -> Refused | None:
        """Why it is not carried out, or not wholly."""
        return next((found for found in self.plan(world, seat, done) if isinstance(found, Refused)), None)

    def lawful(self, world: World, seat: Seat) -> bool:
        return allowed(self, world, seat) and not self.refused(world, seat)

    def idle(self, world: World, seat: Seat) -> Refused | None:
        """Why nothing comes of it, lawful as it is: who orders it is told so, and it is not offered."""
        return None

    def sensible(self, world: World, seat: Seat) -> bool:
        return not self.idle(world, seat)

    def do(self, table: Table[World], turn: Turn, done: Done) -> Iterator[Event]:
        """Carry it out as far as can be, in the phase that takes such orders one after the other."""
        for found in self.plan(table.state, turn.seat, done):
            if isinstance(found, Refused):
                self.fell_short(table, turn, found)
            else:
                table.emit(found)
                yield found

    def fell_short(self, table: Table[World], turn: Turn, refused: Refused) -> None:
        """Tell everybody that it was not carried out, or not in full, and why."""
        table.emit(OrderFellShort(turn.seat, self.clause, str(refused), refused.illegal.rule))


def good_thing(good: str, most: Quantity | None = None) -> Thing:
    """A kind of territory, or any, as it is written."""
    return named(good, "treasure" if good.lower() in RESOURCES else "territory", most)


def eliminated(seat: Seat, but: str, at: str) -> Refused:
    """Why nothing is done by somebody who is out, or to him."""
    return Refused(f"{seat} has been eliminated and {but}.", "nw.r28", at)


Kept = dict[str, int | Quantity]
"""The part of each resource that is not to be spent: a number, or a part of what is on hand when the order is carried out."""


def kept(keeping: Kept, stock: Mapping[str, int]) -> dict[str, int]:
    """How much of each resource that is."""
    return {name: much.of(stock[name]) if isinstance(much, Quantity) else much for name, much in keeping.items()}


def gold_to_spend(keeping: Kept, gold: int) -> int:
    """The gold that is not kept, of so much."""
    if not keeping:
        return gold
    held = keeping.get("gold", 0)
    return max(0, gold - (held.of(gold) if isinstance(held, Quantity) else held))


def kept_in_words(keeping: Kept) -> str:
    """`2 gold and half of the food`."""
    of = {name: " of the" * isinstance(much, Quantity) for name, much in keeping.items()}
    return in_a_row([f"{share_of(keeping[name])}{of[name]} {name}" for name in RESOURCES if name in keeping])


def _kept(keeping: Kept) -> str:
    return f", keeping {kept_in_words(keeping)}" if keeping else ""


def held_back(*only: str, usual: str = "", left: Held[Mapping[str, int]] | None = None) -> Stock:
    """KEEPING, of these alone where some are named; of `usual` most keep what every fleet and army needs (nw.upkeep.units).

    `left` says at once how much that can be, where the order does.
    """

    def on_hand(world: World, seat: Seat, got: Got) -> dict[str, int]:
        return {name: number for name, number in world.powers[seat].stock.items() if not only or name in only}

    def for_units(world: World, seat: Seat, got: Got) -> dict[str, int]:
        return {usual: world.powers[seat].units}

    def strange(thing: Thing, verb: str) -> tuple[str, str]:
        if not only or thing.name in only:
            return "", ""
        return f"{verb} spends {in_a_row(only)} alone, so only {in_a_row(only)} can be kept.", SHEET

    return Stock(
        "keeping",
        ("resource",),
        "KEEPING",
        least=0,
        needs="KEEPING needs a number of {}.",
        rule=SHEET,
        strange=strange,
        much=part,
        say=_kept,
        held=left or on_hand,
        usual=for_units,
    )


MOST = 99
"""No order that can be chosen limits a wish to more."""

W = TypeVar("W", bound=msgspec.Struct)


class Wishes(Row[W]):
    """Wishes in order of preference, each with a limit to how often it is met."""

    def asked(self, state: World, seat: Seat, got: Got, leads: Leads[tuple[W, ...]]) -> Asking[tuple[W, ...]]:
        """The kinds, and the most of each."""
        wishes = yield from super().asked(state, seat, got, leads)
        words = {choice.value: choice.word for choice in self.offers(state, seat, got)}
        few = yield from several("only so many of", [Choice(words[wish,], wish) for wish in wishes])
        found = list[W]()
        for wish in wishes:
            word = words[wish,]
            many = (yield from number(f"how many {word}", word, 1, MOST)) if wish in few else 0
            found.append(replace(wish, most=many))
        return tuple(found)


def limit(most: Most, noun: str = "") -> str:
    """` (2 cards at most)`, ` (half of them at most)`; nothing without a limit."""
    if isinstance(most, Quantity):
        return f" ({share_of(most)} of them at most)"
    return f" ({counted(most, noun) if noun else most} at most)" if most else ""
