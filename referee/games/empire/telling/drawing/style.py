"""What the map looks like: its type, its colours, and the same on dark paper. Every class begins with em-."""

from __future__ import annotations

from functools import cache

from referee.kit.drawing.lettering import FACE, Type
from referee.kit.drawing.svg import is_light

TITLE, AXIS, RICHES, UNITS, NAME, NUMBER, SAID, COUNTRY = (
    Type("em-t", 15, True), Type("em-ax", 10.5), Type("em-re", 10.5, True), Type("em-un", 10.5, True), Type("em-na", 11, True),
    Type("em-go", 10.5, True), Type("em-l", 10.5), Type("em-b", 11, True),
)  # fmt: skip
TYPES = (TITLE, AXIS, RICHES, UNITS, NAME, NUMBER, SAID, COUNTRY)
"""All type of the map; on a telephone, where half a map is as wide as the screen, it can be read."""

TERRAINS = {
    "plain": ("#f1ecca", "#57523a"), "forest": ("#bfd9a3", "#3c5632"), "desert": ("#f3d694", "#6d5528"),
    "swamp": ("#b9c9b4", "#43544a"), "ice": ("#ffffff", "#8c97a0"), "sea": ("#cfe3f4", "#1d3341"), "lake": ("#a9d3ee", "#28546f"),
}  # fmt: skip
"""The colour of each terrain on light and on dark paper."""

_DARK = (
    ".em-paper{fill:#14181c}.em-t,.em-l,.em-b{fill:#e6e2d6}.em-ax{fill:#a2abb3}.em-na{fill:#f4f1e8;stroke:#14181c}"
    ".em-go{fill:#f4f1e8;stroke:#14181c}.em-ca{fill:#f4f1e8;stroke:#14181c}.em-grid{stroke:#0f1316}"
    ".em-fa{stroke:#c3d27a}.em-fi{fill:#7fc4f0}.em-fo{fill:#79b36a;stroke:#79b36a}.em-sw{stroke:#9db8a6}.em-du{stroke:#d9b26a}"
    ".em-si,.em-fc{stroke:#f4f1e8}.em-fc{fill:#e6e2d6}.em-st,.em-win{stroke:#ff8a8a}"
    ".em-b-river{stroke:#6db8f5}.em-b-dr{stroke:#6db8f5}.em-b-di{stroke:#1d3341}.em-b-falls{stroke:#bfe0f7}.em-b-reef{stroke:#e08acb}"
    ".em-b-mountain{fill:#f4f1e8;stroke:#14181c}.em-b-divided{stroke:#f4f1e8}.em-n-pipe{stroke:#7fc7ab}.em-n-power{stroke:#c79aea}"
    ".em-n-road,.em-n-tunnel,.em-n-bridge{stroke:#e0995a}.em-n-rail,.em-n-ties{stroke:#f4f1e8}.em-n-canal{stroke:#6db8f5}"
    ".em-tw{stroke:#14181c}"
)


@cache
def style() -> str:
    """The style sheet of the picture, which each of its parts is drawn by."""
    types = "".join(f".{type.name}{{{type.rule}}}" for type in TYPES)
    grounds = "".join(f".em-{name}{{fill:{light}}}" for name, (light, _) in TERRAINS.items())
    return (
        f".em{{font-family:{FACE}}}{types}{grounds}"
        ".em-t,.em-l,.em-b,.em-k{fill:#111}.em-ax{fill:#555}.em-w{fill:#fff}.em-paper{fill:#fff}.em-grid{stroke:#8d8d80;stroke-width:.5}"
        ".em-na{fill:#111;stroke:#fff;stroke-width:2.6px;paint-order:stroke;stroke-linejoin:round}"
        ".em-go{fill:#111;stroke:#fff;stroke-width:2.2px;paint-order:stroke;stroke-linejoin:round}"
        ".em-pl{stroke:#000;stroke-width:.6}.em-ci{stroke:#000;stroke-width:1.2}"
        ".em-fa{fill:none;stroke:#6b7d00;stroke-width:1.3}.em-fi{fill:#1b6ea8}.em-fo{fill:#4c8a3c;stroke:#4c8a3c;stroke-width:.8}"
        ".em-sw{fill:none;stroke:#4d6a57;stroke-width:1}.em-du{fill:none;stroke:#a8782a;stroke-width:1.8;stroke-linecap:round}"
        ".em-si{fill:none;stroke:#111;stroke-width:1.2;stroke-dasharray:2 2}.em-fc{fill:#444}"
        ".em-wk{fill:#fff;stroke:#a00018;stroke-width:1.4}.em-of{fill-opacity:.55}.em-at{fill:none;cursor:pointer}.em-rp{stroke:#fff;stroke-width:.6}"
        ".em-tw{fill:none;stroke:#fff;stroke-width:3.4;stroke-opacity:.8;stroke-linejoin:round}"
        ".em-tr{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-dasharray:5 2}.em-th{stroke:#fff;stroke-width:.7}"
        ".em-st{fill:none;stroke:#a00018;stroke-width:1;stroke-dasharray:3 2}.em-win{fill:none;stroke:#a00018;stroke-width:2}"
        ".em-b-river{fill:none;stroke:#2b7fd0;stroke-width:2.4;stroke-linecap:round}"
        ".em-b-dr{fill:none;stroke:#1c5fa8;stroke-width:6;stroke-linecap:round}"
        ".em-b-di{fill:none;stroke:#bfe0f7;stroke-width:2.6;stroke-linecap:round}.em-b-falls{fill:none;stroke:#0b2f66;stroke-width:1.3}"
        ".em-b-reef{fill:none;stroke:#8a2f73;stroke-width:1.5}.em-b-mountain{fill:#2a2320;stroke:#fff;stroke-width:.5}"
        ".em-b-divided{fill:none;stroke:#111;stroke-width:11;stroke-opacity:.35}"
        ".em-n-canal{fill:none;stroke:#1c5fa8;stroke-width:4.5;stroke-linecap:round}"
        ".em-n-widening{fill:none;stroke:#5cb0ec;stroke-width:5}.em-n-pipe{fill:none;stroke:#2f6f57;stroke-width:2}"
        ".em-n-power{fill:none;stroke:#7a3fa0;stroke-width:1.5;stroke-dasharray:4 2}"
        ".em-n-road{fill:none;stroke:#a85a1e;stroke-width:2.6}.em-n-rail{fill:none;stroke:#111;stroke-width:1.2}"
        ".em-n-tunnel{fill:none;stroke:#a85a1e;stroke-width:2.6;stroke-dasharray:2 2}"
        ".em-n-ties{fill:none;stroke:#111;stroke-width:4.6;stroke-dasharray:1.2 3.2}"
        ".em-n-bridge{fill:none;stroke:#7a3c0a;stroke-width:5}"
    )


@cache
def page_style() -> str:
    """What pages need beside it: dark paper."""
    grounds = "".join(f".em-{name}{{fill:{dark}}}" for name, (_, dark) in TERRAINS.items())
    return f"@media(prefers-color-scheme:dark){{{_DARK}{grounds}}}"


def ink(colour: str) -> str:
    """The class of letters that can be read on a colour."""
    return "em-k" if is_light(colour) else "em-w"
