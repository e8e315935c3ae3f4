"""A match that cannot be run on stands still until it can: nothing of it is lost, and letters to it are kept."""

from __future__ import annotations

from msgspec.structs import replace

from referee.service.clock.slot_life import Happening
from referee.service.clock.standing_still import stop_clock
from referee.service.letters import RefusalLetter
from referee.service.match.playing import load
from referee.service.office import At
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import MatchRow, Step
from referee.service.times import iso

HELD = "held"
"""The status of a letter that waits until its match goes on."""

GOES_ON = "It goes on by itself as soon as a mended version of the referee runs."

WAY_OUT = (
    f"{GOES_ON} STATUS says what is wrong, RESUME tries again, and REWIND TO TURN, with a number, goes back to where it can be "
    "played."
)


def halt(at: At, row: MatchRow, why: str) -> MatchRow:
    """Stop the clock of a match that runs and cannot be run on, and tell its game masters; the row as it then is."""
    if row.status == "shunted":
        return row
    now = at.now
    stop_clock(at.step, row, now, Happening.BROKEN)
    row = replace(row, status="shunted", trouble=why)
    at.step.save_match(row)
    playing, unique = load(at, row), f"shunted.{iso(now)}"
    said = f"{row.name} could not be run on and stands still; nothing of it is lost, and letters to it are kept. {why}"
    for member in at.step.members(row.name):
        master = at.step.player(member.player)
        if member.role == "gm" and master:
            letter = RefusalLetter("A match needs you", said, (WAY_OUT,), None, row.name, master.name)
            post(at, master, Mail("refusal", "the match stands still", letter, unique), About(playing, member))
    return row


def release(step: Step, match: str) -> int:
    """Give the letters that were kept for a match that goes on back to the inbox; how many."""
    kept = [letter for letter in step.letters(HELD, limit=_ALL) if letter.match == match]
    for letter in kept:
        step.finish_letter(letter.id, "new", "its match goes on", match, was=HELD)
    return len(kept)


_ALL = 1_000_000
