"""Random players: they answer from the menus, file standing orders, and do at any time what a game allows then."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.core.choices import walk
from referee.core.event import Event
from referee.core.game import AnyGame, Game
from referee.core.names import Role, Seat
from referee.core.order import Intent, Order, Setting
from referee.core.question import Pace, Question, Source
from referee.core.record import Codec, Created, Record
from referee.core.stage import Ended, Waits
from referee.kit.declared import at_random
from referee.orders import understand
from tests.contract.effort import effort_of
from tests.match import Match, create, secret_of

SIZES = (2, 3, 4, 5, 6, 7, 8)


SAID = 8
"""Orders that a bot says where it files standing ones."""

MOST = 500
"""So many combinations of settings are all played, where a test plays each lawful pair once."""


@dataclass(frozen=True)
class Plan:
    """A game to be played: so many players, these options, this seed."""

    players: int
    options: tuple[tuple[str, str], ...]
    seed: int

    def __str__(self) -> str:
        said = "-".join(f"{name}={value}" for name, value in self.options)
        return f"{self.players}p-{said}-{self.seed}"


@dataclass(frozen=True)
class GameRecord:
    """A game that was played: its whole log, its phases and events, and each question with the state it was put in."""

    game: Game[Any]
    codec: Codec
    secret: bytes
    created: Created
    records: tuple[Record, ...]
    ended: tuple[Ended[Any], ...]
    events: tuple[Event, ...]
    asked: tuple[tuple[Question[Any], Any], ...]
    state: Any
    over: bool
    log: str
    waits: Waits


def readers(record: GameRecord) -> tuple[Seat | Role, ...]:
    """Everybody for whom a report is written."""
    return (*record.created.seats, Role.OBSERVER)


def briefest(played: Sequence[GameRecord], number: int) -> tuple[GameRecord, ...]:
    """So many games that were over soon, in the order played: for tests that look at one phase after another.

    They are as long as games commonly are; the longest, which take most of the time, say nothing else.
    """
    middle = sorted(len(record.ended) for record in played)[len(played) // 2]
    return tuple(record for record in played if len(record.ended) <= middle)[:number]


Pair = tuple[int, tuple[tuple[str, str], ...]]
"""So many players with these options."""


def plans(game: Game[Any], number: int | None = None, long: bool = False) -> Iterator[Plan]:
    """Games over all combinations of settings and 2 to 8 players; `number` None: each lawful pair once.

    The settings go round first, the number of players turning with them; before them come a few that see all of both. Where
    there are more than MOST combinations of settings, only of the first ones are all taken (_combinations). Of a game with
    slots to count the shortest are taken that show every value and every number of players between them, but for games of so many
    turns that only a `long` run plays them.
    """
    key = (game.name, game.settings)
    if key not in _LAWFUL:
        _LAWFUL[key] = _lawful(game)
    lawful = _LAWFUL[key]
    effort = effort_of(game.name)
    slots, most_turns = effort.slots, effort.most_turns
    if slots is not None and not (long and effort.long_ones):
        lawful = [pair for pair in lawful if long or not most_turns or _turns(pair) <= most_turns]
        lawful = _short_ones_that_show_all(lawful, number or len(lawful), slots)
    elif number is not None:
        cover = _cover(lawful)
        lawful = [*cover, *(pair for pair in lawful if pair not in cover)]
    count = len(lawful) if number is None else number
    for seed, (players, combination) in enumerate(itertools.islice(itertools.cycle(lawful), count)):
        yield Plan(players, combination, seed)


_LAWFUL: dict[tuple[str, tuple[Setting, ...]], list[Pair]] = {}
"""What was found of games asked for before."""


def _lawful(game: Game[Any]) -> list[Pair]:
    """Every lawful pair of a number of players and a combination of settings."""
    combinations = _combinations([[(setting.name, value) for value in setting.values] for setting in game.settings])
    random.Random(7).shuffle(combinations)
    pairs = [
        (SIZES[(index + turn) % len(SIZES)], combination)
        for turn in range(len(SIZES))
        for index, combination in enumerate(combinations)
    ]
    return [pair for pair in pairs if game.refuse_options(dict(pair[1]), pair[0]) is None]


def _combinations(values: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[tuple[str, str], ...]]:
    """All combinations of the first settings, up to MOST of them; the values of the others turn with them.

    Each of the others starts a value later when it has been round, so that its values meet all those of the rest.
    """
    first = next((n for n in range(len(values), 0, -1) if math.prod(map(len, values[:n])) <= MOST), 1)
    others = values[first:]
    return [
        (*combination, *(found[(index + index // len(found)) % len(found)] for found in others))
        for index, combination in enumerate(itertools.product(*values[:first]))
    ]


def _turns(pair: Pair) -> int:
    return int(dict(pair[1])["last_turn"])


def _slots(pair: Pair) -> int:
    return pair[0] * _turns(pair)


def _cover(pairs: Sequence[Pair], long: Callable[[Pair], float] = lambda _: 1) -> list[Pair]:
    """Few games that have everything at least once between them, each the first of those that add most for how `long` they are."""
    shown, cover = set[object](), list[Pair]()
    while any({pair[0], *pair[1]} - shown for pair in pairs):
        cover.append(max(pairs, key=lambda pair: len({pair[0], *pair[1]} - shown) / long(pair)))
        shown |= {cover[-1][0], *cover[-1][1]}
    return cover


def _short_ones_that_show_all(lawful: Sequence[Pair], number: int, slots: int) -> list[Pair]:
    """So many games that have everything at least once between them, most of about so many slots; the longest last."""
    cover = _cover(sorted(lawful, key=_slots), lambda pair: _slots(pair) ** 0.5)
    rest = [pair for pair in lawful if pair not in cover]
    chosen = [*cover, *sorted(rest, key=lambda pair: abs(_slots(pair) - slots))][:number]
    return sorted(chosen, key=_slots)


def a_choice(game: AnyGame, state: Any, seat: Seat, verb: str, rng: random.Random) -> Intent | None:
    """An order that random answers lead to, where there is one."""
    return walk(game.asking(state, seat, verb), at_random(rng.randrange, 3))


def intents_said(game: AnyGame, state: Any, seat: Seat, rng: random.Random, verbs: Iterable[str]) -> Iterator[Intent]:
    """What the examples of verbs mean to this seat now, with other numbers and other seats put in.

    Where that is nothing lawful, one of the choices there are; of a verb that may mean several kinds of order another one.
    """
    vocabulary, seats = game.vocabulary(state), game.living(state)
    examples = {verb.word: verb.example for verb in vocabulary.verbs}
    for verb in verbs:
        text = re.sub(r"\d+", lambda _: str(rng.randint(1, 4)), examples[verb])
        for name in seats:
            text = text.replace(name, rng.choice(seats))
        meant = understood(game, state, seat, text)
        if not isinstance(meant, Intent):
            meant = a_choice(game, state, seat, verb, rng)
        if isinstance(meant, Intent):
            yield meant
        if (book := getattr(game, "book", None)) is not None and book.orders[verb].shapes:
            other = a_choice(game, state, seat, verb, rng)
            if other is not None:
                yield other


def understood(game: AnyGame, state: Any, seat: Seat, line: str) -> Intent | object:
    """What a line means in a position, or why it means nothing."""
    order = understand(line, game.vocabulary(state))
    return game.bind(state, seat, order) if isinstance(order, Order) else order


def _record(match: Match, secret: bytes, waits: Waits) -> GameRecord:
    return GameRecord(
        match.game,
        match.codec,
        secret,
        match.created,
        tuple(match.records),
        tuple(match.ended),
        match.events,
        tuple(match.asked.values()),
        match.outcome.state,
        match.outcome.over,
        match.log(),
        waits,
    )


def play_bots(
    game: Game[Any], players: int, options: Mapping[str, str], seed: int, max_phases: int = 1000
) -> GameRecord:
    """Play a game with random bots, every choice from the seed."""
    rng = random.Random(seed)
    secret = secret_of(f"{game.name}/{seed}")
    everything = seed % 2 == 0

    def waits(question: Question[Any]) -> bool:
        return everything or question.pace is not Pace.REPLY

    match = Match(game, create(game, players, options, secret), secret, waits=waits)
    while not match.outcome.over and len(match.ended) < max_phases:
        _say_something(match, rng)
        if match.outcome.open:  # standing orders just filed may have answered the last question of the game
            question = rng.choice(match.outcome.open)
            match.answer(question, question.menu.sample(rng.randrange))
    return _record(match, secret, waits)


def _say_something(match: Match, rng: random.Random) -> None:
    """Now and then a bot acts out of turn or files standing orders."""
    if rng.random() > 0.2:
        return
    game, state = match.game, match.outcome.state
    seat = rng.choice(game.living(state))
    at_once = game.aside_verbs()
    verbs = [verb.word for verb in game.vocabulary(state).verbs]
    asides, others = [verb for verb in verbs if verb in at_once], [verb for verb in verbs if verb not in at_once]
    if asides and rng.random() < 0.7:
        said = intents_said(game, state, seat, rng, rng.sample(asides, len(asides)))
        aside = next((intent for intent in said if game.is_aside(intent)), None)
        if aside is not None:
            match.act(seat, aside)
    else:
        match.file(seat, "standing", *intents_said(game, state, seat, rng, rng.sample(others, min(SAID, len(others)))))


def play_silent(game: Game[Any], players: int, options: Mapping[str, str], seed: int, max_phases: int) -> GameRecord:
    """Play a game to which nobody ever writes."""
    secret = secret_of(f"{game.name}/silent/{seed}")
    match = Match(game, create(game, players, options, secret), secret)
    while not match.outcome.over and len(match.ended) < max_phases:
        question = match.outcome.open[0]
        match.answer(question, question.menu.default, Source.DEFAULT)
    return _record(match, secret, lambda _: True)
