"""Rules cited in a report: each where it is first applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.core.page import Block, Bullets

_CITED = re.compile(r" \[([^\[\]]+)\]$")


def cited_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks; of the lines of lists that end with a rule, only the first with each rule names it."""
    seen = set[str]()
    for block in blocks:
        yield Bullets(tuple(_once(item, seen) for item in block.items)) if isinstance(block, Bullets) else block


def _once(item: str, seen: set[str]) -> str:
    found = _CITED.search(item)
    if found is None:
        return item
    again = found[1] in seen
    seen.add(found[1])
    return item[: found.start()] if again else item
