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
from referee.service.match.result import Denial, Told, heed, need
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.hand import Hand
from referee.service.people.admission import refuse_entry
from referee.service.ports import Member, Player, Step
from referee.service.turns.beginning import letter_to_who_comes_later


def replace_player(hand: Hand, seat: str, newcomer: Player) -> Told:
    """Give a seat to another person; the old reply addresses of the seat die at once."""
    heed(why_not(hand, seat, newcomer))
    step, match = hand.step, hand.match
    found = owner_of(step, match, seat)
    vacate(step, hand.playing, seat)
    newcomer, _ = call_otherwise(hand, match, newcomer if newcomer.id else step.save_player(newcomer))
    number = found[0].number if found else 1 + hand.playing.created.seats.index(Seat(seat))
    step.save_member(Member(0, match, newcomer.id, "player", "playing", seat, (), number))
    hand.log(f"REPLACE {seat}")
    by_whom = "somebody else" if hides_names(hand.playing) else newcomer.name
    sentences = (f"{seat} is now played by {by_whom}.",)
    hand.tell(f"{seat} has a new player", sentences, forms=True, but=newcomer.id)
    mine = next(m for m in step.members(match) if m.player == newcomer.id and m.status == "playing")
    letter_to_who_comes_later(hand, mine, newcomer)
    if found:
        _take_leave(hand, *found, seat, "somebody else from now on")
    return sentences


def why_not(hand: Hand, seat: str, newcomer: Player) -> str:
    """Why a seat cannot be given to a person; "" where it can."""
    match, address = hand.match, newcomer.addresses[0]
    if seat not in hand.playing.created.seats:
        return f"{seat} is no seat of {match}; the seats are {', '.join(hand.playing.created.seats)}."
    if unwanted := refuse_entry(hand, match, newcomer.addresses, address):
        return unwanted
    plays = [m.seat for m in hand.step.members(match) if m.player == newcomer.id and m.status == "playing"]
    if seat in plays:
        return f"{address} plays {seat} already."
    one = plays and newcomer.id
    return f"{address} plays {plays[0]} in {match}; a person plays one seat of a match." if one else ""


def vacate(step: Step, playing: Playing, seat: str) -> None:
    """Nobody plays a seat any more; the reply addresses of who did die at once."""
    match = playing.row.name
    found = owner_of(step, match, seat)
    if found:
        step.save_member(msgspec.structs.replace(found[0], status="replaced"))
    end_tenure(step, match, seat, found[1].id if found else 0, playing.head.seq)
    step.retire_tokens(match, 1_000_000_000, seat)
    notes.forget_player(step, match, seat)


def give_to_dummy(hand: Hand, seat: str) -> Told:
    """Let the game's own bots play a seat from now on, until REPLACE gives it to a person."""
    step, match, seats = hand.step, hand.match, hand.playing.created.seats
    need(seat in seats, f"{seat} is no seat of {match}; the seats are {', '.join(seats)}.")
    played = f"{seat} is played by a dummy already; REPLACE {seat} BY name@host gives it to a person."
    need(not is_dummy(step, match, seat), played)
    last = f"{seat} is the last seat that a person plays, and a match of dummies alone is none; TERMINATE ends it."
    need([s for s in seats if s != seat and not is_dummy(step, match, s)], last)
    found = owner_of(step, match, seat)
    vacate(step, hand.playing, seat)
    seat_dummy(step, match, seat)
    notes.OFFERED.of(match, seat).keep(step, True)
    hand.log(f"DUMMY {seat}")
    sentences = (f"{seat} is played by a dummy from now on, that is by the bots of the game; nobody answers for it.",)
    hand.tell(f"{seat} is a dummy", sentences)
    if found:
        _take_leave(hand, *found, seat, "a dummy from now on")
    hand.run((), "a dummy")
    return sentences


# ---------------------------------------------------------------- the list of those who stand by


def standing_by(step: Step, match: str) -> list[Member]:
    """Those who wait to replace a player, the first to be asked first."""
    return sorted((m for m in step.members(match) if m.status == "standby"), key=lambda m: m.number)


def stand_by(step: Step, match: str, player: Player) -> None:
    """Put somebody on the list of those who replace players."""
    mine = {m.status for m in step.members(match) if m.player == player.id}
    need(not mine & {"playing", "applied"}, f"You play in {match} already.")
    need("standby" not in mine, f"You are on the list of {match} already.")
    number = 1 + max((m.number for m in step.members(match)), default=0)
    step.save_member(Member(0, match, player.id, "player", "standby", "", (), number))


def give_to_standby(hand: Hand, seat: str) -> Told:
    """Give a seat to the first who stands by and plays in no seat yet."""
    for member in standing_by(hand.step, hand.match):
        player = hand.step.player(member.player)
        hand.step.save_member(msgspec.structs.replace(member, status="left"))
        if player is not None and player.addresses and not why_not(hand, seat, player):
            return replace_player(hand, seat, player)
    raise Denial(f"Nobody stands by; write REPLACE {seat} BY name@host, or let people write STANDBY {hand.match}.")


def _take_leave(hand: Hand, member: Member, player: Player, seat: str, whom: str) -> None:
    gone = msgspec.structs.replace(member, status="replaced")
    framed = frame(hand, gone, player)
    letter = Notice(framed, "you are replaced", (f"{seat} is played by {whom}.",), hand.reason, hand.by)
    mail = Mail("notice", "you are replaced", letter, f"{hand.playing.head.seq}.leave")
    post(hand, player, mail, About(hand.playing, gone))
