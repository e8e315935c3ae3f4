"""Who wrote what is stored, and in which form: a program that is older than that says so and touches nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import metadata
from types import MappingProxyType

import msgspec

FORMAT = 2
"""The form of all that is stored. It is raised when an older program could not read, or would misread, what this one writes.

Tests know (tests/stored): whatever is stored in a new form has a sample kept for this number, or fails them.
"""


class TooNew(Exception):
    """Something was written by a newer program, in a form that this one does not know. The message is a sentence or two."""


class Program(msgspec.Struct, frozen=True):
    """A program that wrote: its version, the form in which it stores, and the revision of each game's rules it plays by."""

    version: str
    format: int = FORMAT
    rules: dict[str, int] = {}


def this_program(rules: Mapping[str, int] = MappingProxyType({})) -> Program:
    """The program that runs, with the revisions of the `rules` by which it plays, as far as they are known here."""
    return Program(metadata.version("referee"), FORMAT, dict(rules))


def newer(what: str, by: Program, here: Program) -> str:
    """One sentence that says that something was written by a newer program than `here`; "" where `here` knows its form."""
    beyond = [f"format {by.format}, not {here.format}"] if by.format > here.format else []
    for game, revision in by.rules.items():
        known = here.rules.get(game, revision)
        if revision > known:
            beyond.append(f"revision {revision} of the rules of {game}, not {known}")
    return too_new(what, by.version, here.version, beyond) if beyond else ""


def refuse_newer(what: str, by: Program, here: Program) -> None:
    """Raises TooNew where it was written by a newer program than `here`."""
    if sentence := newer(what, by, here):
        raise TooNew(sentence)


def too_new(what: str, version: str, mine: str, beyond: Iterable[str]) -> str:
    """The sentence, and what to do; `version` is "" where it is not known who wrote."""
    known = version not in ("", mine)  # between two releases their number says nothing
    who = f"by version {version} of the referee" if known else "by a newer referee"
    install = f"Install version {version} or a later one" if known else "Install the newer one"
    return (
        f"{what} was written {who} ({'; '.join(beyond)}); this is version {mine}, which cannot read all of it and has touched "
        f"nothing. {install}."
    )
