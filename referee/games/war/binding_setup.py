"""Orders of the set-up -> intents (27.setup, R27-80, R27-81)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, Order
from referee.games.war.historical import EUROPEAN
from referee.games.war.intents import (
    FreeBuilding,
    FreeResource,
    NameCapital,
    SwapRegions,
)
from referee.games.war.lines import line_of
from referee.games.war.naming import one
from referee.games.war.pieces import KIND_OF
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["bind_capital", "bind_free", "bind_swap"]


def bind_swap(war: War, seat: Seat, order: Order) -> Intent:
    """SWAP Egypt FOR India."""
    rule = "27.opt.random_regions.2"
    _only_before_play(war, "SWAP", rule)
    intent = SwapRegions(order.things[0].name, one(order, rule, "FOR"))
    held = {name: war.lands[name].owner for name in (intent.region, intent.wanted)}
    if war.regions_of(seat) and held[intent.region] != seat:
        raise Refused(f"{intent.region} is not yours to swap.", rule, intent.region)
    if war.regions_of(seat) and held[intent.wanted] in (None, seat):
        whose = "yours already" if held[intent.wanted] else "nobody's: only dealt regions are in play"
        raise Refused(f"{intent.wanted} is {whose}.", "27.opt.random_regions.3", intent.wanted)
    return intent


def bind_free(war: War, seat: Seat, order: Order) -> Intent:
    """FREE 1 city IN France, FREE RESOURCE IN France (27.opt.historical.setup.4)."""
    rule = "27.opt.historical.setup.4"
    _only_before_play(war, "FREE", rule)
    region, own = one(order, rule, "IN"), war.regions_of(seat)
    kinds = [KIND_OF[thing.name] for thing in order.things]
    intent = FreeBuilding(kinds[0], region) if kinds else FreeResource(region)
    if region not in EUROPEAN or (own and war.lands[region].owner != seat):
        home = war.homes.get(seat)
        instead = (line_of(replace(intent, region=home)),) if home else ()
        raise Refused(f"{region} is no European region of yours.", rule, region, instead)
    return intent


def bind_capital(war: War, seat: Seat, order: Order) -> Intent:
    """CAPITAL Egypt."""
    rule = "27.opt.multiple_buildings.3"
    _only_before_play(war, "CAPITAL", rule)
    region, own = order.things[0].name, war.regions_of(seat)
    if own and war.lands[region].owner != seat:
        instead = tuple(line_of(NameCapital(land.name)) for land in own[:2])
        raise Refused(f"{region} is not yours.", rule, region, instead)
    return NameCapital(region)


def _only_before_play(war: War, verb: str, rule: str) -> None:
    if war.stage != "setup":
        raise Refused(f"{verb} belongs to the set-up, which is over.", rule, verb)
