"""Another program with other rules, without another process: a function is changed in its text, and the build with it."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

from referee.games.newworld.game import NewWorld
from referee.service.match import playing


def mend(monkeypatch: pytest.MonkeyPatch, module: ModuleType, function: str, before: str, after: str) -> None:
    """Put other words into a function of a module, as an edit of its file would."""
    source, old = inspect.getsource(module), inspect.getsource(getattr(module, function))
    assert old.count(before) == source.count(old) == 1, before
    names = dict(vars(module))
    exec(compile(source.replace(old, old.replace(before, after)), str(module.__file__), "exec"), names)
    monkeypatch.setattr(getattr(module, function), "__code__", names[function].__code__)


def upgrade(monkeypatch: pytest.MonkeyPatch, build: str = "mended") -> None:
    """Another program is started: nothing is in memory, and the rules of New World have another fingerprint."""
    monkeypatch.setattr(NewWorld, "build", build)
    playing._CACHE.clear()
