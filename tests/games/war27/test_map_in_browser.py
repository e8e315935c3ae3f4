"""The map in a browser, as wide as a telephone, a letter and a desk: no label is cut or covered, and every place can be hit."""

from __future__ import annotations

import pytest

from referee.games.war.rulebook import BOARD
from referee.games.war.telling.drawing import chart
from tests.browser import Browser
from tests.games.war27.staging_map import MARCHES, fought
from tests.games.war27.test_pages import late
from tests.labels import WIDE, covered, cut, labels

pytestmark = pytest.mark.slow

DRAWINGS = {"late": chart(late()), "fought": chart(fought(), None, MARCHES)}

_HIT = """[...document.querySelectorAll('[data-place]')].filter(place => place.matches('use')).filter(place =>
  place.getBoundingClientRect().width > 4 && place.ariaLabel.startsWith(place.dataset.place)).length"""


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("name", DRAWINGS)
def test_no_label_covers_another_at_any_width(chromium: Browser, name: str, width: int) -> None:
    """Whatever type the browser has."""
    for face in ("", WIDE):
        found = labels(chromium, DRAWINGS[name], width, face, dark=width == 390)
        assert {"Kazakhstan", "North Sea"} <= {label.said for label in found}
        assert (cut(found), covered(found)) == ([], [])
    assert chromium.ask(_HIT) == len(BOARD.regions)
    assert chromium.ask("document.documentElement.scrollWidth") <= width
