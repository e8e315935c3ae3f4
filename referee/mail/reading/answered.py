"""Where a letter that is answered begins, by signs that need no dictionary: the shape of its header, lines of ours.

Mail programs put a header over what they quote in a hundred languages, and not all mark the lines below it. Whatever
its words are, such a header names an address and a time; and below one of our letters stand lines that only we write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

_GUESSED = 300
_LINES = 8
"""Lines of a header block that are looked at."""

_ABOVE = 15
"""How many lines above a line of ours the title of the letter may stand."""

_LABEL = re.compile(r"[\s*]{0,80}([^\s\d:*<>@\"|#][^\d:<>@\"|#]{0,30}):(?!//)(.*)", re.DOTALL)
_IDENTITY = re.compile(r"[ \t]+<[^<>\s]+@[^<>\s]+>:\s*")
"""The second line of an attribution that is broken before the Message-ID."""

_ADDRESS = re.compile(r"[^\s<>@:,;()]@[^\s<>@:,;()]")
_BRACKETS = re.compile(r"[<\[(][^\s<>@]{1,64}@[^\s<>@]{1,255}[>\])]")
_TIME = re.compile(r"\b\d{1,2} ?[:.hH] ?\d{2}\b|\b(19|20)\d{2}\b|\d{4} ?[年/.-]")
_ABOUT = re.compile(r"\[[a-z0-9-]{1,40}\]")
_SEAL = re.compile(r"[*_]{0,2}(Proof [0-9a-f]{64}|Log \d+:[0-9a-f]{16} · )")
_VERDICT = re.compile(
    r"[*_]{0,2}(COMPLETE|LOOK AGAIN|INCOMPLETE|NOTHING USABLE|NOTHING WAITS|NOT DONE|DONE):[*_]{0,2} \S"
)
_WHERE = re.compile(r".{1,200}?, this is .{0,120}?\bmatch [a-z0-9-]+[;.]")
_CUT = re.compile(r"(# ?)?(- ){3,40}cut here( -){3,40}")


class Header(msgspec.Struct, frozen=True):
    """The lines of the header of an answered letter, the last one not included: none, where only lines of ours are found."""

    first: int
    end: int


def attribution(lines: Sequence[str], last: int) -> Header | None:
    """ "On Sunday Anna <anna@…> wrote:", in any language, that ends on this line: a colon, an address, perhaps a time.

    It may be broken over up to three lines, the address or the time on an earlier one.
    """
    line = lines[last].strip()[:_GUESSED]
    if not line or line[-1] not in ":>])":
        return None
    if last and _IDENTITY.fullmatch(lines[last]) and lines[last - 1].strip():
        return Header(last - 1, last + 1)
    if _TIME.search(line) and _BRACKETS.search(line):
        return Header(last, last + 1)
    if not line.endswith(":"):
        return None
    said = ""
    for first in range(last, max(-1, last - 3), -1):
        part = lines[first].strip()[:_GUESSED]
        said = f"{part} {said}"
        if not part:
            break
        if _TIME.search(said) and (_ADDRESS.search(line) or _BRACKETS.search(said)):
            return Header(first, last + 1)
    return Header(last, last + 1) if _BRACKETS.search(line) else None


def header_block(lines: Sequence[str], place: int) -> tuple[int, bool]:
    """How far neighbouring lines "Word: value" reach from here, and whether they are the header of a letter.

    Some value names an address or a match, [so], and another one a time.
    """
    values: list[str] = []
    at = place
    for at in range(place, len(lines) + 1):
        found = _LABEL.fullmatch(lines[at][:_GUESSED]) if at < len(lines) else None
        if found:
            values.append(found[2])
        elif at == len(lines) or not lines[at].strip() or not lines[at][:1].isspace():
            break
    return at, _is_header(values[:_LINES])


def _is_header(values: Sequence[str]) -> bool:
    addressed = {n for n, value in enumerate(values) if _ADDRESS.search(value)}
    timed = {n for n, value in enumerate(values) if _TIME.search(value)} - addressed
    about = {n for n, value in enumerate(values) if _ABOUT.search(value)} - timed
    return bool(addressed and (timed or about - addressed)) or bool(len(values) > 2 and timed and about)


def may_be_ours(line: str) -> bool:
    """Whether a line has what all of `ours` have: asked first, for it costs next to nothing."""
    return ":" in line or ", this is " in line or "HELP" in line


def ours(lines: Sequence[str], place: int) -> bool:
    """Whether this line stands in letters of ours and nowhere else: whose letter it is, its verdict, its seal, its help."""
    line = lines[place].strip()
    if ", this is " in line[:_GUESSED]:
        return _WHERE.match(" ".join(part.strip()[:_GUESSED] for part in lines[place : place + 2])) is not None
    return line.startswith(("Lost? Reply HELP", "Lost? Reply with HELP")) or bool(
        _SEAL.match(line) or _VERDICT.match(line)
    )


def titled(lines: Sequence[str], place: int) -> int:
    """Where the letter of ours begins in which this line stands: at its underlined title, a few lines above, if it has one."""
    for at in range(place - 1, max(0, place - _ABOVE), -1):
        rule = lines[at].strip()
        if len(rule) > 2 and not rule.strip("=") and lines[at - 1].strip():
            return at - 1
    return place


def said_when(lines: Sequence[str], first: int) -> int:
    """Where the line is that says when a letter was written: a little above a line of ours, with a time and a colon."""
    for at in range(first - 1, max(-1, first - _ABOVE), -1):
        line = lines[at].strip()[-_GUESSED:]
        if line.endswith(":") and _TIME.search(line):
            return at
    return first


def cuts(lines: Sequence[str], first: int, end: int) -> list[range]:
    """The order sheets between the cut marks of a letter of ours, which its reader may have filled in."""
    marks = [at for at in range(first, end) if "cut here" in lines[at] and _CUT.fullmatch(lines[at].strip())]
    return [range(a + 1, b) for a, b in zip(marks[::2], marks[1::2], strict=False)]
