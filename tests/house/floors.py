"""The floors of the house, drawn from the contracts of import-linter: `python -m tests.house.floors` writes them into the docs."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

from tests.house.sources import ROOT

PAGE, ROOMS = ROOT / "docs" / "reading-order.md", ROOT / "docs" / "rooms.md"
BEGIN, END = "<!-- floors: written by make floors -->", "<!-- end of floors -->"
SHOWN = ("referee", "referee.service")
"""Whose floors are the picture of the house; those of all others are in words."""


def contracts() -> list[dict[str, Any]]:
    """The contracts that say which room lies above which."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [found for found in settings["tool"]["importlinter"]["contracts"] if found["type"] == "layers"]


def _houses() -> Iterator[tuple[str, list[list[str]]]]:
    """Each house that has floors, and its rooms, the highest first."""
    for found in contracts():
        for container in found["containers"]:
            yield container, [[name.strip() for name in layer.split("|")] for layer in found["layers"]]


def picture() -> str:
    """The house with the groups of its service, and what each is for in a few words."""
    lines = ["```mermaid", "flowchart TB"]
    for container, rooms in _houses():
        if container in SHOWN:
            lines += (
                [f"  subgraph in_{container.split('.')[-1]} [{container.replace('.', '/')}]"]
                if container != SHOWN[0]
                else []
            )
            lines += [f'  {name}["{name}: {_in_short(container, name)}"]' for floor in rooms for name in floor]
            lines += ["  " + " --> ".join(" & ".join(floor) for floor in rooms)]
            lines += ["  end", "  service -.- in_service"] if container != SHOWN[0] else []
    return "\n".join([*lines, "```"])


def in_words() -> str:
    """What each file holds: folder by folder, floor by floor where a folder has floors."""
    floors = dict(_houses())
    folders = (
        found.parent for found in sorted((ROOT / "referee").rglob("__init__.py")) if found.parent.name != "versions"
    )
    houses = ((".".join(folder.relative_to(ROOT).parts), _rooms(folder)) for folder in folders)
    return "\n\n".join(_house(name, _with(floors.get(name, []), rooms)) for name, rooms in houses if rooms)


def _rooms(folder: Path) -> list[str]:
    """The files of a folder, and the folders in it, by name."""
    files = {found.stem for found in folder.glob("*.py") if not found.stem.startswith("__")}
    return sorted(files | {found.parent.name for found in folder.glob("*/__init__.py")})


def _with(floors: list[list[str]], rooms: list[str]) -> list[list[str]]:
    """The floors, and below them a floor for each room that stands on none."""
    told = {name for floor in floors for name in floor}
    return [*floors, *([name] for name in rooms if name not in told)]


def _in_short(container: str, name: str) -> str:
    """What a room is, up to the first colon or full stop."""
    said = re.split(r"[:.]", _first_sentence(_inside(container, name)))[0].replace('"', "'")
    return shorten(said, 64, placeholder=" ...")


def _inside(container: str, name: str) -> Path:
    path = ROOT.joinpath(*container.split("."), name)
    return path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"


def _house(container: str, rooms: list[list[str]]) -> str:
    width = max(len(name) for floor in rooms for name in floor)
    lines = [line for floor in rooms for line in _floor(container, floor, width)]
    return f"`{container.replace('.', '/')}`:\n\n" + "\n".join(["```text", *lines, "```"])


def _floor(container: str, names: list[str], width: int) -> Iterator[str]:
    """The rooms of one floor, which know nothing of each other; those beside the first are marked."""
    for place, name in enumerate(names):
        yield f"{'|' if place else ' '} {name:{width}}  {_first_sentence(_inside(container, name))}"


def _first_sentence(path: Path) -> str:
    """What a room's docstring begins with."""
    whole = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(whole.split("\n\n")[0].split())


def with_floors(page: Path) -> str:
    """The page with the floors as they are."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    floors = picture() if page == PAGE else in_words()
    return f"{before}{BEGIN}\n{floors}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    for each in (PAGE, ROOMS):
        each.write_text(with_floors(each), "utf-8")
