"""Drawings become pictures with the type that comes along, whatever the machine has."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from referee.adapters.picture import png


def drawing(inside: str) -> str:
    paper = '<rect width="120" height="40" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">{paper}{inside}</svg>'


def image(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(png(svg)))


def test_it_has_the_size_of_the_drawing_and_few_colours() -> None:
    shown = image(drawing('<circle cx="20" cy="20" r="15" fill="#e11"/>'))
    assert (shown.format, shown.size, shown.mode) == ("PNG", (120, 40), "P")
    assert shown.convert("RGB").getpixel((20, 20)) == pytest.approx((238, 17, 17), abs=8)


def test_words_are_drawn_upright_bold_and_slanted() -> None:
    styles = ("", ' font-weight="bold"', ' font-style="italic"')
    drawn = [drawing(f'<text x="5" y="25" font-family="Arimo" font-size="16"{style}>Egypt 9++</text>') for style in styles]
    assert all(sum(image(svg).convert("L").histogram()[:100]) > 100 for svg in drawn)
    assert len({png(svg) for svg in drawn}) == 3


def test_the_same_drawing_is_the_same_picture() -> None:
    first = png(drawing("<path d='M0 0h9v9z'/>"))
    png.cache_clear()
    assert png(drawing("<path d='M0 0h9v9z'/>")) == first


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError):
        png("not a drawing")
