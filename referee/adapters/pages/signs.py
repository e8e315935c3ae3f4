"""Signs of seats in HTML: a small plate in the seat's colour with a shape on it, for whoever cannot tell the colour.

The shapes are letters of every font, so nothing is fetched, and a program that shows text alone shows a dot or a star. What a
name is depends on the game (France may be a player or a region), so templates leave a place for a sign, which is filled when
the letter is whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

_SHAPES = (9679, 9632, 9650, 9670, 9733, 9660, 10010, 9644)
"""Disc, square, triangle, diamond, star, triangle on its point, cross, bar: told apart at the size of a letter."""

_PLACE = re.compile(r'<i seat="([^"]*)"></i>')


Plate = Callable[[str], str]
"""From a colour to the attribute that gives it to a plate."""


class SeatSigns:
    """The signs of the seats of all games, which `colours` gives by the title of each; `plate` says how one of a colour looks."""

    def __init__(self, colours: Mapping[str, Mapping[str, str]], plate: Plate) -> None:
        self._signs = {
            title: {
                str(escape(seat)): _sign(_SHAPES[at % len(_SHAPES)], plate(seats[seat]))
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

    def named(self, seat: str, title: str) -> Markup:
        """A seat of the game of this title with its sign before it."""
        name = escape(seat)
        return Markup(self._signs.get(title, {}).get(str(name), "")) + name

    def signed(self, html: str, title: str) -> str:
        """A whole letter or page with the signs of the game of this title; of none where there is no such game."""
        signs = self._signs.get(title, {})
        return _PLACE.sub(lambda place: signs.get(place[1], ""), html)


def _placed(found: re.Match[str]) -> str:
    before, seat = [part for part in found.groups() if part is not None]
    return f'{before}<i seat="{seat}"></i>{seat}'


def inline(style: str) -> Plate:
    """Plates for letters, whose style stands in the tag: mail programs drop style sheets."""
    return lambda colour: f'style="background: {colour}; color: {_ink(colour)}; {style}"'


def classed(colour: str) -> str:
    """A plate for pages, whose colour is a rule of their style sheet."""
    return f'class="sign c-{colour[1:].lower()}"'


def plates(colours: Mapping[str, Mapping[str, str]]) -> str:
    """The rules of a style sheet for the plates that are `classed`."""
    every = sorted({colour.lower() for seats in colours.values() for colour in seats.values()})
    return "".join(f".c-{colour[1:]} {{ background: {colour}; color: {_ink(colour)}; }}\n" for colour in every)


def _sign(shape: int, plate: str) -> str:
    return f'<span aria-hidden="true" {plate}>&#{shape};</span>&nbsp;'


def _ink(colour: str) -> str:
    """Black or white: what can be read on this colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#000" if 299 * red + 587 * green + 114 * blue > 120_000 else "#fff"
