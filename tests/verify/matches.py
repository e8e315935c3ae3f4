"""Archives of real matches of all games, running and over, with dice as every match has them; and their letters."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from referee.adapters.pages import text_table
from referee.adapters.signing_key import SigningKey, verify
from referee.core.game import Game
from referee.core.question import Source
from referee.core.record import BOT, Answered
from referee.games import GAMES
from referee.mail import bodies
from referee.service.base.office import At
from referee.service.house.archive import archive_of
from referee.service.house.saved_letters import saved
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.playing import BareHand, load, remember, restored
from referee.service.turn.advance import run
from tests.service.conftest import GINA, PLAYERS
from tests.toy import TOY
from tests.world import World

MATCH = "t1"
ALL: dict[str, Game[Any]] = {**{game.name: game for game in GAMES}, "toy": TOY}
KEY = SigningKey("referee@games.example", bytes(range(32)))


opened, both_bodies = lru_cache(1000)(saved), lru_cache(1000)(bodies)
"""The same letters are held against many archives."""


@dataclass(frozen=True)
class Archived:
    """What lies in the folder of a match, as far as it can be verified, and the letters that its players have."""

    manifest: bytes
    log: bytes
    reports: bytes
    secret: bytes
    letters: tuple[bytes, ...] = field(default=(), repr=False)

    def given(self, letters: bool = False) -> dict[str, Any]:
        """What the verifier in JavaScript is given."""
        saved = [letter.decode() for letter in self.letters] if letters else []
        parts = {"manifest": self.manifest, "log": self.log, "reports": self.reports}
        return {**{name: part.decode() for name, part in parts.items()}, "letters": saved}

    def sound(self, letters: bool = False) -> tuple[bool, str]:
        """What the referee himself says of it."""
        mail = tuple(map(opened, self.letters)) if letters else ()
        checks = Checks(signature=verify, letters=mail, draw=text_table.table)
        found = verify_archive(ALL, self.manifest, self.log, self.reports, checks=checks)
        return found.sound, found.trouble


def archived(world: World, letters: bool = False) -> Archived:
    """The archive of a match as it stands, perhaps with all letters that were sent: to write them takes long."""
    with world.store.look() as step:
        row = step.match(MATCH)
        assert row is not None
        files = archive_of(At(world.office, step), row).files
    sent = tuple(mail.raw for mail in world.all_mail()) if letters else ()
    return Archived(files["match.json"], files["log.jsonl"], files["reports.jsonl"], row.secret, sent)


@contextmanager
def table(game: str, setting: str = "", players: int = 3, seed: str = "verify", signed: bool = True) -> Iterator[World]:
    """A match that has begun."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), seed, signer=KEY if signed else None)
        object.__setattr__(world.office, "games", ALL)
        world.write(GINA, f"CREATE {game} AS {MATCH} {setting}")
        for player in PLAYERS[:players]:
            world.write(player, f"JOIN {MATCH}")
        world.reply(GINA, f"START {MATCH}", kind="receipt")
        assert world.status(MATCH) == "running", world.last(GINA).flat
        yield world
        world.close()


def write(world: World, words: str) -> None:
    """The game master writes, and says YES; no other letter is looked at."""
    world.vouched(GINA, f"{words.partition(' ')[0]} {MATCH} {words.partition(' ')[2]}")


def set_back(world: World) -> None:
    """Have the log say that it is one of a backup, as after a restore."""
    with world.store.step() as step:
        row = step.match(MATCH)
        assert row is not None
        playing = restored(
            At(world.office, step), load(At(world.office, step), row), "from the backup of 2026-11-21T12:00:00Z"
        )
    remember(playing)


def bots(world: World, answers: int, seed: int = 0) -> None:
    """So many answers by bots, straight into the log."""
    numbers = itertools.count()

    def pick(below: int) -> int:
        drawn = hashlib.sha256(f"{seed}/{next(numbers)}".encode()).digest()
        return int.from_bytes(drawn, "big") % below

    for _ in range(answers):
        with world.store.step() as step:
            row = step.match(MATCH)
            assert row is not None
            hand = BareHand(world.office, step, load(At(world.office, step), row))
            if not hand.playing.outcome.open:
                return
            question = hand.playing.outcome.open[0]
            raw = msgspec.Raw(question.menu.encode(question.menu.sample(pick)))
            answer = Answered(question.key, question.seat, raw, Source.PLAYER, by=BOT)
            run(hand, [answer], "a bot")
        remember(hand.playing)


def terminated(world: World, letters: bool = False) -> Archived:
    """The archive after the game master has ended the match."""
    write(world, 'TERMINATE BECAUSE "it is seen enough"')
    assert world.status(MATCH) == "over"
    return archived(world, letters)


def made() -> Iterator[tuple[str, Archived]]:
    """Archives by what is in them; each match is seen several times, while it is played and when it is over."""
    yield from _by_letter()
    for game, setting, answers in _BY_BOTS:
        yield from _by_bots(game, setting, answers)
    yield from _late()


_BY_BOTS = (
    ("newworld", "WITH mode two_step", 12),
    ("war17", "WITH decisions interactive", 16),
    ("war27", "WITH decisions interactive", 16),
    ("war27", "WITH hidden_victory yes, decisions interactive", 24),
    ("empire", "", 8),
)
"""The game, its options, and how many answers its bots give."""


def _by_letter() -> Iterator[tuple[str, Archived]]:
    with table("newworld", players=4) as world:
        yield "newworld, begun", archived(world)
        world.reply(world.on_turn(MATCH), "HIRE 1 worker\nROLL OUT")
        for turn in (2, 3, 4):
            world.wait(hours=25)
            yield f"newworld, {turn} turns", archived(world)
        world.reply(GINA, 'REWIND TO TURN 2 BECAUSE "misread"')
        yield "newworld, rewound", archived(world)
        world.wait(hours=25)
        yield "newworld, played on", archived(world, letters=True)
        set_back(world)
        yield "newworld, restored", archived(world)
        world.wait(hours=25)
        yield "newworld, restored and played on", archived(world)
        yield "newworld, over", terminated(world, letters=True)
    with table("newworld", players=4, seed="forwarded", signed=False) as world:
        for _ in range(2):
            world.wait(hours=25)
        world.reply(GINA, 'REWIND TO TURN 1 BECAUSE "misread"')
        yield "newworld, rewound without a key", archived(world)
        world.reply(GINA, 'FORWARD BECAUSE "it was right"')
        yield "newworld, forwarded", archived(world)
        world.wait(hours=25)
        yield "newworld, after a forward", archived(world)
        yield "newworld, forwarded and over", terminated(world)


def _by_bots(game: str, setting: str, answers: int) -> Iterator[tuple[str, Archived]]:
    name = f"{game} {setting.removeprefix('WITH ')}".strip()
    with table(game, setting, seed=name) as world:
        for part in range(4):
            bots(world, answers // 4, part)
            yield f"{name}, part {part + 1}", archived(world, letters=part == 3)
        write(world, 'REWIND TO TURN 1 BECAUSE "misread"')
        bots(world, 3, 5)
        yield f"{name}, after a rewind", archived(world)
        yield f"{name}, over", terminated(world, letters=True)


def _late() -> Iterator[tuple[str, Archived]]:
    with table("toy", "WITH rounds 3, lateness hidden, grace 12h, bank 48h", signed=False) as world:
        for player in PLAYERS[:2]:
            world.reply(player, "BID 0 coins\nWAIT")
        yield "toy, begun", archived(world)
        for part in range(4):
            world.wait(hours=10)
            yield f"toy with a late player, part {part + 1}", archived(world)
        world.reply(GINA, "REWIND TO TURN 1")
        for player in PLAYERS[:3]:
            world.reply(player, "BID 1 coin\nROLL OUT")
        yield "toy, rewound", archived(world)
        world.wait(hours=10)
        yield "toy, played on", archived(world)
        for _ in range(20):
            world.wait(hours=10)
        assert world.status(MATCH) == "over"
        yield "toy, over", archived(world, letters=True)
