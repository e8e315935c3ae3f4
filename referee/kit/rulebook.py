"""A game's numbered rules as data: reading rules.toml, finding a rule's part, writing the page players read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby

import msgspec

from referee.core.game import Guide, Rule


class _File(msgspec.Struct, frozen=True):
    rule: tuple[Rule, ...]


def read_rules(package: str) -> tuple[Rule, ...]:
    """The rules in `rules.toml` of a game's package, in the order of the file. Raises msgspec.ValidationError."""
    text = files(package).joinpath("rules.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=_File).rule


def read_guide(package: str) -> Guide:
    """What `guide.toml` of a game's package tells a newcomer. Raises msgspec.ValidationError."""
    text = files(package).joinpath("guide.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=Guide)


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
