"""Matches of random bots, who answer every question from its menu, on the bare stage."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.chance import Keyed
from referee.core.names import Seat
from referee.core.record import Created
from referee.games.newworld.game import GAME
from referee.games.newworld.position import World
from referee.kit.bare_stage import Bare

DEFAULTS = {setting.name: setting.default for setting in GAME.settings}


def options(**changed: str) -> dict[str, str]:
    """The default options with some changed."""
    return {**DEFAULTS, **changed}


def begun(seats: tuple[str, ...], chosen: Mapping[str, str], secret: bytes) -> Bare[World]:
    """A match before its first answer."""
    created = Created(GAME.name, tuple(map(Seat, seats)), dict(chosen), "")
    return Bare(GAME, created, Keyed(secret, 0), lambda _: True)
