"""A match that is played in the page alone: a trial of one that a referee holds, or one of the page's own.

A trial goes on from what its player knows, and is thrown away. It begins where the phase under way began, for a script cannot
be entered in the middle: what was decided in it since is decided anew. Secrets kept from its player are drawn from what they
may be.

A match of the page's own begins with the game's set-up (`fresh`). The dice of both are their own; seats that nobody at this
screen plays are played by bots, which know of the match what their seats were told.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.game import AnyGame, colours_of, imagined
from referee.core.names import Seat
from referee.core.page import Bullets, Page
from referee.core.position import Position, completed, told
from referee.core.question import slot_of
from referee.core.record import Created, Record, Sheet
from referee.core.stage import Ended, Outcome
from referee.games import game_named
from referee.kit.opponents import Opponent, Strength, opponents
from referee.orders import Reading
from referee.page_engine.opened_table import Table, played, position_in
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
from referee.service.intake.corrections import bound
from referee.service.match.playing import Playing, so_far
from referee.service.match.result import Denial
from referee.service.match.sheets import closing, debts, drawers_of, duty_of, filed_ahead, owes
from referee.service.turn.preview import Ahead

_MOST = 400
"""So many answers of bots in a row; who is asked nothing meanwhile is out of the game, or nearly so."""


class Stands(msgspec.Struct, frozen=True):
    """Where a trial stands: the table of who is asked now, what came of the last letter, and how often it can go back.

    `changed`: it was kept under other rules than those by which it goes on.
    """

    table: TableFile
    pages: tuple[Page, ...]
    back: int
    changed: bool = False


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
    """A match when somebody was asked: the faces thrown until then, what bots know less, whom news await, and what he was shown."""

    playing: Playing
    thrown: Mapping[tuple[str, int, int], int]
    late: tuple[Event, ...]
    apart: Mapping[Seat, Any]
    news: Mapping[Seat, tuple[Page, ...]]
    stands: Stands


class Saved(msgspec.Struct, frozen=True):
    """A match as a browser keeps it over a reload: how it began, the phase under way from its start, and what was shown.

    `late` are the events of the phase before, which maps show; `thrown` are faces by purpose, index and sides.
    """

    file: TableFile
    people: int
    bots: Strength
    position: msgspec.Raw
    drawers: tuple[tuple[Seat, str, Sheet], ...]
    tail: tuple[str, ...]
    late: tuple[msgspec.Raw, ...]
    thrown: tuple[tuple[str, int, int, int], ...]
    apart: dict[Seat, msgspec.Raw]
    news: dict[Seat, tuple[Page, ...]]
    pages: tuple[Page, ...]


class Trial(Ahead):
    """A match played on from a table."""

    def __init__(
        self, begins: Table, people: int, seed: str, bots: Strength = "steady", saved: Saved | None = None
    ) -> None:
        """So many `people` play at this screen: the seat of the table and those after it. All others are `bots`.

        One that was `saved` stands as it did; what was played before cannot be taken back. Raises what `resume` raises where
        the rules are others now.
        """
        seats = [Seat(chair.seat) for chair in begins.file.seats]
        at = seats.index(begins.seat)
        self._file, self._seat, self._bots = begins.file, begins.seat, bots
        self._here = (*seats[at:], *seats[:at])[:people]
        others = [seat for seat in seats if seat not in self._here] if not begins.file.match else []
        named = opponents(begins.playing.game, bots, len(others))
        self._played_by = dict(zip(others, named, strict=True))
        self._dice = Dice(seed)
        self._late: tuple[Event, ...] = ()
        self._news: dict[Seat, tuple[Page, ...]] = {}
        self._moments: list[_Moment] = []
        position, tail = position_in(begins.file, begins=True), tuple[Record, ...]()
        if saved is None:
            position = replace(position, state=imagined(begins.playing.game, position.state, self._seat, self._dice))
        else:
            read = partial(msgspec.json.decode, type=type(position.state))
            drawers = {(seat, drawer): sheet for seat, drawer, sheet in saved.drawers}
            position, tail = (
                Position(read(saved.position), drawers, 0),
                tuple(map(begins.playing.codec.load, saved.tail)),
            )
            self._dice.thrown.update({(why, index, sides): face for why, index, sides, face in saved.thrown})
            self._late = tuple(map(begins.playing.codec.event, saved.late))
        outcome = Outcome((), position, position.state, position.drawers, None, (), (), ())
        super().__init__(played(self._file, tail, outcome), self._dice, random.Random(seed), self._here)
        if saved is not None:
            self.apart.update({seat: read(known) for seat, known in saved.apart.items()})
        self.run()
        if saved is None:
            self._goes_on()
        else:
            self._news = dict(saved.news)
            self._stand(saved.pages)

    def saved(self) -> Saved:
        """The match as it stands, to go on with when the page is opened again."""
        codec, position = self.playing.codec, self.playing.position
        return Saved(
            self._file,
            len(self._here),
            self._bots,
            msgspec.Raw(msgspec.json.encode(position.state)),
            tuple((*whose, sheet) for whose, sheet in position.drawers.items()),
            tuple(map(codec.dump, self.playing.tail)),
            tuple(map(codec.raw, self._late)),
            tuple((*what, face) for what, face in self._dice.thrown.items()),
            {seat: msgspec.Raw(msgspec.json.encode(known)) for seat, known in self.apart.items()},
            self._news,
            self.stands().pages,
        )

    @property
    def table(self) -> Table:
        """The table of who is asked now."""
        return Table(self.stands().table, self.playing)

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
            self._hand_in(table.seat, table.read(text))
            self._goes_on()
        except Denial as denial:
            self._return()
            return Refusal(str(denial))
        except Exception:  # whatever it was: a trial never stands between two letters
            self._return()
            raise
        return self.stands()

    # ------------------------------------------------------------ on

    def _hand_in(self, seat: Seat, reading: Reading) -> None:
        """Everything that a letter says of the match; raises Denial where CHOOSE says what cannot be."""
        lines, orders = bound(self.playing, seat, reading), [sentence.order for sentence in reading.desk]
        chosen = [(listed(order), number_in(order.after("IN"))) for order in orders if order.verb == "CHOOSE"]
        asked = self.take(seat, lines.whole, lines.drawers, chosen)
        while still := next((q for q in debts(self.playing, seat) if slot_of(q.key) in asked), None):
            self.run(closing(self.playing, still, at_deadline=False, late=0))

    def _return(self) -> None:
        """To where somebody was asked last."""
        moment = self._moments[-1]
        self.playing, self._dice.thrown = moment.playing, dict(moment.thrown)
        self._late, self.apart, self._news = moment.late, dict(moment.apart), dict(moment.news)

    def _goes_on(self) -> None:
        """The bots, until somebody at this screen is asked, the game is over or nobody here is asked any more."""
        for _ in range(_MOST):
            open = self.playing.outcome.open
            if not open or any(question.seat in self._here for question in open):
                break
            self.bot_answers(open[0], self._bots)
        if ahead := filed_ahead(self.playing, set()):
            self.run(*ahead)
        seat = self._asked()
        self._stand((*self._news.pop(seat, ()), *self._under_way(seat)))

    def _stand(self, pages: tuple[Page, ...]) -> None:
        """Somebody is asked: what he is shown, and all that is needed to come back to it."""
        stands = Stands(self._table_now(self._asked()), pages, len(self._moments))
        kept = dict(self._dice.thrown), self._late, dict(self.apart), dict(self._news)
        self._moments.append(_Moment(self.playing, *kept, stands))

    def _asked(self) -> Seat:
        """The seat at this screen that is asked first; the seat that began where none is."""
        open = self.playing.outcome.open
        return next((question.seat for question in open if question.seat in self._here), self._seat)

    def has_ended(self, ended: Ended[Any]) -> None:
        """The map's account of it, and its news for the people here."""
        self._late = ended.events
        for seat in self._here if ended.phase.reports else ():
            heard = told(ended.events, seat)
            page = self.playing.game.report(ended.before, heard, ended.after, seat)
            self._news[seat] = (*self._news.get(seat, ()), page)

    # ------------------------------------------------------------ what is shown

    def _under_way(self, seat: Seat) -> Sequence[Page]:
        """The news of a seat about the phase under way."""
        phase, lines = self.playing.outcome.phase, so_far(self.playing, seat, 0)
        return (Page(phase.title, "Under way.", (Bullets(lines),)),) if phase and lines else ()

    def _table_now(self, seat: Seat) -> TableFile:
        """The table of who is asked, as the referee would send it."""
        outcome = self.playing.outcome
        heard = told((*self._late, *outcome.events), seat)
        found = table_now(self._file, self.playing, seat, outcome.state, heard)
        played_by = self._played_by
        seats = (replace(chair, bot=played_by.get(Seat(chair.seat), chair.bot)) for chair in found.seats)
        return replace(found, seats=tuple(seats))


def table_now(file: TableFile, playing: Playing, seat: Seat, known: Any, heard: Sequence[Event]) -> TableFile:
    """The table of a seat that is asked, made from an earlier one: what it knows of the position, and heard of late for its map."""
    game, outcome = playing.game, playing.outcome
    sheets = [question.key for question in debts(playing, seat) if question.wants_orders]
    drawing = game.chart(known, seat, heard)
    living = game.living(known)
    return replace(
        file,
        seat=seat,
        seats=tuple(replace(chair, living=chair.seat in living) for chair in file.seats),
        turn=playing.turn,
        phase=outcome.phase.title if outcome.phase else "The game is over",
        duty=duty_of(playing, seat),
        owes=owes(playing, seat, True),
        until="",
        at_deadline="",
        takes=wanted_verbs(playing, seat) if outcome.phase else (),
        going=(),
        choices=choices_now(playing, seat),
        form=game.order_form(known, seat) if sheets else (),
        on_file=drawers_of(playing, seat),
        standings=game.score(known),
        map=Map(drawing.svg, drawing.instead) if drawing else None,
        known=replace(
            file.known,
            position=msgspec.Raw(msgspec.json.encode(known)),
            drawers={name: sheet for (owner, name), sheet in outcome.drawers.items() if owner == seat},
            asked=sheets[0] if sheets else "",
            before=None,
        ),
        index=None,
    )


class Door(msgspec.Struct, frozen=True):
    """The choices for a match of the page's own: its seats, how many may play, what is usual, and against which bots."""

    title: str
    about: str
    seats: tuple[str, ...]
    least: int
    most: int
    usual: int
    bots: tuple[tuple[Opponent, ...], ...]


def door(name: str) -> Door:
    """The choices for a new match of a game. Raises KeyError for one that is not known here."""
    game = game_named(name)
    seats = game.seat_names(_as_usual(game))
    can = [number for number in range(1, len(seats) + 1) if not game.refuse_options(_as_usual(game), number)]
    strengths: tuple[Strength, ...] = ("steady", "novice")
    bots = tuple(opponents(game, strength, can[-1] - 1) for strength in strengths)
    return Door(game.title, game.about, seats, can[0], can[-1], min(_USUAL, can[-1]), bots)


_USUAL = 4
"""So many play a match of the page's own, if nobody says otherwise."""


def _as_usual(game: AnyGame) -> dict[str, str]:
    return {setting.name: setting.default for setting in game.settings}


def fresh(name: str, seat: str, seed: str, players: int = _USUAL) -> TableFile:
    """The table of a new match with the settings as they are, for a seat or else the first one: it needs no referee.

    Raises KeyError for a game that is not known here.
    """
    game = game_named(name)
    options = _as_usual(game)
    seats = game.seat_players((((seat,) if seat else ()), *((),) * (players - 1)), options, Dice(seed))
    created = completed(game, Created(game.name, seats, options, ""))
    begins = blank(created, game.setup(created.seats, created.options), Seat(seat) if seat in seats else seats[0])
    return msgspec.json.decode(msgspec.json.encode(begins), type=TableFile)


def blank(created: Created, state: Any, seat: Seat) -> TableFile:
    """The table of a seat at a position that no referee sent, before anybody is asked."""
    game = game_named(created.game)
    colours = colours_of(game)
    chairs = tuple(Chair(one, colours.get(one, ""), True) for one in created.seats)
    known = Known(game.build, dict(created.options), msgspec.Raw(msgspec.json.encode(state)), False, {})
    nothing = Choices(CHOICES, "", seat, game.name, "", False, (), ())
    return TableFile(
        version=TABLE_VERSION,
        program=game.version,
        match="",
        game=game.name,
        title=game.title,
        seat=seat,
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
