"""Keep a sample of every form of what is stored that has none: `make keep-stored`. What is kept is never changed."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import msgspec

from referee.service.base.remembered import FORMAT
from tests.house.sources import ROOT
from tests.stored.kept import Sample, file_of, known
from tests.stored.subjects import SUBJECTS

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
    "raise FORMAT in referee/service/base/remembered.py, since older programs do not know it, name its first release in "
    "tests/stored/keep.py, and write make keep-stored."
)

if __name__ == "__main__":
    print(f"{keep()} new samples are kept")
