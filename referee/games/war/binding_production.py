"""Orders of the production phase -> intents (27.production)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, Order, Portion, Quantity, Thing
from referee.games.war.board import BOARD
from referee.games.war.building import check_build
from referee.games.war.events.forces import units_in_words
from referee.games.war.intents import (
    BidForOrder,
    BuildBuilding,
    BuildCanal,
    BuildUnits,
    DevelopResource,
    InsertInOrder,
)
from referee.games.war.lines import line_of
from referee.games.war.naming import after, number_of, one, opponent, rewritten
from referee.games.war.phases.maintenance import maintained_before
from referee.games.war.pieces import BUILDINGS, KIND_OF, KINDS
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = [
    "bind_bid", "bind_build", "bind_develop", "bind_dig", "bind_insert",
]  # fmt: skip


_ONE = Quantity(Portion.EXACTLY, 1)
_PRICES = "27.production.build.1"


def _now(war: War) -> bool:
    """Whether the position is the one that a production sheet is written for."""
    return war.stage == "production"


# ---------------------------------------------------------------- construction


def bind_build(war: War, seat: Seat, order: Order) -> Intent:
    """BUILD 2 infantry IN Egypt, BUILD 1 fleet IN Egypt AT Red Sea, BUILD 1 city IN Egypt."""
    rule = "27.production.build.2"
    (thing,) = order.things
    region, sea = one(order, rule, "IN"), one(order, rule, "AT", "INTO")
    kind = KIND_OF[thing.name]
    intent: BuildUnits | BuildBuilding
    if kind in BUILDINGS:
        intent = _building(order, thing, kind, region, sea)
    else:
        intent = BuildUnits(kind, _units(order, thing), region, _berth(kind, region, sea, order))
    _check_help(order, intent)
    if _now(war):
        if not _served(war, seat, intent):
            check_build(war, seat, intent)
        _check_price(war, seat, intent)
    return intent


def _check_help(order: Order, intent: BuildUnits | BuildBuilding | DevelopResource) -> None:
    """R27-24: engineers are not sent to a building; those who are there help where it saves most."""
    helpers = after(order, "WITH")
    if helpers:
        why = "Engineers need no order: those in the region work on its dearest buildings by themselves."
        raise Refused(why, "R27-24", helpers[0].name, (line_of(intent),))


def _served(war: War, seat: Seat, order: BuildUnits | BuildBuilding) -> bool:
    """Whether an earlier line can still build what these units need (R27-22)."""
    needed = KINDS[order.kind].built_in if isinstance(order, BuildUnits) else ""
    if not needed or war.lands[order.region].has(needed):
        return False
    try:
        check_build(war, seat, BuildBuilding(needed, order.region))
    except Refused:
        return False
    return True


def _units(order: Order, thing: Thing) -> int:
    if thing.quantity is None or thing.quantity.portion is not Portion.EXACTLY:
        instead = (rewritten(order, _ONE, thing),)
        raise Refused(f"Say exactly how many {thing.name}.", "27.production.build.2", thing.name, instead)
    return number_of(order, thing, "27.production.build.2")


def _building(order: Order, thing: Thing, kind: str, region: str, sea: str) -> BuildBuilding:
    """One building a line; it stands in a region."""
    intent = BuildBuilding(kind, region)
    if sea:
        raise Refused(f"A {kind} stands on land.", "27.board.3", sea, (line_of(intent),))
    if number_of(order, thing, "27.pieces.4") > 1:
        raise Refused(f"A region has at most one {kind}.", "27.pieces.4", str(thing.count()), (line_of(intent),))
    if kind == "port" and not BOARD.regions[region].coastal:
        raise Refused(f"{region} has no coast; ports stand on coasts.", "27.production.build.7", region)
    return intent


def _berth(kind: str, region: str, sea: str, order: Order) -> str:
    """The sea area of new fleets, "" where none is named. Raises Refused."""
    seas = BOARD.regions[region].seas
    if kind == "fleet" and not seas:
        raise Refused(f"{region} has no coast.", "27.production.build.10", region)
    if sea and (kind != "fleet" or sea not in seas):
        count = order.things[0].count()
        better = [BuildUnits(kind, count, region, other) for other in (seas if kind == "fleet" else ("",))]
        why = f"{sea} does not touch {region}." if kind == "fleet" else "Only fleets are built into a sea area."
        raise Refused(why, "27.production.build.10", sea, tuple(map(line_of, better)))
    return sea


def _check_price(war: War, seat: Seat, order: BuildUnits | BuildBuilding) -> None:
    """27.production.build.1: a line that costs more than all PP in hand can never be paid."""
    pp = war.treasuries[seat].pp
    if isinstance(order, BuildBuilding):
        least = BUILDINGS[order.kind] * 2 // 3
        if least > pp:
            raise Refused(f"A {order.kind} costs {BUILDINGS[order.kind]} PP; you have {pp}.", _PRICES, order.kind)
        return
    price = KINDS[order.kind].price
    if price * order.number > pp:
        upkeep = 0 if maintained_before(war) else min(pp, war.units_of(seat))
        most = (pp - upkeep) // price
        instead = (line_of(replace(order, number=most)),) if most else ()
        verb = "costs" if order.number == 1 else "cost"
        first = f", of which {upkeep} must go to maintenance first" if upkeep else ""
        why = f"{units_in_words(order.kind, order.number)} {verb} {price * order.number} PP; you have {pp}{first}."
        raise Refused(why, _PRICES, str(order.number), instead)


def bind_develop(war: War, seat: Seat, order: Order) -> Intent:
    """DEVELOP Egypt."""
    intent = DevelopResource(order.things[0].name)
    _check_help(order, intent)
    if _now(war):
        check_build(war, seat, intent)
    return intent


def bind_dig(war: War, seat: Seat, order: Order) -> Intent:
    """DIG canal (27.opt.suez.1)."""
    intent = BuildCanal()
    if _now(war):
        check_build(war, seat, intent)
    return intent


# ---------------------------------------------------------------- the auction


def bind_bid(war: War, seat: Seat, order: Order) -> Intent:
    """BID 5 PP (27.opt.auction.1)."""
    (thing,) = order.things
    if thing.name not in ("PP", "") or thing.quantity is None or thing.quantity.portion is not Portion.EXACTLY:
        raise Refused("Bid an exact number of PP.", "27.opt.auction.1", thing.name, (line_of(BidForOrder(0)),))
    return BidForOrder(thing.quantity.number)


def bind_insert(war: War, seat: Seat, order: Order) -> Intent:
    """INSERT FIRST, INSERT LAST, INSERT BEFORE Red, INSERT AFTER Red (27.opt.auction.3)."""
    rule = "27.opt.auction.3"
    said = [clause.preposition for clause in order.clauses]
    if len(said) != 1:
        instead = (line_of(InsertInOrder("first")), line_of(InsertInOrder("last")))
        raise Refused("Name one place: FIRST, LAST, BEFORE or AFTER a player.", rule, "INSERT", instead)
    name = one(order, rule, *said)
    return InsertInOrder(said[0].lower(), opponent(war, seat, name, rule) if name else None)
