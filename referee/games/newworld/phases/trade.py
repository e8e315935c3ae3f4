"""Trade Phase: accepted offers, then the bank."""

from __future__ import annotations

from referee.core.table import Script, Table
from referee.games.newworld.events.trade import TradeDone, TradeVoided
from referee.games.newworld.phases.carrying_out import carrying_out
from referee.games.newworld.position.state import Offer, World
from referee.games.newworld.reckoning.turn import Turn
from referee.kit.stock import covers


def trade_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.trade.players, nw.trade.bank"""
    for offer in table.state.offers:
        if offer.accepted and turn.seat in (offer.maker, offer.to):
            _carry_out(table, offer)
    yield from carrying_out(table, turn, "Trade")


def _carry_out(table: Table[World], offer: Offer) -> None:
    """nw.r12"""
    for payer, due in ((offer.maker, offer.gives), (offer.to, offer.asks)):
        held = table.state.powers[payer].stock
        if not covers(held, due):
            lacking = {name: number for name, number in due.items() if held[name] < number}
            table.emit(TradeVoided(offer.number, payer, lacking))
            return
    table.emit(TradeDone(offer.number, offer.maker, offer.to, offer.gives, offer.asks))
