"""Two keys: a game master who plays himself overrides nothing alone. Another one, or most other players, must CONFIRM."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import msgspec

from referee.core.record import Overrode
from referee.service import notes
from referee.service.match.anonymity import without_addresses
from referee.service.match.dummies import is_dummy
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.playing import Playing, play_on
from referee.service.match.result import Denied
from referee.service.office import Office
from referee.service.overrides.base import notify
from referee.service.ports import Player, Step
from referee.service.remembered import Proposal
from referee.service.times import iso

_LIVES = timedelta(days=7)


def plays_too(step: Step, match: str, player: Player) -> bool:
    """Whether a game master has a seat in his own match."""
    mine = (m for m in step.members(match) if m.player == player.id)
    return bool(player.id) and any(m.role == "player" and m.status in ("playing", "out") for m in mine)


def proposed(step: Step, match: str) -> int:
    """The number of the last proposal, if it still waits for its second key; else 0."""
    last = notes.PROPOSALS.of(match).read(step) or 0
    return last if last and notes.PROPOSAL.of(match, last).read(step) else 0


def propose(office: Office, step: Step, playing: Playing, player: Player, line: str) -> tuple[Playing, str]:
    """Ask everybody for the second key to a line; what the game master is told."""
    match = playing.row.name
    number = 1 + (notes.PROPOSALS.of(match).read(step) or 0)
    notes.PROPOSALS.of(match).keep(step, number)
    proposal = Proposal(number, player.id, player.name, line, iso(office.clock.now()))
    notes.PROPOSAL.of(match, number).keep(step, proposal)
    shown = without_addresses(playing, line)
    playing = _log(office, step, playing, f"PROPOSED {number}: {shown}", player.name)
    seat, about_all = _told_of(playing, shown)

    def told(what: str) -> tuple[str, ...]:
        return (
            f"{player.name} is game master and plays himself, so this is done only with a second key: {what}",
            f"CONFIRM {number} agrees and OBJECT {number} objects. It is done when another game master or more than half "
            "of the other players have agreed, and lapses after seven days.",
        )

    others = told(about_all) if seat else None
    notify(office, step, playing, "a second key is wanted", told(shown), player.name, about=seat, others=others)
    return playing, f"You play in {match} yourself, so your word waits for a second key; everybody was asked. {line}"


def _told_of(playing: Playing, line: str) -> tuple[str, str]:
    """The seat whose time a line is about, "" for none; and the line for those who are not to know whose it is."""
    word = " ".join(line.upper().split())
    if not word.startswith(_OF_ONE):
        return "", line
    seat = next((s for s in playing.created.seats if re.search(rf"(?i)(?<!\w){re.escape(s)}(?!\w)", line)), "")
    kind = next(start for start in _OF_ONE if word.startswith(start))
    return seat, f"{kind} for one player, whom nobody else is to know"


_OF_ONE = ("DEADLINE", "EXCUSE", "ROLL OUT")


def judge_proposal(
    office: Office, step: Step, playing: Playing, player: Player, seat: str, master: bool, number: int, yes: bool
) -> tuple[Playing, Proposal | None, str] | Denied:
    """Take somebody's word on a proposal: the match, the proposal if it is to be carried out now, what he is told."""
    match = playing.row.name
    kept = notes.PROPOSAL.of(match, number).read(step)
    if kept is None or office.clock.now() > datetime.fromisoformat(kept.at) + _LIVES:
        return Denied(f"No proposal {number} waits in {match}.")
    if player.id == kept.player and player.id:
        return Denied("The second key must be another's than your own.")
    if not (seat or master):
        return Denied("Only players and game masters hold keys.")
    alone = master and not plays_too(step, match, player)
    who = player.name if alone else seat
    playing = _log(office, step, playing, f"{'CONFIRM' if yes else 'OBJECT'} {number}", who)
    if alone:
        drop(step, match, number)
        return playing, kept if yes else None, f"You have {'confirmed' if yes else 'stopped'}: {kept.line}"
    kept = msgspec.structs.replace(
        kept,
        yes=tuple({*kept.yes, seat} if yes else {*kept.yes} - {seat}),
        no=tuple({*kept.no, seat} if not yes else {*kept.no} - {seat}),
    )
    voters = _voters(step, playing, kept)
    if 2 * len(kept.yes) > voters:
        drop(step, match, number)
        return playing, kept, f"Yours was the vote that was wanted: {_shown_to(playing, seat, kept.line)}"
    notes.PROPOSAL.of(match, number).keep(step, kept)
    return playing, None, f"{len(kept.yes)} of {voters} have agreed, {len(kept.no)} object; more than half must agree."


def _shown_to(playing: Playing, seat: str, line: str) -> str:
    """A line as the player of a seat may read it."""
    whose, for_others = _told_of(playing, line)
    return for_others if whose and whose != seat and keeps_quiet(playing) else without_addresses(playing, line)


def _voters(step: Step, playing: Playing, kept: Proposal) -> int:
    """How many other people play."""
    seats = {m.seat for m in step.members(playing.row.name) if m.status == "playing" and m.player != kept.player}
    return sum(not is_dummy(step, playing.row.name, seat) for seat in seats)


def _log(office: Office, step: Step, playing: Playing, action: str, by: str) -> Playing:
    return play_on(office, step, playing, [Overrode(action, by)], f"second key of {by}")


def drop(step: Step, match: str, number: int) -> None:
    """A proposal is carried out, or stopped."""
    notes.PROPOSAL.of(match, number).forget(step)
