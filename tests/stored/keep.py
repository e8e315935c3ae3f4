"""The samples that are kept: a folder for each form of what is stored, a file for each subject, a line for each sample.

`make keep-stored` keeps a sample of every form of what is stored that has none. What is kept is never changed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from referee.service.base.note_values import FORMAT
from tests.house.sources import ROOT
from tests.stored.subjects import SUBJECTS

_FOLDER = Path(__file__).parent / "kept"


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text as it was stored. Where what it is read as today has other names, `gives` is that."""

    kind: str
    text: str
    gives: str = ""

    @property
    def expected(self) -> Any:
        """What it is to be read as, at least: fields that came later are beside it."""
        return msgspec.json.decode(self.gives or self.text)


def file_of(format: int, subject: str) -> Path:
    """Where the samples of a subject are, as they were stored in a format."""
    return _FOLDER / f"format-{format}" / f"{subject}.jsonl"


def samples(file: Path) -> list[Sample]:
    """What is kept in a file."""
    return [msgspec.json.decode(line, type=Sample) for line in file.read_bytes().splitlines()] if file.exists() else []


def everything() -> Iterator[tuple[Path, Sample]]:
    """Every sample there is, with its file."""
    for file in sorted(_FOLDER.glob("*/*.jsonl")):
        for sample in samples(file):
            yield file, sample


def known(subject: str) -> set[tuple[str, str]]:
    """Kind and text of all samples of a subject, in whatever format."""
    return {(sample.kind, sample.text) for file, sample in everything() if file.stem == subject}


# ---------------------------------------------------------------- kept anew


FIRST_IN = {1: "0.2.0", 2: "0.3.0"}
"""The release that first stored in each format: when it is out, its format is closed."""


def is_closed(format: int, version: str, tags: str) -> bool:
    """Whether a format has been released, by the version of the sources and the tags they have."""
    first = FIRST_IN[format]
    return _number(version) > _number(first) or f"v{first}" in tags.split()


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3])


def keep() -> int:
    """Lay what is new beside what is kept, in the format that is stored today; how many samples."""
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    closed = is_closed(FORMAT, metadata.version("referee"), tags)
    count = 0
    for name, subject in SUBJECTS.items():
        there = known(name)
        fresh = [Sample(kind, text) for kind, text in dict.fromkeys(subject.today()) if (kind, text) not in there]
        if fresh and closed:
            sys.exit(
                f"{fresh[0].kind} has a new form, which format {FORMAT}, released with {FIRST_IN[FORMAT]}, has not: {RAISE}"
            )
        if fresh:
            file = file_of(FORMAT, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("ab") as lines:
                lines.writelines(msgspec.json.encode(sample) + b"\n" for sample in fresh)
        count += len(fresh)
    return count


RAISE = (
    "raise FORMAT in referee/service/base/note_values.py, since older programs do not know it, name its first release in "
    "tests/stored/keep.py, and write make keep-stored."
)

if __name__ == "__main__":
    print(f"{keep()} new samples are kept")
