"""The labels of a drawing as a browser sets them: how large each is, what cuts one off, what covers one."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import msgspec

from referee.core.page import Drawing
from tests.browser import Browser

TYPE = Path(str(files("fontpkg_arimo").joinpath("files", "Arimo[wght].ttf")))
"""The type that comes along."""

WIDE = "'DejaVu Sans', Verdana"
"""Type that is a sixth wider, which browsers take on machines that have nothing like Arial."""

_MEASURED = """(() => {
  const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const room = s => { const m = s.getScreenCTM(), v = s.viewBox.baseVal, [w, h] = [v && v.width || s.width.baseVal.value,
    v && v.height || s.height.baseVal.value]; return [m.e, m.f, m.e + w * m.a, m.f + h * m.d]; };
  const ink = e => { const [l, t, r, b] = box(e), air = 0.22 * (b - t); return [l, t + air, r, b - air]; };
  const meet = (a, b) => Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 0.6 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 0.6;
  const seen = e => { const s = getComputedStyle(e); return !['none', 'rgba(0, 0, 0, 0)'].includes(s.fill) && +s.fillOpacity > 0; };
  const shapes = [...document.querySelectorAll('svg circle, svg rect, svg use')].filter(e => !e.closest('defs') && seen(e));
  const drawn = shapes.map(e => [e, box(e)]);
  return [...document.querySelectorAll('svg text')].map(e => ({
    said: e.textContent, ink: ink(e), room: room(e.closest('svg')),
    size: parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a,
    hidden: drawn.some(([s, b]) => meet(b, ink(e)) && e.compareDocumentPosition(s) & Node.DOCUMENT_POSITION_FOLLOWING),
  }));
})()"""


class Label(msgspec.Struct, frozen=True):
    """A text in pixels of the screen: left, top, right and bottom of its letters, without the air above and below them, and of the
    part of the drawing it lies in; the size of its type; whether a shape that is drawn later covers some of it.
    """

    said: str
    ink: tuple[float, float, float, float]
    room: tuple[float, float, float, float]
    size: float
    hidden: bool


_PLACE = re.compile(r'data-place="([^"]*)"')
_GRID = re.compile(r'data-grid="([^"]*)"')


def places_on(svg: str) -> list[str]:
    """What can be clicked on a drawing: the names that stand in it, and the squares of its grids, as the page lays them."""
    found = [html.unescape(name) for name in _PLACE.findall(svg)]
    for grid in _GRID.findall(svg):
        columns, rows, around, first, top = map(int, grid.split()[:5])
        across = [(first + at - 1) % around + 1 if around else first + at for at in range(columns)]
        found += [f"c{column}r{top + row}" for column in across for row in range(rows)]
    return found


def page_of(drawing: Drawing, face: str = "") -> str:
    """A page with a drawing as wide as it, in the type that comes along or in another."""
    own = f"svg text{{font-family:{face}!important}}" if face else ""
    arimo = f"@font-face{{font-family:Arimo;src:url({TYPE.as_uri()});font-weight:400 700}}"
    fitted = "body{margin:0}body>svg{display:block;width:100%;height:auto}"
    style = f"<style>:root{{color-scheme:light dark}}{arimo}{fitted}{own}</style>"
    return (
        f'<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">{style}{drawing.svg}'
    )


def labels(chromium: Browser, drawing: Drawing, width: int, face: str = "", dark: bool = False) -> list[Label]:
    """Every text of a drawing in a window of this width."""
    chromium.show(page_of(drawing, face), width, dark)
    chromium.ask("document.fonts.ready.then(() => true)")
    return msgspec.convert(chromium.ask(_MEASURED), list[Label])


def cut(found: Sequence[Label]) -> list[str]:
    """Texts that reach beyond the part of the drawing they lie in, which shows nothing there."""
    return [one.said for one in found if _beyond(one.ink, one.room)]


def covered(found: Sequence[Label]) -> list[str]:
    """Texts that lie on each other or under a shape."""
    pairs = (f"{one.said} / {other.said}" for one, other in _pairs(found))
    return [*pairs, *(f"{one.said} under a shape" for one in found if one.hidden)]


def _pairs(found: Sequence[Label]) -> Iterator[tuple[Label, Label]]:
    for at, one in enumerate(found):
        yield from ((one, other) for other in found[at + 1 :] if _meet(one.ink, other.ink))


def _beyond(inner: Sequence[float], outer: Sequence[float]) -> bool:
    slack = 1.0
    return (
        inner[0] < outer[0] - slack
        or inner[1] < outer[1] - slack
        or inner[2] > outer[2] + slack
        or inner[3] > outer[3] + slack
    )


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.6 and min(one[3], other[3]) - max(one[1], other[1]) > 0.6
