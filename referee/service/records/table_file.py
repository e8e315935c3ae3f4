"""The table file of a seat as it stands now, as it goes with a letter. SEND table; its form is `table_form`."""

from __future__ import annotations

import msgspec

from referee.core.game import colours_of
from referee.core.names import Seat
from referee.mail import Attachment
from referee.service.match.drafts import drawers_of, sheet_owed
from referee.service.match.hand import BareHand
from referee.service.match.history import known_before, known_to
from referee.service.match.playing import Playing
from referee.service.outgoing.frames import due_of, frame
from referee.service.outgoing.post import address_for
from referee.service.outgoing.subjects import owed, whole
from referee.service.ports import Member, Player, Step
from referee.service.records.table_form import VERSION, Chair, Known, Map, TableFile
from referee.service.sheets.choosing import choices_now, wanted_verbs
from referee.service.times import iso
from referee.service.turns.exporting import plain
from referee.service.turns.told_pages import chart_now


def table_of(hand: BareHand, member: Member, player: Player) -> TableFile:
    """The turn of who plays a seat, as it stands now."""
    playing, seat = hand.playing, Seat(member.seat)
    game, state = playing.game, playing.outcome.state
    around, due = frame(hand, member, player), due_of(hand.step, playing, seat)
    drawing = chart_now(hand.step, playing, seat)
    colours, living = colours_of(game), game.living(state)
    return TableFile(
        version=VERSION,
        program=game.version,
        match=playing.row.name,
        game=game.name,
        title=game.title,
        seat=seat,
        seats=tuple(Chair(chair, colours.get(chair, ""), chair in living) for chair in playing.created.seats),
        turn=playing.turn,
        phase=around.title,
        written=iso(hand.now),
        duty=around.duty,
        owes=around.owes,
        until=iso(due.due_at) if due else "",
        at_deadline=around.at_deadline,
        reply_to=address_for(hand, playing, member, player),
        subject=f"Re: {whole(playing.row.name, owed(around) or around.title)}",
        takes=wanted_verbs(playing, seat),
        going=around.going,
        choices=choices_now(playing, seat),
        form=game.order_form(state, seat) if sheet_owed(playing, seat) else (),
        on_file=drawers_of(playing, seat),
        standings=game.score(state),
        map=Map(drawing.svg, drawing.instead) if drawing else None,
        known=_known(hand.step, playing, seat),
    )


def _known(step: Step, playing: Playing, seat: Seat) -> Known:
    owed = sheet_owed(playing, seat)
    drawers = {name: sheet for (owner, name), sheet in playing.outcome.drawers.items() if owner == seat}
    hidden = not playing.open_information
    position, before = (
        msgspec.json.encode(found) for found in (known_to(step, playing, seat), known_before(step, playing, seat))
    )
    return Known(
        rules=playing.game.build,
        options=dict(playing.created.options),
        position=msgspec.Raw(position),
        hidden=hidden,
        drawers=drawers,
        asked=owed.key if owed else "",
        before=None if before == position else msgspec.Raw(before),
    )


def table_file(table: TableFile) -> tuple[Attachment, ...]:
    """The file as it goes with a letter."""
    name = f"{table.match}-{table.turn}-{plain(table.seat)}.table.json"
    return (Attachment(name, "application/json", msgspec.json.encode(table)),)
