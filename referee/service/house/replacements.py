"""A seat wished for, given to another person, taken over, abandoned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from referee.core.names import Seat
from referee.core.normal_text import fold
from referee.core.question import slot_of
from referee.core.record import BOT
from referee.kit.opponents import Strength
from referee.kit.wording import in_a_row
from referee.orders.spelling import did_you_mean, shortens
from referee.service.base import notes
from referee.service.base.letter_facts import Notice
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Member, Player, Step
from referee.service.house.people import refuse_entry, refuse_unreliable
from referee.service.house.reliability import rolled_out_running
from referee.service.match.bots import bots, is_dummy, seat_dummy, usual_strength
from referee.service.match.members import (
    call_otherwise,
    end_tenure,
    hides_late,
    hides_names,
    house_rules,
    keeps_quiet,
    owner_of,
)
from referee.service.match.playing import Playing, load
from referee.service.match.result import Denial, Told, heed, need
from referee.service.match.slot_life import is_under_way
from referee.service.post.frames import frame
from referee.service.post.post import About, Mail, post
from referee.service.turn.advance import letter_to_who_comes_later
from referee.service.turn.writer import NOBODY, Hand

# ---------------------------------------------------------------- giving a seat to another person


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
    """Nobody plays a seat any more; the reply addresses of its last player die at once."""
    match = playing.row.name
    found = owner_of(step, match, seat)
    if found:
        step.save_member(msgspec.structs.replace(found[0], status="replaced"))
    end_tenure(step, match, seat, found[1].id if found else 0, playing.head.seq)
    step.retire_tokens(match, 1_000_000_000, seat)
    notes.forget_player(step, match, seat)


def give_to_dummy(hand: Hand, seat: str, chosen: Strength | None = None) -> Told:
    """Let a bot of the strength that is `chosen`, or the usual one, play a seat from now on, until a person has it."""
    strength = chosen or usual_strength(hand.playing.game)
    step, match, seats = hand.step, hand.match, hand.playing.created.seats
    need(seat in seats, f"{seat} is no seat of {match}; the seats are {', '.join(seats)}.")
    before = bots(step, match).get(seat, "")
    played = f"{seat} is played by {before} already; REPLACE {seat} BY name@host gives it to a person."
    need(not before or (notes.STRENGTH.of(match, seat).read(step) or "novice") != strength, played)
    last = f"{seat} is the last seat that a person plays, and a match of bots alone is none; TERMINATE ends it."
    need([s for s in seats if s != seat and not is_dummy(step, match, s)] or before, last)
    found, offered = owner_of(step, match, seat), not before or notes.OFFERED.of(match, seat).read(step)
    vacate(step, hand.playing, seat)
    bot = seat_dummy(step, match, seat, strength)
    notes.OFFERED.of(match, seat).keep(step, offered or None)
    hand.log(f"BOT {seat} {strength}")
    sentences = (f"{seat} is played by {bot} from now on; nobody answers for it.",)
    hand.tell(f"{seat} is played by a bot", sentences)
    if found:
        _take_leave(hand, *found, seat, f"{bot} from now on")
    hand.run((), BOT)
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


# ---------------------------------------------------------------- TAKEOVER
# A volunteer has a seat that was given up at once, without waiting for a game master.
#
# Given up is a seat whose player resigned, one that was rolled out as often as abandons it, and one that was handed to the bots
# in the middle of a match. A dummy that was there from the start is the table's own and no free seat.


def free_seats(at: At, row: MatchRow, seats: tuple[Seat, ...]) -> list[str]:
    """The seats of a match that were given up; where lateness is hidden, only those of which everybody was told."""
    given_up = {*notes.RESIGNED.every(at.step, row.name), *notes.OFFERED.every(at.step, row.name)}
    after = 0 if hides_late(row) else house_rules(at.step, row.name).abandon_after
    return [seat for seat in seats if seat in given_up or (after and rolled_out_running(at, row, seat) >= after)]


def take_over(at: At, player: Player, name: str, wanted: str) -> Told:
    """Give a volunteer a free seat of a match, the one he names or the only one there is; by a hand on it that is there."""
    row = at.step.match(name)
    if row is None or not is_under_way(row):
        raise Denial("Say a running match and its free seat: TAKEOVER nw1 AS France. WHO nw1 tells who plays.")
    need(row.status != "sealed", f"{name} waits for its dice; write again in a few minutes.")
    heed(refuse_entry(at, name, player.addresses) or refuse_unreliable(at, name, player))
    masters = any(m.player == player.id and m.role == "gm" for m in at.step.members(name))
    need(not masters, f"You are game master of {name}; REPLACE gives the seat to somebody else.")
    hand = at if isinstance(at, Hand) and at.match == name else Hand(at.office, at.step, load(at, row))
    with hand.lent(NOBODY), hand.signing("a volunteer", "the seat was given up"):
        free = free_seats(hand, row, hand.playing.created.seats)
        seat = next((s for s in free if s.casefold() == wanted.casefold()), "") if wanted else "".join(free[:1])
        if not seat or (not wanted and len(free) > 1):
            raise Denial(_free(name, free))
        mine = [m for m in at.step.members(name) if player.id and m.player == player.id and m.status != "playing"]
        if played := sorted({m.seat for m in mine if m.seat} - {seat}):
            raise Denial(
                f"You played {in_a_row(played)} and know what it knew, so only REPLACE gives you another seat of {name}."
            )
        owner = owner_of(hand.step, name, seat)
        if owner is not None and owner[1].id == player.id:
            return _play_on(hand, seat)
        player, called = call_otherwise(hand, name, player)
        replace_player(hand, seat, player)
        return (f"You play {seat} in {name}; the letter with your order sheet follows.", *filter(None, (called,)))


def _play_on(hand: Hand, seat: str) -> Told:
    """A player who resigned and is not replaced yet comes back."""
    notes.RESIGNED.of(hand.match, seat).forget(hand.step)
    with hand.signing(seat):
        hand.log(f"TAKEOVER {seat}", f"the player of {seat}")
        sentence = f"{seat} is played on by its player; the resignation is taken back."
        return hand.tell(f"{seat} is played on", (sentence,))


def _free(name: str, free: list[str]) -> str:
    if not free:
        return f"No seat of {name} is free; STANDBY {name} puts you on the list of those who take one that falls free."
    return f"Free in {name}: {in_a_row(free)}. Write TAKEOVER {name} AS {free[0]}."


# ---------------------------------------------------------------- seat wishes
# The seats that an applicant wished for, matched with those the game has.


_PLEASE = re.compile(
    r"(^|\s)(please|pls|thanks|thank you|if possible|if i may|if (it is |it's |still )?free|bitte|danke|wenn möglich|wenn frei|"
    r"s'il vous plaît|s'il te plaît|si possible|merci|por favor|si es posible|gracias)[\s.!]*$",
    re.IGNORECASE,
)
_OR = re.compile(r"\s+(?:or|oder|ou|o|else)\s+", re.IGNORECASE)


def read_wishes(names: Sequence[str], written: Sequence[str], again: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The seats meant, best first, and a sentence for each wish that names none; `again` is how one wishes anew."""
    each = (wish for several in written for wish in _OR.split(several))
    wishes = filter(None, (_PLEASE.sub("", wish).strip() for wish in each))
    meant = [(wish, _meant(names, wish)) for wish in wishes]
    return (
        tuple(dict.fromkeys(name for _, name in meant if name)),
        tuple(_unknown(names, wish, again) for wish, name in meant if not name),
    )


def _meant(names: Sequence[str], wish: str) -> str:
    """The seat of this name, or the only one that it shortens; "" where there is none."""
    whole = [name for name in names if fold(name) == fold(wish)]
    begun = [name for name in names if shortens(fold(wish), fold(name))]
    return next(iter(whole), begun[0] if len(begun) == 1 else "")


def _unknown(names: Sequence[str], wish: str, again: str) -> str:
    near = did_you_mean(wish, names, 1)
    hint = f"did you mean {near[0]}? Write {again} {near[0]}" if near else f"to wish for one, write {again} {names[0]}"
    return f'Nobody plays "{wish}" there, so you have not wished for it; the seats are {in_a_row(names)}; {hint}.'


# ---------------------------------------------------------------- abandoned seats
# So many turns rolled out in a row, and what the match does about it then.


def look_after(hand: Hand, seat: str, key: str) -> None:
    """After a slot was closed at its deadline: whether its seat is abandoned now, and what comes of it.

    Where lateness is hidden all are told that the seat is another's now, and not why.
    """
    rules, whole = house_rules(hand.step, hand.match), slot_of(key).rpartition("/")[2].startswith("orders")
    if not whole or not rules.abandon_after or hand.playing.outcome.over or is_dummy(hand.step, hand.match, seat):
        return
    count = rolled_out_running(hand, hand.playing.row, seat)
    if count < rules.abandon_after or count % rules.abandon_after:
        return
    why = f"{count} turns in a row were rolled out"
    by, told = (hand.office.name, "") if keeps_quiet(hand.playing) else (hand.by, why)
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rules.abandoned)
    with suppress(Denial):  # nobody can have it, and all are told
        if give:
            with hand.signing(by, told):
                give(hand, seat)
            return
    sentences = (
        f"{seat} is abandoned: {why}, and nobody stands by.",
        f"The game master gives it to somebody by REPLACE, or to a bot by BOT; "
        f"TAKEOVER {hand.match} AS {seat} takes it.",
    )
    hand.tell(f"{seat} is abandoned", sentences, about=seat)
