"""Positions that bot games do not come to, so that no order is left unlooked at."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.games.war.position.state import War
from referee.games.war17.game import War17
from tests.games.war17.staging import given, stage


def scenes() -> Iterator[War]:
    """An engineer where a resource is worth developing, and the PP for it."""
    war = stage({setting.name: setting.values[0] for setting in War17.settings})
    war = given(war, "Red holds Egypt with 2 infantry and 1 engineer").with_land("Egypt", chit="Tin", developed=False)
    yield replace(war.paying(war.seats[0], pp=200), stage="production", active=None, waiting=())
