"""What some tests need of a machine: without it they are left out, or fail where all of it is required."""

from __future__ import annotations

import os

import pytest

REQUIRED = os.environ.get("REFEREE_REAL") == "required"
"""Set so (REFEREE_REAL=required), leaving a test out is a failure: `.ci/run` has everything."""


def left_out(why: str) -> None:
    """The test cannot be run here: it is skipped, or fails where everything is required; nothing where `why` is empty."""
    if why and REQUIRED:
        pytest.fail(why)
    elif why:
        pytest.skip(why)
