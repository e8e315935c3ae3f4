"""Benchmarks are measured with the rubbish cleared away; here they share a process with thousands of other tests."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def others_aside() -> None:
    """What other tests have left is not looked through before each measurement: that would take a second each time."""
    gc.freeze()
