"""The worlds of the service's tests."""

from tests.service.conftest import databases, match, world

__all__ = ["databases", "match", "world"]
