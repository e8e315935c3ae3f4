"""`make coastlines`: cuts the land of world-atlas 2.0.2 into War!'s places, and keeps the lines.

World-atlas (https://github.com/topojson/world-atlas, ISC licence) holds the land of Natural Earth, which is in the public domain.
Needs npm, which brings it, and takes a minute or two.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from referee.games.war.telling import drawing
from tests.coast.atlas import Atlas
from tests.coast.paper import FINE, Paper, Seeds
from tests.coast.trace import Corner, lines, rings

SEEDS = Path(__file__).parent / "seeds.toml"
KEPT = Path(str(drawing.__file__)).parent / "coast.json"


def kept(paper: Paper) -> str:
    """The lines as the drawing reads them: a line of text for each, its points as steps from the one before."""
    every = lines(paper)
    middles = paper.middles()
    places = {name: [*middles[name], list(rings(every, name))] for name in paper.names if name}
    rows = [f"  {_compact([line.left, line.right, _steps(line.points)])}" for line in every]
    spots = [f"  {_compact(name)}: {_compact(place)}" for name, place in places.items()]
    straits = {name: [paper.seeds.pixel(*point) for point in ends] for name, ends in paper.seeds.straits.items()}
    head = (
        f'"straits": {_compact(straits)},\n"width": {paper.seeds.width}, "height": {paper.seeds.height}, "fine": {FINE}'
    )
    return f'{{{head},\n"lines": [\n{_listed(rows)}\n],\n"places": {{\n{_listed(spots)}\n}}}}\n'


def _steps(points: Sequence[Corner]) -> str:
    steps = [points[0], *((x - u, y - v) for (u, v), (x, y) in pairwise(points))]
    return " ".join(f"{x} {y}" for x, y in steps)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _listed(rows: Sequence[str]) -> str:
    return ",\n".join(rows)


if __name__ == "__main__":
    KEPT.write_text(kept(Paper(Seeds(SEEDS), Atlas(Path(sys.argv[1])))), "utf-8")
    print(f"{KEPT}: {KEPT.stat().st_size:,} bytes")
