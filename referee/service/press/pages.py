"""What players wrote, as pages: press, diaries, treaties, for members who ask and for the archive."""

from __future__ import annotations

import msgspec

from referee.core.names import Reader, Role
from referee.core.page import Grid, Heading, Page, Quotation
from referee.service import notes
from referee.service.match.anonymity import who_played
from referee.service.match.playing import Playing
from referee.service.match.result import need
from referee.service.ports import MatchRow, Member, Player, Step
from referee.service.press.kept import diary_page, every_text, press_page
from referee.service.press.treaties import treaties_of, treaties_page, treaty_sentences
from referee.service.settings import settings_of
from referee.service.turns.told_pages import reader_of


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
