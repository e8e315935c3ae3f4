"""docs/way.md, printed from the chain of letter rules and the steps of the desk: `make tables` writes it anew."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from referee.service.answering.desk import STEPS
from referee.service.answering.desk import Fact as Found
from referee.service.incoming.case import Fact
from referee.service.incoming.letter_rules import RULES

PAGE = Path(__file__).parents[2] / "docs" / "way.md"
_MARK = "<!-- From here on this page is printed from the tables of letter rules and of the desk by `make tables`. -->\n"


def printed() -> str:
    """What stands below the mark."""
    rules = ((r.name, r.says, _known(Fact, r.needs), r.finds.value if r.finds else "-") for r in RULES)
    steps = ((s.name, s.says, _known(Found, s.needs), s.finds.value, s.why_here) for s in STEPS)
    needs, known = "what it needs to know", "what is known after it"
    return (
        _table("The chain of letter rules", ("rule", "what it says", needs, known), rules)
        + "\n"
        + _table("The desk", ("step", "what it does", needs, known, "why it stands here"), steps)
    )


def page() -> tuple[str, str]:
    """What stands above the mark and below it."""
    above, _, below = PAGE.read_text(encoding="utf-8").partition(_MARK)
    return above, below


def _table(title: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = (f"## {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
    return "\n".join((*lines, *(f"| {' | '.join(row)} |" for row in rows))) + "\n"


def _known(facts: Iterable[Enum], needs: Iterable[Enum]) -> str:
    needed = frozenset(needs)
    return "; ".join(fact.value for fact in facts if fact in needed) or "-"


if __name__ == "__main__":
    PAGE.write_text(page()[0] + _MARK + "\n" + printed(), encoding="utf-8")
