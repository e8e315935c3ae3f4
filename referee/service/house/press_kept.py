"""Press and diaries as pages, for members who ask and for the archive."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from referee.core.names import Reader, Role
from referee.core.page import Block, Grid, Heading, Page, Quotation
from referee.kit.wording import in_a_row
from referee.service.base import notes
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.base.remembered import Written
from referee.service.base.settings import settings_of
from referee.service.base.times import stamp
from referee.service.house.blocks import every_text, kept
from referee.service.house.treaties import treaties_of, treaties_page, treaty_sentences
from referee.service.match.members import who_played
from referee.service.match.playing import Playing
from referee.service.match.result import need
from referee.service.turn.reports import reader_of


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




class Paper(msgspec.Struct, frozen=True):
    """A page of the archive that is no turn report, under its file name."""

    name: str
    page: Page


def press_for(step: Step, playing: Playing, member: Member | None, player: Player) -> Page:
    """The press a member wrote and was sent, and what all may read."""
    closed = member and member.role == "observer" and not playing.settings.manners.observed
    need(not closed, "Observers read no press in this match before it is over.")
    reader = reader_of(member) if member else Role.OBSERVER
    return press_page(step, playing.row.name, reader, player.zone)


def diary_of(step: Step, playing: Playing, reader: Reader, player: Player) -> Page:
    """What a player noted for himself."""
    return diary_page(step, playing.row.name, str(reader), player.zone, player.id)


def treaties_for(step: Step, playing: Playing, reader: Reader) -> Page:
    """The treaties of a seat, with their texts."""
    match = playing.row.name
    said = treaty_sentences(step, match, str(reader))
    texts = {t.number: t.text for t in treaties_of(step, match) if reader in t.parties}
    blocks = tuple(b for number, text in texts.items() for b in (Heading(f"Treaty {number}"), Quotation(text)))
    return Page(f"Treaties of {reader}", " ".join(said) or "You have no treaties.", blocks)


def archive_papers(step: Step, row: MatchRow) -> tuple[Paper, ...]:
    """The papers the archive shows: broadcasts that observers may read; at the end all of them, diaries and treaties.

    Press to single seats stays between those who wrote and read it.
    """
    over, manners = row.status == "over", settings_of(row.settings).manners
    found = []
    press = press_page(step, row.name, Role.OBSERVER)
    if press.blocks and (over or manners.observed):
        found.append(Paper("press.html", press))
    if over:
        found += [Paper("diaries.html", diaries)] if (diaries := diaries_page(step, row.name)).blocks else []
        found += [Paper("treaties.html", treaties_page(step, row.name))] if treaties_of(step, row.name) else []
        found += [Paper("players.html", _players(step, row.name))] if manners.anonymous else []
    return tuple(found)


def diaries_page(step: Step, match: str) -> Page:
    """What everybody noted for himself, opened when the match is over."""
    seats = dict.fromkeys(written.by for written in every_text(step, match, notes.DIARY))
    pages = [diary_page(step, match, seat) for seat in sorted(seats)]
    blocks = tuple(block for page in pages for block in (Heading(page.title), *page.blocks))
    return Page(f"Diaries of {match}", f"{len(pages)} opened now that the match is over.", blocks)


def _players(step: Step, match: str) -> Page:
    grid = Grid(("seat", "played by"), who_played(step, match))
    return Page(f"Who played {match}", "The match was anonymous until its end.", (grid,))
