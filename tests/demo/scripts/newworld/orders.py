"""How the scripted players of New World fill in the order sheets that end the referee's letters."""

from __future__ import annotations

import re
from collections.abc import Callable

Manner = Callable[[tuple[str, ...], int], str]
"""A player's way: from the lines of the order sheet and the turn's number to the text of a letter."""


def by_the_form(form: tuple[str, ...], turn: int) -> str:
    """Sends the sheet back as it came, and hires all he can."""
    return "\n".join(re.sub(r"^HIRE 1 worker\b.*", "HIRE all workers", line) for line in form)


def colonist(form: tuple[str, ...], turn: int) -> str:
    """Ships and settlers first; keeps something to eat."""
    return "RESEARCH Exploration, Transportation, any KEEPING 2 gold\nHIRE all workers KEEPING 2 food\nCOLONIZE any"


def trader(form: tuple[str, ...], turn: int) -> str:
    """Takes every offer, and buys cloth, which workers are hired with."""
    accepts = [line.removeprefix("# ") for line in form if line.startswith("# ACCEPT ")]
    return "\n".join(
        (*accepts, "RESEARCH Finance, any KEEPING 12 gold", "BUY up to 2 cloth", "HIRE all workers", "COLONIZE any")
    )


def soldier(form: tuple[str, ...], turn: int) -> str:
    """Raises an army now and then and takes colonies that nobody defends; leaves Europe in peace."""
    lines = ["RESEARCH Infantry, any KEEPING 5 gold", "HIRE all workers KEEPING 2 food", "COLONIZE any"]
    lines += ["RAISE 1 army"] if turn % 3 == 0 else []
    lines += ["MOVE 1 army FROM Europe TO Canada"] if turn == 7 else []
    attacks = [line.removeprefix("# ") for line in form if line.startswith("# ATTACK ") and " IN Europe" not in line]
    return "\n".join((*lines, *attacks[:1]))


MANNERS: tuple[Manner, ...] = (by_the_form, trader, colonist, soldier)
"""One for each player at the table."""
