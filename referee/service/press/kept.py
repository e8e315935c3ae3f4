"""What players wrote to each other and to themselves, as it is kept beside the log; and its pages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from referee.core.names import Reader, Role
from referee.core.page import Block, Heading, Page, Quotation
from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.ports import Step
from referee.service.remembered import Written
from referee.service.times import stamp

Drawer = notes.Note[[str, str], tuple[Written, ...]]
"""Where the texts of each seat are kept: PRESS or DIARY."""


def kept(step: Step, match: str, drawer: Drawer, seat: str) -> tuple[Written, ...]:
    """What a seat has in a drawer, oldest first."""
    return drawer.of(match, seat).read(step) or ()


def keep(step: Step, match: str, drawer: Drawer, written: Written) -> None:
    """Lay one more text into its writer's drawer."""
    drawer.of(match, written.by).keep(step, (*kept(step, match, drawer, written.by), written))


def every_text(step: Step, match: str, drawer: Drawer) -> tuple[Written, ...]:
    """The texts of all seats in this drawer, oldest first."""
    return tuple(sorted((w for texts in drawer.every(step, match).values() for w in texts), key=_age))


def _age(written: Written) -> tuple[int, datetime, str]:
    return written.number, written.at, written.by


def _heading(written: Written, reader: Reader, zone: str) -> str:
    mine = written.by == str(reader) and not isinstance(reader, Role)
    grey = "grey, by you" if mine else "grey"
    who = grey if written.grey else (written.by or "the game master")
    whom = f" to {in_a_row(written.to)}" if written.to else " to all" if written.kind == "broadcast" else ""
    return f"{written.number}. {who}{whom}, {stamp(written.at, zone)}"


def _page(title: str, none: str, texts: Iterable[Written], reader: Reader, zone: str) -> Page:
    blocks: list[Block] = []
    for written in texts:
        blocks.append(Heading(_heading(written, reader, zone)))
        blocks.append(Quotation(written.text))
    count = sum(isinstance(block, Heading) for block in blocks)
    return Page(title, f"{count} text{'s' if count != 1 else ''}." if count else none, tuple(blocks))


def press_page(step: Step, match: str, reader: Reader, zone: str = "UTC") -> Page:
    """The press of a match that a reader may read: broadcasts, and for a seat what it sent and was sent."""
    public = isinstance(reader, Role)
    every = [w for w in every_text(step, match, notes.PRESS) if w.kind != "offer"]
    mine = [w for w in every if w.kind == "broadcast" or (not public and (w.by == reader or reader in w.to))]
    return _page(f"Press of {match}", "Nobody has written any press yet.", mine, reader, zone)


def diary_page(step: Step, match: str, seat: str, zone: str = "UTC", player: int = 0) -> Page:
    """The diary of a seat; of one `player` of it, if named."""
    mine = [w for w in kept(step, match, notes.DIARY, seat) if not player or w.player == player]
    return _page(f"The diary of {seat}", "The diary is empty.", mine, Role.REFEREE, zone)
