"""What happened, in the order in which it happened, under the headings of the turn; battles round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.page import Block, Bullets, Grid, Heading
from referee.games.war.events.combat import (
    BattleBegan,
    BattleEnded,
    OrderFellShort,
    RoundFought,
    UnitsLost,
    UnitsMoved,
    UnitsRaised,
    Volley,
    moved_in_words,
)
from referee.games.war.events.course import OfferAccepted, OfferClosed, OfferMade, PointsGiven, StageBegan
from referee.games.war.events.economy import IncomeCollected, MarkerDrawn, MarkerSeen
from referee.games.war.events.moving import NavalBattleBrokenOff, NavalBattleEnded, NavalBattleJoined
from referee.games.war.events.natives import DiplomacyRolled, RevoltRolled
from referee.games.war.events.setup import PiecePlaced, RegionDealt, RegionPicked
from referee.games.war.rulebook import pieces_in_words
from referee.kit.wording import counted, in_a_row

_HEADINGS = (
    ("27.setup", "Set-up"),
    ("27.production.order", "Order of play"),
    ("27.production.income", "Income"),
    ("27.production.blockade", "Income"),
    ("27.production.maintain", "Maintenance"),
    ("27.production.natives", "Native diplomacy"),
    ("27.production.revolt", "Native diplomacy"),
    ("27.production.build", "Construction"),
    ("27.move.reinforce", "Reinforcement"),
    ("27.move.order", "Movement"),
    ("27.move.land", "Movement"),
    ("27.move.naval", "Movement"),
    ("27.move.carry", "Movement"),
    ("27.move.cede", "Movement"),
    ("27.combat.explorer", "Explorers"),
    ("27.combat.prospect", "Prospecting"),
    ("27.war", "War and peace"),
    ("27.victory", "The end"),
    ("27.opt.scorched", "Movement"),
    ("27.opt.interception", "Movement"),
    ("27.opt.alliances", "War and peace"),
    ("27.opt.random_regions", "Set-up"),
    ("27.opt.multiple_buildings.3", "Set-up"),
    ("27.opt.historical.setup", "Set-up"),
    ("27.opt.historical.powers", "Set-up"),
    ("27.opt.hidden_victory.1", "Set-up"),
    ("27.opt.hidden_victory", "The end"),
    ("27.opt.simultaneous.2", "Construction"),
    ("27.opt.simultaneous.3", "Native diplomacy"),
    ("27.opt.auction", "Order of play"),
    ("27.opt.suez.4", "Movement"),
    ("27.opt.suez", "Construction"),
    ("17.setup", "Set-up"),
    ("17.turn.2", "Order of play"),
    ("17.production.build", "Construction"),
    ("17.production", "Income"),
    ("17.move", "Movement"),
    ("17.explore", "Exploration"),
    ("17.war", "War and peace"),
    ("17.victory", "The end"),
    ("R17-11", "The end"),
    ("core.ruling", "Rulings of the game master"),
)
"""Headings by the beginning of the rule that an event applies; what has none stays where the story is."""

_STORY = {
    "MarkerDrawn", "MarkerSeen", "ChitDrawn", "SpherePlaced", "SpheresRemoved", "RegionTaken", "RegionReverted",
    "DiplomacyGained", "UnitsLost", "UnitsRaised", "FleetLost", "RevoltBegan", "CessionTaken", "RegionGained", "ChitKept",
}  # fmt: skip
"""Events that follow from the one before them, whatever rule they apply; UnitsLost and SpheresRemoved may open Maintenance
and Native diplomacy."""

_OPENING = ("27.production.maintain", "27.production.natives")
_OFFERS = (OfferMade, OfferAccepted, OfferClosed, PointsGiven)
_BEGIN = (BattleBegan, NavalBattleJoined)
_END = (BattleEnded, NavalBattleEnded, NavalBattleBrokenOff)
_ECHOES = (
    "27.combat.land.1", "27.combat.naval.1", "27.combat.explorer.3", "17.combat.naval.1", "17.tactical.4", "17.tactical.9",
    "17.tactical.12", "17.explore.1", "17.production.blockade.1", "R17-11",
)  # fmt: skip
"""Dice that the round told next shows whole."""


_SAID_BEFORE: Mapping[str, tuple[str, ...]] = {
    "UnitsLost": ("27.combat.explorer.3", "17.tactical.4"),
    "UnitsRaised": ("R27-73",),
}
"""Units that come and go as the line before them says: an explorer killed, the brigade in his place, one that a blow struck."""


def sections(told: Sequence[Event]) -> Iterator[Block]:
    """Headings with what happened under them, in order; income as a table."""
    for heading, happened in _gathered(told):
        incomes = [event for event in happened if isinstance(event, IncomeCollected)]
        lines = [line for run in _runs(happened) for line in run]
        if incomes or lines:
            yield Heading(heading)
        yield from (_income(event) for event in incomes)
        if lines:
            yield Bullets(tuple(lines))


def _runs(happened: Sequence[Event]) -> Iterator[Sequence[str]]:
    """The lines of what happened; picks and placements, made in turns, gathered for each player."""
    told = (event for event in happened if not isinstance(event, IncomeCollected))
    # Marches and the markers that they turn up are one family.
    for kind, run in groupby(told, lambda e: UnitsMoved if isinstance(e, (UnitsMoved, MarkerDrawn)) else type(e)):
        events = tuple(run)
        if issubclass(kind, RegionPicked):
            yield _picks([event for event in events if isinstance(event, RegionPicked)])
        elif kind is UnitsMoved:
            yield _marches([event for event in events if isinstance(event, UnitsMoved)])
            drawn = [event for event in events if isinstance(event, MarkerDrawn)]
            row = f"{in_a_row([event.region for event in drawn])} draw native markers, face down."
            yield [f"{row} [{drawn[0].cites()}]"] if len(drawn) > 1 else [event.cited() for event in drawn]
        elif issubclass(kind, UnitsLost):
            yield _fallen([event for event in events if isinstance(event, UnitsLost)])
        elif issubclass(kind, PiecePlaced):
            yield _placements([event for event in events if isinstance(event, PiecePlaced)])
        else:
            yield [line for event in events for line in items(event)]


def _picks(events: Sequence[RegionPicked]) -> list[str]:
    """`Red picks Egypt, India and China, in turns with the others; 1 infantry stands in each.`"""
    regions = {seat: [e.region for e in events if e.seat == seat] for seat in dict.fromkeys(e.seat for e in events)}
    dealt = isinstance(events[0], RegionDealt)
    how = "by card" if dealt else "in turns with the others"
    how, verb = f"{how}; 1 infantry stands in each", "is dealt" if dealt else "picks"
    return [f"{seat} {verb} {in_a_row(picked)}, {how}. [{events[0].cites()}]" for seat, picked in regions.items()]


def _placements(events: Sequence[PiecePlaced]) -> list[str]:
    """`Red places 2 infantry and 1 city in Egypt; 1 fleet in Red Sea.`"""
    lines = []
    for seat in dict.fromkeys(event.seat for event in events):
        places: dict[str, Counter[str]] = {}
        for event in events:
            if event.seat == seat:
                places.setdefault(event.place, Counter())[event.kind] += 1
        placed = [f"{pieces_in_words(lots.items())} in {name}" for name, lots in places.items()]
        lines.append(f"{seat} places {'; '.join(placed)}. [{events[0].cites()}]")
    return lines


def _fallen(events: Sequence[UnitsLost]) -> list[str]:
    """`Red loses 1 infantry, Blue 4 infantry in France: hits of round 1.`: one line for what one cause took in one place."""
    lines = []
    for _, run in groupby(events, lambda e: (e.region, e.why, e.cites())):
        together = tuple(run)
        lost: dict[str, list[str]] = {}
        for event in together:
            if items(event):
                lost.setdefault(event.lost.owner, []).append(str(event.lost))
        told = [
            f"{owner}{' loses' if n == 0 else ''} {in_a_row(units)}" for n, (owner, units) in enumerate(lost.items())
        ]
        if told:
            first = together[0]
            lines.append(f"{', '.join(told)} in {first.region}: {first.why}. [{first.cites()}]")
    return lines


def _marches(events: Sequence[UnitsMoved]) -> list[str]:
    """`Red: 5 infantry and 1 leader move from Egypt to Sudan; 1 explorer moves to Kenya.`: one line for each origin."""
    lines = []
    for _, run in groupby(events, lambda e: (e.before.owner, e.origin, e.how, e.cites())):
        together = tuple(run)
        parties = [tuple(party) for _, party in groupby(together, lambda e: e.target)]
        lines.append(f"{moved_in_words(parties)} [{together[0].cites()}]")
    return lines


def items(event: Event) -> tuple[str, ...]:
    """An event in one sentence with its rule, a round of battle in one for each side; nothing for what need not be told."""
    if isinstance(event, (PhaseBegan, PhaseEnded, Drawn, StageBegan, OrderFellShort)):
        return ()
    if isinstance(event, Rolled) and event.by_rule in _ECHOES:
        return ()
    if isinstance(event, (UnitsLost, UnitsRaised)) and event.cites() in _SAID_BEFORE[type(event).__name__]:
        return ()
    if isinstance(event, RoundFought):
        return tuple(f"Round {event.round}, {_volley(volley)} [{event.cites()}]" for volley in event.volleys)
    return (event.cited(),) if event.sentence() else ()


def _volley(volley: Volley) -> str:
    """`Red: 4 6 2, each +2 (general +1, more schools +1): 1 hit`."""
    made = f" ({', '.join(f'{why} {value:+d}' for why, value in volley.lines)})" if volley.lines else ""
    thrown = f"{_faces(volley.faces)}, each {volley.drm:+d}{made}" if volley.faces else f"{volley.drm:+d}{made}"
    landed = volley.drm - volley.landed
    beach = f"; put ashore: {_faces(volley.landed_faces)}, each {landed:+d}" if volley.landed_faces else ""
    return f"{volley.who or 'natives'}: {thrown}{beach}: {counted(volley.hits, 'hits')}."


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _income(event: IncomeCollected) -> Grid:
    rows = tuple((line.what, line.amount, line.rule) for line in event.lines)
    total = (f"Together, and {event.dp} DP" if event.dp else "Together", event.pp, event.cites())
    return Grid(("Source", "PP", "Rule"), rows, f"Income of {event.seat}", total)


# headings


def heading_of(event: Event) -> str:
    """The heading that an event opens, "" where it belongs to what is going on."""
    if isinstance(event, _OFFERS):
        return "Offers and gifts"
    if isinstance(event, BattleBegan):
        return f"Battle of {event.region}"
    if isinstance(event, NavalBattleJoined):
        return f"Naval battle in {event.sea}"
    rule = event.cites()
    if type(event).__name__ in _STORY and not rule.startswith(_OPENING):
        return ""
    return next((heading for start, heading in _HEADINGS if rule.startswith(start)), "")


def _gathered(told: Sequence[Event]) -> list[tuple[str, list[Event]]]:
    """Runs of events under one heading. What happens within a battle stays with it, asides of players excepted."""
    gathered: list[tuple[str, list[Event]]] = []
    current, fighting = "", ""
    for event in told:
        echo = isinstance(event, Rolled) and event.by_rule in _ECHOES  # opens its heading, though another line tells it
        if not (echo or items(event) or isinstance(event, IncomeCollected)):
            continue
        opened = isinstance(event, _BEGIN)
        within = fighting and not opened and not isinstance(event, _OFFERS)
        heading = fighting if within else heading_of(event) or current or "What happened"
        if heading != current or opened:
            gathered.append((heading, _shown_for(event, gathered)))
        gathered[-1][1].extend(() if echo else (event,))
        current = heading
        fighting = heading if opened else "" if isinstance(event, _END) else fighting
    return gathered


def _shown_for(event: Event, gathered: list[tuple[str, list[Event]]]) -> list[Event]:
    """The marker that was turned up for a battle, taken from what went before it."""
    if not (isinstance(event, BattleBegan) and gathered and gathered[-1][1]):
        return []
    last = gathered[-1][1][-1]
    return [gathered[-1][1].pop()] if isinstance(last, MarkerSeen) and last.region == event.region else []


def battles(told: Sequence[Event]) -> tuple[tuple[str, tuple[Event, ...]], ...]:
    """Every battle, explorer's roll and revolt roll, each with all that happened in it, in order."""
    return tuple(
        (heading, tuple(happened))
        for heading, happened in _gathered(told)
        if heading.startswith(("Battle of", "Naval battle in"))
        or any(isinstance(event, (DiplomacyRolled, RevoltRolled)) for event in happened)
    )
