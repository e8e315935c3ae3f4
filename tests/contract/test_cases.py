"""Every worked example of every game's rules comes out as it says, and every rule has one."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.games import GAMES
from referee.kit.casefile import Case, Spoken, parse_cases
from referee.rulebook_cases import texts_of
from tests.contract.casefile import Staging, run_case
from tests.contract.conftest import UNDER_TEST
from tests.contract.effort import effort_of
from tests.games.pages import FOLDER, page_of
from tests.small.lode.game import GAME as LODE
from tests.toy import TOY, staging


def staging_of(game: AnyGame) -> Staging:
    """The words in which a game's cases are written: the module `staging` of its tests."""
    home = {TOY.name: "tests.toy", LODE.name: "tests.small.lode"}.get(game.name, f"tests.games.{game.name}")
    found: Staging = import_module(f"{home}.staging")
    return found


def cases_of(game: AnyGame) -> list[Case]:
    """The worked examples of a game."""
    return [case for text in texts_of(game) for case in parse_cases(text)]


CASES = [(game, case) for game in UNDER_TEST for case in cases_of(game)]


@pytest.mark.parametrize(("game", "case"), CASES, ids=[case.id for _, case in CASES])
def test_case(game: AnyGame, case: Case) -> None:
    assert run_case(game, staging_of(game), case) == []


@pytest.mark.parametrize("game", UNDER_TEST, ids=lambda game: game.name)
def test_every_rule_has_a_case_and_every_case_a_rule(game: AnyGame) -> None:
    rules, cases = (
        {rule.id for rule in game.rules},
        {case.rule for text in texts_of(game) for case in parse_cases(text)},
    )
    assert rules - cases == set(), "rules without a case"
    assert cases - rules == set(), "cases of no rule"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_page_is_the_rules_list(game: AnyGame) -> None:
    assert (FOLDER / f"{game.name}.md").read_text("utf-8") == page_of(game), "make rules writes it anew"


def test_no_case_has_the_number_of_another() -> None:
    assert [id for id, number in Counter(case.id for _, case in CASES).items() if number > 1] == []


# ---------------------------------------------------------------- orders that bot games show nothing of


def seldom_seen(game: AnyGame) -> tuple[str, ...]:
    """Verbs of which bot games do not show that they make a difference (test_choices): standing ones, and rare ones."""
    return tuple(sorted({*game.standing_verbs(), *effort_of(game.name).unseen}))


SELDOM = [(game, verb) for game in UNDER_TEST for verb in seldom_seen(game)]


@pytest.mark.parametrize(("game", "verb"), SELDOM, ids=[f"{game.name}-{verb}" for game, verb in SELDOM])
def test_a_case_comes_out_otherwise_without_such_an_order(game: AnyGame, verb: str) -> None:
    assert makes_a_difference(game, verb)


def makes_a_difference(game: AnyGame, verb: str) -> bool:
    """Whether a case comes out otherwise than it says without its orders of a verb."""
    for case in cases_of(game):
        standing, orders = without(verb, game, case.standing), without(verb, game, case.orders)
        if (standing, orders) != (case.standing, case.orders):
            standing = tuple(spoken for spoken in standing if spoken.text)
            if run_case(game, staging_of(game), replace(case, standing=standing, orders=orders)):
                return True
    return False


def without(verb: str, game: AnyGame, said: tuple[Spoken, ...]) -> tuple[Spoken, ...]:
    """What seats write, without their orders of one verb."""
    longer = tuple(f"{other} " for other in game.declared() if other.startswith(f"{verb} "))

    def kept(line: str) -> bool:
        return line.startswith(longer) or not f"{line} ".startswith(f"{verb} ")

    lines = ((spoken, filter(kept, (line.strip() for line in spoken.text.split(";")))) for spoken in said)
    return tuple(replace(spoken, text="; ".join(left)) for spoken, left in lines)


# ---------------------------------------------------------------- the runner itself


def run(*lines: str) -> list[str]:
    (case,) = parse_cases("\n".join(("CASE toy.bid.1  A wrong case", *lines)))
    return run_case(TOY, staging, case)


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["EXPECT Ann has 11 coins"], "line 2: expected fact 'Ann has 11 coins', but Ann has"),
        (['EXPECT event "Cyd sang"'], "expected event 'Cyd sang', but what happened was"),
        (['EXPECT not event "A prize of"'], "expected not event 'A prize of', but it happened"),
        (['EXPECT refused "No"'], "expected refused 'No', but refused was []"),
        (['EXPECT doubt "No"'], "expected doubt 'No', but doubted was []"),
        (["ORDERS Ann: BID 99 coins", "EXPECT Ann leads"], "refused: ['You have only 10 coins. [toy.bid]']"),
        (["ORDERS Ann: SING", "EXPECT Ann leads"], "refused: "),
        (["DICE 1 1 1 1 1 1", "EXPECT Ann leads"], "dice nobody rolled: (1, 1, 1)"),
        (["ORDERS Ann: BID 1 coin", "ORDERS Ann: BID 2 coins", "EXPECT Ann leads"], "orders of Ann nobody asked for"),
        (["ANSWERS Cyd: challenge", "EXPECT Ann leads"], "answers of Cyd nobody asked for: 'challenge'"),
        (["ANSWERS Bob: perhaps", "EXPECT Ann leads"], "'perhaps' does not answer R1/Bob/challenge"),
        (["GIVEN nothing is dealt", "ORDERS Ann: BID 1 coin", "EXPECT Ann has 10 coins"], "orders of Ann nobody asked"),
    ],
)
def test_the_runner_finds_what_is_wrong(lines: list[str], wrong: str) -> None:
    assert any(wrong in failure for failure in run(*lines)), run(*lines)


def test_the_runner_refuses_facts_it_does_not_understand() -> None:
    for line in ("GIVEN Ann is happy", "EXPECT Ann smiles broadly"):
        with pytest.raises(ValueError, match="does not understand"):
            run(line, "EXPECT Ann leads")
