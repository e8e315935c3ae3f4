"""Drawings as pictures: SVG -> PNG, for mail programs that show no SVG. The type comes along; no font of the machine is used."""

from __future__ import annotations

import io
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import Image
from resvg_py import svg_to_bytes

__all__ = ["png"]

_FONT = files("fontpkg_arimo").joinpath("files", "Arimo[wght].ttf")
_SLANTED = files("fontpkg_arimo").joinpath("files", "Arimo-Italic[wght].ttf")
_COLOURS = 64


@lru_cache(maxsize=16)
def png(svg: str) -> bytes:
    """The drawing as PNG in its own size, in so few colours that it weighs a third. Raises ValueError for what is no SVG.

    What was asked for last is remembered: the same map goes to many readers.
    """
    with as_file(_FONT) as upright, as_file(_SLANTED) as slanted:
        whole = svg_to_bytes(svg_string=svg, font_files=[str(upright), str(slanted)], skip_system_fonts=True)
    few = (
        Image.open(io.BytesIO(whole))
        .convert("RGB")
        .quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    )
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=6)
    return out.getvalue()
