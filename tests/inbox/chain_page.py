"""docs/gateway.md, the chain of letter rules, printed from its table: `make tables` writes it anew."""

from __future__ import annotations

from pathlib import Path

from referee.service.incoming.case import Fact
from referee.service.incoming.letter_rules import RULES, Rule

PAGE = Path(__file__).parents[2] / "docs" / "gateway.md"
_MARK = "<!-- From here on this page is printed from referee/service/incoming/letter_rules.py by `make tables`. -->\n"


def printed() -> str:
    """What stands below the mark."""
    head = ("| rule | what it says | what it needs to know | what is known after it |", "|---|---|---|---|")
    return "\n".join((*head, *map(_line, RULES))) + "\n"


def page() -> tuple[str, str]:
    """What stands above the mark and below it."""
    above, _, below = PAGE.read_text(encoding="utf-8").partition(_MARK)
    return above, below


def _line(rule: Rule) -> str:
    needs = "; ".join(fact.value for fact in Fact if fact in rule.needs)
    return f"| {rule.name} | {rule.says} | {needs or '-'} | {rule.finds.value if rule.finds else '-'} |"


if __name__ == "__main__":
    PAGE.write_text(page()[0] + _MARK + "\n" + printed(), encoding="utf-8")
