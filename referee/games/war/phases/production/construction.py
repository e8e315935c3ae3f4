"""What PP buy after maintenance: diplomacy points, then units and buildings, line by line (27.production.build)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Script, Table
from referee.games.war.events.economy import (
    DiplomacyBought,
)
from referee.games.war.events.forces import OrderFellShort, fell_short
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION
from referee.games.war.orders.production.diplomacy import (
    DIPLOMACY_PRICE,
    BuyDiplomacy,
    diplomacy_for_sale,
    sold_at_most,
)
from referee.games.war.orders.production.engineers import engineer_works
from referee.games.war.orders.production.units import BuildUnits, units_left
from referee.games.war.orders.production.works import NOTHING, BuildAction, BuildOrder, Works, free_engineers
from referee.games.war.phases.production.consent import agreed, mending
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import Judged, in_force
from referee.games.war.rulebook.pieces import KINDS, plural
from referee.kit.refused import Refused
from referee.kit.wording import counted

_BUILDS = BOOK.kinds_of(CONSTRUCTION)


def buy_diplomacy(
    table: Table[War], sheets: Mapping[Seat, Sequence[Intent]], judged: Mapping[Seat, Judged] | None = None
) -> Script[None]:
    """27.production.income.3: the extra DP that the sheets name, after maintenance (R27-15)."""
    for seat in table.state.living:
        now = in_force(table.state, seat, sheets.get(seat, ()), BuyDiplomacy, (judged or {}).get(seat))
        orders = [intent for intent in now if isinstance(intent, BuyDiplomacy)]
        if orders:
            _buy(table, seat, orders)
    yield from ()


def _buy(table: Table[War], seat: Seat, orders: Sequence[BuyDiplomacy]) -> None:
    wanted, on_sale = sum(order.number for order in orders), diplomacy_for_sale(table.state, seat)
    bought = min(wanted, on_sale)
    why = _why_no_more(table.state, seat)
    if bought:
        table.emit(DiplomacyBought(seat, bought, bought * DIPLOMACY_PRICE))
    if bought < wanted:
        why = f"{why}: {bought or 'none'} could be bought."
        table.emit(OrderFellShort(seat, orders[-1].meaning(), why, "27.production.income.3", partly=bool(bought)))


def _why_no_more(war: War, seat: Seat) -> str:
    """Which of the two limits holds: cities or money (R27-15)."""
    pp = war.treasuries[seat].pp
    if sold_at_most(war, seat) <= pp // DIPLOMACY_PRICE:
        return f"You may buy one DP a city and have {counted(war.buildings_of(seat, 'city'), 'cities')}"
    return f"One DP costs {DIPLOMACY_PRICE} PP and you have {pp}"


def construction_share(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """27.production.build: what can be built is built and paid, line after line; the rest is reported to its writer.

    R27-40: an IF is judged when its first line comes.
    """
    done, known = NOTHING, judged if judged is not None else {}
    for place, line in enumerate(sheet):
        for intent in in_force(table.state, seat, (line,), _BUILDS, known):
            assert isinstance(intent, BuildOrder)
            try:
                later = in_force(table.state, seat, sheet[place + 1 :], _BUILDS, dict(known))
                done = _carried_out(table, seat, intent, later, done)
            except Refused as refused:
                done = yield from _mended(table, seat, intent, refused, done, place)


def _carried_out(table: Table[War], seat: Seat, order: BuildOrder, later: Sequence[Intent], done: Works) -> Works:
    if isinstance(order, BuildAction):
        return _build(table, seat, order, later, done)
    assert isinstance(order, BuildUnits)
    # R27-22
    left = units_left(table.state, seat, order, done)
    possible = order if left is None else replace(order, number=min(order.number, left) or order.number)
    possible.permit(table.state, seat, done)
    price, pp = KINDS[order.kind].price, table.state.treasuries[seat].pp
    bought = replace(possible, number=min(possible.number, pp // price))
    if bought.number:
        table.emit(bought.brings(table.state, seat, bought.price(table.state)))
    if bought.number < order.number:
        why = _why_fewer(table.state, seat, order, bought, bought.adds(done))
        table.emit(fell_short(table.state, seat, order, why, partly=bool(bought.number)))
    return bought.adds(done)


def _mended(
    table: Table[War], seat: Seat, order: BuildOrder, refused: Refused, done: Works, place: int
) -> Script[Works]:
    """27.opt.simultaneous.2: the line as all agree to mend it; otherwise it falls short."""
    better = mending(table.state, seat, order, done) if plays(table.state, "simultaneous") else None
    if better is not None:
        was = f"{order.meaning()} {refused.illegal.sentence}"
        if (yield from agreed(table, seat, was, better.meaning(), f"{seat}/mend {place + 1}")):
            return _carried_out(table, seat, better, (), done)
    elif plays(table.state, "simultaneous"):
        nowhere = f"{refused.illegal.sentence} No other region of yours may have it, so nobody is asked to mend it."
        refused = Refused(nowhere, refused.illegal.rule, refused.illegal.at)
    table.emit(fell_short(table.state, seat, order, refused))
    return done


def _why_fewer(war: War, seat: Seat, order: BuildUnits, bought: BuildUnits, done: Works) -> Refused:
    got = (
        f"{bought.number} of {order.number} {plural(order.kind)} could be bought"
        if bought.number
        else "nothing was bought"
    )
    if units_left(war, seat, order, done) == 0:
        return Refused(f"No more may be built in {order.region}: {got}.", "27.production.build.2")
    price = KINDS[order.kind].price
    left = f"you have {war.treasuries[seat].pp} left"
    return Refused(f"One costs {price} PP and {left}: {got}.", "27.production.build.1")


def _build(table: Table[War], seat: Seat, order: BuildAction, later: Sequence[Intent], done: Works) -> Works:
    """A building or a development (R27-24)."""
    war = table.state
    order.permit(war, seat, done)
    pp = war.treasuries[seat].pp
    free = free_engineers(war, seat, order.site, done) > 0
    engineer = free and (order.price(war) > pp or engineer_works(war, seat, order, later, done))
    price = order.price(war, engineer)
    if price > pp:
        raise Refused(f"It costs {price} PP and you have {pp} left.", "27.production.build.1")
    table.emit(order.brings(war, seat, price, engineer))
    return order.adds(done, engineer)
