"""Signs of seats in HTML: a small plate in the seat's colour with a shape on it, for whoever cannot tell the colour.

The shapes are letters of every font, so nothing is fetched, and a program that shows text alone shows a dot or a star. What a
name is depends on the game (France may be a player or a region), so templates leave a place for a sign, which is filled when
the letter is whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

_SHAPES = (9679, 9632, 9650, 9670, 9733, 9660, 10010, 9644)
"""Disc, square, triangle, diamond, star, triangle on its point, cross, bar: told apart at the size of a letter."""

_PLACE = re.compile(r'<i seat="([^"]*)"></i>')


class SeatSigns:
    """The signs of the seats of all games, which `colours` gives by the title of each; `style` is that of every plate."""

    def __init__(self, colours: Mapping[str, Mapping[str, str]], style: str) -> None:
        self._signs = {
            title: {
                str(escape(seat)): _sign(_SHAPES[at % len(_SHAPES)], seats[seat], style)
                for at, seat in enumerate(seats)
            }
            for title, seats in colours.items()
        }
        every = {seat for signs in self._signs.values() for seat in signs}
        names = "|".join(map(re.escape, sorted(every, key=len, reverse=True))) or "(?!)"
        self._first = re.compile(rf"(^\s*|: |\bTO )({names})(?![\w-])|(, | and )({names})(?= \d)")
        self._listed = re.compile(rf"(^|, | and )({names})(?=$|, | and )")
        self._in_words = lru_cache(maxsize=4_096)(self._found)
        self._only = re.compile(rf"(?:(?:^|, | and )(?:{names}))+")

    def seated(self, value: Any) -> Any:
        """A cell or a sentence with a place for a sign before each name that it begins with, lists, or gives a number."""
        return self._in_words(value) if isinstance(value, str) else value

    def _found(self, value: str) -> Markup:
        text = str(escape(value))
        names = self._listed if self._only.fullmatch(text) else self._first
        return Markup(names.sub(_placed, text))

    def signed(self, html: str, title: str) -> str:
        """A whole letter or page with the signs of the game of this title; of none where there is no such game."""
        signs = self._signs.get(title, {})
        return _PLACE.sub(lambda place: signs.get(place[1], ""), html)


def _placed(found: re.Match[str]) -> str:
    before, seat = [part for part in found.groups() if part is not None]
    return f'{before}<i seat="{seat}"></i>{seat}'


def _sign(shape: int, colour: str, style: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    ink = "#000" if 299 * red + 587 * green + 114 * blue > 120_000 else "#fff"
    return f'<span aria-hidden="true" style="background: {colour}; color: {ink}; {style}">&#{shape};</span>&nbsp;'
