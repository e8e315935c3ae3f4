"""docs/slots.md, the part that is printed from the table of a slot's life: `make tables` writes it anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.service.match.slot_life import BEARS, TABLE, AlarmKind, Happening, Row, State

PAGE = Path(__file__).parents[2] / "docs" / "slots.md"
_MARK = "<!-- From here on this page is printed from referee/service/match/slot_life.py by `make tables`. -->\n"


def printed() -> str:
    """What stands below the mark."""
    return "\n\n".join((_picture(), _states(), _rows())) + "\n"


def page() -> tuple[str, str]:
    """What stands above the mark and below it."""
    above, _, below = PAGE.read_text(encoding="utf-8").partition(_MARK)
    return above, below


def _picture() -> str:
    arrows = dict.fromkeys((state, row.to) for row in TABLE for state in row.states if row.to and row.to != state)
    lines = [f"    {_node(one)} --> {_node(other)}: {_why(one, other)}" for one, other in arrows]
    return "\n".join(("## The picture", "", "```mermaid", "stateDiagram-v2", *lines, "```"))


def _node(state: State) -> str:
    return "[*]" if state is State.CLOSED else state.name


def _why(one: State, other: State) -> str:
    """The happenings of an arrow, in the words of their names: the table below has whole sentences."""
    named = [row.what.name.lower().replace("_", " ") for row in TABLE if one in row.states and row.to is other]
    return ", ".join(named)


def _states() -> str:
    head = ("## What it bears", "", "| state | always | perhaps |", "|---|---|---|")
    rows = (f"| {s.value} | {_alarms(b.always)} | {_alarms(b.perhaps)} |" for s, b in BEARS.items())
    return "\n".join((*head, *rows))


def _alarms(kinds: Iterable[AlarmKind]) -> str:
    return ", ".join(kind.value for kind in AlarmKind if kind in kinds) or "-"


def _rows() -> str:
    head = (
        "## What happens to it",
        "",
        "| happening | by whom | it was | it is then | alarms set | alarms dropped | who is told |",
        "|---|---|---|---|---|---|---|",
    )
    return "\n".join((*head, *(_line(row) for what in Happening for row in TABLE if row.what is what)))


def _line(row: Row) -> str:
    what, was = row.what, ", ".join(state.value for state in row.states)
    words = f"{what.words} (*{what.name.lower().replace('_', ' ')}*)"
    cells = (words, what.by, was, row.to.value if row.to else "as it was")
    dropped = "all" if row.to and row.to in (State.CLOSED, State.STILL) and row.drops else _alarms(row.drops)
    return f"| {' | '.join(cells)} | {_alarms(row.sets)} | {dropped} | {row.told} |"


if __name__ == "__main__":
    PAGE.write_text(page()[0] + _MARK + "\n" + printed(), encoding="utf-8")
