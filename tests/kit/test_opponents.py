"""Strong players: nothing hidden is in what they decide, the same question has the same answer, and a budget is kept to."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.game import AnyGame, PlaysByPlan, PlaysStrongly, Rigour
from referee.core.order import Illegal, Order
from referee.core.question import Question
from referee.games import BY_NAME
from referee.kit.bare_stage import Bare
from referee.kit.opponents import NAMES, Race, answer_of, near
from referee.orders import understand
from tests.contract.bots import plans
from tests.contract.test_bare import HiddenOtherwise, begun
from tests.contract.test_secrecy import choice
from tests.ladder import created, seen_by
from tests.sample import few

STRONG = tuple(name for name, game in BY_NAME.items() if isinstance(game, PlaysStrongly))

BRIEF = Rigour(rollouts=12, heats=(2, 3), ahead=1)

OPTIONS = {
    "empire": {"last_turn": "3"},
    "war27": {"last_turn": "3", "production": "in_order", "historical": "yes", "force_pool": "yes"},
}


def race(game: AnyGame, match: Bare[Any], question: Question[Any], plans: int = 0) -> Race:
    rigour = replace(BRIEF, ahead=int(plans > 0), silent=True, plans=plans) if game.name == "empire" else BRIEF
    return Race(game, match.seen(question.seat), question, random.Random(question.key).randrange, rigour)


@pytest.mark.parametrize("name", ["war17", "war27"])
def test_what_is_hidden_is_in_no_sheet_and_the_same_question_has_the_same_answer(name: str) -> None:
    game, sheets = BY_NAME[name], 0
    for plan in reversed([*plans(game, 12)]):  # the longest first: in these there is something to hide
        one, other = begun(game, plan), begun(game, plan, HiddenOtherwise)
        while (
            sheets < 3 and one.open and len(one.ended) < 8 and [q.key for q in one.open] == [q.key for q in other.open]
        ):
            for mine, its in zip(one.open, other.open, strict=True):
                if mine.wants_orders and one.state != other.state and one.seen(mine.seat) == other.seen(mine.seat):
                    races = race(game, one, mine), race(game, other, its), race(game, one, mine)
                    assert len({repr(each.best()) for each in races}) == 1, mine.key
                    assert all(r.ran < BRIEF.rollouts + 2 * BRIEF.heats[-1] for r in races), mine.key
                    sheets += races[0].ran > 0
            for match in (one, other):
                match.answer(match.open[0], choice(match.open[0], 0))
    assert sheets > 0


@pytest.mark.parametrize(
    ("name", "plans"),
    [*few(2, [(name, 0) for name in sorted(STRONG, key="war17".__eq__)]), ("empire", 75)],
)
def test_a_strong_bot_answers_alike_and_at_times_otherwise_than_a_steady_one(name: str, plans: int) -> None:
    game = BY_NAME[name]
    match, asked, others = Bare(game, created(game, OPTIONS.get(name, {}), 4, 7), Keyed(b"alike")), 0, 0
    while asked < 4 or not others:
        if (question := match.open[0]).wants_orders:
            asked += 1
            first, parts = race(game, match, question, plans).best(), race(game, match, question, plans)
            while parts.goes_on(1):  # some rollouts at a time, as a desk lets it
                pass
            assert repr(first) == repr(parts.sheet), question.key
            others += repr(first) != repr(steady(game, match))
        match.answer(question, steady(game, match))


def test_who_tries_plans_has_a_game_with_habits_for_them() -> None:
    strong = {name: game for name, game in BY_NAME.items() if isinstance(game, PlaysStrongly)}
    by_plan = {name for name, game in strong.items() for rigour in game.rigours.values() if rigour.plans}
    assert by_plan == {name for name in STRONG if isinstance(BY_NAME[name], PlaysByPlan)} == {"empire"}


def test_a_plan_is_followed_to_the_end_of_a_trial() -> None:
    game = BY_NAME["empire"]
    assert isinstance(game, PlaysByPlan)
    match = Bare(game, created(game, {"last_turn": "4"}, 2, 7), Keyed(b"plan"))
    while match.state.stage != "play":
        match.answer(match.open[0], steady(game, match))
    question = match.open[0]
    tried = Race(game, match.seen(question.seat), question, random.Random(1).randrange, game.rigours["patient"])
    assert game.habits.works
    idle = replace(game.habits, works=(), opened=0)
    assert tried._worth(tried.sheet, game.habits, 0) != tried._worth(tried.sheet, idle, 0)


def steady(game: AnyGame, match: Bare[Any]) -> Any:
    question = match.open[0]
    return answer_of("steady", game, seen_by(match, question.seat), question, random.Random(1).randrange)


def test_every_bot_has_a_name_and_a_face_of_its_own() -> None:
    names = [name for of_strength in NAMES.values() for name in of_strength]
    drawn = (Path(__file__).parents[2] / "templates/table/table-faces.js").read_text("utf-8")
    faces = dict(re.findall(r"(\w+): \"([\w-]{2}\d{3})\"", drawn))
    assert len({*names}) == len(names) and faces.keys() == {*names}
    assert len({*faces.values()}) == len(names)


class Habits(msgspec.Struct, frozen=True):
    """What a bot leans to."""

    greed: int = 0
    caution: int = 0


def test_at_least_one_habit_is_changed() -> None:
    assert near(Habits(), {"greed": (7, 8), "caution": (9,)}, lambda _: 0) == Habits(greed=7)


@pytest.mark.parametrize("name", STRONG)
def test_no_line_of_a_challenger_is_refused(name: str) -> None:
    game = BY_NAME[name]
    assert isinstance(game, PlaysStrongly)
    match = Bare(game, created(game, OPTIONS.get(name, {}), 4, 7), Keyed(b"lines"))
    lines, pick = set[str](), random.Random(3).randrange
    while match.open:
        question, seen = match.open[0], seen_by(match, match.open[0].seat)
        sheet = steady(game, match)
        for _ in range(10 if question.wants_orders else 0):
            for order in game.challenger(seen, question.seat, sheet, pick):
                line = game.line(seen, order)
                if question.takes(order) and (question.key + line) not in lines:
                    lines.add(question.key + line)
                    read = understand(line, game.vocabulary(seen))
                    assert isinstance(read, Order)
                    bound = game.bind(seen, question.seat, read)
                    assert not isinstance(bound, Illegal), (line, bound)
        match.answer(question, sheet)
    assert len(lines) > 300
