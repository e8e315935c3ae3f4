"""The first letter of a match: to everybody when it begins, later to who takes over a seat or begins to watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.names import Reader, Role
from referee.core.page import Page
from referee.core.stage import Ended
from referee.kit.wording import in_a_row
from referee.service.clock.clock_words import timetable_told
from referee.service.letters import Started
from referee.service.manners import manners_rows
from referee.service.match.anonymity import hides_names
from referee.service.match.hand import BareHand
from referee.service.match.history import earlier_than
from referee.service.match.members import everybody
from referee.service.match.sealing import anchor_of
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import frame, option_rows
from referee.service.outgoing.post import About, Mail, post
from referee.service.outgoing.proof import key_is_told, key_text, proof_of
from referee.service.outgoing.subjects import told
from referee.service.ports import Member, Player, Step
from referee.service.times import zone_sentence
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


def first_letters(hand: BareHand, ended: Sequence[Ended[Any]]) -> None:
    """Everybody is told that the match begins, and what the set-up brought if it is over; its witnesses are asked."""
    for member, player in everybody(hand.step, hand.match):
        page = _first_page(hand, ended, reader_of(member))
        _post(hand, member, player, page, "", "the match begins", "start")
    key_is_told(hand, hand.match)
    send_heads(hand)


def letter_to_who_comes_later(hand: BareHand, member: Member, player: Player) -> None:
    """Who takes over a seat, or begins to watch, gets what the others got at the start, and what happened last."""
    takes = f"You take over {member.seat}" if member.seat else f"You watch {hand.match}"
    past = history_page(hand.step, hand.playing, lines=_LAST)
    page = Page("What happened last", "", past.blocks) if hand.step.listed_reports(hand.match) else None
    unique = f"{hand.playing.head.seq}.first.{member.id}"
    _post(hand, member, player, page, takes, takes[:1].lower() + takes[1:], unique)


_LAST = 3
"""Reports of which a newcomer is told a sentence each."""


def _post(
    hand: BareHand,
    member: Member,
    player: Player,
    page: Page | None,
    title: str,
    said: str,
    unique: str,
) -> None:
    everyone = everybody(hand.step, hand.match)
    runs = [m.player for m in hand.step.members(hand.match) if m.role == "gm" and m.status != "left"]
    masters = {id: found.name for id in runs if (found := hand.step.player(id))}
    seats = tuple((m.seat, p.name) for m, p in everyone if m.seat)
    if hides_names(hand.playing) and player.id not in masters:
        seats = tuple((seat, "one of the players") for seat, _ in sorted(seats))
    rows = option_rows(hand.playing.game.settings, hand.playing.row.options)
    defaults = {setting.name: setting.default for setting in hand.playing.game.settings}
    chosen = tuple(row for row in rows if row[1] != defaults[row[0]]) + manners_rows(hand.playing.settings.manners)
    paces = (said.rstrip(".").removeprefix("A slot ").partition(", ") for said in timetable_told(hand.playing.settings))
    reader, public = reader_of(member), chart_now(hand.step, hand.playing, Role.OBSERVER)
    chart, framed = chart_now(hand.step, hand.playing, reader), frame(hand, member, player)
    letter = Started(
        frame=framed,
        seats=seats,
        options=chosen + tuple(("slot", lasts, ends) for lasts, _, ends in paces),
        page=page,
        sheets=mailed(sheets_now(hand.step, hand.playing, reader), reader)
        if page
        else (),  # before the set-up is over they are empty
        form=form_for(hand.playing, member.seat) if member.seat else None,
        map=map_in_words(chart, public),
        usual=len(chosen) < len(rows),
        title=title,
        zone=zone_sentence(player.zone, hand.now) if _is_new(hand.step, member, title) else "",
        anchor=anchor_of(hand.playing.row.secret, hand.playing.seals),
        key=key_text(hand.office),
        proof=proof_of(hand),
        guide=guide_page(hand.playing.game, "" if player.id in masters else in_a_row(list(masters.values()))),
    )
    mail = Mail("started", told(framed, said), letter, unique, chart=chart, shown=public)
    post(hand, player, mail, About(hand.playing, member))


def _is_new(step: Step, member: Member, title: str) -> bool:
    """Whether somebody was given a seat who had no part in any match before; whoever joins or watches was told by then."""
    return bool(title and member.seat) and len(step.memberships(member.player)) == 1


def _first_page(hand: BareHand, ended: Sequence[Ended[Any]], reader: Reader) -> Page | None:
    """The report of the set-up, if it is over."""
    if not ended:
        return None
    created, earlier = hand.playing.created, earlier_than(hand.step, hand.playing, ended)
    return page_and_sheets(hand.playing.game, created.options, created.seats, earlier, ended[0], reader)[0]
