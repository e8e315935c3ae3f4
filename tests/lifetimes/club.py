"""A referee with a kept database: its letters are read as they are asked for, and each match has members of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
from sqlalchemy import text

from referee.service.base.office import Limits
from referee.service.intake.downtime import look_after_all
from referee.service.match.audit import Audited, audit
from referee.service.post.tray import written
from tests.lifetimes.kept import KeptMatch, KeptPlayer
from tests.world import Mail, World

NAMES = ("anna", "ben", "carla", "dan", "emma", "finn", "greta", "hugo")

_NEWEST = text("SELECT coalesce(max(id), 0) FROM letter_out")


def player_of(match: str, number: int) -> str:
    """The address of who joined a match as its first, second, ..."""
    return f"{NAMES[number]}@{match}.example"


def master_of(match: str) -> str:
    """The address of its game master."""
    return f"gina@{match}.example"


class Club(World):
    """A World in which many matches go on at once; it reads no letter that nobody asked for."""

    def __init__(self, folder: Path, seed: str, first: int = 1, build: str = "") -> None:
        super().__init__(folder, seed, first)
        limits = Limits(forming_in_all=1_000, requests_a_day=10_000)
        self.office = replace(self.office, limits=limits, build=build)

    def overlook(self) -> None:
        """Read none of the letters that were written so far."""
        with self.store.engine.begin() as db:
            self._last = int(db.execute(_NEWEST).scalar_one())
        self._mail, self._read = [], 0

    def letter(self, number: int) -> Mail:
        """A letter by its number in the outbox."""
        with self.store.look() as step:
            found = step.posted(number)
        assert found is not None
        return Mail(found.kind, written(self.office, found).raw, found.recipient)

    def work(self) -> list[Mail]:
        """Handle what came in and what is due; of what was written before nothing is read."""
        self.overlook()
        return super().work()

    def start_the_desk(self) -> list[Mail]:
        """What a desk does first: every match is looked after, and letters that lay there are read."""
        self.overlook()
        look_after_all(self.office)
        return super().work()


# ---------------------------------------------------------------- by another program


PERIODS = 8
"""So many periods of 12 hours a phase may stay open that nobody answers any more: a slot with its grace, and once more."""


class Wrote(msgspec.Struct, frozen=True):
    """What somebody wrote, and the kinds and texts of what he was answered."""

    match: str
    seat: str
    body: str
    answers: tuple[tuple[str, str], ...]


def writes(club: Club, kept: KeptMatch, who: KeptPlayer, body: str) -> Wrote:
    """Somebody replies to the letter that the version before sent him."""
    mails = club.write(who.address, body, who.reply_to, f"Re: [{kept.name}]")
    return Wrote(kept.name, who.seat, body, tuple((m.kind, m.flat) for m in mails if m.to == who.address))


def letters_of_everybody(club: Club, kept: KeptMatch) -> list[Wrote]:
    """A player who owes something and the game master ask how it stands, and the player returns the sheet proposed to him."""
    owing = [player for player in kept.players if player.proposed]
    wrote = [writes(club, kept, who, "STATUS") for who in (owing[-1], kept.master)]
    return [*wrote, writes(club, kept, owing[-1], "\n".join(owing[-1].proposed))]


def let_time_pass(club: Club, matches: Iterable[KeptMatch]) -> list[str]:
    """Let deadlines pass until no question is open that was; the matches in which one still is."""
    waiting = list(matches)
    for _ in range(PERIODS):
        if not waiting:
            break
        club.wait(hours=12)
        waiting = [kept for kept in waiting if set(kept.open) & open_keys(club, kept.name)]
    return [kept.name for kept in waiting]


def open_keys(club: Club, match: str) -> set[str]:
    """The questions that wait for an answer."""
    return {question.key for question in club.playing(match).outcome.open}


def questions_to(club: Club, match: str, seat: str) -> tuple[str, ...]:
    """What waits for an answer of a seat, with what may be answered."""
    mine = [question for question in club.playing(match).outcome.open if question.seat == seat]
    return tuple(f"{question.text} {' | '.join(question.menu.words())}" for question in mine)


def audited(club: Club, kept: KeptMatch) -> Audited:
    """What an audit of its log finds; a match that goes on is audited as far as it has come."""
    row = club.playing(kept.name).row
    return audit(club.playing(kept.name).game, row.secret, club.entries(kept.name))
