"""The table file: a seat's turn as data, for the page on which one plays and for programs of others. SEND table.

It holds what its seat may know and nothing else: no address, token or sheet of anybody else. The form is that of
docs/table-format.md; whatever changes it in a way that a reader could stumble over raises VERSION.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec

from referee.core.page import Tally
from referee.service.base.letters import Drawer, Duty
from referee.service.house.choices import Choices

VERSION = 1


class Chair(msgspec.Struct, frozen=True):
    """A seat of the match, in the order of play; `colour` as #RRGGBB, or "" where the game gives none."""

    seat: str
    colour: str
    living: bool


class Map(msgspec.Struct, frozen=True):
    """The map as the seat knows it, as SVG, and the sentence for those who see no pictures."""

    svg: str
    instead: str


class Known(msgspec.Struct, frozen=True):
    """What the referee's own rules need to go on from here, in their own form, which may change with any release.

    `position` is what the seat knows of the position; `hidden` says that it was not told all. `before` is what it knew when
    the phase under way began, null where that is the same. `drawers` are its sheets on file, `asked` the key of the question
    that asks for orders, `rules` the fingerprint of the rules that wrote it.
    """

    rules: str
    options: dict[str, str]
    position: Any
    hidden: bool
    drawers: Any
    asked: str = ""
    before: Any = None


class TableFile(msgspec.Struct, frozen=True):
    """A seat's turn: what it owes and until when, what it may order, what it has on file, where its letter goes.

    `program` is the version of the referee; `written` and `until` are times in UTC, `until` "" where nothing is owed by a time.
    `duty` is what is owed in a word: "orders", "on file" (orders that may be changed still), "answer" or "" for nothing.
    A letter goes to `reply_to` under `subject`. `takes` are the verbs of the sheet that is asked for, `going` the words
    that set it going or hold it. `form` is a sheet half filled in, `on_file` are the sheets on file.
    """

    version: int
    program: str
    match: str
    game: str
    title: str
    seat: str
    seats: tuple[Chair, ...]
    turn: int
    phase: str
    written: str
    duty: Duty
    owes: str
    until: str
    at_deadline: str
    reply_to: str
    subject: str
    takes: tuple[str, ...]
    going: tuple[str, ...]
    choices: Choices
    form: tuple[str, ...]
    on_file: tuple[Drawer, ...]
    standings: Tally
    map: Map | None
    known: Known


def schema() -> dict[str, Any]:
    """JSON Schema of what is sent; the same on each Python, of which some keep the indentation of docstrings."""
    found = msgspec.json.schema(TableFile)
    for each in found["$defs"].values():
        each["description"] = cleandoc(each["description"])
    return found
