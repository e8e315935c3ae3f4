"""Rules as data: the longest beginning of a number decides its part."""

from __future__ import annotations

from referee.core.game import Rule
from referee.games import GAMES
from referee.kit.rulebook import part_of, read_rules, under_headings

PARTS = {"combat": "Battles", "combat.naval": "Battles at sea"}


def test_the_longest_beginning_counts() -> None:
    assert part_of("combat.naval.3", PARTS) == "Battles at sea"
    assert part_of("combat.land.3", PARTS) == "Battles"
    assert part_of("combats.3", PARTS) is None


def test_rules_stand_under_their_headings() -> None:
    rules = read_rules("referee.games.newworld")
    lines = list(under_headings(rules[:2], lambda rule: "Setting up"))
    assert lines[:3] == ["", "## Setting up", ""]
    assert [line.split("`")[1] for line in lines[3:]] == [rule.id for rule in rules[:2]]
    assert all(isinstance(rule, Rule) for rule in rules)


def test_a_rule_stands_for_rules_of_another_edition_each_once() -> None:
    every = [rule.id for game in GAMES for rule in game.rules]
    for game in GAMES:
        own = {rule.id for rule in game.rules}
        elders = [elder for rule in game.rules for elder in rule.stands_for]
        assert len(elders) == len(set(elders))
        for elder in elders:
            meant = [id for id in every if id == elder or id.startswith(f"{elder}.")]
            assert meant and not own & set(meant), elder
