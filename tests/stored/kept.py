"""The samples that are kept: a folder for each form of what is stored, a file for each subject, a line for each sample."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

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
