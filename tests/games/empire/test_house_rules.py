"""House rules in sets: what CREATE takes, what RULES shows, what a petition by letter changes; matches without a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from referee.core.page import Block, Grid
from referee.games.empire.game import EmpireGame
from referee.games.empire.reckoning import ownership
from referee.games.empire.rulebook.plans import FACTORIES, SETS, STANDARD, rule_tables
from tests.commands import app
from tests.games.empire.driving import first
from tests.games.empire.staging import given
from tests.games.empire.test_procedure_by_mail import MATCH, another, begin
from tests.service.conftest import ANNA, BEN, CARLA, GINA, OTTO
from tests.world import World

NAMES = [f"{name} {choice}" for name, found in SETS.items() for choice in found.choices]


@pytest.fixture
def empire(tmp_path: Path) -> Iterator[World]:
    world = begin(World(tmp_path, seed="houses"), "board small, combat mild, goods modest, last_turn 2, ranking no")
    yield world
    world.close()


def grids(blocks: tuple[Block, ...]) -> tuple[Grid, Grid]:
    """The table of sets and the table of recipes."""
    sets, recipes = (block for block in blocks if isinstance(block, Grid))
    return sets, recipes


# ---------------------------------------------------------------- the tables


def test_every_set_is_a_setting_of_create_and_its_first_value_is_the_standard() -> None:
    settings = {setting.name: setting for setting in EmpireGame().settings}
    assert [name for name in settings if name in SETS] == list(SETS)
    for name, found in SETS.items():
        assert settings[name].values == tuple(found.choices)
        assert settings[name].default == STANDARD
        assert settings[name].rule == found.rule


def test_outside_a_match_rules_lists_every_choice_and_every_recipe_with_its_mark() -> None:
    sets, recipes = grids(rule_tables())
    assert [f"{row[0]} {row[1]}" for row in sets.rows] == NAMES
    assert "In force" not in sets.columns
    assert {row[2] for row in sets.rows} == {"HOUSE"}
    assert len(recipes.rows) == sum(len(kind.recipes) for kind in FACTORIES.values())
    marks = [row[recipes.columns.index("Mark")] for row in recipes.rows]
    assert set(marks) == {"TEXT", "HOUSE"}
    sources = [row[recipes.columns.index("Source")] for row in recipes.rows]
    assert all((mark == "HOUSE") == str(source).startswith("emp.") for mark, source in zip(marks, sources, strict=True))


def test_in_a_match_rules_says_what_is_in_force_and_what_will_be() -> None:
    def force(name: str, choice: str) -> str:
        sets, _ = grids(rule_tables(partial(ownership.since_when, state)))
        return next(str(row[2]) for row in sets.rows if row[:2] == (name, choice))

    state = replace(first(combat="mild"), turn=3)
    assert (force("combat", "mild"), force("combat", "standard")) == ("yes", "")
    for fact in ("Red has posted petition 1 for a change of combat to standard", "petition 1 has passed"):
        state = given(state, fact)
    assert force("combat", "mild") == "until turn 3 is over"
    assert force("combat", "standard") == "from turn 4 on"
    (petition,) = state.petitions
    state = replace(state, turn=5, houses={"combat": "standard"}, petitions=(replace(petition, since=4),))
    assert (force("combat", "standard"), force("combat", "mild")) == ("since turn 4", "")
    assert ownership.chosen(state, "combat") == "standard"


def test_the_command_line_lists_them_too() -> None:
    shown = CliRunner().invoke(app, ["rules", "empire"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    for words in ("House rules that a match may switch", "lasting", "Products of factories", "steel mill", "TEXT"):
        assert words in shown.stdout


# ---------------------------------------------------------------- by letter


def test_a_choice_that_does_not_exist_is_refused_at_create(tmp_path: Path) -> None:
    world = World(tmp_path, seed="houses")
    told = " ".join(mail.flat for mail in world.write(GINA, f"CREATE empire AS {MATCH} WITH combat bloody"))
    assert "standard" in told and "mild" in told
    world.close()


def test_rules_by_letter_has_the_tables_outside_a_match_and_in_one(empire: World) -> None:
    (answer,) = empire.vouched(OTTO, "RULES empire")
    assert "House rules that a match may switch" in answer.flat and "Products of factories" in answer.flat
    told = " ".join(mail.flat for mail in empire.reply(another(empire), "RULES"))
    assert "In force" in told and "goods modest yes" in told and "goods rich HOUSE" in told


def test_a_petition_by_letter_changes_a_set_from_the_next_turn_on_and_everybody_is_told(empire: World) -> None:
    asks = another(empire)
    mails = empire.reply(asks, 'PETITION FOR change OF combat TO standard "Let it be bloody."')
    assert any("change of combat to standard" in mail.flat for mail in mails if mail.kind == "notice")
    other = next(player for player in (ANNA, BEN, CARLA) if player != asks)
    mails = empire.reply(other, "VOTE yes ON 1")
    notices = [mail for mail in mails if "combat standard is in force from turn 2 on" in mail.flat]
    assert {mail.to for mail in notices} >= {ANNA, BEN, CARLA}
    assert ownership.chosen(empire.playing(MATCH).outcome.state, "combat") == "mild"
    while empire.playing(MATCH).outcome.state.turn == 1:
        mails = empire.reply(empire.on_turn(MATCH), "ROLL OUT")
    assert any("From turn 2 on combat is standard (petition 1)" in mail.flat for mail in mails if mail.kind == "report")
    assert ownership.chosen(empire.playing(MATCH).outcome.state, "combat") == "standard"
    told = " ".join(mail.flat for mail in empire.reply(another(empire), "RULES"))
    assert "since turn 2" in told


def test_a_match_without_a_ranking_ends_without_a_winner(empire: World) -> None:
    while empire.playing(MATCH).outcome.open:
        mails = empire.reply(empire.on_turn(MATCH), "ROLL OUT")
    (farewell,) = [mail for mail in mails if mail.kind == "farewell" and mail.to == ANNA]
    assert "Nobody is ranked." in farewell.flat
    assert " won" not in farewell.flat
