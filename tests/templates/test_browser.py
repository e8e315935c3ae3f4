"""Letters in a browser, as wide as a telephone and a desk: nothing is cut off, text can be read and buttons can be hit."""

from __future__ import annotations

import pytest

from referee.adapters.pages.render import KINDS
from tests.browser import Browser
from tests.pictures import PLAYED
from tests.played.playing import letters_of
from tests.templates.samples import full
from tests.templates.test_letters import PICTURES, RENDERER, TO

pytestmark = pytest.mark.slow

_MEASURES = """(() => {
  const shown = [...document.querySelectorAll('body *')].filter(e => e.getClientRects().length);
  const own = e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim());
  return {
    wide: document.documentElement.scrollWidth,
    scrolls: shown.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth && e.tagName != 'PRE').length,
    small: Math.min(...shown.filter(e => own(e) && !e.ariaHidden).map(e => parseFloat(getComputedStyle(e).fontSize))),
    low: Math.min(99, ...shown.filter(e => e.tagName == 'A').map(e => e.getBoundingClientRect().height)),
  };
})()"""


def fits(chromium: Browser, page: str, width: int) -> None:
    chromium.show(page, width, dark=False)
    found = chromium.ask(_MEASURES)
    assert found["wide"] <= width and found["scrolls"] == 0, found
    assert found["small"] >= 15 and found["low"] >= 44, found


@pytest.mark.parametrize("width", [390, 800])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_letter_fits(chromium: Browser, kind: str, width: int) -> None:
    fits(chromium, RENDERER.render(kind, full()[kind], TO, PICTURES).html, width)


@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_every_letter_of_a_kept_game_fits_a_telephone(
    chromium: Browser, game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pages = {mail.html for mail in letters_of(PLAYED / game, tmp_path_factory.mktemp(game)) if mail.html}
    assert len(pages) > 30
    for page in sorted(pages):
        fits(chromium, page, 390)


_DOT = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='450' height='900'></svg>"


@pytest.mark.parametrize(("width", "beside"), [(390, False), (480, False), (677, True), (800, True), (1281, True)])
def test_the_halves_of_a_map_lie_beside_each_other_where_there_is_room(
    chromium: Browser, width: int, beside: bool
) -> None:
    page = RENDERER.render("report", full()["report"], TO, PICTURES).html
    for cid in PICTURES:
        page = page.replace(f"cid:{cid}", _DOT)
    chromium.show(page, width, dark=False)
    boxes = (
        "[...document.querySelectorAll('img')].map(i => i.getBoundingClientRect()).map(r => [r.left, r.right, r.top])"
    )
    (left, right, top), (left2, right2, top2) = chromium.ask(boxes)
    if beside:
        assert top == top2 and abs(right - left2) < 1 and right2 - left > 0.9 * min(width - 32, 900)
    else:
        assert left == left2 and top < top2 and right - left > 0.95 * width
