"""Signs of seats: whose something is can be seen by colour and by shape, and is told in words all the same."""

from __future__ import annotations

import re
from html import unescape

import pytest

from referee.adapters.pages.layout import SeatSigns, classed, inline, plates
from referee.adapters.pages.render import TemplateRenderer
from referee.core.game import AnyGame, colours_of
from referee.core.page import Grid, Heading, Page
from referee.games import GAMES
from referee.service.base.letters import Documents, Frame

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
