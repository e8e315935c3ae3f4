"""What all tests share: slow runs only when asked for, generated examples that are the same in every run."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("house", max_examples=60, derandomize=True, deadline=None, database=None)
settings.load_profile("house")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow, unless a -m expression says what to run."""
    if config.option.markexpr:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
