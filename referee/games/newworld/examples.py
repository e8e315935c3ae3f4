"""HELP in the asker's own terms: lines from his own position, as he could send them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.names import Seat
from referee.games.newworld.data import EUROPE, REGIONS, TABLES, TECHNOLOGIES
from referee.games.newworld.state import World
from referee.kit.stock import times_covered
from referee.kit.wording import counted

__all__ = ["examples"]


def examples(world: World, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if world.ended or world.powers[seat].out or not world.others(seat):
        return {}
    other = world.others(seat)[0]
    return dict(
        (*_purses(world, seat), *_colonies(world, seat), *_force(world, seat, other), *_offers(world, seat, other))
    )


def _purses(world: World, seat: Seat) -> Iterator[tuple[str, str]]:
    power, prices = world.powers[seat], TABLES.prices
    low = sorted(TECHNOLOGIES, key=lambda technology: power.levels[technology])
    yield "RESEARCH", f"RESEARCH {low[0]}, {low[1]}, any KEEPING {max(1, power.stock['gold'] // 3)} gold"
    scarce = min(prices.bank_sells, key=lambda resource: power.stock[resource])
    yield "BUY", f"BUY 1 {scarce}"
    priced = (("HIRE", "workers", prices.worker), ("BUILD", "fleets", prices.fleet), ("RAISE", "armies", prices.army))
    for verb, what, price in priced:
        yield verb, f"{verb} {counted(max(1, min(2, times_covered(power.stock, price))), what)}"


def _colonies(world: World, seat: Seat) -> Iterator[tuple[str, str]]:
    if world.face_up:
        yield "COLONIZE", f"COLONIZE {', '.join(dict.fromkeys(world.face_up))}, any"
    own = world.sheet_of(seat)
    if own:
        yield "CONTROLS", f"{seat} CONTROLS {own[0].good}"


def _force(world: World, seat: Seat, other: Seat) -> Iterator[tuple[str, str]]:
    here = next(iter(world.powers[seat].manned), EUROPE)
    there = next(region for region in REGIONS if region != here)
    yield "MOVE", f"MOVE 1 army FROM {here} TO {there}"
    yield "armies", f"armies IN {here} >= 1"
    yield "DISCARD", f"DISCARD armies FROM {here}, fleets"
    yield "LOSE", f"LOSE fleets, armies FROM {here}"
    yield "ROB", f"ROB {', '.join(world.others(seat))}"
    aims = [t for t in world.sheet_of(other) if t.quiet]
    if aims:
        yield "ATTACK", f"ATTACK {other} IN {aims[0].region} FOR {aims[0].good}, any UNLESS outnumbered"


def _offers(world: World, seat: Seat, other: Seat) -> Iterator[tuple[str, str]]:
    stock = world.powers[seat].stock
    most = max(stock, key=lambda resource: stock[resource])
    wanted = next(resource for resource in world.powers[other].stock if resource != most)
    if stock[most]:
        yield "OFFER", f"OFFER {min(2, stock[most])} {most} TO {other} FOR 1 {wanted}"
    for offer in world.offers:
        if offer.maker == seat:
            yield "WITHDRAW", f"WITHDRAW {offer.number}"
        elif offer.to == seat:
            yield "ACCEPT", f"ACCEPT {offer.number}"
            yield "DECLINE", f"DECLINE {offer.number}"
