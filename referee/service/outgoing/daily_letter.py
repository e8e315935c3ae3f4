"""The daily letter: what happened in a match, in one letter at the hour its reader wished."""

from __future__ import annotations

from referee.core.page import Page, Paragraph, Quotation
from referee.service.letters import Documents, Frame
from referee.service.office import At, Office
from referee.service.outgoing.news_held import taken_out, waiting
from referee.service.outgoing.post import About, Mail, post, reply_token
from referee.service.ports import MatchRow, Member, Player
from referee.service.remembered import News
from referee.service.times import iso, stamp


def send_gathered(office: Office) -> int:
    """Write the daily letters whose hour has come, each in a transaction of its own; how many."""
    now = office.clock.now()
    with office.store.look() as step:
        due = [key for key, at in waiting(step).items() if at <= now]
    for key in due:
        match, _, player = key.rpartition("|")
        with office.step() as at:
            _send(at, match, int(player))
    return len(due)


def _send(at: At, match: str, id: int) -> None:
    items, row, player = taken_out(at.step, match, id), at.step.match(match), at.step.player(id)
    member = next((m for m in at.step.members(match) if m.player == id and m.status != "left"), None)
    if items and row is not None and player is not None and member is not None:
        _write(at, row, member, player, items)


def _write(at: At, row: MatchRow, member: Member, player: Player, items: list[News]) -> None:
    seat = member.seat if member.status == "playing" else ""
    title = f"{len(items)} piece{'s' if len(items) > 1 else ''} of news"
    framed = Frame(row.name, at.office.games[row.game].title, title, player.name, seat)
    letter = Documents(framed, f"The day in {row.name}", tuple(_page(item, player.zone) for item in items), ())
    token = reply_token(at, row.name, row.turn, 0, player, seat)
    unique = f"day.{iso(at.now)}"
    post(at, player, Mail("gathered", f"the day: {title}", letter, unique), About(row, token=token))


def _page(item: News, zone: str) -> Page:
    title = f"{item.title[:1].upper()}{item.title[1:]}"
    first, rest = item.sentences[:1], item.sentences[1:]
    written = (Quotation(item.text),) if item.text else ()
    return Page(title, stamp(item.at, zone), (*map(Paragraph, first), *written, *map(Paragraph, rest)))
