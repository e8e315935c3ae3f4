"""The story of a slot: what happened in order under the parts of a turn, with what many units did alike told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.page import Block, Bullets, Heading
from referee.games.empire.events.cargo import GoodsLoaded, GoodsUnloaded, UnitBoarded
from referee.games.empire.events.course import ConfidenceRolled, OrderRefused, SlotCame
from referee.games.empire.events.moving import StatusChanged, UnitMoved
from referee.games.empire.events.supply import CooliesBorn, OutputAppeared, PersonDied, SquareInvested, SquareTaken
from referee.games.empire.rulebook.kinds import plural
from referee.kit.stock import more
from referee.kit.wording import are, capital, counted, in_a_row, stock_in_words

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
"""What the title, the top and the last line of a report say."""


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
    """`coolie 4`, `4 coolies (4, 5, 6 and 9)`."""
    if len(numbers) == 1:
        return f"{kind} {numbers[0]}"
    return f"{len(numbers)} {plural(kind)} ({in_a_row([str(number) for number in numbers])})"


_GOINGS = (UnitMoved, StatusChanged, UnitBoarded)
"""Events of units on their way, which many share though each goes all its way before the next."""


def _went(run: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> Iterator[str]:
    """What several units of a kind did alike is told once, and where they went from one square in one line."""
    for _, groups in groupby(_together(run), _setting_out):
        parties = list(groups)
        yield _alike_told(parties[0]) if len(parties) == 1 else _parted(parties)


def _setting_out(group: Sequence[UnitMoved | StatusChanged | UnitBoarded]) -> object:
    """What units have in common that went from one square to several; nothing else is like another."""
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
    """What a unit did, in the words of its event, without its name."""
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
    return _each([event for event in run if event.by_rule != "emp.P3"])


_TOLD_BY_WHAT_FOLLOWS = ("emp.H-28", "emp.H-31", "emp.H-32", "emp.H-33")
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
    **dict.fromkeys(_GOINGS, _went),
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
