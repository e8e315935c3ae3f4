"""A game of written strategies on the bare stage: every slot is answered by its plan, every event comes of the rules."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.stage import Ended
from referee.games.empire.bots.strategies import STRATEGIES, orders
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.economy import ConfidenceMoved
from referee.games.empire.game import GAME
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.conditions import tally
from referee.games.empire.rulebook.kinds import KINDS
from referee.kit.bare_stage import Bare
from tests.match import create, secret_of

PLAYERS = len(STRATEGIES)
"""One seat for each strategy."""


class Mark(msgspec.Struct, frozen=True):
    """A country after its roll: confidence, popular fund in points, cities, military units, regular coolies, lines refused.

    `economy` and `losses` are what the budget, and arms, hunger and cities lost did to confidence in the turn (H-15).
    """

    turn: int
    confidence: int
    fund: int
    cities: int
    military: int
    coolies: int
    economy: int
    losses: int
    refused: int


class Course(msgspec.Struct, frozen=True):
    """What became of one strategy in a game: turn by turn, its final points and place (equals share one)."""

    strategy: str
    marks: tuple[Mark, ...]
    points: int
    place: int


def play(seed: int, number: int, turns: int, options: Mapping[str, str] | None = None) -> tuple[Course, ...]:
    """Game `number` of a seed, to its last turn: a course for each strategy. Who sits where goes round with the number."""
    secret = secret_of(f"simulate empire {seed} {number}")
    created = create(GAME, PLAYERS, {**(options or {}), "last_turn": str(turns)}, secret)
    plans = {seat: STRATEGIES[(at + number) % PLAYERS] for at, seat in enumerate(created.seats)}
    stage = Bare(GAME, created, Keyed(secret, 0))
    while stage.open:
        (question,) = stage.open
        stage.answer(question, orders(stage.state, question.seat, plans[question.seat]))
    marks: dict[Seat, list[Mark]] = {seat: [] for seat in created.seats}
    for ended in stage.ended:
        seat = ended.before.active
        if seat is not None and ended.phase.key == f"T{ended.before.turn}/{seat}":
            marks[seat].append(_mark(ended, seat))
    final = {standing.seat: standing for standing in tally(stage.state).standings}
    return tuple(
        Course(plan.name, tuple(marks[seat]), final[seat].score, final[seat].rank) for seat, plan in plans.items()
    )


def _mark(ended: Ended[Empire], seat: Seat) -> Mark:
    empire, own = ended.after, [country for country in ended.after.countries.values() if country.owner == seat]
    names = [country.name for country in own]
    moved = [event for event in ended.events if isinstance(event, ConfidenceMoved) and event.country == seat]
    return Mark(
        ended.before.turn,
        empire.countries[seat].confidence,
        sum(country.popular_fund for country in own) // QUARTERS,
        sum(city.country in names for city in empire.cities.values()),
        sum(unit.country in names and KINDS[unit.kind].military for unit in empire.units.values()),
        sum(len(empire.units_of(name, "coolie")) for name in names),
        sum(event.economy for event in moved),
        sum(event.losses for event in moved),
        sum(isinstance(event, OrderRefused) for event in ended.events),
    )
