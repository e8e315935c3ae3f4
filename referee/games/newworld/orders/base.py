"""What all orders of New World share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from referee.core.choices import Asking, Choice, number, several
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.core.table import Table
from referee.games.newworld.events.turns import OrderFellShort
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import RESOURCES
from referee.kit.declared import Declared
from referee.kit.fields import Stock, part, share_of
from referee.kit.wording import in_a_row

GOODS = ("territory", "treasure", "card", "any")


class TurnOrder(Declared[World], frozen=True, dict=True):
    """An order of a turn's sheet, or one that is done at once."""

    @cached_property
    def clause(self) -> str:
        """The meaning as a part of a sentence, put into words once: a sheet is played through for every letter about it."""
        meaning = self.meaning().removesuffix(".")
        return meaning[:1].lower() + meaning[1:]

    def do(self, table: Table[World], turn: Turn) -> None:
        """Carry it out as far as can be, in the phase that takes such orders one after the other."""
        raise NotImplementedError(type(self).__name__)

    def fell_short(self, table: Table[World], turn: Turn, why: str, rule: str) -> None:
        """Tell everybody that it was not carried out, or not in full, and why (nw.h2)."""
        table.emit(OrderFellShort(turn.seat, self.clause, why, rule))


def _gold_alone(thing: Thing, verb: str) -> tuple[str, str]:
    if thing.name == "gold":
        return "", ""
    return f"{verb} spends gold alone, so only gold can be kept.", "nw.h2"


Kept = dict[str, int | Quantity]
"""What is not to be spent of each resource: a number, or a part of what is on hand when the order is carried out."""


def kept(keeping: Kept, stock: Mapping[str, int]) -> dict[str, int]:
    """How much of each resource that is."""
    return {name: much.of(stock[name]) if isinstance(much, Quantity) else much for name, much in keeping.items()}


def kept_in_words(keeping: Kept) -> str:
    """`2 gold and half of the food`."""
    of = {name: " of the" * isinstance(much, Quantity) for name, much in keeping.items()}
    return in_a_row([f"{share_of(keeping[name])}{of[name]} {name}" for name in RESOURCES if name in keeping])


def _kept(keeping: Kept) -> str:
    return f", keeping {kept_in_words(keeping)}" if keeping else ""


def _keeping(strange: Callable[[Thing, str], tuple[str, str]] = lambda thing, verb: ("", "")) -> Stock:
    needs = "KEEPING needs a number of {}."
    return Stock(
        "keeping", ("resource",), "KEEPING", least=0, needs=needs, rule="nw.h2", strange=strange, much=part, say=_kept
    )


KEEPING, KEEPING_GOLD = _keeping(), _keeping(_gold_alone)


def held_back(world: World, seat: Seat, spent: Mapping[str, int]) -> Asking[Kept]:
    """Ask what is kept beside what is `spent`, and how much of it; what stands alone is asked for at once."""
    left = {name: world.powers[seat].stock[name] - number for name, number in spent.items()}
    kept, offered = Kept(), [Choice(name, name, f"{number} left") for name, number in left.items() if number > 0]
    for name in left if len(left) == 1 else (yield from several("keeping", offered)):
        if much := (yield from number(f"keeping {name}", name, 0, max(0, left[name]))):
            kept[name] = much
    return kept


MOST = 99
"""No order that can be chosen limits a wish to more, or tells off more fleets."""


def for_units(world: World, seat: Seat, resource: str) -> Kept:
    """What a sheet as proposed keeps of a resource: so much that Upkeep leaves every fleet and army (nw.upkeep.units)."""
    units = world.powers[seat].units
    return {resource: units} if units else {}
