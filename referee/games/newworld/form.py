"""The next order sheet, half filled in: what there is to spend, and lawful lines for this position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.names import Seat
from referee.games.newworld.data import TABLES, advance_price, card_named, goods_in_words
from referee.games.newworld.forecast import forecast
from referee.games.newworld.phases.transport import transport_limit
from referee.games.newworld.state import World
from referee.kit.stock import times_covered
from referee.kit.wording import counted, in_a_row

__all__ = ["order_form"]


def order_form(world: World, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice."""
    if world.powers[seat].out or world.ended or world.active is None:
        return ()
    if world.explored and world.active == seat:
        return (*_reveal(world, seat), *_force(world, seat))
    return (*_purse(world, seat), *_sheet(world, seat), *_force(world, seat), *_offers(world, seat))


def _reveal(world: World, seat: Seat) -> Iterator[str]:
    """nw.h8: the second sheet of a turn in two steps, with the cards in sight."""
    power = world.powers[seat]
    most = min(power.levels["Transportation"], power.stock["workers"])
    cards = [card_named(name) for name in world.face_up]
    shown = [f"{card.name} ({card.amount} {card.resource})" for card in cards]
    yield f"# Face up: {in_a_row(shown) or 'nothing'}. You can claim {most}."
    yield f"{'' if cards and most else '# '}COLONIZE {', '.join(dict.fromkeys(world.face_up)) or 'any'}"


def _purse(world: World, seat: Seat) -> Iterator[str]:
    now, then = world.powers[seat].stock, forecast(world, seat, ()).after.powers[seat].stock
    yield f"# {seat}: {goods_in_words(now)} on hand."
    yield f"# After Production, unless the event takes some: {goods_in_words(then)}."


def _sheet(world: World, seat: Seat) -> Iterator[str]:
    power, stock = world.powers[seat], forecast(world, seat, ()).traded.powers[seat].stock
    cards = power.levels["Science"] + power.levels["Urbanization"]
    gold = stock["gold"]
    yield f"# Research draws {counted(cards, 'cards')}; a level costs 3 gold + 2 for each level: 5, 7, 9 ..."
    yield "RESEARCH any" if gold >= advance_price(1) else "# RESEARCH any"
    yield f"# The bank sells at {TABLES.prices.bank} gold each: {', '.join(TABLES.prices.bank_sells)}."
    yield "# BUY 1 cloth"
    yield from _purchase("HIRE", "workers", stock, TABLES.prices.worker)
    yield from _purchase("BUILD", "fleets", stock, TABLES.prices.fleet)
    yield from _purchase("RAISE", "armies", stock, TABLES.prices.army)
    yield f"# Exploration turns up {counted(power.levels['Exploration'], 'cards')}; a claim costs a worker each."
    yield "COLONIZE any"


def _purchase(verb: str, name: str, stock: Mapping[str, int], price: Mapping[str, int]) -> Iterator[str]:
    """HIRE is filled in where it can be paid; fleets and armies stay advice, for they must be kept in food and gold."""
    most = times_covered(stock, price)
    yield f"# {counted(1, name).capitalize()} costs {goods_in_words(price)}: you could pay for {most}."
    yield f"{'' if most and verb == 'HIRE' else '# '}{verb} {counted(1, name)}"


def _force(world: World, seat: Seat) -> Iterator[str]:
    power = world.powers[seat]
    stand = [f"{number} in {region}" for region, number in power.manned.items()]
    yield f"# Armies: {in_a_row(stand) or 'none'}; fleets: {power.fleets}; you can move {transport_limit(power)}."
    yield "# MOVE 1 army FROM Europe TO Canada"
    for region in power.manned:
        exposed = [s for s in world.others(seat) if world.controlled(s, region) and not world.powers[s].armies[region]]
        if exposed:
            yield f"# Without an army in {region}: {in_a_row(exposed)}."
            yield f"# ATTACK {exposed[0]} IN {region} FOR any"


def _offers(world: World, seat: Seat) -> Iterator[str]:
    for offer in world.offers:
        if offer.to == seat and not offer.accepted:
            trade = f"{goods_in_words(offer.gives)} for {goods_in_words(offer.asks)}"
            yield f"# Offer {offer.number}: {offer.maker} gives you {trade}."
            yield f"# ACCEPT {offer.number}"
