"""Taps: links of an HTML letter that write the answer to it. They get their address when the letter is whole.

In templates, and so in passages that are kept for all readers, a tap has its lines and no address: `<a href="tap:LINES">`. The
secret address of one reader stands nowhere but in his letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from referee.mail import Answerable, body_of, mailto

_TAP = re.compile(r'(<a [^>]*href=")tap:([^"]*)"')
_ROW = re.compile(r'<div [^>]*role="group">.*?</div>\n?', re.DOTALL)


def bodied(lines: Sequence[str]) -> Markup:
    """The lines as what a tap writes; empty where they are too many for a link."""
    return Markup(body_of(tuple(lines)))


def written_out(lines: Sequence[str]) -> tuple[str, ...]:
    """The orders of a sheet without its advice, each ended by ` ;`: programs that drop line ends part none of them wrongly."""
    return tuple(f"{line} ;" for line in lines if line.strip() and not line.lstrip().startswith("#"))


def with_address(html: str, answered: Answerable | None) -> str:
    """The letter with taps that answer it; without any where there is no answer to it."""
    if answered is None:
        return _ROW.sub("", html)
    return _TAP.sub(lambda tap: f'{tap[1]}{escape(mailto(answered, tap[2]))}"', html)
