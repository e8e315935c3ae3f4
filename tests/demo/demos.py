"""A demo that was played to its end, and what must hold for the demo of every game."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from referee.demo.client import Letter
from tests.demo.command import referee
from tests.letters.first_screen import faults
from tests.standins import read_maildir

_QUOTED = "  |"
"""How a letter begins a line that says again what its reader wrote."""

_ORDERS = re.compile(r"^# (- )+cut here.*?^# (- )+cut here[- ]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Played:
    """The folder of a demo, and what it printed, on one line."""

    folder: Path
    said: str

    @cached_property
    def letters(self) -> dict[str, list[Letter]]:
        """Every letter, by the first name of its reader."""
        boxes = (self.folder / "mail").iterdir()
        return {box.name.partition("@")[0]: [Letter(raw) for raw in read_maildir(box)] for box in boxes}

    def report(self, reader: str, phase: str) -> Letter:
        """The one report of a phase that came to somebody; its title may go on."""
        titled = re.compile(re.escape(phase))
        (found,) = [letter for letter in self.letters[reader] if titled.match(letter.heading)]
        return found


def demo_of(game: str) -> Callable[[pytest.TempPathFactory], Played]:
    """A fixture of a test module: the demo of a game, played once by the command line."""

    @pytest.fixture(scope="module")
    def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
        folder = tmp_path_factory.mktemp(game) / "kept"
        code, said = referee("demo", game, "--keep", str(folder), cwd=folder.parent)
        assert code == 0, said
        return Played(folder, " ".join(said.split()))

    return played


class EveryDemo:
    """What holds for every demo; a test module says which was `played` and how many letters it takes at the least."""

    letters: int

    def test_it_is_proved_from_the_archive_and_from_the_database(self, played: Played) -> None:
        for sentence in (
            "Final standings",
            "The secret in the last letter has the fingerprint that stood in the first",
            "referee verify, with nothing but the archive folder: Sound",
            "referee replay, from the database: Sound",
        ):
            assert sentence in played.said
        (index,) = (played.folder / "archive").glob("*/index.html")
        assert str(index) in played.said

    def test_the_service_had_nothing_to_complain_of(self, played: Played) -> None:
        assert (played.folder / "service.log").read_text() == ""

    def test_no_letter_was_shunted_or_failed(self, played: Played) -> None:
        with closing(sqlite3.connect(f"file:{played.folder / 'referee.sqlite'}?mode=ro", uri=True)) as database:
            assert database.execute("select count(*) from letter_in where status = 'shunted'").fetchone() == (0,)
            assert database.execute("select count(*) from letter_out where status <> 'sent'").fetchone() == (0,)
        database.close()

    def test_letters_keep_to_72_columns(self, played: Played) -> None:
        every = [letter for letters in played.letters.values() for letter in letters]
        assert len(every) >= self.letters
        # Orders go back line by line, so their lines are never broken; a Message-ID has no place to break at.
        running = [line for letter in every for line in _outside_of_orders(letter)]
        assert [line for line in running if len(line) > 72 and "@" not in line] == []

    def test_whoever_owes_reads_it_on_his_first_screen(self, played: Played) -> None:
        every = [letter for letters in played.letters.values() for letter in letters]
        found = [fault for letter in every for fault in faults(letter.subject, letter.text)]
        assert not found, found


def _outside_of_orders(letter: Letter) -> list[str]:
    return [line for line in _ORDERS.sub("", letter.text).splitlines() if not line.startswith(_QUOTED)]
