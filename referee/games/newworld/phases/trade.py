"""Trade Phase: accepted offers, then the bank."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.table import Script, Table
from referee.games.newworld.data import TABLES
from referee.games.newworld.events import ResourcesBought, TradeDone, TradeVoided
from referee.games.newworld.intents import BuyResources, Lot
from referee.games.newworld.phases.turn import Turn, fell_short
from referee.games.newworld.state import Offer, World
from referee.kit.stock import covers

__all__ = ["trade_phase"]


def trade_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.trade.players, nw.trade.bank"""
    for offer in table.state.offers:
        if offer.accepted and turn.seat in (offer.maker, offer.to):
            _carry_out(table, offer)
    for order in turn.wanted(table, BuyResources):
        for lot in order.lots:
            _buy(table, turn, order, lot)
    yield from ()


def _lacking(held: Mapping[str, int], due: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in due.items() if held[name] < number}


def _carry_out(table: Table[World], offer: Offer) -> None:
    """nw.r12: only if both can pay now, otherwise it is void."""
    for payer, due in ((offer.maker, offer.gives), (offer.to, offer.asks)):
        held = table.state.powers[payer].stock
        if not covers(held, due):
            table.emit(TradeVoided(offer.number, payer, _lacking(held, due)))
            return
    table.emit(TradeDone(offer.number, offer.maker, offer.to, offer.gives, offer.asks))


def _buy(table: Table[World], turn: Turn, order: BuyResources, lot: Lot) -> None:
    """nw.trade.bank: 5 gold a unit, as many as can be paid."""
    gold = turn.power(table).stock["gold"] - order.keeping.get("gold", 0)
    affordable = max(0, gold) // TABLES.prices.bank
    wanted = lot.quantity.of(affordable)
    amount = min(wanted, affordable)
    if amount:
        table.emit(ResourcesBought(turn.seat, lot.resource, amount, amount * TABLES.prices.bank))
    if amount < wanted:
        why = f"{max(0, gold)} gold pays for {amount} {lot.resource} only, at {TABLES.prices.bank} each"
        fell_short(table, turn, order, why, "nw.trade.bank")
