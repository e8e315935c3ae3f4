"""Drawings become pictures, with the type that comes along; whose a sign is can be seen by colour and by shape."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from PIL import Image, ImageChops

from referee.adapters.pages import picture
from referee.adapters.pages.layout import SeatSigns, classed, inline, plates
from referee.adapters.pages.picture import png
from referee.adapters.pages.render import TemplateRenderer
from referee.core.game import AnyGame, colours_of
from referee.core.page import Grid, Heading, Page
from referee.games import GAMES
from referee.service.base.letter_facts import Documents, Frame


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


# ---------------------------------------------------------------- signs of seats


COLOURS = {game.title: colours_of(game) for game in GAMES}
SIGNS = SeatSigns(COLOURS, inline(""))


def shown(text: str, game: AnyGame = GAMES[0]) -> str:
    return SIGNS.signed(str(SIGNS.seated(text)), game.title)


def signs_in(text: str, game: str = "newworld") -> list[str]:
    """The names that a sign stands before."""
    (played,) = [each for each in GAMES if each.name == game]
    return re.findall(r"</span>&nbsp;(\w+)", shown(text, played))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_every_seat_of_every_game_has_a_colour_and_a_shape_that_no_other_of_the_game_has(game: AnyGame) -> None:
    seats = game.seat_names({setting.name: setting.default for setting in game.settings})
    colours = colours_of(game)
    assert set(seats) <= set(colours) and len(set(colours.values())) == len(colours)
    shapes = {unescape(re.findall(r"&#\d+;", shown(seat, game))[0]) for seat in seats}
    assert len(shapes) == len(seats)


def test_a_name_is_a_seat_in_its_own_game_alone() -> None:
    assert signs_in("France") == ["France"] and signs_in("France", "war27") == []
    assert signs_in("Red: France", "war27") == ["Red"] and signs_in("Red") == []


def test_a_sign_stands_before_names_that_begin_or_are_listed_and_nowhere_else() -> None:
    assert signs_in("Spain") == signs_in("Turn 9: Spain (round 3)") == signs_in("PRESS TO Spain") == ["Spain"]
    assert signs_in("France, Holland and Portugal") == ["France", "Holland", "Portugal"]
    assert signs_in("Spain claims a field of France, Holland and England") == ["Spain"]
    assert signs_in("Income: Spain 45 gold, France 3 and Holland 7 gold") == ["Spain", "France", "Holland"]
    assert signs_in("The Black Death") == signs_in("Redoubt") == signs_in("Spain-like") == []
    assert SIGNS.seated(7) == 7 and SIGNS.seated("<b> & Spain") == "&lt;b&gt; &amp; Spain"


def test_a_page_has_a_rule_for_the_plate_of_every_seat() -> None:
    pages, rules = SeatSigns(COLOURS, classed), plates(COLOURS)
    for game in GAMES:
        for seat, colour in colours_of(game).items():
            (plate,) = re.findall(r'class="sign ([\w-]+)"', pages.named(seat, game.title))
            assert f".{plate} {{ background: {colour.lower()};" in rules
    assert pages.named("<b>", "no game") == "&lt;b&gt;"


def test_a_shape_can_be_read_on_its_colour() -> None:
    """Contrast of at least 3 to 1, as WCAG wants of signs."""
    for game, seat, colour in [(each, *item) for each in GAMES for item in colours_of(each).items()]:
        ink = re.findall(r"color: (#\w+);", shown(seat, game))[0]
        light, dark = sorted((_luminance(colour), _luminance(ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3, seat


def _luminance(colour: str) -> float:
    whole = colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])
    parts = [int(whole[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_tables_and_headings_have_signs_in_html_and_none_in_text() -> None:
    page = Page("Turn 3: Spain", "", (Heading("France"), Grid(("Player", "Gold"), (("Holland", 3), ("England", 4)))))
    letter = Documents(Frame("nw1", "New World", "Turn 3", "Anna"), "x", (page,), ())
    rendered = TemplateRenderer(colours=COLOURS).render("documents", letter)
    assert len(re.findall(r'aria-hidden="true"', rendered.html)) == 4
    assert rendered.html.isascii() and rendered.text.isascii() and "seat=" not in rendered.html
    assert "aria-hidden" not in TemplateRenderer().render("documents", letter).html
