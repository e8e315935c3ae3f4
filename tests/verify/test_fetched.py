"""Folders fetched while their matches are played: what is of one moment is sound, and nobody takes an honest host for a cheat."""

from __future__ import annotations

import random
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.adapters.signing_key import verify
from referee.bootstrap.mail_ways import publish
from referee.cli.records import of_one_moment
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.audit import Verdict
from tests.verify.matches import ALL, MATCH, bots, table, write

FETCHES = 10_000
GAMES = ("newworld", "war27", "war17", "empire")
NAMES = ("match.json", "log.jsonl", "reports.jsonl")


class Readers:
    """Who fetch the folders again and again, each in its way, until nobody plays any more and all fetches are made."""

    def __init__(self, roots: list[Path]) -> None:
        self.roots, self.over, self.said = roots, threading.Event(), Counter[str]()
        self._known: dict[tuple[bytes, ...], str] = {}

    def fetch(self, name: str, many: int) -> None:
        """`one`: as `referee verify` reads, all files held against their list; `loose`: file by file in any order, as whoever
        copies a folder does.
        """
        chosen = random.Random(name)
        done = 0
        while done < many or not self.over.is_set():
            done += 1
            folder = chosen.choice(self.roots) / MATCH
            if name == "one":
                (*parts, _, listed), digests = of_one_moment(folder)
                files, checks = (*parts, listed), Checks(verify, listed=listed, files=digests)
            else:
                read = {part: (folder / part).read_bytes() for part in chosen.sample(NAMES, 3)}
                files, checks = tuple(read[part] for part in NAMES), Checks(verify)
            self.said[f"{name}: {self._verdict(files, checks)}"] += 1

    def _verdict(self, files: tuple[bytes, ...], checks: Checks) -> str:
        if files not in self._known:
            found = verify_archive(ALL, *files[:3], checks=checks)
            self._known[files] = found.verdict.words if found.verdict is not Verdict.UNSOUND else found.trouble
        return self._known[files]


@pytest.mark.slow
def test_no_fetch_of_a_folder_finds_an_honest_host_a_cheat(tmp_path: Path, sealed_dice: None) -> None:
    """10,000 fetches while four matches are played to their end.

    Whoever reads a folder as one has it sound each time. One who copies it file by file may have files of two moments, and no
    host can help that: he is told to fetch it anew, and never that somebody cheats.
    """
    with ExitStack() as open_tables:
        worlds = [open_tables.enter_context(table(game, seed=f"fetched {game}")) for game in GAMES]
        sites = [Site(tmp_path / game) for game in GAMES]
        for world, site in zip(worlds, sites, strict=True):
            publish(world.office, site, MATCH)
        readers = Readers([site.root for site in sites])
        threads = [threading.Thread(target=readers.fetch, args=(name, FETCHES // 2)) for name in ("one", "loose")]
        for thread in threads:
            thread.start()
        for part in range(12):
            for world, site in zip(worlds, sites, strict=True):
                bots(world, 2, part)
                publish(world.office, site, MATCH)
        for world, site in zip(worlds, sites, strict=True):
            write(world, 'TERMINATE BECAUSE "it is seen enough"')
            publish(world.office, site, MATCH)
        readers.over.set()
        for thread in threads:
            thread.join()
    assert sum(readers.said.values()) >= FETCHES
    allowed = {"one: Sound", "loose: Sound", f"loose: {Verdict.OLDER.words}"}
    assert set(readers.said) <= allowed, readers.said
    print(dict(readers.said))
