"""The referee's rules in a page: tables that were opened, and trials of them, asked by the same code as letters.

The page runs this in a Worker (`make table`). Text goes in, JSON comes out; nothing is kept but the table that was opened
and the trial that was begun from it. Read opened_table, then trial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.games import game_named
from referee.kit.opponents import Strength
from referee.page_engine.opened_table import Table, opened
from referee.page_engine.trial import Saved, Stands, Trial, door, fresh
from referee.service.house.choices import as_json, pressed

__all__ = ["answer", "opened"]

_tables: list[Table] = []
_trials: list[Trial] = []
"""The table that is open, and the trial of it while there is one."""

_said = partial(msgspec.json.encode, order="deterministic")


def answer(what: str, given: str) -> str:
    """The answer of a table, as JSON: `open` takes a table file, everything else a list of questions to the open one.

    `try` plays on from it against bots, or all seats by one hand. `fresh` begins a match of the page's own, of which `door`
    tells what can be chosen; `saved` gives that whole, pressed, and `again` takes it up, at whichever turn it was kept.

    `play` and `back` go on and back in either, and its table is the one that is open until `leave`. `lesson` sets one of a
    game, and `tried` judges a letter of its reader after so many wrong ones.
    """
    arguments = (given,) if what == "open" else msgspec.json.decode(given)
    return _said(_ASKED[what](*arguments)).decode()


def _opens(text: str) -> Any:
    _tables[:], _trials[:] = [opened(text)], []
    return {"rules": _table().rules, "verbs": _table().verbs}


def _begins(others: str, seed: str, people: int = 1, bots: Strength = "steady") -> Stands:
    _trials[:] = [Trial(_tables[0], len(_tables[0].file.seats) if others == "myself" else people, seed, bots)]
    return _trials[0].stands()


def _anew(name: str, seat: str, players: int, people: int, bots: Strength, seed: str) -> Stands:
    _tables[:] = [Table(fresh(name, seat, seed, players))]
    return _begins("bots", seed, people, bots)


def _table() -> Table:
    return _trials[0].table if _trials else _tables[0]


def _again(text: str, seed: str) -> Stands:
    """Raises ValueError, and what `Trial` does, for what cannot be gone on with."""
    saved = msgspec.json.decode(as_json(text), type=Saved)
    rules, known = game_named(saved.file.game).build, saved.file.known
    begins = Table(replace(saved.file, known=replace(known, rules=rules)))
    trial = Trial(begins, saved.people, seed, saved.bots, saved)
    _tables[:], _trials[:] = [begins], [trial]
    return replace(trial.stands(), changed=rules != known.rules)


def _lesson(name: str, number: int) -> Any:
    from referee.page_engine.lesson import lesson_of, opens  # nobody who plays waits for it

    table, said = opens(lesson_of(name, number))
    _tables[:], _trials[:] = [table], []
    return said


def _tried(name: str, number: int, tries: int, text: str) -> Any:
    from referee.page_engine.lesson import lesson_of, tried

    return tried(lesson_of(name, number), tries, text)


_ASKED: Mapping[str, Callable[..., Any]] = {
    "open": _opens,
    "judge": lambda text: _table().judge(text),
    "choices": lambda text, verbs=None: _table().choices(text, verbs),
    "step": lambda verb, picked, text: _table().step(verb, picked, text),
    "preview": lambda text: _table().preview(text),
    "whole": lambda verb, said, text: _table().pieces(text).whole(verb, said),
    "unfolded": lambda line, text: _table().pieces(text).unfolded(line),
    "at": lambda place, text, seldom=True: _table().pieces(text).at(place, seldom),
    "starts": lambda text: _table().pieces(text).starts(),
    "tray": lambda text: _table().pieces(text).tray(),
    "brush": lambda what, text: _table().pieces(text).brush(what),
    "proposed": lambda: _table().proposed(),
    "door": door,
    "fresh": _anew,
    "saved": lambda: pressed(_trials[0].saved()),
    "again": _again,
    "try": _begins,
    "play": lambda text: _trials[0].play(text),
    "back": lambda: _trials[0].back(),
    "leave": _trials.clear,
    "lesson": _lesson,
    "tried": _tried,
}
