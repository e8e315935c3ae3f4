"""The time ahead for a seat, as its own record sheet tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import msgspec

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.order import Doubt
from referee.core.page import Block, Bullets, Heading
from referee.core.table import Table
from referee.games.empire.deeds.debts_and_petitions import settle_dues
from referee.games.empire.events.air_and_sea import PlanesIntercepted, SeaBattleFought, ShipPlundered
from referee.games.empire.events.course import CardsRanked, ConfidenceRolled, OrderRefused, SlotCame
from referee.games.empire.events.economy import BudgetClosed, ConfidenceMoved
from referee.games.empire.events.fighting import BattleFought
from referee.games.empire.events.moving import GoodsLoaded, GoodsUnloaded, StatusChanged, UnitBoarded, UnitMoved
from referee.games.empire.events.supply import CooliesBorn, OutputAppeared, PersonDied, SquareInvested, SquareTaken
from referee.games.empire.phases.turn_end import close_budget, confidence_after
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning import ownership
from referee.games.empire.reckoning.budget import QUARTERS, Budget, Losses, band_of
from referee.games.empire.reckoning.ownership import figure
from referee.games.empire.rulebook import BANDS, meaning_of
from referee.games.empire.rulebook.kinds import DEBT, in_parts, plural
from referee.kit.stock import more
from referee.kit.wording import are, capital, counted, in_a_row, stock_in_words

# ---------------------------------------------------------------- the story of a slot
# The events in order under the parts of a turn, with like deeds of many units told once.


_OPENS, _ORDERS, _ENDS, _ROLL = "The turn opens", "Orders", "The turn ends", "Rolling out"

_HEADINGS: Mapping[str, str] = {
    **dict.fromkeys(
        ("SlotOpened", "BandJudged", "GovernmentNamed", "PicksAppeared", "OutputAppeared", "SalvageAppeared", "CooliesBorn",
         "FoodEaten", "ThirstNoted"),
        _OPENS,
    ),
    **dict.fromkeys(
        ("UnitMoved", "StatusChanged", "GoodsLoaded", "GoodsUnloaded", "UnitBoarded", "UnitLeft", "OilPumped",
         "SquareTaken", "WorkOrdered", "BirthsSet", "CityFounded", "UnitSeized", "GoodsTaken", "TransferOffered", "ControlPassed",
         "FeedingSet", "BuildingSeized",
         "FormationArmed", "ArmingSet", "FormationDisarmed", "BattleFought", "FormationsDestroyed", "FormationRetreated",
         "FormationsAdvanced", "CooliesKilled", "CooliesCaptured", "CityFell", "RetreatSet", "StanceTaken", "ExchangeSent",
         "PlanesIntercepted", "FlakFired", "SquareBombed", "MunitionSpent", "ScrambleSet", "SeaBattleFought", "ShipsSunk",
         "ShipWithdrew", "PirateTurned", "PirateReverted", "ShipPlundered",
         "RunOrdered", "GoodsConsumed", "CountrySplit", "PicksChosen", "GoodsDestroyed", "WindRolled", "LineDoubtful",
         "InterpretationPosted"),
        _ORDERS,
    ),
    **dict.fromkeys(
        ("SquareInvested", "StationRan", "GoodsMade", "RunFellShort", "WaterDistilled",
         "MaterialsUsed", "WorkWent", "WorkHalted", "WorkDropped", "WorkFinished", "LineLaid",
         "ArmingLapsed", "AmbassadorNamed", "LoadPutDown", "GoodsSpoiled", "AircraftCrashed", "PicksLapsed"),
        _ENDS,
    ),
    **dict.fromkeys(("RolledOut", "FuelDue", "DuesCounted", "DebtPaid", "TroopsPaid", "BudgetClosed",
         "ConfidenceRolled", "ConfidenceMoved", "GovernmentLost", "CountryDissolved", "GameEnded"), _ROLL),
    **dict.fromkeys(("PetitionPosted", "VoteCast", "PetitionSettled"), "Petitions"),
    **dict.fromkeys(("HouseRuleChanged",), "House rules"),
    **dict.fromkeys(("BoardLaid", "FiatAnnounced", "CardsRanked", "CapitalPlaced", "ForcesGranted", "FiatJudged"), "Zero turn"),
}  # fmt: skip
"""The part of a turn that an event belongs to, by its class; others stay where the story is."""


_ELSEWHERE = (PhaseBegan, PhaseEnded, OrderRefused, SlotCame)
"""The events told in the title, at the top and in the last line of a report."""


def sections_of(told: Sequence[Event]) -> Iterator[Block]:
    """Headings with what happened under them; refused orders are left to the top of the report."""
    for heading, happened in _gathered(told):
        happened.sort(key=lambda event: type(event) in _TOLD_LAST)
        lines = [line for tell, run in groupby(happened, _teller) for line in tell(list(run))]
        if lines:
            yield Heading(heading)
            yield Bullets(tuple(lines))


def _teller(event: Event) -> Callable[[Any], Iterator[str]]:
    return _LINES.get(type(event), _each)


def _gathered(told: Sequence[Event]) -> list[tuple[str, list[Event]]]:
    parts: list[tuple[str, list[Event]]] = []
    for event in told:
        if isinstance(event, _ELSEWHERE):
            continue
        heading = _HEADINGS.get(type(event).__name__) or (parts[-1][0] if parts else "Before the turn")
        if not parts or parts[-1][0] != heading:
            parts.append((heading, []))
        parts[-1][1].append(event)
    return parts


def _each(run: Sequence[Event]) -> Iterator[str]:
    for event in run:
        if told := event.sentence():
            yield f"{told} [{event.cites()}]"


def _alike(run: Sequence[Any], key: Callable[[Any], Any]) -> list[list[Any]]:
    """Events of one run that are equal in what matters, in order of the first of each."""
    found: dict[Any, list[Any]] = {}
    for event in run:
        found.setdefault(key(event), []).append(event)
    return list(found.values())


def _units(kind: str, numbers: Sequence[int]) -> str:
    """`4 coolies (4, 5, 6 and 9)`, of two or more."""
    return f"{len(numbers)} {plural(kind)} ({in_a_row([str(number) for number in numbers])})"


_GOINGS = (UnitMoved, StatusChanged, UnitBoarded)
"""Events of units on their way, which many share though each goes all its way before the next."""


def _passed(run: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> Iterator[str]:
    """Like deeds of several units of a kind are told once, and their ways from one square in one line."""
    for _, groups in groupby(_together(run), _setting_out):
        parties = list(groups)
        yield _alike_told(parties[0]) if len(parties) == 1 else _parted(parties)


def _setting_out(group: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> object:
    """The common start of units that went from one square to several; nothing else is like another."""
    first = group[0]
    return (first.country, first.kind, first.start) if isinstance(first, UnitMoved) else id(first)


def _alike_told(group: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> str:
    first = group[0]
    if len(group) == 1:
        return first.cited()
    each = " each" if isinstance(first, UnitMoved) else ""
    return f"{first.country}'s {_units(first.kind, _numbers(group))} {_deed(first)}{each}. [{first.cites()}]"


def _parted(groups: Sequence[Sequence[UnitMoved]]) -> str:
    """`Red's coolies went from c4r4: 14 to c4r6 through c4r5 (4 BTA); 15 and 16 to c5r5 (2 BTA each).`"""
    first = groups[0][0]
    ways = [f"{in_a_row([str(number) for number in _numbers(group)])} {_bound(group)}" for group in groups]
    return f"{first.country}'s {plural(first.kind)} went from {first.start}: {'; '.join(ways)}. [{first.cites()}]"


def _bound(group: Sequence[UnitMoved]) -> str:
    """Where some units went that went alike, and what it cost each."""
    way, _, cost = _deed(group[0]).removeprefix(f"went from {group[0].start} ").rpartition(": ")
    return f"{way} ({cost}{' each' if len(group) > 1 else ''})"


def _numbers(group: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> list[int]:
    return [event.unit for event in group]


def _deed(event: UnitMoved | StatusChanged | UnitBoarded) -> str:
    """The deed of a unit, in the words of its event, without its name."""
    return event.sentence().removeprefix(f"{event.country}'s {event.kind} {event.unit} ").removesuffix(".")


def _together(run: Sequence[Any]) -> list[list[Any]]:
    """Events alike but for the unit, each unit once in a group: who does it again does it later."""
    groups: list[list[Any]] = []
    open_groups: dict[Any, list[Any]] = {}
    for event in run:
        alike = (type(event), event.country, event.kind, _deed(event))
        group = open_groups.get(alike)
        if group is None or any(other.unit == event.unit for other in group):
            group = []
            open_groups[alike] = group
            groups.append(group)
        group.append(event)
    return groups


def _loaded(run: Sequence[GoodsLoaded]) -> Iterator[str]:
    for group in _alike(run, lambda e: (e.lot.country, e.carrier, e.lot.at)):
        first = group[0]
        goods = _of_all(group)
        yield f"{first.lot.country} took {goods} aboard {first.kind} {first.carrier} in {first.lot.at}. [{first.cites()}]"


def _unloaded(run: Sequence[GoodsUnloaded]) -> Iterator[str]:
    for group in _alike(run, lambda e: (e.lot.country, e.carrier, e.lot.at, e.into)):
        first = group[0]
        where = f"the {first.into} of {first.lot.at}" if first.into else first.lot.at
        goods = _of_all(group)
        yield f"{first.lot.country} put {goods} off {first.kind} {first.carrier} into {where}. [{first.cites()}]"


def _of_all(group: Sequence[GoodsLoaded | GoodsUnloaded]) -> str:
    """All their goods, each kind once."""
    goods: dict[str, int] = {}
    for event in group:
        goods = more(goods, {event.lot.what: event.lot.number})
    return stock_in_words(goods)


def _appeared(run: Sequence[OutputAppeared]) -> Iterator[str]:
    for group in _alike(run, lambda e: e.country):
        goods: dict[str, int] = {}
        for event in group:
            for lot in event.lots:
                goods = more(goods, {lot.what: lot.number})
        squares = counted(len(group), "worked squares")
        gave = "gives" if len(group) == 1 else "give"
        yield f"{group[0].country}'s {squares} {gave} {stock_in_words(goods)}. [{group[0].cites()}]"


def _born(run: Sequence[CooliesBorn]) -> Iterator[str]:
    for group in _alike(run, lambda e: e.country):
        places = in_a_row([f"{event.at} (coolie {event.number})" for event in group])
        verb = are(len(group))
        yield f"{counted(len(group), 'coolies')} of {group[0].country} {verb} born in {places}. [{group[0].cites()}]"


def _died(run: Sequence[PersonDied]) -> Iterator[str]:
    for group in _alike(run, lambda e: (e.country, e.kind, e.at, e.why, e.cites(), bool(e.weapons or e.lost))):
        if len(group) == 1 or group[0].weapons or group[0].lost:
            yield from _each(group)
            continue
        first = group[0]
        who = _units(first.kind, [event.number for event in group])
        yield f"{capital(who)} of {first.country} in {first.at} die {first.why}. [{first.cites()}]"


def _taken(run: Sequence[SquareTaken]) -> Iterator[str]:
    for group in _alike(run, lambda e: e.country):
        kinds = [f"{kind[0].kind} in {_workplaces(kind)}" for kind in _alike(group, lambda e: e.kind)]
        yield f"{group[0].country} sets to work: {'; '.join(kinds)}. [{group[0].cites()}]"


def _workplaces(run: Sequence[SquareTaken]) -> str:
    return in_a_row([f"{event.at} (unit {event.unit})" for event in run])


def _invested(run: Sequence[SquareInvested]) -> Iterator[str]:
    for group in _alike(run, lambda e: e.country):
        points, edu = sum(event.points for event in group), sum(event.edu for event in group)
        seed = sum(lot.number for event in group for lot in event.seed)
        sown = f", {seed} food for seed" if seed else ""
        squares = counted(len(group), "squares")
        yield f"{group[0].country} invests in {squares}: {points} points, {edu} EDU{sown}. [{group[0].cites()}]"


def _drawn(run: Sequence[Drawn]) -> Iterator[str]:
    """Cards drawn for an order are told with it, each beside its player."""
    return _each([event for event in run if event.by_rule != CardsRanked.rule])


_TOLD_BY_WHAT_FOLLOWS = tuple(kind.rule for kind in (BattleFought, PlanesIntercepted, SeaBattleFought, ShipPlundered))
"""Dice of war: the battle, the flight or the fall upon a ship that they decide names each of them itself."""


def _rolled(run: Sequence[Rolled]) -> Iterator[str]:
    """Dice with their sum, which is what the rules of this game look at."""
    for event in run:
        if event.by_rule in _TOLD_BY_WHAT_FOLLOWS:
            continue
        faces = " + ".join(map(str, event.faces))
        added = f" = {sum(event.faces)}" if len(event.faces) > 1 else ""
        yield f"{event.why}: {len(event.faces)}d{event.sides} = {faces}{added}. [{event.cites()}]"


def _counted_late(run: Sequence[ConfidenceRolled]) -> Iterator[str]:
    """Only where it is not what the dice said."""
    return _each([event for event in run if event.late])


_TOLD_LAST = (SquareTaken,)
"""Events told together after the others of their part, since one line says them all."""

_LINES: Mapping[type, Callable[[Any], Iterator[str]]] = {
    **dict.fromkeys(_GOINGS, _passed),
    GoodsLoaded: _loaded,
    GoodsUnloaded: _unloaded,
    OutputAppeared: _appeared,
    CooliesBorn: _born,
    PersonDied: _died,
    SquareTaken: _taken,
    SquareInvested: _invested,
    Drawn: _drawn,
    Rolled: _rolled,
    ConfidenceRolled: _counted_late,
}
"""Kinds of event that many units or squares have in common; each of the others is told by itself."""


ROLLS = range(2, 13)
"""The sums that two dice can show."""

WAYS = 36
"""In how many ways two dice can fall."""

_WORTH_A_WORD = 6
"""So many of the 36 ways to a worse band are worth a warning."""


class Outlook(msgspec.Struct, frozen=True):
    """A country's turn as it would end: the budget, what it owes then in whole units and parts, and confidence by roll.

    `share` of the investment weighs on the balance; `fund` is the new popular fund in quarters; `after` has the confidence
    for each of ROLLS.
    """

    country: str
    confidence: int
    band: str
    budget: Budget
    losses: Losses
    share: Fraction
    fund: int
    owed: tuple[tuple[int, str], ...]
    after: tuple[int, ...]


def look_ahead(table: Table[Empire], country: str) -> Outlook:
    """Play steps 6 and 7 of a turn on a scratch table, and try every roll for step 8."""
    settle_dues(table, country)
    budget, losses = close_budget(table, country)
    empire = table.state
    own = empire.countries[country]
    owed = ((own.oil_due, "O"), (own.chemicals_due, "X"), (own.pay_due, "pay"))
    after = tuple(confidence_after(empire, country, roll, budget, losses) for roll in ROLLS)
    share = ownership.confidence(empire).share
    return Outlook(
        country, own.confidence, own.band, budget, losses, share, budget.new_fund, tuple(p for p in owed if p[0]), after
    )


def _ways(roll: int) -> int:
    return 6 - abs(7 - roll)


def as_points(quarters: int) -> str:
    """A fund or tax kept in quarters, in points: `2 1/4`."""
    return in_parts(quarters * DEBT // QUARTERS)


def budget_in_words(budget: Budget, share: Fraction) -> str:
    """`EDU 9, tax 2 1/4, cost 2, investment 6 of which 1/2 weighs: in the black by 6 1/4`."""
    exchange = budget.received - budget.sent
    parts = [f"EDU {budget.edu}", f"tax {as_points(budget.tax)}"]
    parts += [f"foreign exchange {exchange:+d}"] if budget.received or budget.sent else []
    parts += [f"cost {budget.cost}", f"investment {budget.investment} of which {share} weighs"]
    return f"{', '.join(parts)}: {_colour(budget.balance(share))}"


def _colour(balance: Fraction) -> str:
    if not balance:
        return "even"
    return f"in the {'black' if balance > 0 else 'red'} by {in_parts(int(abs(balance) * DEBT))}"


# ---------------------------------------------------------------- PREVIEW


def outlook_lines(seen: Outlook) -> Iterator[str]:
    """The budget, the new popular fund, what is still owed, and the confidence that each roll would bring."""
    yield f"{seen.country}'s budget would be {budget_in_words(seen.budget, seen.share)}."
    fund = f"Its popular fund would go from {as_points(seen.budget.fund)} to {as_points(seen.fund)}"
    owed = in_a_row([f"{in_parts(parts)} {what}" for parts, what in seen.owed])
    yield f"{fund}{f'; it would owe {owed}' if owed else ''}."
    if seen.band == "collapse":
        yield f"Confidence would be {seen.after[0]} after the collapse, whatever is rolled."
        return
    yield f"Confidence is {seen.confidence}. It would be {_by_roll(seen)}; a full day late is a roll of one less."


def _by_roll(seen: Outlook) -> str:
    """`8 on a roll of 2 or 3 (3 of 36), 9 on 4 or 5 (7 of 36) ...`."""
    told = []
    for value in dict.fromkeys(seen.after):
        rolls = [roll for roll, after in zip(ROLLS, seen.after, strict=True) if after == value]
        said = str(rolls[0]) if len(rolls) == 1 else f"{rolls[0]} to {rolls[-1]}"
        told.append(f"{value} on a roll of {said} ({sum(map(_ways, rolls))} of {WAYS})")
    return ", ".join(told)


# ---------------------------------------------------------------- doubts


def band_doubts(seen: Outlook) -> Iterator[Doubt]:
    """Debts that cannot be paid, and the chance of a band worse than the present one."""
    for parts, what in seen.owed:
        if what != "pay" and parts >= DEBT:
            missing = counted(parts // DEBT, "units")
            yield Doubt(f"{seen.country} would still owe {missing} of {what} that it does not have.", "emp.H-18")
    now = list(BANDS).index(band_of(seen.confidence))
    for band in list(BANDS)[: min(now, list(BANDS).index("normal"))]:
        ways = sum(_ways(roll) for roll, after in zip(ROLLS, seen.after, strict=True) if band_of(after) == band)
        if ways >= _WORTH_A_WORD:
            chance = f"In {ways} of {WAYS} rolls {seen.country} would be {_called(band)}"
            yield Doubt(f"{chance}; at its next turn {meaning_of(band)}.", "emp.H-16")


def _called(band: str) -> str:
    return band if band == "shaky" else f"in {'a ' if band == 'crisis' else ''}{band}"


def economy_told(happened: Sequence[Event], after: Empire) -> Iterator[str]:
    """A paragraph for each country whose budget was closed: what came in, what went out, and what confidence made of it."""
    for closed, roll, moved in _accounts(happened):
        yield " ".join((_earned(closed, moved), _felt(roll, moved), _stands(moved, after)))


def budgets_told(happened: Sequence[Event]) -> tuple[str, ...]:
    """The countries that have such a paragraph."""
    return tuple(closed.country for closed, _, _ in _accounts(happened))


def _accounts(happened: Sequence[Event]) -> Iterator[tuple[BudgetClosed, ConfidenceRolled, ConfidenceMoved]]:
    """A country's budget with the roll and the change of confidence that belong to it."""
    rolls = {event.country: event for event in happened if isinstance(event, ConfidenceRolled)}
    moved = {event.country: event for event in happened if isinstance(event, ConfidenceMoved)}
    for event in happened:
        if isinstance(event, BudgetClosed) and event.country in moved and event.country in rolls:
            yield event, rolls[event.country], moved[event.country]


def _earned(closed: BudgetClosed, moved: ConfidenceMoved) -> str:
    """Income and expenses as the balance counts them; the share of the investment is what is left of the sum."""
    booked, tax = closed.booked, Fraction(closed.tax, 4)
    weighs = booked.edu + tax + booked.exchange - booked.cost - Fraction(moved.balance, DEBT)
    ins = [f"{booked.edu} EDU", f"{as_points(closed.tax)} tax"]
    ins += [f"{booked.received} foreign exchange"] if booked.received else []
    share = f", {weighs * Fraction(1, booked.investment)} of each weighs" if booked.investment else ""
    outs = [f"{booked.cost} cost", f"{in_parts(int(weighs * DEBT))} for investment ({booked.investment} points{share})"]
    outs += [f"{booked.sent} foreign exchange"] if booked.sent else []
    balance = in_parts(abs(moved.balance))
    colour = f"{balance} in the {'black' if moved.balance > 0 else 'red'}" if moved.balance else "even"
    fund = f"The popular fund stands at {as_points(closed.fund)}."
    return f"{closed.country} took in {in_a_row(ins)} and spent {in_a_row(outs)}: it is {colour}. {fund} [{closed.cites()}]"


def _felt(roll: ConfidenceRolled, moved: ConfidenceMoved) -> str:
    parts = [f"the roll of {roll.entry()} gives {moved.luck:+d}", f"the economy {moved.economy:+d}"]
    parts += [f"losses and arms {moved.losses:+d}"] if moved.losses else []
    return f"{capital(in_a_row(parts))}: confidence {_went(moved)}. [{moved.cites()}]"


def _went(moved: ConfidenceMoved) -> str:
    if moved.before == moved.confidence:
        return f"stays at {moved.confidence}"
    return f"{'rises' if moved.confidence > moved.before else 'falls'} from {moved.before} to {moved.confidence}"


def _stands(moved: ConfidenceMoved, after: Empire) -> str:
    """The rights of the country next turn."""
    band = band_of(moved.confidence)
    if after.ended:
        return f"That is {band}."
    if band == "strong":
        points = max(0, moved.confidence - figure(after, "exchange", "above"))
        may = f"; it may send {counted(points, 'points')} of foreign exchange next turn" if points else ""
        return f"That is strong{may}."
    if band == "normal":
        return "That is normal."
    return f"That is {band}: at its next turn {meaning_of(band)}."
