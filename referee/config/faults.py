"""What is wrong with a setting."""

from __future__ import annotations


class ConfigError(Exception):
    """A setting cannot be used. The message is one sentence: which one, what is wrong, what would be right."""
