"""Where a match can stand still: every kind of question a game asks, and the shortest match of bots that comes to it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core import record
from referee.core.chance import commitment
from referee.core.choices import Pick
from referee.core.game import Completes, Game
from referee.core.names import Seat
from referee.core.question import Pace, Question, Source
from referee.core.record import Answered, Created, Record, seal
from referee.core.stage import Outcome, Waits, resume
from referee.service.base.ports import MatchRow
from referee.service.base.times import iso
from referee.service.match.sealing import Seals, Writing, lots, pledge
from tests.contract.bots import Plan, plans
from tests.match import Match, codec_of, secret_of
from tests.world import BEGINS

GAMES_TRIED = {"newworld": 60, "war27": 60, "war17": 60, "empire": 16}
"""So many matches of bots are looked through for the kinds of question that a game has."""

MOST_RECORDS = 420
"""A kind of question that no bot is asked within so many records of a log is left out."""


LATER = 6
"""After so many phases orders are a kind of their own: of a match in the middle, with reports behind it."""

LONGEST = 6_000
"""So many records a finished match may have."""

_OF_ONE_KIND = ("27.opt.simultaneous.2",)
"""Rules that ask alike of every unit and building, whose names are the questions' words."""


class Stop(msgspec.Struct, frozen=True):
    """A match of bots up to where questions of these `kinds` are open, each with its pace: `length` records, by `answers`.

    Its log ends with the entry of the hash `head`, if it has this `name`.
    """

    name: str
    game: str
    players: int
    options: dict[str, str]
    secret: bytes
    answers: tuple[Answered, ...]
    kinds: dict[str, str]
    length: int
    head: str


def kind_of(question: Question[Any], seats: Sequence[Seat]) -> str:
    """The rule that asks, and the question's own word: its key without seats, places and numbers."""
    if question.rule in _OF_ONE_KIND:
        return question.rule
    part = next(part for part in reversed(question.key.split("/")) if part not in seats)
    words = re.sub(r"\d+", "#", part).split()
    return " ".join([question.rule, *(word for word in words if not word[0].isupper())])


def waited_for(options: Mapping[str, str], question: Question[Any]) -> bool:
    """Whether the service mails such a question in a match with these options."""
    return options.get("mode") == "two_step" or "decisions" in options or question.pace is not Pace.REPLY


def asked_in_the_middle(plan: Plan) -> dict[str, str]:
    """The options of a plan, with every decision in the middle of a turn mailed."""
    asking = {"decisions": "interactive", "mode": "two_step"}
    return {name: asking.get(name, value) for name, value in plan.options}


def stops(game: Game[Any]) -> tuple[Stop, ...]:
    """A match for each kind of question, the shortest found; one that shows several kinds at once stands for all of them.

    Each is of bots of its own: two that stopped at different moments would have one name, and so one log.
    """
    found: list[Stop] = []
    for plan in plans(game, GAMES_TRIED[game.name], long=True):
        options = asked_in_the_middle(plan)
        if game.refuse_options(options, plan.players) is None:
            for stop in _on_the_way(game, plan.players, options, plan.seed):
                found.append(stop)
    shown = Counter(kind for stop in found for kind in stop.kinds)
    chosen: dict[str, Stop] = {}
    for kind in sorted(shown, key=lambda kind: (shown[kind], kind)):  # what few have first
        if not any(kind in stop.kinds for stop in chosen.values()):
            free = [stop for stop in found if kind in stop.kinds and stop.name not in chosen]
            best = min(free, key=lambda stop: (stop.length, stop.name), default=None)
            chosen |= {best.name: best} if best else {}
    return tuple(sorted(chosen.values(), key=lambda stop: (stop.length, stop.name)))


def _on_the_way(game: Game[Any], players: int, options: dict[str, str], seed: int) -> Iterator[Stop]:
    """A match of bots at each of its kinds of question, when it comes to it first."""
    secret, pick = secret_of(f"lifetimes {game.name} {seed}"), random.Random(seed).randrange
    name = f"{game.name}-{seed}"
    match = Logged(game, players, options, secret, name, lambda q: waited_for(options, q))
    seen: set[str] = set()
    answers: list[Answered] = []
    while not match.outcome.over and len(match.records) < MOST_RECORDS:
        kinds = dict(_kinds(match))
        if set(kinds) - seen:
            seen |= set(kinds)
            yield Stop(
                name, game.name, players, options, secret, tuple(answers), kinds, len(match.records), match.head.hash
            )
        answers.append(_picked(match, pick))
        match.run(answers[-1])


def shortest_game(game: Game[Any]) -> Stop:
    """The shortest of the bots' games that came to its end."""
    ends: list[Stop] = []
    for plan in plans(game, GAMES_TRIED[game.name], long=True):
        found = _to_the_end(game, plan, min((end.length for end in ends), default=LONGEST))
        ends += [found] if found else []
    return min(ends, key=lambda end: end.length)


def _to_the_end(game: Game[Any], plan: Plan, most: int) -> Stop | None:
    """A game of bots that are asked nothing in the middle of a turn; None where it takes too many records."""
    options = dict(plan.options)
    secret, pick = secret_of(f"lifetimes {game.name} {plan.seed}"), random.Random(plan.seed).randrange
    match = Logged(game, plan.players, options, secret, game.name, lambda q: waited_for(options, q))
    answers: list[Answered] = []
    while not match.outcome.over and len(match.records) < most:
        answers.append(_picked(match, pick))
        match.run(answers[-1])
    over = match.outcome.over and len(match.records) < most
    if not over:
        return None
    length, head = len(match.records), match.head.hash
    return Stop(game.name, game.name, plan.players, options, secret, tuple(answers), {}, length, head)


def _picked(match: Match, pick: Pick) -> Answered:
    """The answer of a bot to the last of the open questions."""
    question = match.outcome.open[-1]
    raw = msgspec.Raw(question.menu.encode(question.menu.sample(pick)))
    return Answered(question.key, question.seat, raw, Source.PLAYER)


def _kinds(match: Match) -> Iterator[tuple[str, str]]:
    """The kinds of the questions that are open, and their paces."""
    for question in match.outcome.open:
        later = " later" if question.wants_orders and len(match.ended) >= LATER else ""
        yield kind_of(question, match.created.seats) + later, question.pace.value


# ---------------------------------------------------------------- a log as the service would write it


BOT = "a bot"
"""What the log names as the cause of what bots answer."""


class Logged(Match):
    """A match of this name that Gina started when the clock of a World begins, and that bots play at that moment."""

    def __init__(
        self, game: Game[Any], players: int, options: Mapping[str, str], secret: bytes, name: str, waits: Waits
    ) -> None:
        at, wishes = iso(BEGINS), ((),) * players
        chosen = {setting.name: setting.default for setting in game.settings} | dict(options)
        completed = game.complete(chosen) if isinstance(game, Completes) else chosen
        assert not isinstance(completed, str), completed
        seats = game.seat_players(wishes, completed, lots(secret, name, at, wishes))
        created = Created(game.name, tuple(seats), completed, commitment(secret), wishes)
        self._row = MatchRow(name, game.name, "running", secret, {}, {}, BEGINS)
        codec = codec_of(game)
        first = seal(secret, name, None, at, record.kind_of(created), codec.dump(created), "START by gina")
        start = Writing(self._row, codec, first, Seals(), at, first.cause)
        ((self.head, _),) = start.finished([pledge(secret, Seals())])
        self.seals = start.seals
        super().__init__(game, created, secret, waits)

    def run(self, *inputs: Record) -> Outcome[Any]:
        """Take records and run on until somebody must answer."""
        dated = [replace(i, at=int(BEGINS.timestamp())) if isinstance(i, Answered) else i for i in inputs]
        dice = Writing(self._row, self.codec, self.head, self.seals, iso(BEGINS), BOT if inputs else "the start")
        tail = self.records[self.position.count :]
        out = resume(self.game, self.codec, self.position, tail, dated, dice, self.waits)
        written = dice.finished(out.written)
        self.head, self.seals = written[-1][0] if written else self.head, dice.seals
        return self.went_on(out)
