"""A referee with a kept database: its letters are read as they are asked for, and each match has members of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sqlalchemy import text

from referee.service.base.office import Limits
from referee.service.intake.downtime import look_after_all
from referee.service.post.tray import written
from tests.world import Mail, World

NAMES = ("anna", "ben", "carla", "dan", "emma", "finn", "greta", "hugo")

_NEWEST = text("SELECT coalesce(max(id), 0) FROM letter_out")


def player_of(match: str, number: int) -> str:
    """The address of who joined a match as its first, second, ..."""
    return f"{NAMES[number]}@{match}.example"


def master_of(match: str) -> str:
    """The address of its game master."""
    return f"gina@{match}.example"


class Club(World):
    """A World in which many matches go on at once; it reads no letter that nobody asked for."""

    def __init__(self, folder: Path, seed: str, first: int = 1, build: str = "") -> None:
        super().__init__(folder, seed, first)
        limits = Limits(forming_in_all=1_000, requests_a_day=10_000)
        self.office = replace(self.office, limits=limits, build=build)

    def overlook(self) -> None:
        """Read none of the letters that were written so far."""
        with self.store.engine.begin() as db:
            self._last = int(db.execute(_NEWEST).scalar_one())
        self._mail, self._read = [], 0

    def letter(self, number: int) -> Mail:
        """A letter by its number in the outbox."""
        with self.store.look() as step:
            found = step.posted(number)
        assert found is not None
        return Mail(found.kind, written(self.office, found).raw, found.recipient)

    def work(self) -> list[Mail]:
        """Handle what came in and what is due; of what was written before nothing is read."""
        self.overlook()
        return super().work()

    def start_the_desk(self) -> list[Mail]:
        """What a desk does first: every match is looked after, and letters that lay there are read."""
        self.overlook()
        look_after_all(self.office)
        return super().work()
