"""The first letter of a match: to everybody when it begins, later to who takes over a seat or begins to watch."""

from __future__ import annotations

from referee.core.names import Reader, Role
from referee.core.page import Page
from referee.kit.wording import in_a_row
from referee.service.clock.clock_words import timetable_told
from referee.service.letters import Started
from referee.service.manners import manners_rows
from referee.service.match.anonymity import hides_names
from referee.service.match.history import earlier_than
from referee.service.match.members import everybody
from referee.service.match.playing import Playing
from referee.service.match.sealing import anchor_of
from referee.service.office import At, both
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import frame, option_rows
from referee.service.outgoing.post import About, Mail, post
from referee.service.outgoing.proof import key_is_told, key_text, proof_of
from referee.service.outgoing.subjects import told
from referee.service.ports import Member, Player, Step
from referee.service.times import zone_sentence
from referee.service.turns.advance import Ran
from referee.service.turns.library import guide_page, history_page
from referee.service.turns.told_pages import (
    chart_now,
    mailed,
    map_in_words,
    page_and_sheets,
    reader_of,
    sheets_now,
)
from referee.service.witness.heads import send_heads


@both
def first_letters(at: At, ran: Ran) -> None:
    """Everybody is told that the match begins, and what the set-up brought if it is over; its witnesses are asked."""
    for member, player in everybody(at.step, ran.playing.row.name):
        page = _first_page(at.step, ran, reader_of(member))
        _post(at, ran.playing, member, player, page, "", "the match begins", "start")
    key_is_told(at, ran.playing.row.name)
    send_heads(at, ran.playing)


@both
def letter_to_who_comes_later(at: At, playing: Playing, member: Member, player: Player) -> None:
    """Who takes over a seat, or begins to watch, gets what the others got at the start, and what happened last."""
    takes = f"You take over {member.seat}" if member.seat else f"You watch {playing.row.name}"
    past = history_page(at.step, playing, lines=_LAST)
    page = Page("What happened last", "", past.blocks) if at.step.listed_reports(playing.row.name) else None
    unique = f"{playing.head.seq}.first.{member.id}"
    _post(at, playing, member, player, page, takes, takes[:1].lower() + takes[1:], unique)


_LAST = 3
"""Reports of which a newcomer is told a sentence each."""


def _post(
    at: At,
    playing: Playing,
    member: Member,
    player: Player,
    page: Page | None,
    title: str,
    said: str,
    unique: str,
) -> None:
    everyone = everybody(at.step, playing.row.name)
    runs = [m.player for m in at.step.members(playing.row.name) if m.role == "gm" and m.status != "left"]
    masters = {id: found.name for id in runs if (found := at.step.player(id))}
    seats = tuple((m.seat, p.name) for m, p in everyone if m.seat)
    if hides_names(playing) and player.id not in masters:
        seats = tuple((seat, "one of the players") for seat, _ in sorted(seats))
    rows = option_rows(playing.game.settings, playing.row.options)
    defaults = {setting.name: setting.default for setting in playing.game.settings}
    chosen = tuple(row for row in rows if row[1] != defaults[row[0]]) + manners_rows(playing.settings.manners)
    paces = (said.rstrip(".").removeprefix("A slot ").partition(", ") for said in timetable_told(playing.settings))
    reader, public = reader_of(member), chart_now(at.step, playing, Role.OBSERVER)
    chart, framed = chart_now(at.step, playing, reader), frame(at, playing, member, player)
    letter = Started(
        frame=framed,
        seats=seats,
        options=chosen + tuple(("slot", lasts, ends) for lasts, _, ends in paces),
        page=page,
        sheets=mailed(sheets_now(at.step, playing, reader), reader)
        if page
        else (),  # before the set-up is over they are empty
        form=form_for(playing, member.seat) if member.seat else None,
        map=map_in_words(chart, public),
        usual=len(chosen) < len(rows),
        title=title,
        zone=zone_sentence(player.zone, at.now) if _is_new(at.step, member, title) else "",
        anchor=anchor_of(playing.row.secret, playing.seals),
        key=key_text(at.office),
        proof=proof_of(at, playing),
        guide=guide_page(playing.game, "" if player.id in masters else in_a_row(list(masters.values()))),
    )
    mail = Mail("started", told(framed, said), letter, unique, chart=chart, shown=public)
    post(at, player, mail, About(playing, member))


def _is_new(step: Step, member: Member, title: str) -> bool:
    """Whether somebody was given a seat who had no part in any match before; whoever joins or watches was told by then."""
    return bool(title and member.seat) and len(step.memberships(member.player)) == 1


def _first_page(step: Step, ran: Ran, reader: Reader) -> Page | None:
    """The report of the set-up, if it is over."""
    if not ran.ended:
        return None
    created, earlier = ran.playing.created, earlier_than(step, ran.playing, ran.ended)
    return page_and_sheets(ran.playing.game, created.options, created.seats, earlier, ran.ended[0], reader)[0]
