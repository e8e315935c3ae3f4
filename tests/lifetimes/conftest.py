"""What versions left is gone on with by the dice that it was played with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.service.match import playing
from referee.service.match.sealing import Key
from tests.steady import SEALED


@pytest.fixture(autouse=True, scope="module")
def _dice_of_the_log() -> Iterator[None]:
    """Dice are those of the kept logs, and not steady; from before anything of a module is set up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Key, "chance", SEALED)
        playing._CACHE.clear()
        yield
