"""Parameters of a test of which the first few stand for all; the others are for the slow runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(number: int, of: Iterable[Any]) -> list[Any]:
    """The first so many as they are, the rest marked `slow`; each is one value, or a tuple of several."""
    rows = [one if isinstance(one, tuple) else (one,) for one in of]
    return [pytest.param(*row, marks=[pytest.mark.slow] * (at >= number)) for at, row in enumerate(rows)]
