"""Two houses between which a match moves, each with a database and a clock of its own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import msgspec

from referee.games import rules_in_force
from referee.service.base.note_values import this_program
from referee.service.intake.matches_in import take_in
from referee.service.intake.matches_out import Carried, carry_out
from referee.service.match.result import Told
from tests.service.conftest import ANNA, OTTO
from tests.standins import SeededSecrets
from tests.world import World

CLUB = "referee@club.example"
HERE = this_program(rules_in_force())
ON_THE_WAY = timedelta(hours=3)


class Two:
    """The house in which a match begins, and another in which people and letters have other numbers.

    Their databases are files, the old one's a copy of one in `databases`, or have these addresses on a server.
    """

    def __init__(self, folder: Path, databases: Path, urls: tuple[str, str] = ("", "")) -> None:
        for name in ("old", "new"):
            (folder / name).mkdir()
        if not urls[0]:
            shutil.copy(databases / "begun.sqlite", folder / "old" / "referee.sqlite")
        self.old = World(folder / "old", first=1000, database=urls[0])
        self.new = World(folder / "new", seed="another house", first=5000, database=urls[1])
        self.new.office = replace(self.new.office, address=CLUB, secrets=SeededSecrets("another"))
        self.new.write(OTTO, "CREATE newworld AS other", to=CLUB)
        self.new.write(ANNA, "JOIN other", to=CLUB)
        self.old.new_mail()
        self.new.new_mail()
        self.carried: list[Carried] = []

    def close(self) -> None:
        self.old.close()
        self.new.close()

    def leaves(self, to: str = CLUB) -> Told:
        """The match is carried out."""
        return carry_out(self.old.office, "nw1", to, HERE, self.carried.append)

    def arrives(self, carried: Carried | None = None) -> Told:
        """Three hours later it is taken in, from its file."""
        return self._arrives(self.old, self.new, carried)

    def goes(self) -> None:
        """It moves from the old house to the new one, and everybody has read of it."""
        assert self.leaves()
        self.arrives()
        self.old.new_mail()
        self.new.new_mail()

    def turns_back(self) -> Told:
        """The match is carried out of the new house, for the old one."""
        return carry_out(self.new.office, "nw1", self.old.office.address, HERE, self.carried.append)

    def returns(self, carried: Carried | None = None) -> Told:
        """Three hours later the old house takes it back."""
        return self._arrives(self.new, self.old, carried)

    def comes_back(self) -> None:
        """It moves from the new house to the old one."""
        assert self.turns_back()
        self.new.new_mail()
        self.returns()

    def _arrives(self, whence: World, where: World, carried: Carried | None) -> Told:
        where.clock.advance(max(timedelta(0), whence.clock.now() + ON_THE_WAY - where.clock.now()))
        written = msgspec.json.encode(carried or self.carried[-1])
        return take_in(where.office, msgspec.json.decode(written, type=Carried), HERE)
