"""Landing: fleets put units ashore, one MP for each fleet and land area (27.move.carry.4 to 27.move.carry.6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.entry import cession_of, check_entry
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot
from referee.games.war.deeds.muster import exactly, merged, ships, wanted
from referee.games.war.deeds.ordered import GoingAshore
from referee.games.war.deeds.refused import NotYet
from referee.games.war.events.forces import UnitsLanded
from referee.games.war.position.places import DONE, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import allies, friends
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.refused import Refused


class Unloading(msgspec.Struct, frozen=True):
    """So many units of a load leave one fleet."""

    fleet: int
    load: Load


class Landing(msgspec.Struct, frozen=True):
    """Who goes ashore. `ceded`: they take the region by cession; `invaded`: whose land it is, if an enemy's."""

    sea: str
    target: str
    unloadings: tuple[Unloading, ...]
    ceded: bool = False
    invaded: Seat | None = None

    @property
    def fleets(self) -> tuple[int, ...]:
        """The fleets that act."""
        return tuple(dict.fromkeys(unloading.fleet for unloading in self.unloadings))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that land."""
        return tuple(dict.fromkeys(unloading.load.kind for unloading in self.unloadings))


Entry = Callable[[War, Seat, str, Collection[str]], None]
"""Who may enter a region; Version 1.7 has its own."""


def plan_land(war: War, seat: Seat, order: GoingAshore, strict: bool, check: Entry = check_entry) -> Landing:
    """The landing that an order means; with `strict` off as many land as can."""
    lots = merged(order.lots)
    _check_shore(war, seat, order)
    _check_company(war, seat, order, check)
    fleets = war.fleets_of(seat, order.sea)
    if not fleets:
        raise _no_fleet(war, seat, order)
    fleets = ships(war, seat, fleets, order.sea, order.fleets, "27.move.carry.4", strict)
    owners = _landing(war, seat, order.target)
    unloadings = tuple(u for lot in lots for u in _unload(order, fleets, lot, strict, owners))
    if not unloadings:
        why = f"None of these units is aboard a fleet in {order.sea} that can land it."
        raise NotYet(why, "27.move.carry.4", order.sea)
    check(war, seat, order.target, [u.load.kind for u in unloadings])
    owner = war.lands[order.target].owner
    ceded = owner not in (None, seat) and cession_of(war, seat, order.target) is not None
    invaded = owner if owner not in (None, *friends(war, seat)) and not ceded else None
    return Landing(order.sea, order.target, unloadings, ceded, invaded)


def _no_fleet(war: War, seat: Seat, order: GoingAshore) -> NotYet:
    """27.opt.alliances.8: units aboard an ally's fleet are landed by him."""
    hosts = [f.owner for f in war.fleets_in(order.sea) if any(load.owner == seat for load in f.cargo)]
    if not hosts:
        return NotYet(f"You have no fleet in {order.sea}.", "27.move.carry.4", order.sea)
    why = f"Your units in {order.sea} are aboard {hosts[0]}'s fleets: {hosts[0]} lands them, in land that is open to them."
    return NotYet(why, "27.opt.alliances.8", order.sea)


def _check_company(war: War, seat: Seat, order: GoingAshore, check: Entry) -> None:
    """27.move.land.5, R27-36: parties that need a brigade are offered one that is aboard there."""
    try:
        check(war, seat, order.target, [lot.kind for lot in order.lots])
    except NotYet as alone:
        aboard = [load.kind for fleet in war.fleets_of(seat, order.sea) for load in fleet.cargo]
        brigade = next((kind for kind in BRIGADES if kind in aboard), None)
        escorted = order.but(lots=(exactly(brigade, 1), *order.lots)) if brigade else None
        why, instead = alone.illegal, (line_of(escorted),) if escorted else ()
        raise NotYet(why.sentence, why.rule, why.at, instead) from None


def _check_shore(war: War, seat: Seat, order: GoingAshore) -> None:
    """27.move.carry.4: only into a region beside the sea area."""
    if order.target not in BOARD.seas[order.sea].coasts:
        seas = BOARD.regions[order.target].seas
        why = f"{order.target} does not lie on {order.sea}{', nor on any sea area' if not seas else ''}."
        laden = [sea for sea in seas if any(fleet.cargo for fleet in war.fleets_of(seat, sea))]
        instead = tuple(line_of(order.but(sea=sea)) for sea in laden[:1])
        raise Refused(why, "27.move.carry.4", order.target, instead)


def _landing(war: War, seat: Seat, region: str) -> tuple[Seat, ...]:
    """27.opt.alliances.8: whose units may go ashore there: one's own first, allies' only in land that is open to them."""
    owner = war.lands[region].owner
    return (seat, *(ally for ally in allies(war, seat) if owner in friends(war, ally)))


def _unload(
    order: GoingAshore, fleets: Sequence[Fleet], lot: Lot, strict: bool, owners: Sequence[Seat]
) -> list[Unloading]:
    """R27-39: out of fleets with MP left."""
    loads = {f.number: [load for load in f.cargo if load.kind == lot.kind and load.owner in owners] for f in fleets}
    aboard = {number: sum(load.number for load in some) for number, some in loads.items()}
    able = [f for f in fleets if f.spent < f.kinds["fleet"].moves and aboard[f.number]]
    held, free = sum(aboard.values()), sum(aboard[f.number] for f in able)
    number = wanted(lot, held, free)
    if strict and (number > free or not number):
        raise _refusal(order, fleets, lot, held, free)
    unloadings: list[Unloading] = []
    left = min(number, free)
    ranked = sorted(able, key=lambda f: (-aboard[f.number], f.spent, f.number))
    for owner, fleet in ((owner, fleet) for owner in owners for fleet in ranked):
        for load in loads[fleet.number]:
            part = min(left, load.number) if load.owner == owner else 0
            left -= part
            unloadings += [Unloading(fleet.number, replace(load, number=part))] if part else []
    return unloadings


def _refusal(order: GoingAshore, fleets: Sequence[Fleet], lot: Lot, held: int, free: int) -> NotYet:
    others = [exactly(o.kind, free) if o is lot else o for o in order.lots if o is not lot or free]
    instead = (line_of(order.but(lots=tuple(others))),) if others else ()
    name = plural(lot.kind)
    if not held:
        why = f"None of your fleets in {order.sea} carries {name}."
        return NotYet(why, "27.move.carry.4", lot.kind, instead)
    if lot.quantity.of(held) > held:
        why = f"Your fleets in {order.sea} carry only {held} {name}."
        return NotYet(why, "27.move.carry.4", lot.kind, instead)
    if not free and all(fleet.spent == DONE for fleet in fleets):
        why = f"Your fleets in {order.sea} broke off a battle: their move is over."
        return NotYet(why, "27.combat.naval.4", order.sea, instead)
    why = f"Landing costs a fleet 1 MP; those in {order.sea} that have one carry {free or 'no'} {name}."
    if all(fleet.spent >= fleet.kinds["fleet"].moves for fleet in fleets):
        why = f"Landing costs a fleet 1 MP, and your fleets in {order.sea} have none left."
    return NotYet(why, "27.move.carry.4", lot.kind, instead)


def surviving(war: War, plan: Landing, fleets: Collection[int]) -> Landing:
    """What is left of a landing after a battle at sea: the units of those fleets."""
    left = tuple(u for u in plan.unloadings if u.fleet in fleets and u.fleet in war.fleets)
    return replace(plan, unloadings=left)


def disembarked(war: War, plan: Landing) -> tuple[UnitsLanded, ...]:
    """What happens: each fleet pays 1 MP, each unit landed moves no more and remembers the sea it came from."""
    spent = {number: war.fleets[number].spent + 1 for number in plan.fleets}
    return tuple(
        UnitsLanded(u.fleet, u.load, plan.target, _ashore(u.load, plan.sea), spent[u.fleet]) for u in plan.unloadings
    )


def _ashore(load: Load, sea: str) -> Stack:
    return Stack(load.owner, load.kind, load.number, DONE, sea, landed=True)
