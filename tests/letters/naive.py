"""A naive player by mail: he returns the sheets of his letters as they stand and takes whatever a YES takes; bots play the rest.

`play` plays a match of any game so and tells what became of him: `Fate`. What a letter proposes must be a decent, safe turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.empire.events.supply import PersonDied
from referee.games.newworld.events import ArmiesMoved
from referee.games.war.events.combat import UnitsMoved
from referee.service.match.history import history
from tests.letters.conversation import address_of
from tests.world import Mail, World

MASTER = "gina@players.example"
MATCH = "naive"

GAMES: Mapping[str, Mapping[str, str]] = {
    "newworld": {},
    "war27": {},
    "war17": {},
    "empire": {"board": "small"},
}
"""The four games, with the options they are played with here."""

_NAMES = ("Nora", "Nils", "Nina", "Noah")
_CUT = re.compile(r"^# (?:- )+cut here(?: -)+ *$", re.MULTILINE)
_ASKS_YES = re.compile(r"\breply (with just )?YES\b", re.IGNORECASE)
_REFUSALS = ("INCOMPLETE", "NOTHING USABLE", "NOT DONE")
_NOT_UNDERSTOOD = re.compile(r"[^\n]*(?:not understood|is not a verb known|is not known as)[^\n]*")
_PATIENCE, _STILL = 2, 60
"""Hours that pass where nobody has anything to answer, and how many such waits without a report are a standstill."""


@dataclass
class Fate:
    """What became of a naive player, and what he was answered."""

    seat: str
    letters: int = 0
    refused: list[str] = field(default_factory=list)
    """His answers with a verdict that refuses, and what he had sent."""
    not_understood: list[str] = field(default_factory=list)
    yes: int = 0
    starved: int = 0
    """Of his people who died of hunger at home (emp.F1) or of thirst in a desert: what a sheet can prevent."""
    besieged: int = 0
    """Of his people who died because an enemy stood between them and their capital (emp.F2): war, and no fault of a sheet."""
    alive: bool = True
    marched: int = 0
    """How often armies of his went anywhere, where there are such."""
    confidence: int = 0
    """Of his country at the end, in Empire."""
    place: int = 0
    score: int = 0


@dataclass
class Course:
    """How a match went: who was naive, how many turns and reports there were, and whether it stood still before its time."""

    fates: tuple[Fate, ...]
    bots: tuple[int, ...]
    """The scores of the others."""
    turn: int
    reports: int
    over: bool
    stuck: bool


def form_of(mail: Mail) -> str:
    """The lines between the cuts of a plain letter, as they stand; "" where it has none."""
    parts = _CUT.split("\n".join(mail.text.splitlines()))
    return parts[1].strip("\n") if len(parts) >= 3 else ""


def play(
    folder: Path,
    game: str,
    seed: str,
    players: int = 3,
    naive: int = 1,
    turns: int = 10,
    options: Mapping[str, str] | None = None,
) -> Course:
    """Play a match up to the end of a turn: so many players, the first of them naive, all others dummies."""
    world = World(folder, seed=seed)
    try:
        return _Match(world, game, players, naive, {**GAMES[game], **(options or {})}).play(turns)
    finally:
        world.close()


class _Naive:
    """One naive player: what he sent last, and what became of it."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.address = world, address_of(name)
        self.fate = Fate(name)
        self._sent = ""

    def takes(self, mails: list[Mail]) -> bool:
        """Whether he answers anything of these letters: the last that asks him for something."""
        mine = [mail for mail in mails if mail.to == self.address]
        for mail in mine:
            self._judge(mail)
        asked = next(((mail, answer) for mail in reversed(mine) if (answer := self._answer(mail))), None)
        if asked is None:
            return False
        mail, self._sent = asked
        self.fate.letters += 1
        self.world.write(
            self.address, self._sent, mail.reply_to, f"Re: {mail.subject}", says="", In_Reply_To=mail.message_id
        )
        return True

    def _answer(self, mail: Mail) -> str:
        """What he replies to a letter: YES where that is offered, else its sheet; not twice the same to a refusal."""
        if _ASKS_YES.search(mail.text):
            self.fate.yes += 1
            return "YES"
        form = form_of(mail)
        return "" if (mail.is_a("receipt") or mail.kind == "refusal") and form == self._sent else form

    def _judge(self, mail: Mail) -> None:
        topic = re.sub(r"^\[[^]]*\] ", "", mail.subject)
        if topic.startswith(_REFUSALS):
            why = " ".join(mail.text.partition("Proof")[0].split())[:600]
            self.fate.refused.append(f"{topic}\n{why}\n<- {self._sent}")
        self.fate.not_understood += _NOT_UNDERSTOOD.findall(mail.text)


class _Match:
    """A match of one or a few naive players and dummies."""

    def __init__(self, world: World, game: str, players: int, naive: int, options: Mapping[str, str]) -> None:
        self._world, self._game = world, game
        chosen = ", ".join(f"{name} {value}" for name, value in options.items())
        world.write(MASTER, f"CREATE {game} AS {MATCH}{' WITH ' + chosen if chosen else ''}")
        self._naive = [_Naive(world, name) for name in _NAMES[:naive]]
        for player in self._naive:
            world.write(player.address, f"JOIN {MATCH}")
        if players > naive:
            world.reply(MASTER, f"DUMMY {players - naive} {MATCH}", kind="receipt")
        world.reply(MASTER, f"START {MATCH}", kind="receipt")
        for player in self._naive:
            player.fate.seat = world.seat(player.address, MATCH)
        self._read = len(world.all_mail())
        self._first = [mail for mail in world.all_mail() if mail.kind in ("started", "question")]

    def play(self, turns: int) -> Course:
        mails, still = self._first, 0
        while not self._world.playing(MATCH).outcome.over and self._turn() <= turns and still < _STILL:
            if any([player.takes(mails) for player in self._naive]):
                mails = self._fresh()
            else:
                self._world.wait(hours=_PATIENCE)
                mails = self._fresh()
            still = 0 if any(mail.kind == "report" for mail in mails) else still + 1
        return self._course(still >= _STILL)

    def _fresh(self) -> list[Mail]:
        every = self._world.all_mail()
        fresh, self._read = every[self._read :], len(every)
        return fresh

    def _turn(self) -> int:
        """The turn that is played: where each player has turns of his own, how often all of them had theirs, and one more."""
        state = self._world.playing(MATCH).outcome.state
        turn = state.round if self._game == "newworld" else state.turn
        assert isinstance(turn, int)
        return turn

    def _course(self, stuck: bool) -> Course:
        playing = self._world.playing(MATCH)
        state = playing.outcome.state
        happened = self._world.told(history, MATCH)
        starved = list(_died(happened, "emp.F1", "emp.terrain.desert"))
        besieged = list(_died(happened, "emp.F2"))
        places = {standing.seat: standing for standing in playing.game.score(state).standings}
        for player in self._naive:
            fate, seat = player.fate, Seat(player.fate.seat)
            fate.starved, fate.besieged = starved.count(seat), besieged.count(seat)
            fate.alive = seat in playing.game.living(state)
            fate.marched = list(_marched(happened)).count(seat)
            fate.confidence = state.countries[seat].confidence if self._game == "empire" else 0
            if seat in places:
                fate.place, fate.score = places[seat].rank, places[seat].score
        own = {Seat(player.fate.seat) for player in self._naive}
        bots = tuple(standing.score for seat, standing in places.items() if seat not in own)
        return Course(
            tuple(player.fate for player in self._naive), bots, self._turn(), playing.turn, playing.outcome.over, stuck
        )


def _died(history: tuple[Event, ...], *rules: str) -> Iterator[str]:
    """The country of everybody who died by these rules: in Empire alone people do."""
    for event in history:
        if isinstance(event, PersonDied) and event.by_rule in rules:
            yield event.country


def _marched(history: tuple[Event, ...]) -> Iterator[Seat]:
    """The seat of every army that went anywhere."""
    for event in history:
        if isinstance(event, ArmiesMoved):
            yield event.seat
        elif isinstance(event, UnitsMoved) and event.how == "march":
            yield event.before.owner
