"""What all tests share: slow runs only when asked for, examples that are the same in every run, and who runs what.

Where several processes share the work (`-n auto`), a file stays in one of them, and so do all tests of the bot games of one
game: what they set up is set up once. What takes longest is begun first, so that all end at about the same time.
"""

from __future__ import annotations

import compileall
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
LONGEST_FIRST = ("played games of empire", "kill", "contract", "service", "demo", "games", "real")
"""Groups, and folders of groups, in the order in which they are begun; then the rest as it was found."""

settings.register_profile("house", max_examples=60, derandomize=True, deadline=None, database=None)
settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once: many tests start processes, and none writes what it compiled where that is forbidden."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(HERE.parent / "referee", quiet=1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow, unless a -m expression says what to run; put the rest into groups."""
    slow = [] if config.option.markexpr else [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
    groups = {item: _group(item) for item in items if item not in slow}
    for item, group in groups.items():
        item.add_marker(pytest.mark.xdist_group(group))
    items[:] = sorted(groups, key=lambda item: _rank(groups[item]))


def _group(item: pytest.Item) -> str:
    """The file, or, where bot games of a game are looked at, these."""
    parameters = getattr(item, "callspec", None)
    if "played" in getattr(item, "fixturenames", ()) and parameters is not None and "game" in parameters.params:
        return f"played games of {parameters.params['game'].name}"
    return item.path.relative_to(HERE).as_posix()


def _rank(group: str) -> int:
    return next((rank for rank, first in enumerate(LONGEST_FIRST) if group.startswith(first)), len(LONGEST_FIRST))
