"""Rules as data: the longest beginning of a number decides its part."""

from __future__ import annotations

from referee.core.game import Rule
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
