"""The table file: a seat's turn as data, for the page on which one plays and for programs of others. SEND table.

It holds what its seat may know and nothing else: no address, token or sheet of anybody else. The form is that of
docs/table-format.md; whatever changes it in a way that a reader could stumble over raises VERSION.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import msgspec

from referee.core.game import colours_of
from referee.core.names import Seat
from referee.core.page import Tally
from referee.mail import Attachment
from referee.service.letters import Drawer, Duty
from referee.service.match.history import known_before, known_to
from referee.service.match.playing import Playing
from referee.service.office import At
from referee.service.outgoing.frames import debts, drawers_of, due_of, frame
from referee.service.outgoing.post import address_for
from referee.service.outgoing.subjects import owed, whole
from referee.service.ports import Member, Player, Step
from referee.service.sheets.choosing import Choices, choices_now, wanted_verbs
from referee.service.times import iso
from referee.service.turns.exporting import plain
from referee.service.turns.told_pages import chart_now

VERSION = 1


class Chair(msgspec.Struct, frozen=True):
    """A seat of the match, in the order of play; `colour` as #RRGGBB, or "" where the game gives none."""

    seat: str
    colour: str
    living: bool


class Map(msgspec.Struct, frozen=True):
    """The map as the seat knows it, as SVG, and the sentence for those who see no pictures."""

    svg: str
    instead: str


class Known(msgspec.Struct, frozen=True):
    """What the referee's own rules need to go on from here, in their own form, which may change with any release.

    `position` is what the seat knows of the position; `hidden` says that it was not told all. `before` is what it knew when
    the phase under way began, null where that is the same. `drawers` are its sheets on file, `asked` the key of the question
    that asks for orders, `rules` the fingerprint of the rules that wrote it.
    """

    rules: str
    options: dict[str, str]
    position: Any
    hidden: bool
    drawers: Any
    asked: str = ""
    before: Any = None


class TableFile(msgspec.Struct, frozen=True):
    """A seat's turn: what it owes and until when, what it may order, what it has on file, where its letter goes.

    `program` is the version of the referee; `written` and `until` are times in UTC, `until` "" where nothing is owed by a time.
    `duty` is what is owed in a word: "orders", "on file" (orders that may be changed still), "answer" or "" for nothing.
    A letter goes to `reply_to` under `subject`. `takes` are the verbs of the sheet that is asked for, `going` the words
    that set it going or hold it. `form` is a sheet half filled in, `on_file` are the sheets on file.
    """

    version: int
    program: str
    match: str
    game: str
    title: str
    seat: str
    seats: tuple[Chair, ...]
    turn: int
    phase: str
    written: str
    duty: Duty
    owes: str
    until: str
    at_deadline: str
    reply_to: str
    subject: str
    takes: tuple[str, ...]
    going: tuple[str, ...]
    choices: Choices
    form: tuple[str, ...]
    on_file: tuple[Drawer, ...]
    standings: Tally
    map: Map | None
    known: Known


def schema() -> dict[str, Any]:
    """JSON Schema of what is sent; the same on each Python, of which some keep the indentation of docstrings."""
    found = msgspec.json.schema(TableFile)
    for each in found["$defs"].values():
        each["description"] = cleandoc(each["description"])
    return found


def table_of(at: At, playing: Playing, member: Member, player: Player) -> TableFile:
    """The turn of who plays a seat, as it stands now."""
    game, seat, state = playing.game, Seat(member.seat), playing.outcome.state
    around, due, drawing = (
        frame(at, playing, member, player),
        due_of(at.step, playing, seat),
        chart_now(at.step, playing, seat),
    )
    colours, living = colours_of(game), game.living(state)
    asked = any(question.wants_orders for question in debts(playing, seat))
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
        written=iso(at.now),
        duty=around.duty,
        owes=around.owes,
        until=iso(due.due_at) if due else "",
        at_deadline=around.at_deadline,
        reply_to=address_for(at, playing, member, player),
        subject=f"Re: {whole(playing.row.name, owed(around) or around.title)}",
        takes=wanted_verbs(playing, seat),
        going=around.going,
        choices=choices_now(playing, seat),
        form=game.order_form(state, seat) if asked else (),
        on_file=drawers_of(playing, seat),
        standings=game.score(state),
        map=Map(drawing.svg, drawing.instead) if drawing else None,
        known=_known(at.step, playing, seat),
    )


def _known(step: Step, playing: Playing, seat: Seat) -> Known:
    asked = next((question.key for question in debts(playing, seat) if question.wants_orders), "")
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
        asked=asked,
        before=None if before == position else msgspec.Raw(before),
    )


def table_file(table: TableFile) -> tuple[Attachment, ...]:
    """The file as it goes with a letter."""
    name = f"{table.match}-{table.turn}-{plain(table.seat)}.table.json"
    return (Attachment(name, "application/json", msgspec.json.encode(table)),)
