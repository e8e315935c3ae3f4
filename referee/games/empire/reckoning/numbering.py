"""Units by number, as a person lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.kinds import plural
from referee.kit.wording import in_a_row


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


_BY_NUMBER = re.compile(r"\bunits? (\d+(?:, \d+)*)")


def with_kinds(empire: Empire, words: str) -> str:
    """What an order says of its units, with their kinds: `Move unit 3 to c1r2` of a coolie is `Move coolie 3 to c1r2`."""
    return _BY_NUMBER.sub(lambda found: _named(empire, found[1]) or found[0], words)


def _named(empire: Empire, listed: str) -> str:
    """`coolies 3, 4 and SAC 7`; those that are no more too; empty where one of them never was."""
    numbers = [int(number) for number in listed.split(", ")]
    known = {n: unit.kind for n in numbers if (unit := empire.units.get(n) or empire.gone.get(n)) is not None}
    if len(known) < len(numbers):
        return ""
    kinds = dict.fromkeys(known.values())
    return in_a_row([in_runs(kind, [n for n in numbers if known[n] == kind]) for kind in kinds])
