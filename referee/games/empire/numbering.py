"""Units by number, as a person lists them."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.empire.kinds import plural

__all__ = ["in_runs"]


def in_runs(kind: str, numbers: Iterable[int]) -> str:
    """Units of a kind by number, runs drawn together: `coolie 3`, `coolies 3, 5 to 20`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = ", ".join(f"{a}" if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in runs)
    return f"{kind if said.isdecimal() else plural(kind)} {said}"
