"""What a letter must keep that asks its reader for something: his sheet comes soon, and its subject says that it is his turn."""

from __future__ import annotations

import re

FIRST = 150
"""Words that may stand before an order sheet."""

CUT = re.compile(r"^.*- cut here -.*$", re.MULTILINE)
_OWES = re.compile(r"\bYou owe (?!nothing)")
_ON_FILE = re.compile(r"\bare on file; until they run you may change them\b")
"""A sheet may come to be tried again where nothing is owed any more."""
_SAYS = re.compile(r"\b(your|still your) (turn|decision)\b", re.IGNORECASE)


def before_the_sheet(text: str) -> int | None:
    """Words of a letter that stand before its order sheet; None without one."""
    cut = CUT.search(text)
    return len(text[: cut.start()].split()) if cut else None


def faults(subject: str, text: str) -> list[str]:
    """What a letter does not keep, each in a sentence."""
    before, plain = before_the_sheet(text), " ".join(text.split())
    found = []
    if before is not None and before > FIRST:
        found.append(f"“{subject}”: {before} words stand before the sheet")
    asks = before is not None and not _ON_FILE.search(plain)
    if (asks or _OWES.search(plain)) and not _SAYS.search(subject):
        found.append(f"“{subject}”: does not say that it is its reader's turn")
    return found
