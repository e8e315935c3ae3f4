"""referee simulate empire: four strategies play the real rules against each other; the same seed gives the same figures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from referee.games.empire.bots.strategies import STRATEGIES
from tests.balance.figures import Figures, Summary, run
from tests.balance.playing import PLAYERS, play
from tests.balance.showing import RANKING
from tests.commands import app

RUN = CliRunner()
NAMES = [strategy.name for strategy in STRATEGIES]
GUIDE = Path(__file__).parent.parent.parent / "docs" / "balance-empire.md"
GAMES, SEED, TURNS = 1000, 1, 10


def test_two_games_are_played_to_their_end_and_told_as_data(tmp_path: Path) -> None:
    told = RUN.invoke(app, ["simulate", "empire", "--games", "2", "--turns", "5", "--to", str(tmp_path), "--json"])
    assert told.exit_code == 0
    figures = json.loads(told.stdout)
    assert (figures["games"], figures["turns"]) == (2, 5)
    assert [summary["strategy"] for summary in figures["strategies"]] == NAMES
    for summary in figures["strategies"]:
        assert [line["turn"] for line in summary["turns"]] == [1, 2, 3, 4, 5]
        assert summary["turns"][0]["fund"]["mean"] > 0  # everybody opens squares, so there is EDU on the first turn
        assert summary["turns"][0]["military"]["mean"] == 1  # the SAC of the start
    assert ElementTree.parse(tmp_path / "balance-empire.svg").getroot().tag.endswith("svg")
    guide = (tmp_path / "balance-empire.md").read_text("utf-8")
    assert all(f"### {name.capitalize()}" in guide for name in NAMES)


def test_tables_for_people_name_every_strategy_and_column() -> None:
    told = RUN.invoke(app, ["simulate", "empire", "--games", "1", "--turns", "2"], env={"COLUMNS": "200"})
    assert told.exit_code == 0
    assert all(name in told.stdout for name in (*NAMES, *RANKING))


def test_a_choice_of_confidence_that_is_none_is_refused_with_the_choices() -> None:
    told = RUN.invoke(app, ["simulate", "empire", "--confidence", "blind"])
    assert told.exit_code == 1
    assert "standard, gentle, stern" in told.stderr


def test_a_seed_gives_the_same_games_and_another_number_gives_others() -> None:
    assert play(7, 0, 3) == play(7, 0, 3)
    assert play(7, 0, 3) != play(7, 4, 3)


def test_strategies_go_round_the_seats() -> None:
    first = [tuple(course.strategy for course in play(7, number, 2)) for number in range(PLAYERS)]
    assert sorted(seats[0] for seats in first) == sorted(NAMES)


def test_the_orders_of_the_plans_are_lawful() -> None:
    courses = play(7, 1, 6)
    assert sum(mark.refused for course in courses for mark in course.marks) <= len(courses)


def test_a_gentle_rule_of_confidence_changes_what_comes_of_the_same_plans() -> None:
    standard, gentle = (play(7, 0, 6, {"confidence": choice}) for choice in ("standard", "gentle"))
    arms = [next(c for c in courses if c.strategy == "arms first") for courses in (standard, gentle)]
    assert arms[0].marks[-1].confidence < arms[1].marks[-1].confidence


# ---------------------------------------------------------------- what the rules as they stand make of the plans


def by_name(figures: Figures) -> dict[str, Summary]:
    return {summary.strategy: summary for summary in figures.strategies}


def told_in_the_guide() -> dict[str, tuple[float, float]]:
    """Mean points and confidence at the end by strategy, as the first table of the guide has them."""
    text = GUIDE.read_text("utf-8").partition("<!-- tables -->")[2]
    found = {}
    for name in NAMES:
        cells = re.search(rf"^\| {name} \|(.*)\|$", text, re.MULTILINE)
        assert cells is not None, name
        columns = [column.split()[0] for column in cells[1].split("|")]
        found[name] = (float(columns[0]), float(columns[3]))
    return found


@pytest.mark.slow
def test_steady_growth_keeps_confidence_and_arms_first_collapses_as_the_guide_says() -> None:
    figures = run(GAMES, SEED, TURNS, jobs=2)
    found = by_name(figures)
    ends = {name: summary.turns[-1] for name, summary in found.items()}
    assert min(line.confidence.lower for line in found["steady growth"].turns) > 10
    assert ends["steady growth"].collapsed < 1
    assert ends["arms first"].collapsed > 50
    assert max(ends, key=lambda name: ends[name].confidence.mean) == "steady growth"
    assert min(ends, key=lambda name: ends[name].confidence.mean) == "arms first"
    for name, (points, confidence) in told_in_the_guide().items():
        again = "referee simulate empire --jobs 2 --to docs writes the guide anew"
        assert abs(found[name].points.mean - points) <= 3, again
        assert abs(ends[name].confidence.mean - confidence) <= 1, again
