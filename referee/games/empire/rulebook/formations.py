"""Formations of land military, read from formations.toml: what arms them and what they are worth in battle (emp.H-25)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec

from referee.games.empire.rulebook.kinds import BTA

PER_PART = 4 * BTA
"""What arming costs for each part, in thirtieths of a BTA."""

THIRD = "HAU third"
"""A third of heavy arms: a HAU is broken into three when a support regiment is armed; three serve as one again."""

THIRDS = 3
"""So many thirds are a unit of heavy arms."""


class Formation(msgspec.Struct, frozen=True):
    """A formation: the arms of its one coolie, its printed factors, how far its zone reaches beyond its own square.

    `airport`: it is formed only where its country may use an airport.
    """

    parts: Mapping[str, int]
    attack: int
    defence: int
    zone: int
    airport: bool = False

    @property
    def arms(self) -> tuple[str, ...]:
        """Its parts one by one."""
        return tuple(part for part, number in self.parts.items() for _ in range(number))


FORMATIONS: Mapping[str, Formation] = msgspec.convert(
    tomllib.loads(files(__package__).joinpath("formations.toml").read_text("utf-8")), dict[str, Formation]
)
"""Every formation by its name, which is its kind of unit."""
