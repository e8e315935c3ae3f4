"""The outcome of a wish: the deeds, in sentences, and their enclosures; or why it cannot be, and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from referee.core.page import Drawing, Page, Sheet
from referee.mail import Attachment
from referee.service.base.letter_facts import HelpPage, Ignored, Refused

Told = tuple[str, ...]
"""Sentences."""


class Enclosed(msgspec.Struct, frozen=True):
    """The enclosures of the receipt."""

    pages: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    files: tuple[Attachment, ...] = ()
    chart: Drawing | None = None
    help: HelpPage | None = None
    web: tuple[tuple[str, str], ...] = ()
    """Pages of the house on the web, each with what it is."""


class Came(msgspec.Struct, frozen=True):
    """The outcome of a letter, or of a part of it. Two are added: the later one stands behind, or takes the place.

    `undone` counts the doubts about orders that will not be done, or not wholly, as things stand, `grave` those and the losses
    that follow from what is on file. `sure` is the line that waits for its writer's YES, since something would be lost by
    it; `yes_takes` are corrected lines. `later` tells what waits for another sheet, `dropped` what this letter displaced.
    """

    done: Told = ()
    refused: tuple[Refused, ...] = ()
    doubts: Told = ()
    ignored: tuple[Ignored, ...] = ()
    later: Told = ()
    dropped: Told = ()
    yes_takes: Told = ()
    enclosed: Enclosed = Enclosed()
    undone: int = 0
    grave: int = 0
    like_orders: int = 0
    sure: str = ""
    filed: bool = False
    rolls_out: bool = False
    ended: bool = False

    def __add__(self, more: Came) -> Came:
        if NOTHING in (self, more):  # at most steps of a letter's way nothing comes of it
            return more if self == NOTHING else self
        return Came(*map(_added, _parts(self), _parts(more)))

    @property
    def nothing(self) -> bool:
        """Whether it did nothing and shows nothing."""
        return not (self.done or self.later or self.enclosed != Enclosed())


def _parts(came: msgspec.Struct) -> list[Any]:
    return [getattr(came, name) for name in came.__struct_fields__]


def _added(one: Any, more: Any) -> Any:
    """Sentences behind sentences, of counts the larger, of marks either; of anything else the later where there is one."""
    match one, more:
        case tuple(), tuple():
            return one + more
        case Enclosed(), Enclosed():
            return Enclosed(*map(_added, _parts(one), _parts(more)))
        case int(), int():
            return max(one, more)
        case _:
            return more or one


NOTHING = Came()


def denied(line: str, sentence: str, rule: str = "") -> Came:
    """A line is not done for the desk's own reasons."""
    return Came(refused=(Refused(0, line, "", "not allowed", sentence, rule),))


class Denial(Exception):
    """A denial: one sentence says why and what would be right; the rule that says so, and what came before it."""

    def __init__(self, sentence: str, rule: str = "", came: Came = NOTHING) -> None:
        super().__init__(sentence)
        self.rule, self.came = rule, came


def need(fits: object, otherwise: str, rule: str = "") -> None:
    """Raises Denial unless something is so."""
    if not fits:
        raise Denial(otherwise, rule)


def heed(objection: str) -> None:
    """Raises Denial where there is a sentence that says why not."""
    if objection:
        raise Denial(objection)


@contextmanager
def understood() -> Iterator[None]:
    """A thing that is read meanwhile and cannot be is denied, as its reader says why."""
    try:
        yield
    except ValueError as wrong:
        raise Denial(str(wrong)) from wrong


def said_of(line: str, act: Callable[[], Came | Told]) -> Came:
    """The outcome of a line's wish, or why it could not be done."""
    try:
        did = act()
        return did if isinstance(did, Came) else Came(did)
    except Denial as denial:
        return denial.came + denied(line, str(denial), denial.rule)
