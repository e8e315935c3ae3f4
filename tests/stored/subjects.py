"""What is stored, a subject each: the types of it, how it is read, and what is to be done where that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from referee.adapters.backup import Manifest as BackupManifest
from referee.adapters.store.guard import AtDesk
from referee.bootstrap.backups_and_moves import Parcel
from referee.core.event import CORE_EVENTS
from referee.core.game import AnyGame
from referee.core.order import Under
from referee.core.page import Drawing, Page, Sheet
from referee.core.record import Codec, Entry, Record
from referee.games import GAMES
from referee.service.base import notes
from referee.service.base.letter_facts import TurnReport
from referee.service.base.match_settings import ClockSettings
from referee.service.base.note_values import Program
from referee.service.house.archive import Archived, Manifest
from referee.service.post.tray import Unwritten
from tests.stored.examples import examples, text_of

_DEFAULT = (
    "Give a new field a default, and a field that was renamed its former name for ever; drop none that is still read."
)
_CARRIED = f"{_DEFAULT} Where an older program would misread what this one writes, raise the FORM that stands beside the class too."
_FORMERLY = (
    "Give a new field a default; a class that was renamed, or whose fields were, says how it was written formerly: "
    "docs/lifetimes.md, What is stored."
)


@dataclass(frozen=True)
class Subject:
    """One file of samples: `kinds` by name, `read` from text to a value, `mend` for who broke it."""

    name: str
    kinds: dict[str, Any]
    read: Callable[[str, str], Any]
    mend: str

    def today(self) -> Iterator[tuple[str, str]]:
        """Every form in which this program stores, as kind and text."""
        for name, kind in self.kinds.items():
            for value in examples(kind):
                yield name, text_of(self.read(name, text_of(value)))


def _plain(name: str, kinds: dict[str, Any], mend: str = _DEFAULT) -> Subject:
    return Subject(name, kinds, lambda kind, text: msgspec.json.decode(text, type=kinds[kind]), mend)


def _named(kinds: tuple[Any, ...]) -> dict[str, Any]:
    return {kind.__name__: kind for kind in kinds}


def _of_game(game: AnyGame) -> Iterator[Subject]:
    codec = Codec(game.events, game.intents)
    events, orders = _named(game.events), _named(game.intents)
    yield Subject(f"events-{game.name}", events, lambda _, text: codec.event(msgspec.Raw(text.encode())), _FORMERLY)
    yield Subject(f"orders-{game.name}", orders, lambda _, text: codec.intent(msgspec.Raw(text.encode())), _FORMERLY)


def _subjects() -> Iterator[Subject]:
    bare = Codec((), ())
    yield Subject("records", _named(get_args(Record)), lambda _, text: bare.load(text), _DEFAULT)
    yield Subject("events", _named(CORE_EVENTS), lambda _, text: bare.event(msgspec.Raw(text.encode())), _FORMERLY)
    for game in GAMES:
        yield from _of_game(game)
    under: Any = Under
    yield _plain("orders-under-if", {"Under": under[GAMES[0].intents[0]]})
    yield _plain("notes", {note.name: note.kind for note in notes.declared()} | {"at the desk": AtDesk})
    yield _plain("written-by", {"Program": Program})
    yield _plain("reports", {"Page": Page, "Sheets": tuple[Sheet, ...], "Drawing": Drawing})
    yield _plain("letters", {"Unwritten": Unwritten, "TurnReport": TurnReport})
    yield _plain("matches", {"settings": ClockSettings, "options": dict[str, str], "wishes": tuple[str, ...]})
    yield _plain("archives", {"Manifest": Manifest, "Archived": Archived, "Entry": Entry})
    yield _plain("move-files", {"Parcel": Parcel}, _CARRIED)
    yield _plain("backups", {"Manifest": BackupManifest}, _CARRIED)


SUBJECTS = {subject.name: subject for subject in _subjects()}
"""Every subject by its name, which is that of its files."""
