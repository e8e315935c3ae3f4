"""Positions that bot games do not come to, so that no order is left unlooked at."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.games.war.game import War27
from referee.games.war.position.state import War
from tests.games.war27.staging import given, stage


def scenes() -> Iterator[War]:
    """Three revolts, which are fought in an order; Egypt in the hands of who can pay for the canal."""
    options = {setting.name: setting.default for setting in War27.settings}
    war = given(stage(options), "Red holds Egypt, Sudan, Tripoli with 2 infantry")
    for region in ("Egypt", "Sudan", "Tripoli"):
        war = given(given(war, f"the natives of {region} are 4 face up"), f"{region} is in revolt with 2 infantry")
    yield from (given(war, f"it is the share of Red, turn {turn}, round {n}") for turn in (2, 3) for n in (1, 2))
    war = given(stage(options | {"suez": "yes"}), "Red holds Egypt with 2 infantry")
    yield replace(war.paying(war.seats[0], pp=200), stage="production", active=None, waiting=())
