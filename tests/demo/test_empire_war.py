"""The demo of Empire at war whole: the raid, the landing and the siege are in the letters, and the match is proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.demo.command import referee


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo that was played to its end, and what it printed."""
    folder = tmp_path_factory.mktemp("empire-war") / "kept"
    code, said = referee("demo", "empire-war", "--keep", str(folder), cwd=folder.parent)
    assert code == 0, said
    return folder, " ".join(said.split())


def test_the_raid_the_landing_and_the_siege_are_told(played: tuple[Path, str]) -> None:
    _, said = played
    for sentence in (
        "raids New Haven from the air",
        "clears the sea",
        "lands under the guns of her fleet",
        "asks for her odds first",
        "attacks New Haven",
        "The siege: told in",
        "Final standings",
        "referee verify, with nothing but the archive folder: Sound",
        "referee replay, from the database: Sound",
    ):
        assert sentence in said


def test_a_die_decides_before_the_city(played: tuple[Path, str]) -> None:
    _, said = played
    assert re.search(r"attacks c22r5 with .*?odds \d:\d, │? ?│? ?die \d", said)


def test_the_service_had_nothing_to_complain_of(played: tuple[Path, str]) -> None:
    assert (played[0] / "service.log").read_text() == ""
