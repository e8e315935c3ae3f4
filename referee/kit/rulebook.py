"""A game's numbered rules as data: reading rules.toml, finding a rule's part, writing the page players read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby

import msgspec
from msgspec.structs import replace

from referee.core.game import Guide, Revision, Rule


class _File(msgspec.Struct, frozen=True):
    rule: tuple[Rule, ...]


def read_rules(package: str, **figures: object) -> tuple[Rule, ...]:
    """The rules in `rules.toml` of a game's package, in the order of the file, with its figures in the blanks of their texts.

    Raises msgspec.ValidationError.
    """
    text = files(package).joinpath("rules.toml").read_text(encoding="utf-8")
    rules = msgspec.toml.decode(text, type=_File).rule
    return tuple(replace(rule, text=rule.text.format(**figures)) for rule in rules) if figures else rules


def read_guide(package: str) -> Guide:
    """What `guide.toml` of a game's package tells a newcomer. Raises msgspec.ValidationError."""
    text = files(package).joinpath("guide.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=Guide)


class _Revisions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: tuple[Revision, ...]


def read_revisions(package: str) -> tuple[Revision, ...]:
    """What `revisions.toml` of a game's package tells of its rules, the last in force. Raises msgspec.ValidationError."""
    text = files(package).joinpath("revisions.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=_Revisions).revision


@cache
def fingerprint(*packages: str) -> str:
    """16 hexadecimal digits of the SHA-256 over every source and table of these packages, by their names.

    Where there are no sources, as in a page, it was kept with what was compiled from them.
    """
    kept = files("referee").joinpath(*FINGERPRINTS)
    if kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=dict[str, str])[" ".join(packages)]
    told = sha256()
    for package in packages:
        for name, content in sorted(_contents(files(package), package)):
            told.update(f"{name} {len(content)}\n".encode() + content)
    return told.hexdigest()[:16]


FINGERPRINTS = ("_data", "fingerprints.json")
"""Where fingerprints are kept, by the names of their packages with blanks between."""


def _contents(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _contents(item, f"{place}/{item.name}") if item.name != "__pycache__" else ()
        elif item.name.endswith(_COUNT):
            yield f"{place}/{item.name}", item.read_bytes()


_COUNT = (".py", ".toml", ".txt")
"""Files of a package in which rules stand; cases and pictures are none."""


def part_of(number: str, parts: Mapping[str, str]) -> str | None:
    """What stands for the longest beginning of a number such as `combat.naval.3` in `parts`; None for no beginning."""
    steps = number.split(".")
    beginnings = (".".join(steps[:size]) for size in range(len(steps), 0, -1))
    return next((parts[beginning] for beginning in beginnings if beginning in parts), None)


def under_headings(rules: Sequence[Rule], heading: Callable[[Rule], str]) -> Iterator[str]:
    """Lines of Markdown: each rule with its id, mark and source, under the headings they fall under."""
    for title, group in groupby(rules, heading):
        yield from ("", f"## {title}", "")
        yield from (f"- `{rule.id}` ({rule.mark}; {rule.citation}) {rule.text}" for rule in group)
