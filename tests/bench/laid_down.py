"""What a turn costs more by the digests of its words: python -m tests.bench.laid_down, of all kept games."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from referee.adapters.signing_key import SigningKey
from referee.core.stage import Ended
from referee.service.turn import reports
from tests.played.playing import letters_sent
from tests.world import World

PLAYED = Path(__file__).parents[1] / "played"


def of(name: str) -> tuple[list[float], float]:
    """Milliseconds of processor time for the digests of each turn, and for all else of a turn."""
    spent, true, began = dict[int, float](), reports._laid_down, time.thread_time()

    def timed(hand: Any, phase: Ended[Any], *rest: Any) -> str:
        now = time.thread_time()
        laid = true(hand, phase, *rest)
        spent[phase.phase.turn] = spent.get(phase.phase.turn, 0) + 1000 * (time.thread_time() - now)
        return laid

    with tempfile.TemporaryDirectory() as folder, patch.object(reports, "_laid_down", timed):
        world = World(Path(folder), signer=SigningKey("games.example", bytes(32)))
        letters_sent(world, PLAYED / name)
        world.close()
    return [*spent.values()], 1000 * (time.thread_time() - began) / len(spent) - statistics.mean(spent.values())


if __name__ == "__main__":
    for name in ("newworld", "empire", "war17", "war27"):
        laid, rest = of(name)
        print(f"{name}: {statistics.median(laid):.2f} ms, at most {max(laid):.2f}, beside {rest:.0f} ms")
