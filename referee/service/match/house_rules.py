"""House rules of a match that its game master sets by letter: whom it admits, its muster, what becomes of who drops out."""

from __future__ import annotations

from referee.service import notes
from referee.service.ports import Step
from referee.service.remembered import HouseRules


def house_rules(step: Step, match: str) -> HouseRules:
    """The house rules of a match."""
    return notes.HOUSE_RULES.of(match).read(step) or HouseRules()


def keep_house_rules(step: Step, match: str, rules: HouseRules) -> None:
    """Keep them from now on."""
    notes.HOUSE_RULES.of(match).keep(step, rules)
    unlisted = unlisted_matches(step) - {match} | ({match} if rules.called_off or not rules.listed else set())
    notes.UNLISTED.of().keep(step, tuple(sorted(unlisted)) or None)


def unlisted_matches(step: Step) -> frozenset[str]:
    """The matches that are told of to their members alone, or to nobody."""
    return frozenset(notes.UNLISTED.of().read(step) or ())
