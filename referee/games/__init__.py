"""The games: every folder here with a module `game` that defines GAME. docs/adding.md tells how one is added.

A game takes a third of a second to load, so one is loaded when somebody asks for it, and all when somebody asks for all.
One that cannot be loaded is `Missing`, and the others are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import overload

from referee.core.game import AnyGame
from referee.kit.game import missing
from referee.kit.rulebook import read_revisions


def _folders() -> dict[str, str]:
    """The package of each game by the game's name: that of its folder, or NAME of a folder that says otherwise."""
    packages = (f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg)
    return {_name_of(package): package for package in packages}


def _name_of(package: str) -> str:
    name = package.rpartition(".")[2]
    try:
        return str(getattr(import_module(package), "NAME", name))
    except Exception:  # whatever it is: to load the game tells it
        return name


@cache
def _loaded(name: str, package: str) -> AnyGame:
    """A game, or what stands for one that breaks while it is loaded."""
    try:
        game: AnyGame = import_module(f"{package}.game").GAME
    except Exception as problem:
        return missing(name, problem)
    return game


class _ByName(Mapping[str, AnyGame]):
    def __getitem__(self, name: str) -> AnyGame:
        return _loaded(name, _folders()[name])

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_folders()))

    def __len__(self) -> int:
        return len(_folders())

    def __contains__(self, name: object) -> bool:
        return name in _folders()


BY_NAME: Mapping[str, AnyGame] = _ByName()
"""Every game this referee knows by its name."""


class _All(Sequence[AnyGame]):
    @cached_property
    def _loaded(self) -> tuple[AnyGame, ...]:
        return tuple(BY_NAME.values())

    @overload
    def __getitem__(self, at: int) -> AnyGame: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[AnyGame, ...]: ...
    def __getitem__(self, at: int | slice) -> AnyGame | tuple[AnyGame, ...]:
        return self._loaded[at]

    def __len__(self) -> int:
        return len(self._loaded)


GAMES: Sequence[AnyGame] = _All()
"""Every game this referee knows."""


def rules_in_force() -> dict[str, int]:
    """The number of the revision by which each game is played, of those that keep any; no game is loaded for it."""
    found = dict[str, int]()
    for name, package in _folders().items():
        with suppress(OSError, ValueError, ImportError):  # none are kept, or the game is `Missing`
            found[name] = read_revisions(package)[-1].number
    return found


def game_named(name: str) -> AnyGame:
    """The game of this name, in any case. Raises KeyError."""
    return BY_NAME[name.casefold()]
