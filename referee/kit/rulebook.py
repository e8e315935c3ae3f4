"""A game's numbered rules as data, the page players read, and what its words are called in several languages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.game import Guide, Revision, Rule
from referee.core.order import Noun, Turn, Verb, Vocabulary


class _File(msgspec.Struct, frozen=True):
    rule: tuple[Rule, ...]


def read_rules(package: str, **figures: object) -> tuple[Rule, ...]:
    """The rules in `rules.toml` of a game's package, in the order of the file, with its figures in the blanks of their texts.

    Raises msgspec.ValidationError.
    """
    text = files(package).joinpath("rules.toml").read_text(encoding="utf-8")
    rules = msgspec.toml.decode(text, type=_File).rule
    return tuple(replace(rule, text=rule.text.format(**figures)) for rule in rules) if figures else rules


def read_guide(package: str, **figures: object) -> Guide:
    """The guide for a newcomer, from `guide.toml` of a game's package, with its figures in the blanks. Raises
    msgspec.ValidationError."""
    text = files(package).joinpath("guide.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text.format(**figures) if figures else text, type=Guide)


class _Revisions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: tuple[Revision, ...]


def read_revisions(package: str) -> tuple[Revision, ...]:
    """The revisions of a game's rules, from `revisions.toml` of its package, the last in force. Raises msgspec.ValidationError."""
    text = files(package).joinpath("revisions.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=_Revisions).revision


@cache
def fingerprint(*packages: str) -> str:
    """16 hexadecimal digits of the SHA-256 over every source and table of these packages, by their names.

    Where there are no sources, as in a page, it was kept with what was compiled from them.
    """
    kept = files("referee").joinpath(*FINGERPRINTS)
    if kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=dict[str, str])[" ".join(packages)]
    told = sha256()
    for package in packages:
        for name, content in sorted(_contents(files(package), package)):
            told.update(f"{name} {len(content)}\n".encode() + content)
    return told.hexdigest()[:16]


class Released(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a game as a version of the referee had them."""

    version: str
    game: str
    revision: int
    build: str


class _Released(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[Released, ...] = ()


@cache
def released_rules(game: str) -> tuple[Released, ...]:
    """All rules of a game that were ever released; `released.toml` stands outside of what fingerprints are over."""
    text = files("referee").joinpath("released.toml").read_text(encoding="utf-8")
    return tuple(known for known in msgspec.toml.decode(text, type=_Released).rules if known.game == game)


FINGERPRINTS = ("_data", "fingerprints.json")
"""Where fingerprints are kept, by the names of their packages with blanks between."""


def _contents(folder: Traversable, place: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _contents(item, f"{place}/{item.name}") if item.name not in _NO_RULES else ()
        elif item.name.endswith(_COUNT):
            yield f"{place}/{item.name}", item.read_bytes()


_COUNT = (".py", ".toml", ".txt")
"""Files of a package in which rules stand; cases and pictures are none."""
_NO_RULES = ("__pycache__", "lessons")
"""Folders in which none do."""


def part_of(number: str, parts: Mapping[str, str]) -> str | None:
    """The entry for the longest beginning of a number such as `combat.naval.3` in `parts`; None for no beginning."""
    steps = number.split(".")
    beginnings = (".".join(steps[:size]) for size in range(len(steps), 0, -1))
    return next((parts[beginning] for beginning in beginnings if beginning in parts), None)


# ---------------------------------------------------------------- tongues
# People's own words for the words of a game, in several languages: tables beside the rulebook and the orders, kept as data.
#
# A table says of a word of the game what else it is called, a column for each language. [[turn]] says a verb's things in
# another order, and `unsaid` is the verb of a line that has none and an arrow.


class Tongues(msgspec.Struct, frozen=True):
    """Other words for the nouns and verbs of a game, by its own word."""

    words: Mapping[str, tuple[str, ...]]
    turns: tuple[Turn, ...] = ()
    unsaid: str = ""

    def nouns(self, nouns: Iterable[Noun]) -> tuple[Noun, ...]:
        """The nouns with what else they are called."""
        return tuple(self._noun(noun) for noun in nouns)

    def _noun(self, noun: Noun) -> Noun:
        spoken = self.words.get(noun.name)
        return noun if spoken is None else replace(noun, spoken=spoken)

    def verbs(self, verbs: Iterable[Verb]) -> tuple[Verb, ...]:
        """The verbs with what else they are called."""
        return tuple(replace(verb, spoken=self.words.get(verb.word, ())) for verb in verbs)

    def vocabulary(self, words: Vocabulary) -> Vocabulary:
        """A whole vocabulary with what else its words are called."""
        return Vocabulary(self.verbs(words.verbs), self.nouns(words.nouns), words.predicates, self.turns, self.unsaid)


def tongues(*tables: str) -> Tongues:
    """The tables of these files together, each named as a package and a file in it: `referee.games.war.rulebook/names.toml`."""
    words: dict[str, tuple[str, ...]] = {}
    turns: list[Turn] = []
    unsaid = ""
    for name in tables:
        package, _, file = name.rpartition("/")
        data = tomllib.loads(files(package).joinpath(file).read_text("utf-8"))
        unsaid = data.pop("unsaid", unsaid)
        turns += [
            Turn(turn["verb"], _all(turn["words"]), turn["under"], turn.get("things", ""))
            for turn in data.pop("turn", ())
        ]
        for rows in data.values():
            for word, columns in rows.items():
                words[word] = (*words.get(word, ()), *_all(columns))
    return Tongues(words, tuple(turns), unsaid)


def _all(columns: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of all languages, each once."""
    found = (word for column in columns.values() for word in ([column] if isinstance(column, str) else column))
    return tuple(dict.fromkeys(found))
