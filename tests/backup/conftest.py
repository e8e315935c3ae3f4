"""A real service to back up, with a match of New World begun in it."""

from tests.trust.conftest import databases, match, service, world

__all__ = ["databases", "match", "service", "world"]
