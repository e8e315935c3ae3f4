"""Two keys for what is grave: a game master who plays himself does nothing of it alone; another one, or most players, CONFIRM."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from msgspec.structs import replace

from referee.service.base import notes
from referee.service.base.note_values import Proposal
from referee.service.base.ports import Player, Step
from referee.service.base.times import iso
from referee.service.match.bots import is_dummy
from referee.service.match.members import keeps_quiet, without_addresses
from referee.service.match.playing import Playing
from referee.service.match.result import Denial, Told, need
from referee.service.turn.writer import Hand

_LIVES = timedelta(days=7)


def plays_too(step: Step, match: str, player: Player) -> bool:
    """Whether a game master has a seat in his own match."""
    mine = (m for m in step.members(match) if m.player == player.id)
    return bool(player.id) and any(m.role == "player" and m.status in ("playing", "out") for m in mine)


def proposed(step: Step, match: str) -> int:
    """The number of the last proposal, if it still waits for its second key; else 0."""
    last = notes.PROPOSALS.of(match).read(step) or 0
    return last if last and notes.PROPOSAL.of(match, last).read(step) else 0


def propose(hand: Hand, line: str) -> Told:
    """Ask everybody for the second key to a line; what the game master is told."""
    step, match, name = hand.step, hand.match, hand.player.name
    number = 1 + (notes.PROPOSALS.of(match).read(step) or 0)
    notes.PROPOSALS.of(match).keep(step, number)
    notes.PROPOSAL.of(match, number).keep(step, Proposal(number, hand.player.id, name, line, iso(hand.now)))
    shown = without_addresses(hand.playing, line)

    def told(what: str) -> Told:
        return (
            f"{name} is game master and plays himself, so this is done only with a second key: {what}",
            f"CONFIRM {number} agrees and OBJECT {number} objects. It is done when another game master or more than half "
            "of the other players have agreed, and lapses after seven days.",
        )

    with hand.signing(name):
        hand.log(f"PROPOSED {number}: {shown}", f"second key of {name}")
        seat, about_all = _told_of(hand.playing, shown)
        others = told(about_all) if seat else None
        hand.tell("a second key is wanted", told(shown), about=seat, others=others)
    return (f"You play in {match} yourself, so your word waits for a second key; everybody was asked. {line}",)


def _told_of(playing: Playing, line: str) -> tuple[str, str]:
    """The seat whose time a line is about, "" for none; and the line for those who are not to know whose it is."""
    word = " ".join(line.upper().split())
    if not word.startswith(_OF_ONE):
        return "", line
    seat = next((s for s in playing.created.seats if re.search(rf"(?i)(?<!\w){re.escape(s)}(?!\w)", line)), "")
    kind = next(start for start in _OF_ONE if word.startswith(start))
    return seat, f"{kind} for one player, whom nobody else is to know"


_OF_ONE = ("DEADLINE", "EXCUSE", "ROLL OUT")


def judge_proposal(hand: Hand, number: int, yes: bool) -> tuple[Proposal | None, str]:
    """Take somebody's word on a proposal: the proposal if it is to be carried out now, what he is told."""
    step, match, seat = hand.step, hand.match, hand.seat
    kept = notes.PROPOSAL.of(match, number).read(step)
    if kept is None or hand.now > datetime.fromisoformat(kept.at) + _LIVES:
        raise Denial(f"No proposal {number} waits in {match}.")
    own = hand.player.id and hand.player.id == kept.player
    need(not own, "The second key must be somebody else's.")
    need(seat or hand.game_master, "Only players and game masters hold keys.")
    alone = hand.game_master and not plays_too(step, match, hand.player)
    who = hand.player.name if alone else seat
    with hand.signing(who):
        hand.log(f"{'CONFIRM' if yes else 'OBJECT'} {number}", f"second key of {who}")
    if alone:
        drop(step, match, number)
        return kept if yes else None, f"You have {'confirmed' if yes else 'stopped'}: {kept.line}"
    kept = replace(
        kept,
        yes=tuple({*kept.yes, seat} if yes else {*kept.yes} - {seat}),
        no=tuple({*kept.no, seat} if not yes else {*kept.no} - {seat}),
    )
    voters = _voters(step, hand.playing, kept.player)
    if 2 * len(kept.yes) > voters:
        drop(step, match, number)
        return kept, f"Yours was the vote that was wanted: {_shown_to(hand.playing, seat, kept.line)}"
    notes.PROPOSAL.of(match, number).keep(step, kept)
    return None, f"{len(kept.yes)} of {voters} have agreed, {len(kept.no)} object; more than half must agree."


def _shown_to(playing: Playing, seat: str, line: str) -> str:
    """A line as the player of a seat may read it."""
    whose, for_others = _told_of(playing, line)
    return for_others if whose and whose != seat and keeps_quiet(playing) else without_addresses(playing, line)


def has_key_holders(hand: Hand) -> bool:
    """Whether anybody but the writer could turn a second key: who plays alone with bots asks nobody."""
    others = (m for m in hand.step.members(hand.match) if m.player != hand.player.id and m.status != "left")
    return any(m.role == "gm" for m in others) or _voters(hand.step, hand.playing, hand.player.id) > 0


def _voters(step: Step, playing: Playing, player: int) -> int:
    """How many people but this one play."""
    seats = {m.seat for m in step.members(playing.row.name) if m.status == "playing" and m.player != player}
    return sum(not is_dummy(step, playing.row.name, seat) for seat in seats)


def drop(step: Step, match: str, number: int) -> None:
    """A proposal is carried out, or stopped."""
    notes.PROPOSAL.of(match, number).forget(step)
