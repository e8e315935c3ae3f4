"""Letters whose pictures are blank: to draw maps nobody looks at would take a third of the time of tests that play by letter.

All else of a letter is as the service writes it. Every drawing is read, so that one that is no SVG is found as before, and
in its blank it is written which drawing it stands for, so that letters differ as they would with the picture.
A test that looks at pictures or weighs letters with them asks for `real_pictures`.
"""

from __future__ import annotations

import io
from functools import lru_cache
from hashlib import sha256
from xml.etree import ElementTree

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from referee.adapters.pages.render import TemplateRenderer


class Sketching(TemplateRenderer):
    """Draws nothing: a picture is white, and of the size of the drawing. All else it has of one that paints."""

    def __init__(self, painting: TemplateRenderer) -> None:
        vars(self).update(vars(painting))

    def picture(self, svg: str) -> bytes:
        width, height = _size(svg)
        return _white(width, height, svg)

    def halves(self, svg: str, seam: int) -> tuple[bytes, bytes]:
        width, height = _size(svg)
        return _white(seam, height, svg), _white(width - seam, height, svg)


@lru_cache(maxsize=16)
def _size(svg: str) -> tuple[int, int]:
    """Width and height of a drawing. Raises ValueError for what is no SVG."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as wrong:
        raise ValueError(str(wrong)) from wrong
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        raise ValueError(f"{root.tag} is no drawing")
    return int(root.attrib["width"]), int(root.attrib["height"])


@lru_cache(maxsize=64)
def _white(width: int, height: int, svg: str) -> bytes:
    out, stands_for = io.BytesIO(), PngInfo()
    stands_for.add_text("Drawing", sha256(svg.encode()).hexdigest())
    Image.new("1", (width, height), 1).save(out, "PNG", pnginfo=stands_for)
    return out.getvalue()
