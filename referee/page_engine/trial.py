"""A trial: a match played on in the page from what its player knows, and thrown away. Nothing of it leaves the page.

It begins where the phase under way began, for a script cannot be entered in the middle: what was decided in it since is decided
anew. Its dice are its own, and what its player was not told is drawn from what it may be. The other seats are played by bots,
or by the same hand.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.game import colours_of, imagined
from referee.core.names import Seat
from referee.core.page import Bullets, Page
from referee.core.position import completed, parted, told
from referee.core.question import Source
from referee.core.record import Acted, Answered, Created, Filed, Record
from referee.core.stage import Outcome, Unsealed, resume
from referee.games import game_named
from referee.kit.opponents import answer_of
from referee.orders import Reading
from referee.page_engine.opened import Table, played, position_in
from referee.service.house.choices import (
    TABLE_VERSION,
    Chair,
    Choices,
    Known,
    Map,
    TableFile,
    choices_now,
    wanted_verbs,
)
from referee.service.house.choices import VERSION as CHOICES
from referee.service.intake.commands.command import listed, number_in
from referee.service.intake.judgement import bound
from referee.service.match.history import so_far
from referee.service.match.playing import Playing
from referee.service.match.result import Denial
from referee.service.match.sheets import answered, closing, debts, drawers_of, duty_of, filed_ahead, owes

_MOST = 400
"""So many answers of bots in a row; who is asked nothing meanwhile is out of the game, or nearly so."""


class Stands(msgspec.Struct, frozen=True):
    """Where a trial stands: the table of who is asked now, what came of the last letter, and how often it can go back."""

    table: TableFile
    pages: tuple[Page, ...]
    back: int


class Refusal(msgspec.Struct, frozen=True):
    """Why a letter is not played."""

    refused: str


class Dice:
    """Dice that fall the same again where a phase is played again from its start, and anew where it was taken back."""

    def __init__(self, seed: str) -> None:
        self._random, self.thrown = random.Random(seed), dict[tuple[str, int, int], int]()

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`."""
        return self.thrown.setdefault((purpose, index, sides), self._random.randint(1, sides))


class _Moment(msgspec.Struct, frozen=True):
    """A trial when somebody was asked, the faces thrown until then, and what he was shown."""

    playing: Playing
    thrown: dict[tuple[str, int, int], int]
    stands: Stands


class Trial:
    """A match played on from a table."""

    def __init__(self, begins: Table, others: str, seed: str) -> None:
        """`others`: "bots", or "myself" for who plays every seat."""
        self._file, self._seat, self._mine = begins.file, begins.seat, others == "myself"
        self._random, self._dice = random.Random(seed), Dice(seed)
        self._ended: list[Page] = []
        self._moments: list[_Moment] = []
        position = position_in(begins.file, begins=True)
        position = replace(position, state=imagined(begins.playing.game, position.state, self._seat, self._dice))
        self._playing = played(
            self._file, (), Outcome((), position, position.state, position.drawers, None, (), (), ())
        )
        self._run()
        self._goes_on()

    @property
    def table(self) -> Table:
        """The table of who is asked now."""
        return Table(self.stands().table, self._playing)

    def stands(self) -> Stands:
        """Where it stands now."""
        return self._moments[-1].stands

    def back(self) -> Stands:
        """Take the last letter back; its dice will be others."""
        if len(self._moments) > 1:
            self._moments.pop()
        self._return()
        return self.stands()

    def play(self, text: str) -> Stands | Refusal:
        """Take a letter of who is asked as the referee would with ROLL OUT: then the others, until he is asked again.

        A question that it leaves open takes what it takes of who is silent; lines that are not asked for wait on file.
        """
        table = self.table
        if refused := table.judge(text).refused:
            return Refusal(f"Line {refused[0].number} would be refused; mend it or take it out first.")
        try:
            self._take(table.seat, table.read(text))
            self._goes_on()
        except Denial as denial:
            self._return()
            return Refusal(str(denial))
        except Exception:  # whatever it was: a trial never stands between two letters
            self._return()
            raise
        return self.stands()

    # ------------------------------------------------------------ on

    def _take(self, seat: Seat, reading: Reading) -> None:
        """Everything that a letter says of the match; raises Denial where CHOOSE says what cannot be."""
        playing = self._playing
        asked = {question.key for question in debts(playing, seat)}
        lines = bound(playing, seat, reading)
        self._run(*(Acted(seat, playing.codec.raw(intent)) for intent in lines.whole.asides))
        for drawer, sheet in lines.drawers:
            self._run(Filed(seat, drawer, sheet))
        for sentence in reading.desk:
            if sentence.order.verb == "CHOOSE":
                typed, place = listed(sentence.order), number_in(sentence.order.after("IN"))
                self._run(answered(self._playing, seat, typed, place))
        rest = lines.whole.sheet
        for question in debts(self._playing, seat):
            if question.key in asked and question.wants_orders:
                sheet, rest = parted(playing.codec, rest, question)
                self._run(Filed(seat, f"orders:{question.key}", sheet))
        if rest:
            self._run(Filed(seat, "next", rest))
        while still := next((q for q in debts(self._playing, seat) if q.key in asked), None):
            self._run(closing(self._playing, still, at_deadline=False, late=0))

    def _return(self) -> None:
        """To where somebody was asked last."""
        moment = self._moments[-1]
        self._playing, self._dice.thrown = moment.playing, dict(moment.thrown)
        self._ended.clear()

    def _goes_on(self) -> None:
        """The others, until the player is asked, the game is over or he is asked no more."""
        for _ in range(_MOST):
            open = self._playing.outcome.open
            if not open or self._mine or any(question.seat == self._seat for question in open):
                break
            seen = self._playing.outcome.state
            value = answer_of("steady", self._playing.game, seen, open[0], self._random.randrange)
            raw = msgspec.Raw(open[0].menu.encode(value))
            self._run(Answered(open[0].key, open[0].seat, raw, Source.PLAYER))
        if ahead := filed_ahead(self._playing, set()):
            self._run(*ahead)
        stands = Stands(self._table_now(), tuple(self._news()), len(self._moments))
        self._ended.clear()
        self._moments.append(_Moment(self._playing, dict(self._dice.thrown), stands))

    def _run(self, *inputs: Record) -> None:
        now = self._playing
        outcome = resume(now.game, now.codec, now.position, now.tail, inputs, Unsealed(self._dice), lambda _: True)
        since = (*now.tail, *outcome.written)
        self._playing = played(self._file, since[outcome.position.count - now.position.count :], outcome)
        for ended in outcome.ended:
            if ended.phase.reports:
                heard = told(ended.events, self._seat)
                self._ended.append(now.game.report(ended.before, heard, ended.after, self._seat))

    # ------------------------------------------------------------ what is shown

    def _news(self) -> Sequence[Page]:
        """The reports of the phases that ended, and what has happened in the one under way."""
        phase = self._playing.outcome.phase
        lines = so_far(self._playing, self._seat, 0)
        under_way = (Page(phase.title, "Under way.", (Bullets(lines),)),) if phase and lines else ()
        return (*self._ended, *under_way)

    def _table_now(self) -> TableFile:
        """The table of who is asked, as the referee would send it."""
        playing, outcome = self._playing, self._playing.outcome
        game, state = playing.game, outcome.state
        seat = outcome.open[0].seat if self._mine and outcome.open else self._seat
        sheets = [question.key for question in debts(playing, seat) if question.wants_orders]
        drawing = game.chart(state, seat, told(self._heard(), seat))
        living = game.living(state)
        return replace(
            self._file,
            seat=seat,
            seats=tuple(replace(chair, living=chair.seat in living) for chair in self._file.seats),
            turn=playing.turn,
            phase=outcome.phase.title if outcome.phase else "The game is over",
            duty=duty_of(playing, seat),
            owes=owes(playing, seat, True),
            until="",
            at_deadline="",
            takes=wanted_verbs(playing, seat) if outcome.phase else (),
            going=(),
            choices=choices_now(playing, seat),
            form=game.order_form(state, seat) if sheets else (),
            on_file=drawers_of(playing, seat),
            standings=game.score(state),
            map=Map(drawing.svg, drawing.instead) if drawing else None,
            known=replace(
                self._file.known,
                position=msgspec.Raw(msgspec.json.encode(state)),
                drawers={name: sheet for (owner, name), sheet in outcome.drawers.items() if owner == seat},
                asked=sheets[0] if sheets else "",
                before=None,
            ),
            index=None,
        )

    def _heard(self) -> Sequence[Event]:
        """What happened of late, which a map shows."""
        outcome = self._playing.outcome
        return (*(outcome.ended[-1].events if outcome.ended else ()), *outcome.events)


def fresh(name: str, seat: str, seed: str, players: int = 3) -> TableFile:
    """The table of a new match with the settings as they are, for a seat or else the first one: it needs no referee.

    Raises KeyError for a game that is not known here.
    """
    game = game_named(name)
    options = {setting.name: setting.default for setting in game.settings}
    seats = game.seat_players(((),) * players, options, Dice(seed))
    created = completed(game, Created(game.name, seats, options, ""))
    state, colours = game.setup(created.seats, created.options), colours_of(game)
    chairs = tuple(Chair(one, colours.get(one, ""), True) for one in created.seats)
    known = Known(game.build, dict(created.options), msgspec.Raw(msgspec.json.encode(state)), False, {})
    mine = seat if seat in seats else seats[0]
    nothing = Choices(CHOICES, "", mine, name, "", False, (), ())
    begins = TableFile(
        version=TABLE_VERSION,
        program=game.version,
        match="",
        game=name,
        title=game.title,
        seat=mine,
        seats=chairs,
        turn=0,
        phase="",
        written="",
        duty="",
        owes="",
        until="",
        at_deadline="",
        reply_to="",
        subject="",
        takes=(),
        going=(),
        choices=nothing,
        form=(),
        on_file=(),
        standings=game.score(state),
        map=None,
        known=known,
    )
    return msgspec.json.decode(msgspec.json.encode(begins), type=TableFile)
