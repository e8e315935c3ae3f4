"""Giving a seat to another person."""

from __future__ import annotations

import msgspec

from referee.core.names import Seat
from referee.service import notes
from referee.service.letters import Notice
from referee.service.match.anonymity import hides_names
from referee.service.match.dummies import is_dummy, seat_dummy
from referee.service.match.members import end_tenure, owner_of
from referee.service.match.naming import call_otherwise
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.base import log, notify
from referee.service.people.admission import refuse_entry
from referee.service.ports import Member, Player, Step
from referee.service.turns.advance import run
from referee.service.turns.beginning import letter_to_who_comes_later


def replace_player(
    office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str, newcomer: Player
) -> Result:
    """Give a seat to another person; the old reply addresses of the seat die at once."""
    if refused := why_not(office, step, playing, seat, newcomer):
        return refused
    found = owner_of(step, playing.row.name, seat)
    vacate(step, playing, seat)
    newcomer, _ = call_otherwise(
        office, step, playing.row.name, newcomer if newcomer.id else step.save_player(newcomer)
    )
    number = found[0].number if found else 1 + playing.created.seats.index(Seat(seat))
    step.save_member(Member(0, playing.row.name, newcomer.id, "player", "playing", seat, (), number))
    playing = log(office, step, playing, f"REPLACE {seat}", by, reason)
    by_whom = "somebody else" if hides_names(playing) else newcomer.name
    sentences = (f"{seat} is now played by {by_whom}.",)
    notify(office, step, playing, f"{seat} has a new player", sentences, by, reason, forms=True, but=newcomer.id)
    mine = next(m for m in step.members(playing.row.name) if m.player == newcomer.id and m.status == "playing")
    letter_to_who_comes_later(office, step, playing, mine, newcomer)
    if found:
        _take_leave(office, step, playing, *found, seat, "somebody else from now on", by, reason)
    return Done(sentences, playing)


def why_not(office: Office, step: Step, playing: Playing, seat: str, newcomer: Player) -> Denied | None:
    """Why a seat cannot be given to a person."""
    match, address = playing.row.name, newcomer.addresses[0]
    if seat not in playing.created.seats:
        return Denied(f"{seat} is no seat of {match}; the seats are {', '.join(playing.created.seats)}.")
    if unwanted := refuse_entry(office, step, match, newcomer.addresses, address):
        return Denied(unwanted)
    plays = [m.seat for m in step.members(match) if m.player == newcomer.id and m.status == "playing"]
    if seat in plays:
        return Denied(f"{address} plays {seat} already.")
    if plays and newcomer.id:
        return Denied(f"{address} plays {plays[0]} in {match}; a person plays one seat of a match.")
    return None


def vacate(step: Step, playing: Playing, seat: str) -> None:
    """Nobody plays a seat any more; the reply addresses of who did die at once."""
    match = playing.row.name
    found = owner_of(step, match, seat)
    if found:
        step.save_member(msgspec.structs.replace(found[0], status="replaced"))
    end_tenure(step, match, seat, found[1].id if found else 0, playing.head.seq)
    step.retire_tokens(match, 1_000_000_000, seat)
    notes.forget_player(step, match, seat)


def give_to_dummy(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Let the game's own bots play a seat from now on, until REPLACE gives it to a person."""
    match = playing.row.name
    if seat not in playing.created.seats:
        return Denied(f"{seat} is no seat of {match}; the seats are {', '.join(playing.created.seats)}.")
    if is_dummy(step, match, seat):
        return Denied(f"{seat} is played by a dummy already; REPLACE {seat} BY name@host gives it to a person.")
    others = [s for s in playing.created.seats if s != seat and not is_dummy(step, match, s)]
    if not others:
        return Denied(
            f"{seat} is the last seat that a person plays, and a match of dummies alone is none; TERMINATE ends it."
        )
    found = owner_of(step, match, seat)
    vacate(step, playing, seat)
    seat_dummy(step, match, seat)
    notes.OFFERED.of(match, seat).keep(step, True)
    playing = log(office, step, playing, f"DUMMY {seat}", by, reason)
    sentences = (f"{seat} is played by a dummy from now on, that is by the bots of the game; nobody answers for it.",)
    notify(office, step, playing, f"{seat} is a dummy", sentences, by, reason)
    if found:
        _take_leave(office, step, playing, *found, seat, "a dummy from now on", by, reason)
    return Done(sentences, run(office, step, playing, (), "a dummy").playing)


# ---------------------------------------------------------------- the list of those who stand by


def standing_by(step: Step, match: str) -> list[Member]:
    """Those who wait to replace a player, the first to be asked first."""
    return sorted((m for m in step.members(match) if m.status == "standby"), key=lambda m: m.number)


def stand_by(step: Step, match: str, player: Player) -> Denied | None:
    """Put somebody on the list of those who replace players; or why not."""
    mine = [m for m in step.members(match) if m.player == player.id]
    if any(m.status in ("playing", "applied") for m in mine):
        return Denied(f"You play in {match} already.")
    if any(m.status == "standby" for m in mine):
        return Denied(f"You are on the list of {match} already.")
    number = 1 + max((m.number for m in step.members(match)), default=0)
    step.save_member(Member(0, match, player.id, "player", "standby", "", (), number))
    return None


def give_to_standby(office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str) -> Result:
    """Give a seat to the first who stands by and plays in no seat yet."""
    for member in standing_by(step, playing.row.name):
        player = step.player(member.player)
        step.save_member(msgspec.structs.replace(member, status="left"))
        if player is not None and player.addresses:
            outcome = replace_player(office, step, playing, by, reason, seat, player)
            if isinstance(outcome, Done):
                return outcome
    match = playing.row.name
    return Denied(f"Nobody stands by; write REPLACE {seat} BY name@host, or let people write STANDBY {match}.")


def _take_leave(
    office: Office,
    step: Step,
    playing: Playing,
    member: Member,
    player: Player,
    seat: str,
    whom: str,
    by: str,
    reason: str,
) -> None:
    gone = msgspec.structs.replace(member, status="replaced")
    framed = frame(office, step, playing, gone, player)
    letter = Notice(framed, "you are replaced", (f"{seat} is played by {whom}.",), reason, by)
    post(
        office,
        step,
        player,
        Mail("notice", "you are replaced", letter, f"{playing.head.seq}.leave"),
        About(playing, gone),
    )
