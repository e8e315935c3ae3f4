"""BUY: resources from the bank, in the Trade Phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from referee.core.choices import Asking, Choice, number, several
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.core.table import Table
from referee.games.newworld.events.economy import ResourcesBought
from referee.games.newworld.orders.base import KEEPING_GOLD, Kept, TurnOrder, held_back, kept
from referee.games.newworld.orders.purchases import made_otherwise
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import TABLES
from referee.kit.declared import Words
from referee.kit.fields import Field, Said, exact, portion_in_words, quantity_of
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


class Lot(msgspec.Struct, frozen=True):
    """So much of a resource."""

    resource: str
    quantity: Quantity


class _Lots(Field[tuple[Lot, ...]]):
    """So much of each of some resources that the bank sells."""

    most, counts = None, True

    def read(self, said: Said) -> tuple[Lot, ...]:
        for thing in said.order.things:
            _check_sold(thing)
        return tuple(Lot(t.name, quantity_of(t, t.name, "nw.h2", "BUY")) for t in said.order.things)

    def things(self, value: tuple[Lot, ...], state: World) -> tuple[Thing, ...]:
        return tuple(Thing("resource", lot.resource, lot.quantity) for lot in value)


def _check_sold(thing: Thing) -> None:
    if thing.name == "workers":
        instead = (f"HIRE {counted(thing.count(), 'workers')}",)
        raise Refused("Workers are not sold by the bank; they are hired.", "nw.trade.bank", "workers", instead)
    if thing.kind == "unit":
        raise Refused(*made_otherwise(thing.name), thing.name)
    if thing.name not in TABLES.prices.bank_sells:
        raise Refused(f"The bank does not sell {thing.name}.", "nw.trade.bank", thing.name)


def _in_words(lots: Sequence[Lot]) -> str:
    return in_a_row([portion_in_words(lot.quantity, lot.resource) for lot in lots])


class BuyResources(TurnOrder, frozen=True):
    """nw.trade.bank"""

    lots: tuple[Lot, ...]
    keeping: Kept = {}

    words = Words("BUY", "buy resources from the bank in the Trade Phase", "nw.trade.bank", "BUY 2 food, 1 cloth")
    fields = (_Lots("lots", ("resource", "unit"), say=_in_words), KEEPING_GOLD)
    says, phase = "Buy {lots} from the bank at 5 gold each{keeping}.", "Trade"

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """What there is least of first; as much of each as the gold left for it would buy."""
        stock = world.powers[seat].stock
        scarce = sorted(TABLES.prices.bank_sells, key=lambda resource: stock[resource])
        left = stock["gold"] // TABLES.prices.bank
        wares = [Choice(ware, ware, f"{stock[ware]} on hand") for ware in scarce]
        wanted = yield from several("lots", wares, 1, min(left, len(wares)))
        lots, spent = [], 0
        for after, ware in enumerate(wanted, 1):
            amount = yield from number(f"how much {ware}", ware, 1, left - (len(wanted) - after))
            left -= amount
            spent += amount * TABLES.prices.bank
            lots.append(Lot(ware, exact(amount)))
        return cls(tuple(lots), (yield from held_back(world, seat, {"gold": spent})))

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        return f"The bank sells at {TABLES.prices.bank} gold each: {', '.join(TABLES.prices.bank_sells)}.", False

    def do(self, table: Table[World], turn: Turn) -> None:
        """nw.trade.bank, lot after lot."""
        for lot in self.lots:
            self._buy(table, turn, lot)

    def _buy(self, table: Table[World], turn: Turn, lot: Lot) -> None:
        gold = max(0, turn.power(table).stock["gold"] - kept(self.keeping, turn.power(table).stock).get("gold", 0))
        affordable = gold // TABLES.prices.bank
        wanted = lot.quantity.of(affordable)
        amount = min(wanted, affordable)
        if amount:
            table.emit(ResourcesBought(turn.seat, lot.resource, amount, amount * TABLES.prices.bank))
        if amount < wanted:
            why = f"{gold} gold pays for {amount} {lot.resource} only, at {TABLES.prices.bank} each"
            self.fell_short(table, turn, why, "nw.trade.bank")
