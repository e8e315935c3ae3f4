"""What all orders of New World share."""

from __future__ import annotations

from functools import cached_property

from referee.core.choices import Asking, number
from referee.core.names import Seat
from referee.core.order import Thing
from referee.core.table import Table
from referee.games.newworld.events.turns import OrderFellShort
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import goods_in_words
from referee.kit.declared import Declared
from referee.kit.fields import Stock

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


def _kept(stock: dict[str, int]) -> str:
    return f", keeping {goods_in_words(stock)}" if stock else ""


_NEEDS = "KEEPING needs a number of {}."
KEEPING = Stock("keeping", ("resource",), "KEEPING", least=0, needs=_NEEDS, rule="nw.h2", say=_kept)
KEEPING_GOLD = Stock(
    "keeping", ("resource",), "KEEPING", least=0, needs=_NEEDS, rule="nw.h2", strange=_gold_alone, say=_kept
)


def held_back(world: World, seat: Seat, resource: str, spent: int) -> Asking[dict[str, int]]:
    """Ask how much of a resource is kept, beside what is spent of it; 0 goes without saying."""
    kept = yield from number(f"keeping {resource}", resource, 0, max(0, world.powers[seat].stock[resource] - spent))
    return {resource: kept} if kept else {}


def for_units(world: World, seat: Seat, resource: str) -> dict[str, int]:
    """What a sheet as proposed keeps of a resource: so much that Upkeep leaves every fleet and army (nw.upkeep.units)."""
    units = world.powers[seat].units
    return {resource: units} if units else {}
