"""The chain of letter rules: its order gives every rule what it needs to know, and none looks at what it does not name."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from referee.service.intake import inbox
from referee.service.intake.letter_case import Case, Fact, Verdict
from referee.service.intake.letter_rules import RULES
from tests.inbox.letter_rules_page import page, printed, unmet
from tests.service.conftest import ANNA, BEN, PLAYERS
from tests.world import ADDRESS, World

DEPEND = [
    (first, then)
    for first, then in itertools.combinations(range(len(RULES)), 2)
    if RULES[first].finds in RULES[then].needs
]
_KNOWN_BY = {
    **dict.fromkeys(("token", "member", "owner", "certain"), Fact.TOKEN),
    **dict.fromkeys(("twin", "reused_id", "logical"), Fact.TWIN),
}
"""What is read of a case, and the fact that it is."""


def test_the_page_is_printed_from_the_table() -> None:
    assert page()[1] == "\n" + printed(), "run `make tables`"


def test_every_rule_finds_what_it_needs() -> None:
    assert unmet(RULES) == []


@pytest.mark.parametrize(("first", "then"), DEPEND, ids=[f"{RULES[a].name}<{RULES[b].name}" for a, b in DEPEND])
def test_no_rule_changes_its_place_with_one_that_it_depends_on(first: int, then: int) -> None:
    swapped = list(RULES)
    swapped[first], swapped[then] = RULES[then], RULES[first]
    assert f'"{RULES[then].name}" needs to know: {RULES[first].finds.value}.' in unmet(swapped)  # type: ignore[union-attr]


def test_every_fact_is_found_by_one_rule_and_needed_by_another() -> None:
    found = [rule.finds for rule in RULES if rule.finds]
    assert len(found) == len(set(found)) == len(Fact)
    assert set().union(*(rule.needs for rule in RULES)) == set(Fact)


def test_every_rule_can_be_read_aloud() -> None:
    assert all(rule.says.endswith(".") for rule in RULES)


class Watched(Case):
    """A case that notes what is read of it."""

    def __getattribute__(self, name: str) -> Any:
        if name in _KNOWN_BY:
            super().__getattribute__("__dict__").setdefault("read", set()).add(_KNOWN_BY[name])
        return super().__getattribute__(name)


def test_no_rule_looks_at_what_it_does_not_name_nor_changes_anything(
    match: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: set[str] = set()

    def judged(case: Case) -> Verdict:
        for rule in RULES:
            before = {**vars(case), "read": set()}
            case.__dict__["read"] = set()
            said = rule.does(case)
            reached.add(rule.name)
            assert case.__dict__["read"] <= set(rule.needs), rule.name
            kept = {name: vars(case).get(name) for name in ("token", "twin", "reused_id", "original", "hits")}
            assert kept == {name: before.get(name) for name in kept}, f"{rule.name} changes the case"
            if isinstance(said, Verdict):
                return said
            if said is not None:
                case.learn(said)
        raise AssertionError

    monkeypatch.setattr(inbox, "Case", Watched)
    monkeypatch.setattr(inbox, "judge", judged)
    player, other = match.on_turn(), next(address for address in PLAYERS if address != match.on_turn())
    to = match.last(player).reply_to
    match.write(player, "RESEARCH any", to, message_id="<one@x>")
    match.write(player, "RESEARCH any", to, message_id="<one@x>")
    match.write(player, "HIRE 1 worker", to, message_id="<one@x>")
    match.write(player, "RESEARCH any", ADDRESS.replace("@", "+nw1.abcdefghijklmnop@"))
    match.write(other, "RESEARCH any", to)
    match.write("", "RESEARCH any", to)
    match.write(BEN, "GAMES", Auto_Submitted="auto-replied")
    match.write(ANNA, "GAMES", says="")
    assert reached == {rule.name for rule in RULES}
