"""House rules of a match that its game master sets by letter: whom it admits, its muster, what becomes of who drops out.

And what the house must have for it: a beacon, where dice are to come of one.
"""

from __future__ import annotations

from referee.service import notes
from referee.service.office import Office
from referee.service.ports import Step
from referee.service.remembered import HouseRules
from referee.service.settings import ClockSettings


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


def refuse_beacon(office: Office, settings: ClockSettings, before: ClockSettings | None = None) -> str:
    """Why the dice of a match cannot come of a beacon as its settings would; "" where they can, or shall not.

    A match whose dice did so `before` is changed in other things all the same.
    """
    had = before is not None and before.beacon == settings.beacon
    if settings.beacon == "letters" or had or office.randomness is not None:
        return ""
    return (
        "No beacon of public randomness is set up here, so beacon drand cannot be had; with beacon letters the dice come of "
        "the secret and of all that was written."
    )
