"""BUY: resources from the bank, in the Trade Phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from referee.core.choices import Asking, Choice
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.newworld.events.economy import ResourcesBought
from referee.games.newworld.orders.base import SHEET, Done, Kept, Plan, TurnOrder, held_back, kept
from referee.games.newworld.orders.purchases import made_otherwise
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import TABLES
from referee.kit.declared import Words
from referee.kit.fields import Field, Got, Leads, Said, Stock, exact, portion_in_words, quantity_of
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


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
    return dict.fromkeys(TABLES.prices.bank_sells, world.powers[seat].stock["gold"])


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


def _in_words(lots: Sequence[Lot]) -> str:
    return in_a_row([portion_in_words(lot.quantity, lot.resource) for lot in lots])


class BuyResources(TurnOrder, frozen=True):
    """nw.trade.bank"""

    lots: tuple[Lot, ...]
    keeping: Kept = {}

    words = Words("BUY", "buy resources from the bank in the Trade Phase", "nw.trade.bank", "BUY 2 food, 1 cloth")
    fields = (_Lots("lots", ("resource", "unit"), say=_in_words), held_back("gold"))
    says, phase = f"Buy {{lots}} from the bank at {TABLES.prices.bank} gold each{{keeping}}.", "Trade"

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        return f"The bank sells at {TABLES.prices.bank} gold each: {', '.join(TABLES.prices.bank_sells)}.", False

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """Lot after lot, as much of each as the gold pays that is not kept."""
        for lot in self.lots:
            stock = world.powers[seat].stock
            gold = max(0, stock["gold"] - kept(self.keeping, stock).get("gold", 0))
            affordable = gold // TABLES.prices.bank
            wanted = lot.quantity.of(affordable)
            amount = min(wanted, affordable)
            if amount > 0:
                bought = ResourcesBought(seat, lot.resource, amount, amount * TABLES.prices.bank)
                world = bought.change(world)
                yield bought
            if amount < wanted:
                why = f"{gold} gold pays for {amount} {lot.resource} only, at {TABLES.prices.bank} each"
                yield Refused(why, "nw.trade.bank")
