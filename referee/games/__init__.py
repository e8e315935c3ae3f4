"""The games: every folder here with a module `game` that defines GAME. docs/adding.md tells how one is added."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from referee.core.game import AnyGame


def _found() -> Iterator[AnyGame]:
    for module in iter_modules(__path__):
        if module.ispkg:
            yield import_module(f"{__name__}.{module.name}.game").GAME


GAMES: tuple[AnyGame, ...] = tuple(sorted(_found(), key=lambda game: game.name))
"""Every game this referee knows."""


def game_named(name: str) -> AnyGame:
    """The game of this name, in any case. Raises KeyError."""
    for game in GAMES:
        if game.name == name.casefold():
            return game
    raise KeyError(name)
