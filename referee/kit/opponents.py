"""Opponents: who answers for a seat that no person plays, by strength, and how many sheets a strong one tries. None of them sees
more than a person in his seat.

A strong one races challengers of the steady sheet: each is played ahead on the bare stage from what the seat knows, with the
same dice as the best sheet so far, everybody steady after it, and must lead it by two standard errors. The budget is a number of
such rollouts and not a time, and all that is drawn comes of `pick`: so the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from typing import Any, Literal, TypeVar

import msgspec

from referee.core.chance import Keyed
from referee.core.choices import Pick
from referee.core.game import AnyGame, PlaysSteadily, PlaysStrongly, Rigour
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import Question
from referee.kit.bare_stage import Bare, Seen

Strength = Literal["novice", "steady", "strong", "patient"]
"""A novice chooses at random among what is lawful; a steady player plans his turn; a strong one tries it
ahead, and a patient one longer."""


NAMES: Mapping[Strength, tuple[str, ...]] = {
    "novice": ("Pip", "Dot", "Fern", "Tuck", "Poppy", "Wren", "Moss", "Bramble", "Daisy", "Pebble", "Thistle", "Rook"),
    "steady": ("Ada", "Basil", "Clara", "Dorian", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jasper", "Kira", "Leo"),
    "strong": (
        *("Magnus", "Nadia", "Oscar", "Petra", "Quentin", "Rosa"),
        *("Sven", "Tamara", "Ulric", "Vera", "Wanda", "Yorick"),
    ),
    "patient": (
        "Agatha",
        "Boris",
        "Cosima",
        "Desmond",
        "Esther",
        "Fabian",
        "Gwendolen",
        "Horatio",
        "Isolde",
        "Julius",
        "Leonora",
        "Matthias",
    ),
}
"""The names of bots, so that somebody who plays against three can tell them apart, and a novice by his name."""


def name_of(strength: Strength, taken: Collection[str] = ()) -> str:
    """The name of the next bot, which nobody else has; where all names are taken, with a number."""
    numbers = ("", *(f" {number}" for number in range(2, 100)))
    return next(found for after in numbers for name in NAMES[strength] if (found := name + after) not in taken)


class Opponent(msgspec.Struct, frozen=True):
    """A bot as all may know it: what it is called, how strong it is, and how it plays, in a sentence."""

    name: str
    strength: str
    plays: str = ""


def opponents(game: AnyGame, strength: Strength, number: int) -> tuple[Opponent, ...]:
    """So many bots of a strength at one table."""
    found = list[str]()
    for _ in range(number):
        found.append(name_of(strength, found))
    return tuple(Opponent(name, strength, game.guide.bots.get(strength, "")) for name in found)


def answer_of(strength: str, game: AnyGame, seen: Any, question: Question[Any], pick: Pick) -> Any:
    """An opponent's answer, from its seat's view of the position; a novice where the game has nobody steadier.

    To what is asked in the middle of a turn a steady player says what silence would.
    """
    if strength == "novice" or not isinstance(game, PlaysSteadily):
        return question.menu.sample(pick)
    if not question.wants_orders:
        return question.menu.default
    return tuple([one.order for one in game.steady(seen, question.seat) if question.takes(one.order)])


# ---------------------------------------------------------------- who tries his sheet ahead


def rigour_of(game: AnyGame, strength: str) -> Rigour | None:
    """How much an opponent of a strength looks at; None for one who tries nothing ahead, or whom the game does not have."""
    return game.rigours.get(strength) if isinstance(game, PlaysStrongly) else None


class Race:
    """A race of the sheets that could answer a question; to what is no sheet the answer is a steady player's.

    `sheet` is the best so far, `found` that nothing beats it, `ran` are the rollouts so far, `played` its sheets in them.
    """

    def __init__(self, game: Any, seen: Seen[Any], question: Question[Any], pick: Pick, rigour: Rigour) -> None:
        self._game, self._seen, self._question, self._pick, self._rigour = game, seen, question, pick, rigour
        self._known = reduce(game.evolve, seen.heard, seen.before)
        self._dice = bytes(pick(256) for _ in range(16))
        self.ran = self.played = 0
        self.found = False
        self.sheet = answer_of("steady", game, self._known, question, pick)
        self._habits: Any = game.habits if rigour.plans else None
        self._rollouts = self._challenged()

    def best(self) -> Any:
        """The sheet that nothing beat."""
        while self.goes_on():
            pass
        return self.sheet

    def goes_on(self, sheets: int = 20) -> bool:
        """Try for about so many more sheets of the seat; False once `sheet` is the one that nothing beat."""
        until = self.played + sheets
        return any(self.played >= until for _ in self._rollouts) or self.ends()

    def ends(self) -> bool:
        """Try no more: the best sheet so far is the one; always False."""
        self.found = True
        return False

    def _challenged(self) -> Iterator[None]:
        """Challenge the best sheet until the budget is spent, a rollout at each step."""
        known, tried, stale, rigour = list[int](), {repr((self.sheet, self._habits))}, 0, self._rigour
        while self._question.wants_orders and stale < rigour.stale:
            if self.ran >= rigour.rollouts or self.played >= rigour.sheets:
                break
            other, habits = self._challenger()
            stale = stale + 1 if repr((other, habits)) in tried else 0
            if not stale:
                tried.add(repr((other, habits)))
                if found := (yield from self._beats(other, habits, known)):
                    self.sheet, self._habits, known = other, habits, found

    def _challenger(self) -> tuple[tuple[Intent, ...], Any]:
        """Another sheet, and the habits of those that follow it."""
        game, seat, pick, habits = self._game, self._question.seat, self._pick, self._habits
        if self._rigour.plans and pick(100) < self._rigour.plans:
            habits = near(habits, game.other_habits, pick)
            drawn = tuple([one.order for one in game.steady(self._known, seat, habits)])
        else:
            drawn = game.challenger(self._known, seat, self.sheet, pick)
        return tuple([order for order in drawn if self._question.takes(order)]), habits

    def _beats(self, other: Sequence[Intent], habits: Any, known: list[int]) -> Generator[None, None, list[int] | None]:
        """The worth of a challenger with each of the dice, if it leads; that of the best is found once."""
        found = list[int]()
        for heat in self._rigour.heats:
            while len(found) < heat:
                if len(known) == len(found):
                    known.append(self._worth(self.sheet, self._habits, len(found)))
                    yield
                found.append(self._worth(other, habits, len(found)))
                yield
            leads = [one - two for one, two in zip(found, known, strict=False)]
            if not _leads(leads, self._rigour.sure, 1 if heat == self._rigour.heats[-1] else 4):
                return None
        return found

    def _worth(self, sheet: Sequence[Intent], habits: Any, number: int) -> int:
        """The worth of a sheet with these dice, if everybody plays steadily after it, and the seat by these habits."""
        self.ran, self.played = self.ran + 1, self.played + 1
        stage, ahead = Bare(self._game, self._seen, Keyed(self._dice, number)), self._rigour.ahead
        for at in count() if ahead is None else range(2 * ahead + 1):
            if not stage.open:
                break
            phase = stage.phase  # to the end of one in which the seat orders, and on to the next
            while stage.open and (stage.phase is phase if at % 2 == 0 else not self._is_asked(stage)):
                asked = stage.open[0]
                stage.answer(asked, sheet if asked.key == self._question.key else self._answer(asked, habits, stage))
        return self._value(stage)

    def _answer(self, asked: Question[Any], habits: Any, stage: Bare[Any]) -> Any:
        own = asked.seat == self._question.seat
        if self._rigour.silent and not own:
            return asked.menu.default
        self.played += own
        if own and habits is not None and asked.wants_orders:
            return tuple([o.order for o in self._game.steady(stage.state, asked.seat, habits) if asked.takes(o.order)])
        return answer_of("steady", self._game, stage.state, asked, self._pick)

    def _is_asked(self, stage: Bare[Any]) -> bool:
        return any(question.seat == self._question.seat and question.wants_orders for question in stage.open)

    def _value(self, stage: Bare[Any]) -> int:
        """How far the seat will be before the mean of the others and before the best of them, times twice their number."""
        if stage.phase is None and self._rigour.ahead is not None:
            points: Mapping[Seat, int] = {
                each.seat: 100 * each.score for each in self._game.score(stage.state).standings
            }
        else:
            points = self._game.prospects(stage.state)
        others = [number for seat, number in points.items() if seat != self._question.seat]
        return 2 * len(others) * points[self._question.seat] - sum(others) - len(others) * max(others)


def _leads(leads: Sequence[int], sure: int, part: int) -> bool:
    """Whether the mean is above 0 by so many standard errors, or a part of that; squared, so that whole numbers do."""
    number, total, squares = len(leads), sum(leads), sum(lead * lead for lead in leads)
    return total > 0 and part**2 * total**2 * (number - 1) >= sure**2 * (number * squares - total**2)


# ---------------------------------------------------------------- what games make challengers and prospects of

H = TypeVar("H", bound=msgspec.Struct)

Terms = Mapping[str, tuple[int, int]]
"""Figures that tell how a match ends, each with its weight in hundredths of a point: at the end, and the extra at the beginning."""


def near(habits: H, others: Mapping[str, Sequence[int]], pick: Pick) -> H:
    """Habits of which one to three are changed."""
    names = list(others)
    changed = {names[pick(len(names))] for _ in range((1, 1, 2, 3)[pick(4)])}
    return msgspec.structs.replace(habits, **{name: others[name][pick(len(others[name]))] for name in sorted(changed)})


def crossed(best: tuple[Intent, ...], other: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """The best sheet with the lines of some kinds from another."""
    kinds = list(dict.fromkeys(map(type, (*best, *other))))
    taken = {kind for kind in kinds if not pick(3)}
    return tuple(line for kind in kinds for line in (other if kind in taken else best) if type(line) is kind)


def but_one(best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """The best sheet with a line left out."""
    gone = pick(len(best)) if best else 0
    return (*best[:gone], *best[gone + 1 :])


def prospect(terms: Terms, figures: Sequence[int], left: int) -> int:
    """The sum of figures, with so many thousandths of a match still to come."""
    weights = (1000 * late + early * left for late, early in terms.values())
    return sum(weight * figure for weight, figure in zip(weights, figures, strict=True)) // 1000
