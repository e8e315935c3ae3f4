"""The report of a phase: what happened in plain order with every die, battles round by round, where everybody stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from referee.core.event import Drawn, Event, PhaseBegan, PhaseEnded, Rolled
from referee.core.names import Reader, Seat
from referee.core.page import Block, Bullets, Grid, Heading, Note, Page, Paragraph
from referee.games.war.events.combat import (
    EXCHANGED,
    BattleBegan,
    BattleEnded,
    FleetLost,
    FleetsMoved,
    OrderFellShort,
    RoundFought,
    UnitsLost,
    UnitsMoved,
    UnitsRaised,
    Volley,
    moved_in_words,
)
from referee.games.war.events.course import (
    AllianceEnded,
    AllianceJoined,
    GameEnded,
    OfferAccepted,
    OfferClosed,
    OfferMade,
    PiecePlaced,
    PlayerEliminated,
    PointsGiven,
    RegionDealt,
    RegionPicked,
    StageBegan,
)
from referee.games.war.events.economy import BuildingBuilt, IncomeCollected, MarkerDrawn, MarkerSeen, army_in_words
from referee.games.war.events.moving import (
    NavalBattleBrokenOff,
    NavalBattleEnded,
    NavalBattleJoined,
    PeaceMade,
    WarDeclared,
)
from referee.games.war.events.natives import (
    DiplomacyRolled,
    RegionReverted,
    RegionTaken,
    RegionWesternized,
    RevoltBegan,
    RevoltRolled,
    RevoltSuppressed,
)
from referee.games.war.position import Feud
from referee.games.war.position.state import War
from referee.games.war.reckoning import alliances_in_words
from referee.games.war.reckoning.scoring import points, tally
from referee.games.war.rulebook import BRIGADES, PARTIES, pieces_in_words
from referee.kit.declared import once_a_position
from referee.kit.reports import cited_once, standing
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- sections
# The events in their order, under the headings of the turn; battles round by round.


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
    ("27.opt.multiple_buildings", "Set-up"),
    ("27.opt.historical.setup", "Set-up"),
    ("27.opt.historical.powers", "Set-up"),
    ("27.opt.hidden_victory.1", "Set-up"),
    ("27.opt.hidden_victory", "The end"),
    ("27.opt.simultaneous.3", "Native diplomacy"),
    ("27.opt.simultaneous", "Construction"),
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
    BattleBegan.rule, "27.combat.naval.1", DiplomacyRolled.rule, "17.combat.naval.1", "17.tactical.4", "17.tactical.9",
    "17.tactical.12", "17.explore.1", "17.production.blockade.1", "R17-11",
)  # fmt: skip
"""Dice that the round told next shows whole."""


_SAID_BEFORE: Mapping[str, tuple[str, ...]] = {
    "UnitsLost": (DiplomacyRolled.rule, "17.tactical.4"),
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
    """Runs of events under one heading. The events within a battle stay with it, asides of players excepted."""
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


_DEEDS = 4
"""So many things a summary names before it counts the rest."""


def report(before: War, happened: Sequence[Event], after: War, reader: Reader) -> Page:
    """The page of one phase of the match, from what this reader was told of it."""
    return page(before, happened, after, reader, _deeds(happened))


def page(before: War, happened: Sequence[Event], after: War, reader: Reader, deeds: Sequence[str]) -> Page:
    """The same in any edition, which says what `deeds` its summary is made of."""
    titles = [event.title for event in happened if isinstance(event, PhaseBegan)]
    story = tuple(sections(happened)) or (Paragraph("Nothing happened that can be seen."),)
    failures = (Note(e.cited(), "warning") for e in happened if isinstance(e, OrderFellShort))  # not to be overlooked
    blocks = (*failures, *story, *_standing(before, after), *_meaning(before, after, reader))
    ends = [event.sentence() for event in happened if isinstance(event, GameEnded)]
    summary = _in_short(deeds or _moves(happened), ends, before)
    return Page(titles[0] if titles else "War!", summary, tuple(cited_once(blocks)))


def recount(happened: Sequence[Event]) -> tuple[str, ...]:
    """A phase under way in lines: what could not be done, then what happened, each income by its total."""
    failed = [event.cited() for event in happened if isinstance(event, OrderFellShort)]
    incomes = [event.cited() for event in happened if isinstance(event, IncomeCollected)]
    story = [line for block in sections(happened) if isinstance(block, Bullets) for line in block.items]
    return (*failed, *incomes, *story)


# the summary


def _deeds(happened: Sequence[Event]) -> list[str]:
    """Incomes, buildings and picks by their number, then what happened, and the losses."""
    incomes = [f"{event.seat} {event.pp} PP" for event in happened if isinstance(event, IncomeCollected)]
    built = sum(isinstance(event, BuildingBuilt) for event in happened)
    picks = [event.seat for event in happened if isinstance(event, RegionPicked)]
    settled = {event.region for event in happened if isinstance(event, (RegionTaken, RegionReverted))}
    fought = [e for e in happened if not (isinstance(e, BattleEnded) and (e.region in settled or e.winner == e.loser))]
    return [
        *([f"Income: {in_a_row(incomes)}"] if incomes else []),
        *([f"{counted(built, 'buildings')} built"] if built else []),
        *([f"{in_a_row(list(dict.fromkeys(picks)))} pick {len(picks)} regions"] if picks else []),
        *(deed for event in fought if (deed := _deed(event))),
        *losses(happened),
    ]


def _in_short(deeds: Sequence[str], ends: Sequence[str], before: War) -> str:
    """The first deeds in a sentence, the rest as a number, then how the match ended."""
    deeds = _together(deeds)
    left = len(deeds) - _DEEDS
    shown = [*deeds[:_DEEDS], f"and {counted(left, 'more things')}"] if left > 1 else deeds
    if shown:
        said = "; ".join(shown)
        return " ".join((f"{said[:1].upper()}{said[1:]}.", *ends))
    return ends[0] if ends else f"{before.active or 'Everybody'} keeps quiet."


_WINS = re.compile(r"(.+ wins over )(.+?)( from its natives)?")


def _together(deeds: Sequence[str]) -> list[str]:
    """Regions that one player wins over one after the other stand in one deed: `Red wins over Sudan, Kenya and Kongo`."""
    told: list[str] = []
    for who, run in groupby(deeds, lambda deed: found[1] if (found := _WINS.fullmatch(deed)) else deed):
        won = [found[2] for deed in run if (found := _WINS.fullmatch(deed))]
        told.append(f"{who}{in_a_row(won)}" if won else who)
    return told


def _deed(event: Event) -> str:
    """The event in the words of the summary, where it is worth one."""
    match event:
        case RegionTaken(seat=seat, region=region, before=whose, how=how):
            verb = {"conquest": "conquers", "explorer": "wins over", "cession": "is ceded", "alliance": "takes over"}[
                how
            ]
            return f"{seat} {verb} {region}" + (f" from {whose}" if whose and how == "conquest" else "")
        case BattleEnded(region=region, winner=None, loser=loser) if loser:
            return f"the natives beat {loser} in {region}"
        case BattleEnded(region=region, winner=winner, loser=loser) if loser:
            return f"{winner} beats {loser} in {region}"
        case NavalBattleEnded(sea=sea, winner=winner) if winner:
            return f"{winner} wins at sea in {sea}"
        case RegionReverted(region=region, owner=owner):
            return f"{owner} loses {region} to its natives"
        case RevoltBegan(region=region, owner=owner):
            return f"{region} ({owner}) revolts"
        case WarDeclared() | PeaceMade() | RevoltSuppressed() | PlayerEliminated() | AllianceJoined() | AllianceEnded():
            return event.sentence().rstrip(".")
        case RegionWesternized(region=region):
            return f"{region} is westernized"
        case _:
            return ""


def _moves(happened: Sequence[Event]) -> list[str]:
    """The players who moved, when nothing else is to be told."""
    marched = dict.fromkeys(e.before.owner for e in happened if isinstance(e, UnitsMoved) and e.how == "march")
    sailed = dict.fromkeys(event.owner for event in happened if isinstance(event, FleetsMoved))
    return [f"{seat} marches" for seat in marched] + [f"{seat} sails" for seat in sailed]


def losses(happened: Sequence[Event]) -> list[str]:
    """How many units everybody lost, if anybody lost one."""
    lost: dict[Seat, int] = {}
    for event in happened:
        if isinstance(event, UnitsLost) and event.why != EXCHANGED:
            lost[event.lost.owner] = lost.get(event.lost.owner, 0) + event.lost.number
        elif isinstance(event, FleetLost):
            lost[event.owner] = lost.get(event.owner, 0) + 1 + sum(load.number for load in event.cargo)
    parts = [f"{seat} {number}" for seat, number in lost.items()]
    return [f"units lost: {in_a_row(parts)}"] if parts else []


# where everybody stands


def _standing(before: War, after: War) -> Iterator[Block]:
    yield Heading("Where everybody stands")
    first = before.stage == "setup"  # there was nothing before
    now = {_name(after, seat): _figures(after)[seat] for seat in after.order}
    was = now if first else {_name(after, seat): _figures(before)[seat] for seat in after.order}
    columns = _FIGURES if after.diplomatic else _FIGURES[:-1]
    yield from standing((columns,), was, now, first or bool(after.ended), "At the start" if first else "")
    if after.ended:
        places = tuple((s.rank, s.seat, s.score, s.how) for s in tally(after).standings)
        yield Grid(("Place", "Player", "VP", "Made of"), places, "Final standings")


_FIGURES = ("VP", "Regions", "Built", "Brigades", "Parties", "Fleets", "PP", "DP")


@once_a_position(keep=32)
def _figures(war: War) -> dict[Seat, dict[str, int]]:
    """The figures below each of the headings, by seat."""
    found: dict[Seat, dict[str, int]] = {}
    for seat in war.order:
        own, forces, hand = war.regions_of(seat), war.forces_of(seat), war.treasuries[seat]
        built = sum(len(land.buildings) for land in own)
        brigades, parties = (sum(forces.get(kind, 0) for kind in kinds) for kinds in (BRIGADES, PARTIES))
        values = (points(war, seat), len(own), built, brigades, parties, forces.get("fleet", 0), hand.pp, hand.dp)
        found[seat] = dict(zip(_FIGURES, values, strict=True))
    return found


def _name(war: War, seat: Seat) -> str:
    return f"{seat} (out)" if seat in war.out else seat


# what it means


def _meaning(before: War, war: War, reader: Reader) -> Iterator[Block]:
    """Revolts to be fought, wars that have begun or now may be fought, who is near his end, and whose share comes next."""
    for land in war.lands.values():
        if land.revolt and land.owner:
            army = army_in_words(land.revolt)
            text = f"{land.name} is in revolt: {land.owner} fights {army} there in his next combat phase."
            yield Note(text, "warning" if land.owner == reader else "hint")
    yield from (Note(feud_in_words(feud), "hint") for feud in war.feuds if feud not in before.feuds)
    yield from (Note(sentence, "hint") for sentence in alliances_in_words(war))
    for seat in war.living:
        held = len(war.regions_of(seat))
        if war.stage != "setup" and not war.lasting and not war.ended and held <= 2:
            text = f"{seat} holds only {counted(held, 'regions')}; when a player has none left the game ends with the round."
            yield Note(text, "warning")
    if war.stage == "movement" and war.active:
        then = f", then {in_a_row(war.waiting)}" if war.waiting else ""
        yield Paragraph(f"Next: {war.active}{then}.")
    elif war.stage == "production":
        yield Paragraph(f"Next: production of turn {war.turn}.")


def feud_in_words(feud: Feud) -> str:
    """`Red and Blue are at war; Blue may attack only from his next turn to move.`"""
    declarer, victim = feud.declarer, feud.victim
    waiting = [seat for seat in (declarer, victim) if seat not in feud.ready]
    who = "neither may attack before his" if len(waiting) == 2 else f"{in_a_row(waiting)} may attack only from his"
    attack = f"; {who} next turn to move" if waiting else ""
    return f"{declarer} and {victim} are at war{attack}."
