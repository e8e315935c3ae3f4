"""The worlds of the service's tests, and the rules for the page, put together once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.conftest import databases, match, world
from tests.table.build import build

__all__ = ["databases", "match", "world"]


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules for the page, put together as for players."""
    folder = tmp_path_factory.mktemp("engine")
    build(folder)
    return folder
