"""Texts that the keeper lays into a folder, such as drawn boards, by name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path


class DrawingFolder(Mapping[str, str]):
    """The text files of a folder as it is now: `The Valley.txt` goes by the name the-valley. No folder: none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _files(self) -> dict[str, Path]:
        found = sorted(path for path in self._folder.glob("*.txt") if path.is_file() and os.access(path, os.R_OK))
        return {"-".join(path.stem.lower().split()): path for path in found}

    def __getitem__(self, name: str) -> str:
        return self._files()[name].read_text("utf-8-sig", errors="replace")

    def __iter__(self) -> Iterator[str]:
        return iter(self._files())

    def __len__(self) -> int:
        return len(self._files())
