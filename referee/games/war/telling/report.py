"""The report of a phase: what happened in plain order with every die, where everybody stands, and what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.core.event import Event, PhaseBegan
from referee.core.names import Reader, Seat
from referee.core.page import Block, Bullets, Grid, Heading, Note, Page, Paragraph
from referee.games.war.events.combat import (
    EXCHANGED,
    BattleEnded,
    FleetLost,
    FleetsMoved,
    OrderFellShort,
    UnitsLost,
    UnitsMoved,
)
from referee.games.war.events.course import AllianceEnded, AllianceJoined, GameEnded, PlayerEliminated
from referee.games.war.events.economy import BuildingBuilt, IncomeCollected, army_in_words
from referee.games.war.events.moving import NavalBattleEnded, PeaceMade, WarDeclared
from referee.games.war.events.natives import (
    RegionReverted,
    RegionTaken,
    RegionWesternized,
    RevoltBegan,
    RevoltSuppressed,
)
from referee.games.war.events.setup import RegionPicked
from referee.games.war.position.places import Feud
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import alliances_in_words
from referee.games.war.reckoning.scoring import points, tally
from referee.games.war.rulebook import BRIGADES, PARTIES
from referee.games.war.telling.sections import sections
from referee.kit.game import once_a_position
from referee.kit.reports import cited_once, standing
from referee.kit.wording import counted, in_a_row

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
    """What is worth a word in the summary."""
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
    """Who moved, when nothing else is to be told."""
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
    """What stands under each of the headings, by seat."""
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
