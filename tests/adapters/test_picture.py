"""Drawings become pictures with the type that comes along, whatever the machine has."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from referee.adapters.pages import picture
from referee.adapters.pages.picture import png


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
    drawn = [
        drawing(f'<text x="5" y="25" font-family="Arimo" font-size="16"{style}>Egypt 9++</text>') for style in styles
    ]
    assert all(sum(image(svg).convert("L").histogram()[:100]) > 100 for svg in drawn)
    assert len({png(svg) for svg in drawn}) == 3


def test_the_same_drawing_is_the_same_picture() -> None:
    first = png(drawing("<path d='M0 0h9v9z'/>"))
    png.cache_clear()
    assert png(drawing("<path d='M0 0h9v9z'/>")) == first


def in_parts(name: str, between: str = "") -> str:
    """A drawing with a title and a style, in two parts; the second is told apart by its name."""
    style = "<title>Map</title><style>text{font:16px Arimo}.a{fill:#e11}</style>"
    one = '<svg x="0" y="0" width="60" height="40"><rect class="a" x="-5" y="5" width="80" height="20"/></svg>'
    two = f'<svg x="50" y="10" width="70" height="30"><text x="2" y="20">{name}</text></svg>'
    return drawing("").removesuffix("</svg>") + style + one + between + two + "</svg>"


def test_a_drawing_in_parts_is_the_picture_it_would_be_in_one_piece() -> None:
    line = '<path d="M0 12L120 30" stroke="#00f" stroke-opacity=".5"/>'
    for svg in (in_parts("Egypt"), in_parts("Egypt", line)):
        piece = Image.open(io.BytesIO(picture.drawn(svg))).convert("RGB")
        assert max(ImageChops.difference(picture.composed(svg), piece).tobytes()) <= 2


@pytest.mark.parametrize("uses", ['<use href="#sign"/>', '<rect width="60" height="40" fill="url(#hatch)"/>'])
def test_a_part_has_what_the_drawing_defines(uses: str) -> None:
    line = '<path d="M0 2h4" stroke="#e11" stroke-width="2"/>'
    hatch = f'<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse">{line}</pattern>'
    defined = f'<defs><path id="sign" d="M5 5h20v20h-20z" fill="#e11"/>{hatch}</defs>'
    part = f'<svg x="10" y="0" width="60" height="40">{uses}</svg>'
    shown = image(drawing("").replace("</svg>", f"{defined}{part}</svg>")).convert("RGB")
    assert shown.getpixel((22, 18)) == pytest.approx((238, 17, 17), abs=8)


def test_halves_beside_each_other_are_the_whole() -> None:
    svg = in_parts("Egypt")
    left, right = (Image.open(io.BytesIO(half)) for half in picture.halves(svg, 45))
    assert (left.size, right.size, left.mode) == ((45, 40), (75, 40), "P")
    both = Image.new("RGB", (120, 40))
    both.paste(left.convert("RGB"), (0, 0))
    both.paste(right.convert("RGB"), (45, 0))
    assert both.tobytes() == image(svg).convert("RGB").tobytes()


def test_only_new_parts_are_drawn() -> None:
    png(in_parts("Egypt"))
    before = picture.part_drawn.cache_info()
    png(in_parts("Sudan"))
    after = picture.part_drawn.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 2)


def test_parts_are_remembered_by_their_weight_and_a_sparse_one_weighs_little() -> None:
    """A line across a map once weighed as much as the map, and 768 of them two thousand megabytes."""
    picture.part_drawn.cache_clear()
    for number in range(12):
        dots = f'<circle cx="{700 + number}" cy="600" r="9"/>'
        paint = f'<rect width="1200" height="900" fill="#e{number:02x}"/>'
        ground = f'<svg x="0" y="0" width="1200" height="900">{paint}</svg>'
        png(f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">{ground}{dots}</svg>')
    assert 0 < picture.PARTS.currsize <= picture.PARTS.maxsize < 12 * 1200 * 900 * 3
    assert min(shown.weight for shown in picture.PARTS.values()) < 2_000


@pytest.mark.parametrize("broken", [in_parts("Eg<ypt"), in_parts("Egypt").replace("<svg xmlns", "<g><svg xmlns")])
def test_parts_of_what_is_no_drawing_are_refused(broken: str) -> None:
    with pytest.raises(ValueError):
        png(broken)


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ValueError):
        png("not a drawing")
