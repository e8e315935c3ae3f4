"""RESIGN: a player leaves a match. Who stands by has his seat, or bots, or it is played at once from what is on file.

Which of these is the match's rule for abandoned seats. It stands in the log and everybody is told.
"""

from __future__ import annotations

import msgspec

from referee.service.letters import Notice
from referee.service.match.anonymity import hides_names, named_in
from referee.service.match.houserules import house_rules
from referee.service.match.vacant import VACANT
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import post
from referee.service.overrides.base import Denied, log, notify
from referee.service.people.replacing import give_to_dummy, give_to_standby
from referee.service.sheets.visit import Visit
from referee.service.turns.advance import run


def resign(visit: Visit, reason: str, source: str) -> None:
    """Take a resignation, and give the seat to whoever has abandoned seats in this match.

    Where nobody has it, its turns wait for nobody from now on; until it is given away its player may still write, such as
    standing orders. A second RESIGN changes nothing.
    """
    office, step, seat = visit.office, visit.step, visit.seat
    if step.note(visit.match, seat, "resigned"):
        visit.deny(source, f"You have resigned {seat} already; the game master gives the seat away.")
        return
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        visit.deny(source, "The match is over; there is nothing to resign.")
        return
    away = named_in(step, visit.playing, [reason])
    if away and away in (visit.player.name, *visit.player.addresses):
        visit.deny(source, f"This match is anonymous, and your reason has {away} in it; leave that out.")
        return
    visit.playing = log(office, step, visit.playing, f"RESIGN {seat}", seat, reason, visit.cause)
    step.put_note(visit.match, seat, "resigned", "yes")
    who = f"The player of {seat}" if hides_names(visit.playing) else visit.player.name
    sentence = (
        f"{who} resigns {seat}. Until it has another player its turns wait for nobody: they are played at once by what is "
        "on file, its standing orders, or else the rules' default."
    )
    notify(office, step, visit.playing, f"{seat} resigns", (sentence,), seat, reason)
    visit.done.append(sentence)
    if not _given_away(visit):
        _tell_masters(visit, reason)
        visit.playing = run(office, step, visit.playing, (), VACANT).playing


def _given_away(visit: Visit) -> bool:
    """Whether somebody who stands by has the seat now, or the game's bots, as this match wants it of abandoned seats."""
    rule = house_rules(visit.step, visit.match).abandoned
    give = {"standby": give_to_standby, "dummy": give_to_dummy}.get(rule)
    if give is None:
        return False
    seat, by = visit.seat, visit.office.name
    outcome = give(visit.office, visit.step, visit.playing, by, "its player has resigned", seat)
    if isinstance(outcome, Denied):
        return False
    visit.playing, visit.member = outcome.playing, msgspec.structs.replace(visit.member, status="replaced")
    visit.done += outcome.sentences
    return True


def _tell_masters(visit: Visit, reason: str) -> None:
    """The game master is told what he can do about it."""
    title = f"{visit.seat} needs a player"
    said = (
        f"{visit.player.name} resigns {visit.seat}.",
        f"REPLACE {visit.seat} BY an address gives the seat away, DUMMY {visit.seat} gives it to the bots.",
    )
    for member in visit.step.members(visit.match):
        master = visit.step.player(member.player)
        if member.role == "gm" and master is not None and master.id != visit.player.id:
            letter = Notice(
                frame(visit.office, visit.step, visit.playing, member, master), title, said, reason, visit.office.name
            )
            unique = f"{visit.playing.head.seq}.resigned"
            post(visit.office, visit.step, master, "notice", title, letter, unique, visit.playing, member)


def resigned_sentences(visit: Visit) -> tuple[str, ...]:
    """The seats whose players have resigned, as STATUS lists them."""
    gone = sorted(visit.step.notes(visit.match, "resigned"))
    return tuple(
        f"The player of {seat} has resigned; its turns are played at once, by standing orders or the default."
        for seat in gone
    )
