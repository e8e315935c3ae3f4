"""The worlds of the service's tests, and letters of a kind those tests have no need of."""

from __future__ import annotations

from tests.service.conftest import databases, match, world

__all__ = ["databases", "match", "world"]
