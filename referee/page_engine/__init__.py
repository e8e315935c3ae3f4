"""The referee's rules in a page: tables that were opened, and trials of them, asked by the same code as letters.

The page runs this in a Worker (`make table`). Text goes in, JSON comes out; nothing is kept but the table that was opened
and the trial that was begun from it. Read opened, then trial.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import msgspec

from referee.page_engine.opened import Table, opened
from referee.page_engine.trial import Refusal, Trial, begun

__all__ = ["answer", "opened"]

_open: list[Table | Trial] = []
"""The table that was opened, then the trial of it while there is one."""

_said = partial(msgspec.json.encode, order="deterministic")


def answer(what: str, given: str) -> str:
    """What a table says, as JSON: `open` takes a table file, everything else is asked of the one that is open.

    `try` plays on from it against bots, or all seats by one hand; `play` and `back` go on and back in the trial, whose
    table is the one that is open until `leave`.
    """
    if what == "open":
        _open[:] = [opened(given)]
        return _said({"rules": _table().rules, "verbs": _table().verbs}).decode()
    arguments, found = msgspec.json.decode(given), _table()
    if what == "try":
        trial = begun(found, *arguments)
        if isinstance(trial, Refusal):
            return _said(trial).decode()
        _open[1:] = [trial]
    if what in ("try", "play", "back"):
        on = cast(Trial, _open[-1])
        asked = {"try": on.stands, "play": on.play, "back": on.back}[what]
        return _said(cast(Any, asked)(*(arguments if what == "play" else ()))).decode()
    if what == "leave":
        del _open[1:]
        return "null"
    of = {"judge": found.judge, "choices": found.choices, "step": found.step, "preview": found.preview}[what]
    return _said(cast(Any, of)(*arguments)).decode()


def _table() -> Table:
    last = _open[-1]
    return last if isinstance(last, Table) else last.table
