"""A referee for measuring: a real store in a temporary folder, matches of New World begun, writers with their addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace as replaced

from referee.adapters.pages.render import TemplateRenderer
from referee.adapters.store.store import Store
from referee.core.page import Grid, Sheet
from referee.games import GAMES
from referee.mail import Answerable, reply_address
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, Player, Rendered
from referee.service.house import forming, membership
from referee.service.house.forming import create
from referee.service.match.playing import Playing, load, remember
from referee.service.post.post import reply_token
from tests.bench.databases import address_of, copied, thrown_away
from tests.standins import FakeClock, SeededSecrets

START = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ADDRESS = "referee@games.example"
_TEMPLATES = TemplateRenderer()


@dataclass(frozen=True)
class Writer:
    """A player in a match: `recipient` is the reply address of his seat for the turn that waits."""

    match: str
    seat: str
    others: tuple[str, ...]
    name: str
    address: str
    recipient: str


class Blank:
    """Writes nothing: used only while matches are set up, before anything is measured."""

    version = "bench"

    def render(
        self,
        kind: str,
        letter: Any,
        answered: Answerable | None = None,
        pictures: Sequence[str] = (),
        brief: bool = False,
    ) -> Rendered:
        return Rendered("", "")

    def picture(self, svg: str) -> bytes:
        return b""

    def halves(self, svg: str, seam: int) -> tuple[bytes, bytes]:
        return b"", b""

    def drawn(self, grid: Grid) -> str:
        return ""

    def workbook(self, sheets: Sequence[Sheet]) -> bytes:
        return b""

    def render_site(self, name: str, context: Any) -> str:
        return ""

    def verifier(self) -> dict[str, bytes]:
        return {}

    def table(self) -> dict[str, bytes]:
        return {}

    def dress(self) -> dict[str, bytes]:
        return {}


@contextmanager
def house(path: Path, now: datetime = START) -> Iterator[Office]:
    """The office over a database, its clock standing still at `now`."""
    store = Store(address_of(path))
    try:
        yield Office(
            store=store,
            clock=FakeClock(now),
            secrets=SeededSecrets(path.stem),
            renderer=_TEMPLATES,
            games={game.name: game for game in GAMES},
            address=ADDRESS,
        )
    finally:
        store.close()


def copy_of(template: Path, folder: Path) -> Path:
    """Where the copy of a database lies while it is in use."""
    return folder / f"copy-of-{template.name}"


@contextmanager
def house_copied(template: Path, folder: Path, now: datetime = START) -> Iterator[Office]:
    """A house over a copy of a closed database, which is thrown away afterwards."""
    path = copy_of(template, folder)
    copied(template, path)
    try:
        with house(path, now) as office:
            yield office
    finally:
        thrown_away(path)


def begun(office: Office, count: int, players: int = 4, reminders: bool = True) -> None:
    """Begin matches m0, m1 ..., each with players of its own, and a game master for all."""
    clock = office.clock_defaults if reminders else replaced(office.clock_defaults, reminder_hours=())
    blank = replace(office, renderer=Blank(), clock_defaults=clock)
    with blank.step() as at:
        master = at.step.save_player(Player(0, "Gina", ("gina@players.example",)))
        for number in range(count):
            begin(at, master, f"m{number}", players)


def begin(at: At, master: Player, match: str, players: int, game: str = "newworld") -> None:
    """Begin a match with players of its own."""
    create(at, master, game, match)
    for place in range(players):
        player = at.step.save_player(Player(0, f"Player {place + 1}", (f"p{place + 1}.{match}@players.example",)))
        membership.join(at, player, match, ())
    forming.start(at, master, match)


def writers(office: Office, match: str) -> list[Writer]:
    """The players of a match with their reply addresses, the seat on turn first."""
    with office.step() as at:
        row = at.step.match(match)
        if row is None:
            raise LookupError(match)
        playing = load(at, row)
        found = [_writer(at, playing, member.seat, member.player) for member in at.step.members(match) if member.seat]
    remember(playing)
    on_turn = {question.seat for question in playing.outcome.open}
    return sorted(found, key=lambda writer: writer.seat not in on_turn)


def _writer(at: At, playing: Playing, seat: str, number: int) -> Writer:
    player = at.step.player(number)
    assert player is not None  # a member's player is always there
    match = playing.row.name
    token = reply_token(at, match, playing.turn, playing.course, player, seat)
    others = tuple(str(other) for other in playing.created.seats if other != seat)
    return Writer(match, seat, others, player.name, player.addresses[0], reply_address(ADDRESS, match, token))


def put(office: Office, transport: str, writer: Writer, raw: bytes) -> LetterIn:
    """Lay a letter into the inbox; the row as it is stored."""
    with office.store.step() as step:
        (id,) = step.receive([LetterIn(0, transport, office.clock.now(), writer.address, writer.recipient, raw)])
        row = step.letter(id)
    assert row is not None  # stored just now
    return row
