"""House rules that a match may switch, read from houses.toml: the choices of each set, and their figures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

from referee.core.vocabulary import Setting

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
    """The figures of emp.H-14 and emp.H-15: `luck` by band of the roll, the share of the investment, S = scale + fund / `fund`.

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

CONFIDENCE: Mapping[str, Confidence] = {
    choice: msgspec.convert(
        {what: value for what, value in _RAW["confidence"][choice].items() if what != "text"}, Confidence
    )
    for choice in SETS["confidence"].choices
}
"""The figures of confidence by choice (emp.H-14, emp.H-15)."""

COMBAT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    choice: {odds: tuple(row) for odds, row in _RAW["combat"][choice]["table"].items()}
    for choice in SETS["combat"].choices
}
"""By choice and odds such as `3:1`, what a die of 1 to 6 decides (emp.H-28)."""


def figure_of(house: str, choice: str, name: str) -> int:
    """A figure of a choice: `figure_of("goods", "standard", "edu")`."""
    value = _RAW[house][choice][name]
    assert isinstance(value, int)
    return value
