"""TAKEOVER: a volunteer has a seat that was given up at once, without waiting for a game master.

Given up is a seat whose player resigned, one that was rolled out as often as abandons it, and one that was handed to the
bots in the middle of a match. A dummy that was there from the start is the table's own and no free seat.
"""

from __future__ import annotations

from referee.core.names import Seat
from referee.kit.wording import in_a_row
from referee.service import notes
from referee.service.clock.slot_life import is_under_way
from referee.service.match.hidden_lateness import hides_late
from referee.service.match.house_rules import house_rules
from referee.service.match.members import owner_of
from referee.service.match.naming import call_otherwise
from referee.service.match.playing import load
from referee.service.match.result import Denial, Told, heed, need
from referee.service.office import At
from referee.service.overrides.hand import NOBODY, Hand
from referee.service.people.admission import refuse_entry, refuse_unreliable
from referee.service.people.giving_seats import replace_player
from referee.service.people.reliability import rolled_out_running
from referee.service.ports import MatchRow, Player


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
        owner = owner_of(hand.step, name, seat)
        if owner is not None and owner[1].id == player.id:
            return _play_on(hand, seat)
        player, called = call_otherwise(hand, name, player)
        replace_player(hand, seat, player)
        return (f"You play {seat} in {name}; the letter with your order sheet follows.", *filter(None, (called,)))


def _play_on(hand: Hand, seat: str) -> Told:
    """Who resigned and is not replaced yet comes back."""
    notes.RESIGNED.of(hand.match, seat).forget(hand.step)
    with hand.signing(seat):
        hand.log(f"TAKEOVER {seat}", f"the player of {seat}")
        sentence = f"{seat} is played on by its player; the resignation is taken back."
        return hand.tell(f"{seat} is played on", (sentence,))


def _free(name: str, free: list[str]) -> str:
    if not free:
        return f"No seat of {name} is free; STANDBY {name} puts you on the list of those who take one that falls free."
    return f"Free in {name}: {in_a_row(free)}. Write TAKEOVER {name} AS {free[0]}."
