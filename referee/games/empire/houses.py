"""House rules that a match may switch, read from houses.toml: which choice of each set is in force, and its figures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

from referee.core.vocabulary import Setting
from referee.games.empire.countries import Petition
from referee.games.empire.state import Empire
from referee.kit.refused import Refused

STANDARD = "standard"
"""The choice of every set that holds unless a match or a petition says otherwise."""

_ABOUT = ("rule", "about")


class HouseSet(msgspec.Struct, frozen=True):
    """One set: the rule it replaces, what it is about, and what each choice says."""

    name: str
    rule: str
    about: str
    choices: Mapping[str, str]


class Confidence(msgspec.Struct, frozen=True):
    """The figures of H-14 and H-15: `luck` by band of the roll, the share of the investment, S = scale + fund / `fund`.

    `black` and `red` bound what the economy gives and takes.
    """

    luck: tuple[int, ...]
    investment: str
    scale: int
    fund: int
    black: int
    red: int

    @property
    def share(self) -> Fraction:
        """The part of the investment points that weighs on the balance."""
        return Fraction(self.investment)


_RAW: Mapping[str, dict[str, Any]] = tomllib.loads(files(__package__).joinpath("houses.toml").read_text("utf-8"))

SETS: Mapping[str, HouseSet] = {
    name: HouseSet(
        name, raw["rule"], raw["about"], {choice: body["text"] for choice, body in raw.items() if choice not in _ABOUT}
    )
    for name, raw in _RAW.items()
}
"""Every set by its name; its first choice is the standard."""

SETTINGS = tuple(Setting(name, tuple(found.choices), found.about, found.rule) for name, found in SETS.items())
"""What CREATE may choose, a setting for each set."""

_CONFIDENCE = {
    choice: msgspec.convert(
        {what: value for what, value in _RAW["confidence"][choice].items() if what != "text"}, Confidence
    )
    for choice in SETS["confidence"].choices
}


def chosen(empire: Empire, house: str) -> str:
    """The choice of a set in force: what a petition put in force, else what the match was created with."""
    return empire.houses.get(house) or empire.options.get(house, STANDARD)


def waiting(empire: Empire) -> tuple[Petition, ...]:
    """Petitions for another choice that have passed and are not in force yet (P19)."""
    return tuple(p for p in empire.petitions if p.house and p.result == "passed" and not p.since)


def coming(empire: Empire, house: str) -> str:
    """The choice of a set that will be in force in the next turn."""
    passed = [petition.choice for petition in waiting(empire) if petition.house == house]
    return passed[-1] if passed else chosen(empire, house)


def check_choice(empire: Empire, house: str, choice: str) -> None:
    """P19: a change names a set, and a choice of it that is not in force anyway. Raises Refused."""
    if house not in SETS:
        lines = tuple(f'PETITION FOR change OF {name} TO {_others(empire, name)[0]} "..."' for name in SETS)
        unknown = f"There is no set of house rules {house}" if house else "Say of which set of house rules"
        raise Refused(f"{unknown}; there are {', '.join(SETS)}.", "emp.P19", house, lines)
    lines = tuple(f'PETITION FOR change OF {house} TO {other} "..."' for other in _others(empire, house))
    if choice not in SETS[house].choices:
        unknown = f"{house} has no choice {choice}" if choice else f"Say to which choice {house} shall change"
        raise Refused(f"{unknown}; it has {', '.join(SETS[house].choices)}.", "emp.P19", choice, lines)
    if choice == coming(empire, house):
        when = "is in force" if choice == chosen(empire, house) else "has been voted for the next turn"
        others = ", ".join(_others(empire, house))
        raise Refused(f"{house} {choice} {when} already; the other choices are {others}.", "emp.P19", choice, lines)


def _others(empire: Empire, house: str) -> tuple[str, ...]:
    return tuple(choice for choice in SETS[house].choices if choice != coming(empire, house))


def figure(empire: Empire, house: str, name: str) -> int:
    """A figure of the choice in force: `figure(empire, "goods", "edu")`."""
    value = _RAW[house][chosen(empire, house)][name]
    assert isinstance(value, int)
    return value


def confidence(empire: Empire) -> Confidence:
    """The figures of confidence in force (H-14, H-15)."""
    return _CONFIDENCE[chosen(empire, "confidence")]


def combat_table(empire: Empire) -> Mapping[str, tuple[str, ...]]:
    """By odds such as `3:1`, what a die of 1 to 6 decides (H-28)."""
    return {odds: tuple(row) for odds, row in _RAW["combat"][chosen(empire, "combat")]["table"].items()}
