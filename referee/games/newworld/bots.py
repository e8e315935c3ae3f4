"""Random but purposeful order sheets, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity
from referee.core.question import Pick
from referee.games.newworld.data import REGIONS, TABLES, TECHNOLOGIES
from referee.games.newworld.intents import (
    ANY,
    Aim,
    ArmyFrom,
    AttackRegion,
    BuildFleets,
    BuyResources,
    ColonizeCards,
    DiscardUnits,
    HireWorkers,
    LoseUnits,
    Lot,
    MoveArmies,
    RaiseArmies,
    ResearchTechnologies,
    RobSeats,
    Wish,
)
from referee.games.newworld.state import World

__all__ = ["suggest"]

_ALL = Quantity(Portion.ALL)


def suggest(world: World, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A lawful sheet: some research, goods for Workers and units, colonies always, a move and an attack at times."""
    return (
        *_research(pick),
        *_goods(pick),
        HireWorkers(_ALL, {"food": pick(4)}),
        *((BuildFleets(_ALL),) if pick(2) else ()),
        *((RaiseArmies(_ALL),) if pick(2) else ()),
        ColonizeCards((Wish(ANY),)),
        *_moves(world, seat, pick),
        *_attacks(world, seat, pick),
        *_losses(world, seat, pick),
    )


def _research(pick: Pick) -> tuple[Intent, ...]:
    first = TECHNOLOGIES[pick(len(TECHNOLOGIES))]
    keeping = {"gold": pick(12)} if pick(2) else {}
    return (ResearchTechnologies((first, ANY), keeping),) if pick(3) else ()


def _goods(pick: Pick) -> tuple[Intent, ...]:
    sold = TABLES.prices.bank_sells
    lots = tuple(Lot(sold[pick(len(sold))], Quantity(Portion.UP_TO, 1 + pick(3))) for _ in range(pick(3)))
    return (BuyResources(lots),) if lots else ()


def _moves(world: World, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    manned = list(world.powers[seat].manned)
    if not manned or pick(2):
        return ()
    origin = manned[pick(len(manned))]
    risen = {t.region for t in world.territories if t.rebels is not None and t.region != origin}
    targets = [region for region in REGIONS if region in risen] or [r for r in REGIONS if r != origin]
    target = targets[pick(len(targets))]
    return (MoveArmies(Quantity(Portion.UP_TO, 1 + pick(2)), origin, target),)


def _attacks(world: World, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    manned = list(world.powers[seat].manned)
    if not manned or pick(3) == 0:
        return ()
    region = manned[pick(len(manned))]
    foes = _foes(world, seat, region)
    fleets = Quantity(Portion.EXACTLY, pick(3)) if pick(2) else None
    return (AttackRegion(foes[pick(len(foes))], region, (Aim(ANY),), fleets, None, bool(pick(3))),)


def _foes(world: World, seat: Seat, region: str) -> tuple[str, ...]:
    """Those who cannot defend themselves, where there are any; otherwise everybody."""
    owners = [t.owner for t in world.territories if t.region == region and t.owner != seat]
    risen = [t for t in world.territories if t.region == region and t.rebels is not None]
    others = [other for other in world.others(seat) if other in owners]
    exposed = [other for other in others if not world.powers[other].armies[region]]
    neutral = ["neutral"] if None in owners else []
    rebels = ["rebels"] if risen else []
    return (*exposed, *neutral, *rebels) or tuple(others) or world.others(seat)


def _losses(world: World, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    if pick(3):
        return ()
    units = (None, ArmyFrom(REGIONS[pick(len(REGIONS))]), ArmyFrom())
    others = world.others(seat)
    return (LoseUnits(units), DiscardUnits(units[::-1]), RobSeats((others[pick(len(others))],)))
