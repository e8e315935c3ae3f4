"""What a turn has changed, gathered from its events, so that the board can show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from referee.core.event import Event
from referee.games.newworld.events.base import OpenEvent
from referee.games.newworld.events.cards import ColonyClaimed, TechnologyAdvanced
from referee.games.newworld.events.economy import ArmiesRaised, FleetsBuilt
from referee.games.newworld.events.fortunes import ColonyRevolted, EventCame, UnitsLost
from referee.games.newworld.events.war import ArmiesMoved, AttackLaunched, TerritoryTaken
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import EUROPE


class Battle(NamedTuple):
    """Who attacked whom: a seat, `rebels` or `neutral`."""

    region: str
    seat: str
    foe: str


class News(msgspec.Struct):
    """Territories that changed hands or rose, by number; units more or less; battles; levels; what was done."""

    seat: str = ""
    lit: set[int] = set()
    armies: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    fleets: Counter[str] = msgspec.field(default_factory=Counter)
    battles: list[Battle] = []
    levels: set[tuple[str, str]] = set()
    deeds: list[str] = []


def news_of(world: World, events: Sequence[Event]) -> News:
    """What these events, the last of which led to a position, have changed."""
    news = News()
    claims = sum(isinstance(event, ColonyClaimed) for event in events)
    news.lit.update(range(len(world.territories) - claims + 1, len(world.territories) + 1))
    for event in events:
        match event:
            case EventCame(seat=seat):
                news.seat = seat
            case TerritoryTaken(number=number) | ColonyRevolted(number=number):
                news.lit.add(number)
            case AttackLaunched(seat=seat, foe=foe, region=region):
                news.battles.append(Battle(region, seat, foe))
            case TechnologyAdvanced(seat=seat, technology=technology):
                news.levels.add((seat, technology))
            case _:
                _count(news, event)
        if isinstance(event, OpenEvent) and event.deed():
            news.deeds.append(event.deed())
    return news


def _count(news: News, event: Event) -> None:
    """Units that came, went and were lost."""
    match event:
        case ArmiesRaised(seat=seat, amount=amount):
            news.armies[seat, EUROPE] += amount
        case FleetsBuilt(seat=seat, amount=amount):
            news.fleets[seat] += amount
        case ArmiesMoved(seat=seat, amount=amount, origin=origin, target=target):
            news.armies[seat, origin] -= amount
            news.armies[seat, target] += amount
        case UnitsLost(seat=seat, fleets=fleets, armies=armies):
            news.fleets[seat] -= fleets
            for region, number in armies.items():
                news.armies[seat, region] -= number
        case _:
            pass
