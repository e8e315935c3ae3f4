"""The floors of the house, drawn from the contracts of import-linter: `python -m tests.house.floors` writes them into the docs."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.house.sources import ROOT

PAGE = ROOT / "docs" / "reading-order.md"
BEGIN, END = "<!-- floors: written by make floors -->", "<!-- end of floors -->"


def contracts() -> list[dict[str, Any]]:
    """The contracts that say which room lies above which."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [found for found in settings["tool"]["importlinter"]["contracts"] if found["type"] == "layers"]


def drawn() -> str:
    """A picture of each house that has floors, the highest first: what each room holds."""
    return "\n\n".join(_house(container, found["layers"]) for found in contracts() for container in found["containers"])


def _house(container: str, layers: list[str]) -> str:
    rooms = [[name.strip() for name in layer.split("|")] for layer in layers]
    width = max(len(name) for floor in rooms for name in floor)
    lines = [line for floor in rooms for line in _floor(container, floor, width)]
    return f"`{container.replace('.', '/')}`:\n\n" + "\n".join(["```text", *lines, "```"])


def _floor(container: str, names: list[str], width: int) -> Iterator[str]:
    """The rooms of one floor, which know nothing of each other; those beside the first are marked."""
    for place, name in enumerate(names):
        path = ROOT.joinpath(*container.split("."), name)
        inside = path.with_suffix(".py")
        inside = inside if inside.is_file() else path / "__init__.py"
        yield f"{'|' if place else ' '} {name:{width}}  {_first_sentence(inside)}"


def _first_sentence(path: Path) -> str:
    """What a room's docstring begins with."""
    whole = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(whole.split("\n\n")[0].split())


def with_floors(page: str) -> str:
    """The page with the floors as they are."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{drawn()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(with_floors(PAGE.read_text("utf-8")), "utf-8")
