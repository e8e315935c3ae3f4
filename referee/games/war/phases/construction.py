"""Construction with its consents, and native diplomacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.deeds import granted
from referee.games.war.events.combat import OrderFellShort, fell_short
from referee.games.war.events.economy import DiplomacyBought, MendingDecided, WesternizingPutOff
from referee.games.war.events.natives import DiplomacyPaid, SpheresRemoved
from referee.games.war.orders import BOOK
from referee.games.war.orders.base import CONSTRUCTION, NATIVE_DIPLOMACY
from referee.games.war.orders.building import (
    NOTHING,
    BuildAction,
    BuildOrder,
    BuildUnits,
    Works,
    free_engineers,
    units_left,
)
from referee.games.war.orders.natives import LOWERED, InciteRevolt, NativeOrder, RemoveSphere, WesternizeRegion
from referee.games.war.orders.production import (
    DIPLOMACY_PRICE,
    BuildCanal,
    BuyDiplomacy,
    diplomacy_for_sale,
    engineer_works,
    sold_at_most,
)
from referee.games.war.orders.standing_home import ConsentRule
from referee.games.war.phases import decision, trim_spheres, weaken
from referee.games.war.phases.production import incite
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning.income import automatic_reduction, put_off
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import KINDS, plural
from referee.kit.refused import Refused
from referee.kit.wording import counted

# ---------------------------------------------------------------- consent
# An unlawful purchase or placement is mended if all players agree, else undone (27.opt.simultaneous.2, R27-91).


def mending(war: War, seat: Seat, order: BuildOrder, done: Works) -> BuildOrder | None:
    """R27-91"""
    if isinstance(order, BuildCanal):
        return None
    for land in war.regions_of(seat):
        moved = replace(order, region=land.name)
        other = replace(moved, sea="") if isinstance(moved, BuildUnits) else moved
        if (
            land.name != order.site
            and other.price(war) <= war.treasuries[seat].pp
            and granted(other.permit, war, seat, done)
        ):
            return other
    return None


def agreed(table: Table[War], seat: Seat, was: str, now: str, name: str) -> Script[bool]:
    """27.opt.simultaneous.2: all others are asked at once; one no undoes the line."""
    others = table.state.after(seat)
    text = f"{seat}'s line cannot stand: {was} Do you agree that it is mended? {now}"
    questions = [
        decision(table, other, f"{name}/{other}", text, OneOf(_OPTIONS, False), "27.opt.simultaneous.2", _consent)
        for other in others
    ]
    answers = yield from table.ask_all(questions)
    against = tuple(other for other, answer in zip(others, answers, strict=True) if not answer.value)
    table.emit(MendingDecided(seat, was, now, against))
    return not against


_OPTIONS = [Choice("yes", True, "let it be mended"), Choice("no", False, "it is undone, and its price paid back")]


def _consent(sheet: Sequence[Intent]) -> bool | None:
    return next((rule.always for rule in sheet if isinstance(rule, ConsentRule)), None)


# ---------------------------------------------------------------- Purchases with PP after maintenance
# Diplomacy points, then units and buildings, line by line (27.production.build).


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
    """The limit that holds: cities or money (R27-15)."""
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


# ---------------------------------------------------------------- Native Diplomacy of the production phase
# Spheres removed, natives westernized, revolts incited.


_CERTAIN = tuple(order for order in BOOK.kinds_of(NATIVE_DIPLOMACY) if order is not InciteRevolt)
"""The orders that need no dice."""


def native_diplomacy_share(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """R27-18: foreign spheres; the automatic part; own spheres; paid westernizing; others; surplus spheres; incitements."""
    known = judged if judged is not None else {}
    orders, sheet = sheet, in_force(table.state, seat, sheet, _CERTAIN, known)
    removals = [order for order in sheet if isinstance(order, RemoveSphere)]
    paying = [order for order in sheet if isinstance(order, WesternizeRegion)]
    _remove_foreign(table, seat, [order for order in removals if order.owner != seat])
    _lose_to_buildings(table, seat)
    for removal in removals:
        if removal.owner == seat:
            _take_off_own(table, seat, removal, removal.region, removal.number)
    for order in paying:
        if order.spheres:
            _take_off_own(table, seat, order, order.region, order.spheres)
    _westernize(table, seat, paying)
    for other in sheet:
        if isinstance(other, NativeOrder) and not isinstance(other, RemoveSphere | WesternizeRegion):
            _carry_out(table, seat, other)
    for land in table.state.regions_of(seat):
        yield from trim_spheres(table, land.name)
    if not plays(table.state, "simultaneous"):
        yield from incitements(table, seat, orders, known)


def _carry_out(table: Table[War], seat: Seat, order: NativeOrder) -> None:
    """An order that has no step of its own."""
    try:
        order.permit(table.state, seat)
        order.afford(table.state, seat)
    except Refused as refused:
        table.emit(fell_short(table.state, seat, order, refused))
        return
    for event in order.brings(table.state, seat):
        table.emit(event)


def incitements(table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None) -> Script[None]:
    """27.production.revolt: every attempt of a sheet, in the order written (R27-91)."""
    known = judged if judged is not None else {}
    for line in sheet:
        for intent in in_force(table.state, seat, (line,), InciteRevolt, known):
            assert isinstance(intent, InciteRevolt)
            yield from incite(table, seat, intent)


# ---------------------------------------------------------------- spheres


def _remove_foreign(table: Table[War], seat: Seat, orders: Sequence[RemoveSphere]) -> None:
    """27.production.natives.spheres.1, .2: one a region for 1 DP; free and any number of an enemy's."""
    paid: list[str] = []
    for order in orders:
        try:
            order.permit(table.state, seat)
            if order.free(table.state, seat):
                number, why, part = order.most(table.state, seat), f"{seat} is at war with its owner", ".2"
            else:
                if order.region in paid:
                    why = "One foreign sphere a region can be bought off each turn."
                    raise Refused(why, "27.production.natives.spheres.1")
                order.afford(table.state, seat)
                paid.append(order.region)
                number, why, part = 1, f"{seat} removes it", ".1"
                price = f"to remove a sphere of {order.owner} from {order.region}"
                table.emit(DiplomacyPaid(seat, order.dp(table.state, seat), price, "27.production.natives.spheres.1"))
            _gone(table, order.region, order.owner, min(order.number, number), why, part)
        except Refused as refused:
            table.emit(fell_short(table.state, seat, order, refused))


def _gone(table: Table[War], region: str, owner: Seat, number: int, why: str, part: str) -> None:
    table.emit(SpheresRemoved(region, owner, number, why, f"27.production.natives.spheres{part}"))


def take_off_own(table: Table[War], seat: Seat, order: RemoveSphere) -> None:
    """27.production.natives.spheres.3: one's own spheres go at any time; outside production it weakens nobody (R27-18).

    Raises Refused.
    """
    if order.owner != seat:
        raise Refused("Others' spheres are removed in production.", "27.production.natives.spheres.1")
    order.permit(table.state, seat)
    number = min(order.number, table.state.lands[order.region].spheres[seat])
    _gone(table, order.region, seat, number, "taken off by its owner", ".3")


def _take_off_own(table: Table[War], seat: Seat, order: Intent, region: str, number: int) -> None:
    """27.production.natives.spheres.3, 27.production.natives.westernize.3: in one's own region it lowers the strength."""
    land = table.state.lands[region]
    if land.westernized:
        return
    taken = min(number, land.spheres.get(seat, 0))
    if taken < number:
        none = Refused(f"You have {taken} spheres of influence in {region}.", "27.production.natives.spheres.3")
        table.emit(fell_short(table.state, seat, order, none))
    if not taken:
        return
    _gone(table, region, seat, taken, "taken off by its owner", ".3")
    if land.owner == seat and land.revolt is None:
        rule = "27.production.natives.westernize.3"
        weaken(table, region, taken, f"{seat}'s own spheres taken off", rule)
    elif land.owner == seat and put_off(table.state, land):
        table.emit(WesternizingPutOff(region, taken))


# ---------------------------------------------------------------- westernizing


def _lose_to_buildings(table: Table[War], seat: Seat) -> None:
    """27.production.natives.westernize.2: what happens by itself, in every region of the seat."""
    for land in table.state.regions_of(seat):
        # R27-20: no revolt stands in the way.
        if land.marker is not None and land.revolt is None:
            rule = "27.production.natives.westernize.2"
            weaken(table, land.name, automatic_reduction(land), "buildings and explorers", rule)
        elif put_off(table.state, land) and automatic_reduction(land):
            table.emit(WesternizingPutOff(land.name, automatic_reduction(land)))


def _westernize(table: Table[War], seat: Seat, orders: Sequence[WesternizeRegion]) -> None:
    """27.production.natives.westernize.1, .5: 1 DP a region and phase; none is taken where it is not needed (R27-18)."""
    paid: list[str] = []
    for order in orders:
        try:
            order.permit(table.state, seat)
            if order.region in paid:
                raise Refused("One DP a region and turn can be spent so.", "27.production.natives.westernize.5")
            order.afford(table.state, seat)
        except Refused as refused:
            table.emit(fell_short(table.state, seat, order, refused))
            continue
        paid.append(order.region)
        rule = "27.production.natives.westernize.1"
        table.emit(DiplomacyPaid(seat, order.dp(table.state, seat), f"to westernize {order.region}", rule))
        if table.state.lands[order.region].revolt is not None:
            table.emit(WesternizingPutOff(order.region, LOWERED))
        else:
            weaken(table, order.region, LOWERED, "westernized for 1 DP", rule)
