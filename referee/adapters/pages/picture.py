"""Drawings as pictures."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import as_file, files
from operator import attrgetter
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from cachetools import LRUCache, cached
from PIL import Image
from resvg_py import svg_to_bytes

_FONT = files("fontpkg_arimo").joinpath("files", "Arimo[wght].ttf")
_SLANTED = files("fontpkg_arimo").joinpath("files", "Arimo-Italic[wght].ttf")
_COLOURS = 64
_ROOM = 32_000_000
"""So many bytes of parts are remembered: a whole map of a large board several times over."""

_ROOT = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'\b(width|height)="(\d+)"')
_PART = re.compile(r'<svg x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)">([^<]*(?:<(?!/svg>)[^<]*)*)</svg>')
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_RULE = re.compile(r"(?<=[}>])\.([\w-]+)\{[^}]*\}")
"""A rule of the styles for one class: what a part does not use need not be read for it."""
_CLASS = re.compile(r'class="([^"]*)"')
_USES = re.compile(r'url\(#|href="#')
_TOUCH = re.compile(r'<g class="touch".*?</g>', re.DOTALL)
_COMMON = re.compile(r"<(style|defs)\b.*?</\1>", re.DOTALL)


class _Part(NamedTuple):
    """A piece of a drawing, and where its upper left corner lies."""

    x: int
    y: int
    root: str
    common: str
    shown: str


@lru_cache(maxsize=16)
def png(svg: str) -> bytes:
    """The drawing as PNG in its own size, in so few colours that it weighs a third. Raises ValueError for what is no SVG.

    The last pictures asked for are remembered: the same map goes to many readers.
    """
    return _as_png(_in_few_colours(svg))


@lru_cache(maxsize=16)
def halves(svg: str, seam: int) -> tuple[bytes, bytes]:
    """The drawing as PNG, cut in two so many pixels from the left. Raises ValueError for what is no SVG."""
    whole = _in_few_colours(svg)
    left, right = ((0, 0, seam, whole.height), (seam, 0, whole.width, whole.height))
    return _as_png(whole.crop(left)), _as_png(whole.crop(right))


def _as_png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=4)  # 6 takes twice as long and saves a twelfth
    return out.getvalue()


def _in_few_colours(svg: str) -> Image.Image:
    """The picture in those colours of which every second dot of every second row has most: found in a third of the time."""
    whole = (composed(svg) if _PART.search(svg) else Image.open(io.BytesIO(drawn(svg)))).convert("RGB")
    sample = whole.resize((max(1, whole.width // 2), max(1, whole.height // 2)), Image.Resampling.NEAREST)
    palette = sample.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


def composed(svg: str) -> Image.Image:
    """The parts of a drawing, each laid on those before it. Raises ValueError for what is no SVG."""
    root = _ROOT.match(svg)
    size = {name: int(number) for name, number in _SIZE.findall(root[0])} if root else {}
    if root is None or len(size) < 2:
        raise ValueError("a drawing in parts begins with <svg, its width and its height")
    paper = Image.new("RGB", (size["width"], size["height"]), "white")
    for part in _parts(svg, root[0]):
        image, x, y = part_drawn(part.root, part.common, part.shown)
        paper.paste(image, (part.x + x, part.y + y), None if image.mode == "RGB" else image)
    return paper


def _parts(svg: str, root: str) -> Iterator[_Part]:
    """The parts of a drawing in the order in which they are drawn, with the styles of the whole, and its patterns if used."""
    shared: dict[str, str] = {"style": "", "defs": ""}

    def kept(found: re.Match[str]) -> str:
        shared[found[1]] += found[0]
        return ""

    inside = _COMMON.sub(kept, _TOUCH.sub("", svg.removeprefix(root).removesuffix("</svg>")))
    plain, common = shared["style"], shared["style"] + shared["defs"]
    loose, *rest = _PART.split(_TITLE.sub("", inside, 1))
    yield from _loose(root, common, loose)
    for at in range(0, len(rest), 6):
        x, y, width, height, shown, between = rest[at : at + 6]
        own_root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        yield _Part(int(x), int(y), own_root, common if _USES.search(shown) else plain, shown)
        yield from _loose(root, common, between)


def _loose(root: str, common: str, shown: str) -> Iterator[_Part]:
    """The drawing between parts is a part as large as the whole."""
    if shown.strip():
        yield _Part(0, 0, root, common, shown)


class _Shown(NamedTuple):
    """The visible area of a part, and where in it that begins."""

    image: Image.Image
    x: int
    y: int

    @property
    def weight(self) -> int:
        """Bytes."""
        return self.image.width * self.image.height * len(self.image.getbands())


def _digest(*written: str) -> bytes:
    """The key of a part: its text is as long as its picture."""
    return blake2b("\0".join(written).encode(), digest_size=16).digest()


PARTS: LRUCache[bytes, _Shown] = LRUCache(_ROOM, attrgetter("weight"))


@cached(PARTS, key=_digest, lock=RLock(), info=True)
def part_drawn(root: str, common: str, shown: str) -> _Shown:
    """A part, drawn: cut to what there is to see, without transparency where it has none."""
    used = frozenset(name for names in _CLASS.findall(shown) for name in names.split())
    image = Image.open(io.BytesIO(drawn(f"{root}{_needed(common, used)}{shown}</svg>"))).convert("RGBA")
    seen = image.getbbox() or (0, 0, 1, 1)
    image = image.crop(seen)
    return _Shown(image.convert("RGB") if image.getchannel("A").getextrema() == (255, 255) else image, *seen[:2])


@lru_cache(maxsize=256)
def _needed(common: str, used: frozenset[str]) -> str:
    """Styles and patterns without the rules of classes that neither the patterns nor a part use: what is not there is not read."""
    every = used.union(*(names.split() for names in _CLASS.findall(common)))
    return _RULE.sub(lambda rule: rule[0] if rule[1] in every else "", common)


def drawn(svg: str) -> bytes:
    """A drawing in one piece and in all its colours, as PNG. Raises ValueError for what is no SVG."""
    with as_file(_FONT) as upright, as_file(_SLANTED) as slanted:
        return bytes(svg_to_bytes(svg_string=svg, font_files=[str(upright), str(slanted)], skip_system_fonts=True))


# ---------------------------------------------------------------- drawings
# Texts that the keeper lays into a folder, such as drawn boards, by name.


class DrawingFolder(Mapping[str, str]):
    """The text files of a folder as it is now: `The Valley.txt` goes by the name the-valley. No folder: none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _files(self) -> dict[str, Path]:
        found = sorted(path for path in self._folder.glob("*.txt") if path.is_file() and os.access(path, os.R_OK))
        return {"-".join(path.stem.lower().split()): path for path in found}

    def __getitem__(self, name: str) -> str:
        return self._files()[name].read_text("utf-8-sig", errors="replace")

    def __iter__(self) -> Iterator[str]:
        return iter(self._files())

    def __len__(self) -> int:
        return len(self._files())
