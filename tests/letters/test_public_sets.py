"""Public sets of letters, read from where a package carries them: nothing raises, and bounces are known as such."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from referee.mail import read
from tests.letters.reading import said

BOUNCES = "flufl.bounce==6.0.0"


def letters_of_python() -> list[tuple[str, bytes]]:
    """The test letters of the Python that runs; empty where it came without them."""
    try:
        data = resources.files("test.test_email") / "data"
    except ModuleNotFoundError:
        return []
    return sorted((file.name, file.read_bytes()) for file in data.iterdir() if file.name.endswith(".txt"))


@pytest.mark.skipif(not letters_of_python(), reason="this Python came without its test package")
def test_pythons_letters_are_read_and_no_line_of_them_is_lost() -> None:
    for name, raw in letters_of_python():
        came = said(raw)
        lines = came.letter.text.split("\n")
        numbers = [line.number for line in came.stripped.lines]
        numbers += [line.number for line in came.stripped.ignored]
        assert sorted(numbers) == list(range(1, len(lines) + 1)), name
        assert came.letter.size == len(raw), name


@pytest.fixture(scope="module")
def bounces(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, bytes]]:
    """The bounces in the source distribution of flufl.bounce, as the registry gives it out."""
    folder = tmp_path_factory.mktemp("flufl")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
    done = subprocess.run([*command, "-d", folder, BOUNCES], capture_output=True, text=True, timeout=120)
    archives = [*folder.glob("*.tar.gz")]
    if not archives:
        pytest.skip(f"{BOUNCES} could not be fetched: {done.stderr.strip()[-200:]}")
    return sorted(_letters_in(archives[0]))


def _letters_in(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive) as files:
        for member in files:
            if "/tests/data/" in member.name and member.name.endswith(".txt"):
                content = files.extractfile(member)
                assert content is not None
                yield Path(member.name).name, content.read()


@pytest.mark.slow
def test_bounces_of_many_servers_are_read_and_known_as_automatic(bounces: list[tuple[str, bytes]]) -> None:
    assert len(bounces) > 100
    unknown = [name for name, raw in bounces if not read(raw).automatic]
    assert len(unknown) <= len(bounces) // 20, unknown
    for name, raw in bounces:
        assert said(raw).letter.size == len(raw), name
