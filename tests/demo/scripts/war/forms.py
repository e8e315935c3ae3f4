"""What the forms of War! offer to their readers: orders proposed, advice that is an order, the menu of a question."""

from __future__ import annotations

from collections.abc import Sequence

from referee.demo.client import Letter
from referee.demo.table import form_of


def proposed_orders(form: Sequence[str]) -> list[str]:
    """Orders that stand on a form already."""
    return [line for line in form if line and not line.startswith("#")]


def uncommented(form: Sequence[str], *verbs: str) -> list[str]:
    """Lines of advice of a form that are orders with one of these verbs."""
    lines = [line.removeprefix("# ") for line in form if line.startswith("# ")]
    return [line for line in lines if line.startswith(tuple(f"{verb} " for verb in verbs))]


def choices(letter: Letter) -> list[str]:
    """The choices as they stand on the menu of a question, without their meaning."""
    return [line.removeprefix("# ").partition(":")[0] for line in form_of(letter) if line.startswith("# ")]


def proposed_answer(letter: Letter) -> str:
    """The line of the answer as the letter proposes it, a `CHOOSE`."""
    return next(line for line in form_of(letter) if line.startswith("CHOOSE "))
