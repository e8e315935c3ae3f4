"""The order of the turn, income, maintenance, revolts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Question, Several
from referee.core.table import Script, Table
from referee.games.war.events import OpenEvent
from referee.games.war.events.combat import FleetLost, OrderFellShort, UnitsLost, fell_short
from referee.games.war.events.course import BidsRevealed, OrderBidFor
from referee.games.war.events.economy import IncomeCollected, LoadDisbanded, MaintenancePaid
from referee.games.war.events.natives import DiplomacyPaid, RevoltBegan, RevoltRolled, SpheresRemoved
from referee.games.war.orders.natives import InciteRevolt
from referee.games.war.orders.production import BIDS, BidForOrder, InsertInOrder
from referee.games.war.orders.standing_home import DisbandOrder, SphereRule
from referee.games.war.phases import decision, revert, sealed_sheets
from referee.games.war.position import Land, Side
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import Berth, Kept, disbanded, income, kept, native_army, revolt_modifier
from referee.games.war.reckoning.scoring import in_force
from referee.games.war.rulebook import BOARD
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- the movement order bid for
# Sealed bids, all paid; from the lowest up each chooses his place (27.opt.auction, R27-94).


def auction(table: Table[War]) -> Script[None]:
    """27.opt.auction.1 to .3."""
    text = "Bid PP for your place in the order of this turn (BID 5 PP), and say which you take (INSERT FIRST)."
    sheets = yield from sealed_sheets(
        table, "bids", text, tuple(order.words.verb for order in BIDS), BIDS, "27.opt.auction.1"
    )
    bids = {seat: bid_of(table, seat, sheet) for seat, sheet in sheets.items()}
    table.emit(BidsRevealed(tuple(bids.items()), table.state.turn))
    line: list[Seat] = []
    for seat in _from_the_lowest(table, bids):
        line.insert(_place(line, sheets[seat]), seat)
    table.emit(OrderBidFor((*line, *table.state.out)))


def bid_of(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> int:
    """R27-94"""
    bids = [order for order in sheet if isinstance(order, BidForOrder)]
    pp = table.state.treasuries[seat].pp
    if bids and bids[-1].pp > pp:
        why = f"You have {pp} PP in hand after maintenance, and bid all of them."
        table.emit(OrderFellShort(seat, bids[-1].meaning(), why, "R27-94", partly=True))
    return min(bids[-1].pp, pp) if bids else 0


def _from_the_lowest(table: Table[War], bids: dict[Seat, int]) -> list[Seat]:
    """Bidders by their bids; those who bid the same in an order drawn at random (27.opt.auction.2)."""
    ranked: list[Seat] = []
    for bid in sorted(set(bids.values())):
        equal = dict.fromkeys((seat for seat in bids if bids[seat] == bid), 1)
        if len(equal) > 1:
            holds = {str(seat): 1 for seat in equal}
            why = f"Order of those who bid {bid} PP"
            ranked += map(Seat, table.draw("the seats with one bid", holds, len(holds), why, "27.opt.auction.2"))
        else:
            ranked += equal
    return ranked


def _place(line: Sequence[Seat], sheet: Sequence[Intent]) -> int:
    """27.opt.auction.3, R27-94: where a player goes into the line so far."""
    for order in sheet:
        if isinstance(order, InsertInOrder):
            if order.how in ("first", "last"):
                return 0 if order.how == "first" else len(line)
            if order.seat in line:
                return line.index(order.seat) + (order.how == "after")
    return len(line)


# ---------------------------------------------------------------- Collect PP and DP Income (27.production.income)


def income_phase(table: Table[War]) -> Script[None]:
    """27.production.income: everybody's income of one and the same position (R27-10)."""
    war = table.state
    for seat in war.living:
        collected = income(war, seat)
        table.emit(IncomeCollected(seat, collected.lines, collected.pp, collected.dp))
    yield from ()


# ---------------------------------------------------------------- Maintain Units (27.production.maintain)
# 1 PP for each party, brigade and fleet; who cannot pay loses the rest.


Unit = tuple[Berth, int]
"""One unit: where it is, and its number there from 1."""

_RULE = "27.production.maintain.2"
_WHY = "maintenance is not paid"


def shortfall(war: War, seat: Seat) -> int:
    """How many units a player cannot pay for (R27-17)."""
    return max(0, war.units_of(seat) - war.treasuries[seat].pp)


def maintenance_phase(table: Table[War], sheets: Mapping[Seat, Sequence[Intent]]) -> Script[None]:
    """27.production.maintain.1, 27.production.maintain.2: all who are short are asked at once (Q6), then all pay."""
    short = [seat for seat in table.state.living if shortfall(table.state, seat)]
    questions = [_which_go(table, seat, sheets.get(seat, ())) for seat in short]
    answers = yield from table.ask_all(questions)
    chosen = {question.seat: answer.value for question, answer in zip(questions, answers, strict=True)}
    for seat in table.state.living:
        yield from _maintain(table, seat, tuple(berth for berth, _ in chosen.get(seat, ())))


def _which_go(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Question[tuple[Unit, ...]]:
    """Q6, R27-17"""
    counts, short = kept(table.state, seat), shortfall(table.state, seat)

    sheet = in_force(table.state, seat, sheet, DisbandOrder)

    def listed(orders: Sequence[Intent]) -> tuple[Unit, ...] | None:
        found = [unit for order in (*sheet, *orders) if isinstance(order, DisbandOrder) for unit in order.units]
        return _numbered(disbanded(counts, (), found, short)[:short]) if found else None

    default = _numbered(disbanded(counts, (), (), short)[:short])
    menu = Several(_options(counts), short, default)
    text = f"You cannot pay for {counted(short, 'units')}. Which {in_number(short, 'go')}?"
    return decision(table, seat, f"{seat}/disband", text, menu, _RULE, listed)


def _options(counts: Kept) -> list[Choice[Unit]]:
    every = _numbered([berth for berth, number in counts.items() for _ in range(number)])
    return [Choice(b.words() if number == 1 else f"{b.words()} ({number})", (b, number)) for b, number in every]


def _numbered(berths: Sequence[Berth]) -> tuple[Unit, ...]:
    """Each unit with its number among those of the same berth."""
    met: dict[Berth, int] = {}
    for berth in berths:
        met[berth] = met.get(berth, 0) + 1
    seen = dict.fromkeys(met, 0)
    units = []
    for berth in berths:
        seen[berth] += 1
        units.append((berth, seen[berth]))
    return tuple(units)


def _maintain(table: Table[War], seat: Seat, named: Sequence[Berth]) -> Script[None]:
    """The player pays for what he keeps; the rest goes, and regions without brigade revert (R27-02)."""
    war = table.state
    gone = disbanded(kept(war, seat), named, (), shortfall(war, seat))
    units = war.units_of(seat) - len(gone)
    table.emit(MaintenancePaid(seat, units, units, len(gone)))
    for berth, number in _by_berth(gone):
        for event in tuple(_losses(table.state, seat, berth, number)):
            table.emit(event)
    for land in war.regions_of(seat):
        if not table.state.lands[land.name].brigades(seat):
            yield from revert(table, land.name)


def _by_berth(gone: Sequence[Berth]) -> list[tuple[Berth, int]]:
    """How many go from every berth, fleets after their cargo."""
    numbers = dict.fromkeys(gone, 0)
    for berth in gone:
        numbers[berth] += 1
    return sorted(numbers.items(), key=lambda entry: entry[0].kind == "fleet")


def _losses(war: War, seat: Seat, berth: Berth, number: int) -> Iterator[OpenEvent]:
    if berth.kind == "fleet":
        yield FleetLost(berth.fleet, seat, berth.place, _WHY, war.fleets[berth.fleet].cargo, _RULE)
    elif berth.fleet:
        for load in war.fleets[berth.fleet].cargo:
            if (load.owner, load.kind) == (seat, berth.kind) and number > 0:
                yield LoadDisbanded(berth.fleet, berth.place, replace(load, number=min(number, load.number)))
                number -= load.number
    else:
        for stack in war.lands[berth.place].stacks:
            if (stack.owner, stack.kind) == (seat, berth.kind) and number > 0:
                yield UnitsLost(berth.place, replace(stack, number=min(number, stack.number)), _WHY, _RULE)
                number -= stack.number


# ---------------------------------------------------------------- native revolts
# Incited for DP or a sphere, or spread by natives who won theirs next door.


_SIDES: tuple[Side, ...] = ("support", "suppress")


def incite(table: Table[War], seat: Seat, order: InciteRevolt) -> Script[None]:
    """27.production.revolt: pay, let the owners of spheres take sides, roll 2d6 against the native strength."""
    try:
        order.permit(table.state, seat)
    except Refused as refused:
        table.emit(fell_short(table.state, seat, order, refused))
        return
    if order.with_sphere:
        why = f"{seat} pays with it for a revolt"
        table.emit(SpheresRemoved(order.region, seat, 1, why, "27.production.revolt.2"))
    if dp := order.dp(table.state, seat):
        bribe = ", with a bribe" if order.bribe else ""
        table.emit(DiplomacyPaid(seat, dp, f"to incite a revolt in {order.region}{bribe}", "27.production.revolt.2"))
    yield from _roll_for_revolt(table, order.region, seat, f"{order.region}/revolt", order.bribe)


def revolt_chain(table: Table[War], region: str) -> Script[None]:
    """27.combat.natives.10, R27-68: natives won in `region`; every restless player's region next to it rolls, in map order."""
    neighbours = sorted(BOARD.regions[region].borders, key=BOARD.position)
    for name in neighbours:
        land = table.state.lands[name]
        if land.owner is not None and land.marker is not None and land.revolt is None:
            yield from _roll_for_revolt(table, name, None, f"{name}/revolt after {region}")


def _roll_for_revolt(
    table: Table[War], region: str, inciter: Seat | None, name: str, bribe: bool = False
) -> Script[None]:
    """27.production.revolt.3, .6, .7: the roll, and if it succeeds the native army and the side of every sphere."""
    land = table.state.lands[region]
    assert land.owner is not None and land.marker is not None
    sides = yield from _sides(table, land, land.owner, inciter, name)
    rule = "27.production.revolt.3" if inciter else "27.combat.natives.10"
    why = f"{region}: {inciter} incites a revolt" if inciter else f"{name.replace('/', ': ')}"
    dice = sum(table.roll(2, 6, why, rule))
    strength = land.marker.strength
    rolled = RevoltRolled(region, land.owner, inciter, dice, revolt_modifier(land, sides, bribe), strength)
    table.emit(rolled)
    if rolled.rises:
        table.emit(RevoltBegan(region, land.owner, native_army(land.marker), sides))


# ---------------------------------------------------------------- Q8: the sides of the spheres


def side_by_default(war: War, sphere: Seat, owner: Seat, inciter: Seat | None) -> Side:
    """R27-21: support if at war with the region's owner or inciter oneself, else suppress."""
    return "support" if sphere == inciter or war.at_war(sphere, owner) else "suppress"


def _sides(table: Table[War], land: Land, owner: Seat, inciter: Seat | None, name: str) -> Script[dict[Seat, Side]]:
    """27.production.revolt.6, Q8: all owners of spheres are asked at once."""
    seats = [seat for seat in table.state.order if land.spheres.get(seat)]
    questions = []
    for seat in seats:
        default = side_by_default(table.state, seat, owner, inciter)
        helped: dict[Side, str] = {"support": "help the natives", "suppress": f"help {owner}"}
        menu = OneOf([Choice(side, side, helped[side]) for side in _SIDES], default)
        text = f"A revolt is brewing in {land.name} ({owner}). Do your spheres there support or suppress it?"
        wanted = _side_wanted(land.name, owner)
        questions.append(decision(table, seat, f"{name}/{seat}", text, menu, "27.production.revolt.6", wanted))
    answers = yield from table.ask_all(questions)
    return {seat: answer.value for seat, answer in zip(seats, answers, strict=True)}


def _side_wanted(region: str, owner: Seat) -> Callable[[Sequence[Intent]], Side | None]:
    """The side that sphere rules name for one region (R27-82)."""

    def wanted(sheet: Sequence[Intent]) -> Side | None:
        rules = [rule for rule in sheet if isinstance(rule, SphereRule)]
        fitting = [rule for rule in rules if rule.region in ("", region) and rule.of in (None, owner)]
        fitting.sort(key=lambda rule: (not rule.region, rule.of is None))
        return next((side for rule in fitting for side in _SIDES if side == rule.side), None)

    return wanted
