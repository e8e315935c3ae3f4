"""A game of written strategies through the stage: every slot is answered by its plan, every event comes of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256

import msgspec

from referee.core.chance import Chance, Keyed, commitment
from referee.core.names import Seat
from referee.core.position import start
from referee.core.question import Question, Source
from referee.core.record import Answered, Codec, Created, Record
from referee.core.stage import Ended, Outcome, Unsealed, resume
from referee.games.empire.bots.strategies import STRATEGIES, Strategy, orders
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.economy import ConfidenceMoved
from referee.games.empire.game import EmpireGame
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import QUARTERS
from referee.games.empire.reckoning.scoring import tally
from referee.games.empire.rulebook.kinds import KINDS

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


@cache
def _game() -> tuple[EmpireGame, Codec]:
    game = EmpireGame()
    return game, Codec(game.events, game.intents)


def _secret(seed: int, number: int) -> bytes:
    return sha256(f"simulate empire {seed} {number}".encode()).digest()


def _created(secret: bytes, turns: int, options: Mapping[str, str]) -> Created:
    game, _ = _game()
    chosen = {setting.name: setting.default for setting in game.settings} | dict(options) | {"last_turn": str(turns)}
    return Created(game.name, game.seat_players(((),) * PLAYERS, chosen, Keyed(secret, 0)), chosen, commitment(secret))


def play(seed: int, number: int, turns: int, options: Mapping[str, str] | None = None) -> tuple[Course, ...]:
    """Game `number` of a seed, to its last turn: a course for each strategy. Who sits where goes round with the number."""
    secret = _secret(seed, number)
    created = _created(secret, turns, options or {})
    plans = {seat: STRATEGIES[(at + number) % PLAYERS] for at, seat in enumerate(created.seats)}
    marks: dict[Seat, list[Mark]] = {seat: [] for seat in created.seats}
    last: Empire | None = None
    for ended in _phases(created, secret, plans):
        last = ended.after
        if ended.phase.key != f"T{ended.before.turn}/{ended.before.active}" or ended.before.active is None:
            continue
        marks[ended.before.active].append(_mark(ended, ended.before.active))
    assert last is not None
    final = {standing.seat: standing for standing in tally(last).standings}
    return tuple(
        Course(plan.name, tuple(marks[seat]), final[seat].score, final[seat].rank) for seat, plan in plans.items()
    )


def _phases(created: Created, secret: bytes, plans: Mapping[Seat, Strategy]) -> Iterator[Ended[Empire]]:
    """The phases of a game as they end."""
    game, codec = _game()
    dice: Chance = Keyed(secret, 0)
    position, tail = start(game, created), tuple[Record, ...]()
    inputs: tuple[Answered, ...] = ()
    while True:
        out: Outcome[Empire] = resume(game, codec, position, tail, inputs, Unsealed(dice), lambda _: False)
        yield from out.ended
        if out.over:
            return
        records = (*tail, *out.written)
        tail, position = records[out.position.count - position.count :], out.position
        (question,) = out.open
        inputs = (_answered(question, out.state, plans[question.seat]),)


def _answered(question: Question[tuple[object, ...]], empire: Empire, strategy: Strategy) -> Answered:
    sheet = orders(empire, question.seat, strategy)
    return Answered(question.key, question.seat, msgspec.Raw(question.menu.encode(sheet)), Source.PLAYER)


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
