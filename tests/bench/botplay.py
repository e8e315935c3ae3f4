"""Matches of bots in memory, phase by phase, and the letters that a phase sends; for the games that are measured so."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from referee.adapters.pages.render import TemplateRenderer
from referee.core.chance import Keyed, commitment
from referee.core.game import Game
from referee.core.names import Reader, Role, Seat
from referee.core.page import Form
from referee.core.position import Position
from referee.core.question import Question, Source
from referee.core.record import Answered, Created, Record
from referee.core.stage import Ended, Outcome, Unsealed, resume
from referee.mail import Attachment, Outgoing, compose
from referee.service.base.letter_facts import Frame, TurnReport
from referee.service.base.ports import Rendered
from referee.service.match.history import Earlier
from referee.service.match.playing import codec_of
from referee.service.turn.knowledge import Hearing, Table
from referee.service.turn.reports import mailed, map_in_words, pages_and_sheets
from tests.bench.house import START
from tests.bench.turns import SECRET, picker

S = TypeVar("S")


def created(game: Game[Any], players: int) -> Created:
    """The first record of a match with all settings at their defaults."""
    options = {setting.name: setting.default for setting in game.settings}
    seats = game.seat_players(((),) * players, options, Keyed(SECRET, 0))
    return Created(game.name, seats, options, commitment(SECRET))


class BotTable(Generic[S]):
    """A match of bots that is played phase by phase; nobody is asked in the middle of a turn."""

    def __init__(self, game: Game[S], position: Position[S], number: int = 0) -> None:
        """`number` tells one game of the same bots from another."""
        self._game, self._codec = game, codec_of(game)
        self._pick = picker(number)
        self._records: list[Record] = []
        self._begun = position.count
        self.ended: list[Ended[S]] = []
        self.outcome = self._step(position, ())

    @property
    def records(self) -> tuple[Record, ...]:
        """What was written since the position from which it was played."""
        return tuple(self._records)

    def play(self, phases: int) -> None:
        """Until so many more phases have ended, or the game is over."""
        wanted = len(self.ended) + phases
        while self.outcome.open and len(self.ended) < wanted:
            question = self.outcome.open[0]
            self.answer(question, question.menu.sample(self._pick))

    def answer(self, question: Question[Any], value: Any) -> None:
        """One answer, as a player gives it."""
        raw = msgspec.Raw(question.menu.encode(value))
        self.outcome = self._step(self.outcome.position, (Answered(question.key, question.seat, raw, Source.PLAYER),))

    def _step(self, position: Position[S], inputs: tuple[Answered, ...]) -> Outcome[S]:
        tail = self._records[position.count - self._begun :]
        out = resume(self._game, self._codec, position, tail, inputs, Unsealed(Keyed(SECRET, 0)), lambda _: False)
        self._records += out.written
        self.ended += out.ended
        return out


def letters_of(
    game: Game[Any], renderer: TemplateRenderer, all: list[Ended[Any]], number: int, seats: tuple[Seat, ...]
) -> list[bytes]:
    """The letters of one ended phase to all seats: pages, sheets, maps, one picture of the public map, both forms, MIME."""
    ended, earlier = all[number], tuple(event for before in all[:number] for event in before.events)
    readers: tuple[Reader, ...] = (Role.OBSERVER, *seats)
    table = Table(game, seats, dict(ended.before.options))
    made = pages_and_sheets(Hearing(table, Earlier(earlier), readers, "w1"), ended)
    public = made[Role.OBSERVER].chart
    letters = []
    for seat in seats:
        page, sheets, chart = made[seat]
        frame = Frame("w1", game.title, ended.phase.title, "Anna", seat, "You owe nothing.")
        form = Form(game.order_form(ended.after, seat))
        letter = TurnReport(frame, page, mailed(sheets, seat), form, map=map_in_words(chart, public))
        maps: tuple[Attachment, ...] = ()
        if chart and public:
            halves = renderer.halves(public.svg, public.seam) if public.seam else (renderer.picture(public.svg),)
            shown = (Attachment(f"map-{n}.png", "image/png", half, f"map-{n}@letter") for n, half in enumerate(halves))
            maps = (*shown, Attachment("map.svg", "image/svg+xml", chart.svg.encode()))
        rendered = renderer.render("report", letter, None, [file.cid for file in maps if file.cid])
        letters.append(compose(_outgoing(page.summary, rendered, maps)))
    return letters


def _outgoing(subject: str, rendered: Rendered, maps: tuple[Attachment, ...]) -> Outgoing:
    return Outgoing(
        sender="referee@games.example",
        sender_name="Referee",
        to="anna@players.example",
        to_name="Anna",
        reply_to="referee+w1.aaaabbbbccccdddd@games.example",
        subject=f"[w1] {subject}",
        dated=START,
        message_id="<report.1@games.example>",
        host="games.example",
        text=rendered.text,
        html=rendered.html,
        match="w1",
        answers="",
        references=(),
        attachments=maps,
    )
