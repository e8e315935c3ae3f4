"""docs/way.md, printed from the tables of what happens in an order: `make tables` writes it anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from referee.service.base.office import WayStep
from referee.service.intake import deadlines, desk, front_door
from referee.service.intake.letter_rules import RULES
from referee.service.turn import advance

PAGE = Path(__file__).parents[2] / "docs" / "way.md"
_MARK = "<!-- From here on this page is printed from the tables in the code by `make tables`. -->\n"


def printed() -> str:
    """What stands below the mark."""
    tables = (
        _table("The chain of letter rules", "rule", "what it says", RULES),
        _table("The desk", "step", "what it does", desk.STEPS),
        _table("The front door", "step", "what it does", front_door.STEPS),
        _table("An alarm", "step", "what it does", deadlines.STEPS),
        _table("A match that runs on", "step", "what it does", advance.STEPS),
    )
    return "\n".join(tables)


def page() -> tuple[str, str]:
    """What stands above the mark and below it."""
    above, _, below = PAGE.read_text(encoding="utf-8").partition(_MARK)
    return above, below


def unmet(steps: Iterable[WayStep[Any, Any]]) -> list[str]:
    """The needs of steps, in this order, that none before them has found; a sentence each."""
    known: set[Enum | None] = set()
    found = []
    for step in steps:
        found += [f'"{step.name}" needs to know: {fact.value}.' for fact in step.needs if fact not in known]
        known.add(step.finds)
    return found


def _table(title: str, what: str, says: str, steps: Sequence[WayStep[Any, Any]]) -> str:
    head = [what, says, "what it needs to know", "what is known after it", "why it stands here"]
    rows = [[step.name, step.says, _known(step.needs), _known((step.finds,)), step.why] for step in steps]
    if not any(step.why for step in steps):
        head, rows = head[:-1], [row[:-1] for row in rows]
    lines = (f"## {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
    return "\n".join((*lines, *(f"| {' | '.join(row)} |" for row in rows))) + "\n"


def _known(facts: Iterable[Enum | None]) -> str:
    return "; ".join(fact.value for fact in facts if fact) or "-"


if __name__ == "__main__":
    PAGE.write_text(page()[0] + _MARK + "\n" + printed(), encoding="utf-8")
