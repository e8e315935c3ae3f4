"""What the scripted players of Empire write: where they settle, what they do first, and what they find on their forms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """What a player wants: where the capital stands and its name, the two picks, the farms around it, what is built."""

    capital: str
    city: str
    picks: str
    farms: tuple[str, ...]
    builds: tuple[str, ...]
    vote: str = "yes"
    """What he votes on every petition."""

    @property
    def settles(self) -> str:
        """The order for the capital."""
        return f'PLACE CAPITAL {self.capital} NAMED "{self.city}"'


PLANS: Mapping[str, Plan] = {
    "Arcadia": Plan(
        "c5r5",
        "Aurora",
        "truck, 6 road",
        ("c4r5", "c6r5", "c5r4", "c4r4", "c6r4", "c5r7", "c3r5"),
        ("steel mill", "warehouse"),
    ),
    "Borealis": Plan(
        "c13r4",
        "Boreal Haven",
        "cargo ship, truck",
        ("c15r3", "c15r4", "c17r4", "c16r5", "c15r6", "c16r3", "c17r5"),
        ("dock",),
        "no",
    ),
    "Cascadia": Plan(
        "c10r13",
        "Cedar Falls",
        "truck, locomotive",
        ("c10r12", "c9r13", "c9r14", "c10r14", "c9r12", "c11r14", "c8r12"),
        ("tool and die works", "aluminum refinery"),
    ),
}
"""Three countries far enough from each other that every order of the cards gives everybody his own place."""


def farming(plan: Plan) -> Iterator[str]:
    """A coolie for every farm, out of the capital."""
    yield from (f"MOVE 1 coolie FROM {plan.capital} TO {farm}" for farm in plan.farms)
    yield from (f"WORK farm IN {farm}" for farm in plan.farms)


_IDLE = re.compile(r"^# Idle in (c\d+r\d+)\b.*?coolies? (\d+)")
_PROPOSED = ("# MOVE coolie ", "# WORK ")


def growing(form: Sequence[str], builds: Sequence[str], at: str) -> list[str]:
    """What the form proposes for the idle, the first of each square; then something is built in the capital."""
    lines = [line.removeprefix("# ") for line in form if line.startswith(_PROPOSED)]
    return [*lines, *(f"BUILD {what} IN {at}" for what in builds)]


def idle(form: Sequence[str], at: str) -> int:
    """The first coolie that has nothing to do in a square. Raises StopIteration when the form names none."""
    found = filter(None, map(_IDLE.match, form))
    return next(int(match[2]) for match in found if match[1] == at)


_LISTED = re.compile(r"^# ([a-zA-Z][\w -]*?)s? (\d[\d, to]*) in (c\d+r\d+)\b")
_NUMBERS = re.compile(r"(\d+)(?: to (\d+))?")


def whereabouts(form: Sequence[str]) -> dict[str, str]:
    """The square of every unit that the form lists, by its name, as `fighter 85`; it lists nobody who is carried."""
    found: dict[str, str] = {}
    for match in filter(None, map(_LISTED.match, "\n".join(form).replace("\n#   ", " ").splitlines())):
        for first, last in _NUMBERS.findall(match[2]):
            found |= {f"{match[1]} {number}": match[3] for number in range(int(first), int(last or first) + 1)}
    return found


def numbers(form: Sequence[str], kind: str) -> list[int]:
    """The numbers of the vehicles of a kind that the form lists."""
    return [int(name.rpartition(" ")[2]) for name in whereabouts(form) if name.rpartition(" ")[0] == kind]
