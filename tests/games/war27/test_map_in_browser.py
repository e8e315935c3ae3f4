"""The map in a browser, as wide as a telephone, a letter and a desk: no label covers another, and every place can be hit."""

from __future__ import annotations

import pytest

from referee.games.war.rulebook.board import BOARD
from referee.games.war.telling.drawing.chart import chart
from tests.browser import Browser
from tests.games.war27.test_pages import late

pytestmark = pytest.mark.slow

_COVERED = """(() => {
  const labels = [...document.querySelectorAll('svg svg')].filter(part => part.querySelector(':scope > .n, :scope > .s'));
  const boxes = labels.map(part => [part.textContent, [...part.querySelectorAll('text,rect')]
    .map(e => e.getBoundingClientRect())]);
  const round = boxes.map(([text, all]) => [text, Math.min(...all.map(b => b.left)), Math.min(...all.map(b => b.top)),
    Math.max(...all.map(b => b.right)), Math.max(...all.map(b => b.bottom))]);
  const found = [];
  round.forEach((a, i) => round.slice(0, i).forEach(b => {
    if (Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1 && Math.min(a[4], b[4]) - Math.max(a[2], b[2]) > 1)
      found.push([a[0], b[0]]);
  }));
  return {labels: labels.length, found, wide: document.documentElement.scrollWidth};
})()"""

_HIT = """[...document.querySelectorAll('[data-place]')].filter(place => place.matches('use')).filter(place =>
  place.getBoundingClientRect().width > 4 && place.ariaLabel.startsWith(place.dataset.place)).length"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_no_label_covers_another_at_any_width(chromium: Browser, width: int, dark: bool) -> None:
    fitted = "<style>body{margin:0}body>svg{max-width:100%;height:auto}</style>"
    viewport = '<meta name="viewport" content="width=device-width">'
    chromium.show(f'<!doctype html><meta charset="utf-8">{viewport}{fitted}{chart(late()).svg}', width, dark)
    measured = chromium.ask(_COVERED)
    assert measured["labels"] == len(BOARD.regions) + len(BOARD.seas)
    assert measured["found"] == [] and measured["wide"] <= width
    assert chromium.ask(_HIT) == len(BOARD.regions)
