"""Seats that nobody plays: dummies, for whom the game's own bots play at once by the menus that players have; vacant ones."""

from __future__ import annotations

import hashlib
import hmac
import itertools

import msgspec

from referee.core.choices import Pick
from referee.core.question import Source
from referee.core.record import Answered
from referee.service import notes
from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.ports import MatchRow, Member, Player, Step

VACANT = "a seat whose player has resigned"
"""What the log names as the cause of a turn that is played at once."""


def is_dummy(step: Step, match: str, seat: str) -> bool:
    """Whether bots play a seat."""
    return bool(notes.DUMMY.of(match, seat).read(step))


def seat_dummy(step: Step, match: str, seat: str) -> None:
    """Bots play a seat from now on."""
    notes.DUMMY.of(match, seat).keep(step, True)


def dummy_player(step: Step) -> Player:
    """The person that all dummies are."""
    kept = notes.DUMMY_PLAYER.of().read(step)
    player = step.player(kept) if kept else None
    if player is None:
        player = step.save_player(Player(0, "a dummy", ()))
        notes.DUMMY_PLAYER.of().keep(step, player.id)
    return player


def enter_dummies(step: Step, row: MatchRow, number: int) -> None:
    """Let so many dummies join a match that is forming; nobody is written to for them."""
    player = dummy_player(step)
    last = max((m.number for m in step.members(row.name)), default=0)
    for place in range(number):
        step.save_member(Member(0, row.name, player.id, "player", "applied", "", (), last + 1 + place))


def dummy_answers(step: Step, playing: Playing) -> list[Answered]:
    """What the bots answer to the questions that are open for their seats; nothing while the match stands still."""
    if playing.row.status != "running" or not playing.outcome.open:
        return []
    seats = notes.DUMMY.every(step, playing.row.name)
    return [
        Answered(
            q.key,
            q.seat,
            msgspec.Raw(q.menu.encode(q.menu.sample(_pick(playing, q.key)))),
            Source.DEFAULT,
            0,
            "a dummy",
        )
        for q in playing.outcome.open
        if q.seat in seats
    ]


def _pick(playing: Playing, key: str) -> Pick:
    """Choices that nobody can foresee, of a stream of their own: they never shift a die."""
    count = itertools.count()

    def pick(among: int) -> int:
        what = f"dummy/{playing.course}/{key}/{next(count)}".encode()
        return int.from_bytes(hmac.digest(playing.row.secret, what, hashlib.sha256)[:8], "big") % among

    return pick


def vacant_seats(hand: BareHand) -> frozenset[str]:
    """The vacant seats, played at once: none while the match stands still, or where no person would be left to play."""
    match = hand.match
    gone = frozenset(notes.RESIGNED.every(hand.step, match))
    if not gone or hand.status != "running":
        return frozenset()
    living = set(hand.playing.game.living(hand.playing.outcome.state)) or set(hand.playing.created.seats)
    held = {m.seat for m in hand.step.members(match) if m.status == "playing" and m.seat in living}
    return gone if any(not is_dummy(hand.step, match, seat) for seat in held - gone) else frozenset()
