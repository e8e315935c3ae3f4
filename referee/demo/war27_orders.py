"""What the scripted players of War! write: their empires, their sheets of movement, and their answers in battle."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.table import form_of

__all__ = ["EMPIRES", "Empire", "answer", "builds", "explorers", "marches", "uncommented"]


@dataclass(frozen=True)
class Empire:
    """What a player wants at the start: regions, best first, and the purchase of 250 PP with its places."""

    draft: str
    purchase: str
    dear: tuple[str, ...] = ("infantry", "cavalry", "artillery")
    """Kinds of brigade, in the order in which their owner gives them up."""
    stands: int = 99
    """After so many rounds he leaves a battle in which he is not the stronger."""


EMPIRES: Mapping[str, Empire] = {
    "Red": Empire(
        "DRAFT Germany, Italy, Prussia, Austria-Hungary, Scandinavia, Lithuania",
        "BUY 7 infantry, 3 cavalry, 1 artillery, 1 general, 3 fleets, 1 explorer\n"
        "PLACE 7 infantry, 3 cavalry, 1 artillery, 1 general IN Germany\n"
        "PLACE 3 fleets IN Eastern Mediterranean\n"
        "PLACE 1 explorer IN Prussia",
    ),
    "Blue": Empire(
        "DRAFT France, Spain, Great Britain, Morocco, Algeria, Mauritania",
        "BUY 6 infantry, 2 cavalry, 2 artillery, 2 fleets, 1 city, 1 explorer\n"
        "PLACE 6 infantry, 2 cavalry, 2 artillery IN France\n"
        "PLACE 1 city, 1 explorer IN Spain\n"
        "PLACE 2 fleets IN North Atlantic",
        ("cavalry", "infantry", "artillery"),
        2,
    ),
    "Green": Empire(
        "DRAFT Egypt, Palestine, Ottoman, Mesopotamia, Tripoli, Arabia",
        "BUY 4 fleets, 1 city, 1 school, 6 infantry, 2 explorers\n"
        "PLACE 4 fleets IN Eastern Mediterranean\n"
        "PLACE 1 city, 1 school, 2 infantry, 2 explorers IN Egypt\n"
        "PLACE 4 infantry IN Ottoman",
    ),
    "Yellow": Empire(
        "DRAFT India, Bengal, Afghanistan, Persia, Siam, Annam",
        "BUY 12 explorers, 1 city, 1 port, 4 infantry, 1 fleet\n"
        "PLACE 4 explorers, 1 city IN India\n"
        "PLACE 4 explorers IN Afghanistan\n"
        "PLACE 4 explorers, 1 port IN Bengal\n"
        "PLACE 4 infantry IN Bengal\n"
        "PLACE 1 fleet IN Bay of Bengal",
    ),
}
"""Neighbours who will quarrel, fleets of two of them in one sea, and an explorer's party among natives.

The lists have no region in common, so everybody gets what he wants whatever the order of set-up.
"""


# ---------------------------------------------------------------- sheets


def uncommented(form: Sequence[str], *verbs: str) -> list[str]:
    """Lines of advice of a form that are orders with one of these verbs."""
    lines = [line.removeprefix("# ") for line in form if line.startswith("# ")]
    return [line for line in lines if line.startswith(tuple(f"{verb} " for verb in verbs))]


_TO = re.compile(r"^MOVE (\d+) .* TO (.+)$")


def marches(form: Sequence[str], at_least: int = 3) -> list[str]:
    """The marches that the form proposes into native regions, if enough brigades go."""
    native = set(re.findall(r"(?:Next to it:|,) ([A-Z][\w' -]*) \(native\)", "\n".join(form)))
    found = [(line, _TO.match(line)) for line in uncommented(form, "MOVE")]
    wanted: dict[str, str] = {}
    for line, to in found:
        if to is not None and int(to[1]) >= at_least and to[2] in native:
            wanted.setdefault(to[2], line)
    return list(wanted.values())


_WAYS = {"India": ("Tibet", "Kashmir"), "Bengal": ("China", "Tibet"), "Afghanistan": ("Kazakhstan", "Turkestan")}


def explorers(turn: int, round: int) -> list[str]:
    """Two explorers to each region next to one's own, with a gift once; written for whoever is still alive."""
    lines = []
    for home, goals in _WAYS.items():
        first, second = goals if (turn + round) % 2 == 0 else goals[::-1]
        lines += [
            f"IF explorers IN {home} >= 3",
            f"  MOVE 2 explorers FROM {home} TO {first}",
            f"  MOVE 2 explorers FROM {home} TO {second}",
            "ELSE",
            f"  IF explorers IN {home} >= 1",
            f"    MOVE all explorers FROM {home} TO {first}",
            "  END",
            "END",
        ]
    return [*lines, *(["EXPLORE Kashmir WITH gift"] if turn == 1 and round == 1 else [])]


def builds(form: Sequence[str]) -> list[str]:
    """What the form proposes for natives and one kind of unit, else nothing."""
    active = [line for line in form if line and not line.startswith("#")]
    return [*active, *uncommented(form, "BUILD")[-1:]]


# ---------------------------------------------------------------- answers in the middle of a turn

_POOL = re.compile(r"(\d+) (infantry|cavalry|artillery|[a-z]+?)s?\b")
_ROUND = re.compile(r"round (\d+)")
_FACING = re.compile(r"you have (.+?) against (.+?)\. Fight on")


def answer(empire: Empire, letter: Letter) -> str:
    """What a player replies to a question: his own mind where he has one, else what the letter proposes."""
    for sign, decide in _MINDS.items():
        if sign in letter.flat:
            return f"CHOOSE {decide(empire, letter)}"
    return f"CHOOSE {_proposed(letter)}"


def _proposed(letter: Letter) -> str:
    return next(line for line in form_of(letter) if line.startswith("CHOOSE ")).removeprefix("CHOOSE ")


def _words(letter: Letter) -> list[str]:
    """The choices as they stand on the menu, without their meaning."""
    return [line.removeprefix("# ").partition(":")[0] for line in form_of(letter) if line.startswith("# ")]


def _losses(empire: Empire, letter: Letter) -> str:
    """So many of the pool, the least dear first, parties last."""
    menu = next(line for line in form_of(letter) if " in all out of " in line)
    number, _, pool = menu.removeprefix("# ").partition(" in all out of ")
    left, lots = int(number), []
    here = {kind: int(n) for n, kind in _POOL.findall(pool.partition(";")[0])}
    for kind in sorted(here, key=lambda kind: empire.dear.index(kind) if kind in empire.dear else len(empire.dear)):
        taken = min(left, here[kind])
        left -= taken
        lots += [f"{taken} {kind}"] if taken else []
    return ", ".join(lots)


def _fused(empire: Empire, letter: Letter) -> str:
    return "1 artillery" if " artillery" in form_of(letter)[0] else "none"


def _retreat(empire: Empire, letter: Letter) -> str:
    """Leaves when his patience is over and he is not the stronger; to the first place on the menu."""
    facing, round = _FACING.search(letter.flat), _ROUND.search(letter.flat)
    away = next((word for word in _words(letter) if word != "stay"), "stay")
    if facing is None or round is None or int(round[1]) < empire.stands:
        return "stay"
    return away if _strength(facing[1]) <= _strength(facing[2]) else "stay"


def _strength(units: str) -> int:
    return sum(int(number) for number, kind in _POOL.findall(units) if kind in ("infantry", "cavalry", "artillery"))


def _naval(empire: Empire, letter: Letter) -> str:
    """Fights on while he has no fewer fleets."""
    found = re.search(r"you have (\d+) left, the enemy (\d+)", letter.flat)
    return "break off" if found is not None and int(found[1]) < int(found[2]) else "fight"


_MINDS: Mapping[str, Callable[[Empire, Letter], str]] = {
    "must go. Which?": _losses,
    "Three hits may become one": _fused,
    "Fight on or retreat?": _retreat,
    "Fight on, or break off?": _naval,
    "Do you intercept with": lambda empire, letter: "yes",
}
"""By the words of the question, how it is decided."""
