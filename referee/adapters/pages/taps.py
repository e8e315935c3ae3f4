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
_MORE = "# The letter has more lines."
_ROW = re.compile(r'<div [^>]*role="group">.*?</div>\n?', re.DOTALL)


def bodied(lines: Sequence[str]) -> Markup:
    """The lines as what a tap writes; empty where they are too many for a link."""
    return Markup(body_of(tuple(lines)))


def live(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a sheet that are orders and no advice."""
    return tuple(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def to_change(lines: Sequence[str]) -> tuple[str, ...]:
    """A sheet to change that a link has room for: all its orders, and of its advice what there is room for, the first first."""
    kept = list(lines)
    more: tuple[str, ...] = ()
    advice = [at for at, line in enumerate(lines) if not live((line,))]
    while not bodied(whole := (*kept, *more)) and advice:
        del kept[advice.pop()]
        more = (_MORE,)
    return next((sheet for sheet in (whole, tuple(kept)) if bodied(sheet)), ())


def with_address(html: str, answered: Answerable | None) -> str:
    """The letter with taps that answer it; without any where there is no answer to it."""
    if answered is None:
        return _ROW.sub("", html)
    return _TAP.sub(lambda tap: f'{tap[1]}{escape(mailto(answered, tap[2]))}"', html)
