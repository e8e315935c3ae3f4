"""War! Version 27: a round of movement with 400 units, a whole game of bots, and the letters of a share to eight readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from referee.adapters.picture import part_drawn, png
from referee.adapters.render import TemplateRenderer
from referee.bench.house import START
from referee.bench.measure import Pair, Sample, Size, timed
from referee.bench.turns import SECRET, picker
from referee.core.chance import Keyed, commitment
from referee.core.names import Reader, Role, Seat
from referee.core.page import Form
from referee.core.position import Position, start
from referee.core.question import Source
from referee.core.record import Answered, Created, Record
from referee.core.stage import Ended, Outcome, resume
from referee.games.war.game import War27
from referee.games.war.state import Stack, War
from referee.mail import Attachment, Outgoing, compose
from referee.service.letters import Frame, TurnReport
from referee.service.playing import codec_of
from referee.service.ports import Rendered
from referee.service.reporting import mailed, map_in_words, pages_and_sheets

__all__ = ["UNITS", "bot_games", "letters_of_a_share", "movement_rounds", "units_on"]

UNITS = 400
"""Units that stand on the board in a round of movement."""

_PLAYERS = 8
_GAMES = 6
_GAME = War27()
_CODEC = codec_of(_GAME)


def _created() -> Created:
    options = {setting.name: setting.default for setting in _GAME.settings}
    seats = _GAME.seat_players(((),) * _PLAYERS, options, Keyed(SECRET, 0))
    return Created(_GAME.name, seats, options, commitment(SECRET))


class _Table:
    """A match of bots that is played phase by phase; nobody is asked in the middle of a turn."""

    def __init__(self, position: Position[War], game: int = 0) -> None:
        self._pick = picker(game)
        self._records: list[Record] = []
        self._begun = position.count
        self.ended: list[Ended[War]] = []
        self.outcome = self._step(position, ())

    def play(self, phases: int) -> None:
        """Until so many more phases have ended, or the game is over."""
        wanted = len(self.ended) + phases
        while self.outcome.open and len(self.ended) < wanted:
            question = self.outcome.open[0]
            value = msgspec.Raw(question.menu.encode(question.menu.sample(self._pick)))
            answer = Answered(question.key, question.seat, value, Source.PLAYER)
            self.outcome = self._step(self.outcome.position, (answer,))

    def _step(self, position: Position[War], inputs: tuple[Answered, ...]) -> Outcome[War]:
        tail = self._records[position.count - self._begun :]
        out = resume(_GAME, _CODEC, position, tail, inputs, lambda _: Keyed(SECRET, 0), lambda _: False)
        self._records += out.written
        self.ended += out.ended
        return out


# ---------------------------------------------------------------- the rules


@contextmanager
def movement_rounds(folder: Path, size: Size) -> Iterator[Pair]:
    """The eight movement shares of a round, by bots that march, sail and fight with 400 units; milliseconds for all."""
    position = _crowded(_to_movement())

    def own() -> Sample:
        with timed() as watch:
            table = _Table(position)
            table.play(_PLAYERS)
        note = f"{units_on(position.state)} units, {len(table.ended)} shares, {sum(len(e.events) for e in table.ended)} events"
        return Sample(watch.seconds * 1e3, watch.cpu * 1e6, abs(_PLAYERS - len(table.ended)), note)

    yield Pair(own)


def _to_movement() -> Position[War]:
    """Where the first round of movement begins."""
    table = _Table(start(_GAME, _created()))
    while table.outcome.state.stage != "movement":
        table.play(1)
    return table.outcome.position


def _crowded(position: Position[War]) -> Position[War]:
    """The same position with infantry for the owner of every region in turn until there are 400 units."""
    war = position.state
    owned = [land.name for land in war.lands.values() if land.owner]
    for number in range(UNITS - units_on(war)):
        land = war.lands[owned[number % len(owned)]]
        assert land.owner is not None  # chosen so
        war = war.with_land(land.name, stacks=(*land.stacks, Stack(land.owner, "infantry", 1)))
    return msgspec.structs.replace(position, state=war)


def units_on(war: War) -> int:
    """Units on the board."""
    return sum(war.units_of(seat) for seat in war.living)


@contextmanager
def bot_games(folder: Path, size: Size) -> Iterator[Pair]:
    """Games of eight bots, from the set-up to the end; seconds for the one that takes longest."""

    def own() -> Sample:
        longest = Sample(0)
        for game in range(1, 1 + _GAMES):
            with timed() as watch:
                table = _Table(start(_GAME, _created()), game)
                table.play(10_000)
            note = f"{_GAMES} games, the longest of {table.outcome.state.turn} turns and {len(table.ended)} phases"
            taken = Sample(watch.seconds, watch.cpu * 1e6, int(not table.outcome.over), note)
            longest = max(longest, taken, key=lambda sample: sample.value)
        return longest

    yield Pair(own)


# ---------------------------------------------------------------- the letters


@contextmanager
def letters_of_a_share(folder: Path, size: Size) -> Iterator[Pair]:
    """The letters of a movement share to eight readers, share after share; milliseconds for all eight.

    Pages, sheets, the map of each as SVG and one picture of the public map, text and HTML, MIME. What the letters of
    the share before left in memory may be used, as it can in a running service; nothing of an earlier run.
    """
    table = _Table(start(_GAME, _created()))
    table.play(40)
    shares = [number for number, ended in enumerate(table.ended) if "/M" in ended.phase.key][-1 - size.turns // 2 :]
    seats = _created().seats

    def own() -> Sample:
        renderer, weight = TemplateRenderer(), 0
        png.cache_clear()
        part_drawn.cache_clear()
        _letters(renderer, table.ended, shares[0], seats)
        with timed() as watch:
            for share in shares[1:]:
                weight += sum(map(len, _letters(renderer, table.ended, share, seats)))
        count = len(shares) - 1
        note = f"{count} shares, {weight / count / len(seats) / 1e3:.0f} KB a letter"
        return Sample(watch.seconds / count * 1e3, watch.cpu / count * 1e6, 0, note)

    yield Pair(own)


def _letters(renderer: TemplateRenderer, all: list[Ended[War]], number: int, seats: tuple[Seat, ...]) -> list[bytes]:
    ended, earlier = all[number], tuple(event for before in all[:number] for event in before.events)
    readers: tuple[Reader, ...] = (Role.OBSERVER, *seats)
    made = pages_and_sheets(_GAME, dict(ended.before.options), seats, earlier, ended, readers)
    public = made[Role.OBSERVER].chart
    letters = []
    for seat in seats:
        page, sheets, chart = made[seat]
        frame = Frame("w1", _GAME.title, ended.phase.title, "Anna", seat, "You owe nothing.")
        form = Form(_GAME.order_form(ended.after, seat))
        letter = TurnReport(frame, page, mailed(sheets, seat), form, map=map_in_words(chart, public))
        rendered = renderer.render("report", letter)
        maps: tuple[Attachment, ...] = ()
        if chart and public:
            shown = Attachment("map.png", "image/png", renderer.picture(public.svg), "map@letter")
            maps = (shown, Attachment("map.svg", "image/svg+xml", chart.svg.encode()))
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
