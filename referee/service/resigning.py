"""RESIGN: a player leaves a match. It stands in the log, everybody is told, the seat plays on by its standing orders."""

from __future__ import annotations

from referee.service.anonymity import hides_names, named_in
from referee.service.frames import frame
from referee.service.letters import Notice
from referee.service.overrides import log, notify
from referee.service.post import post
from referee.service.visit import Visit

__all__ = ["resign", "resigned_sentences"]


def resign(visit: Visit, reason: str, source: str) -> None:
    """Take a resignation. Until the seat is given away its player may still write; a second RESIGN changes nothing."""
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
    sentence = f"{who} resigns {seat}; the seat is played by its standing orders until it is given away."
    notify(office, step, visit.playing, f"{seat} resigns", (sentence,), seat, reason)
    _tell_masters(visit, reason)
    visit.done.append(sentence)


def _tell_masters(visit: Visit, reason: str) -> None:
    """The game master is told what he can do about it."""
    title = f"{visit.seat} needs a player"
    said = (
        f"{visit.player.name} resigns {visit.seat}.",
        f"REPLACE {visit.seat} BY an address gives the seat away; ROLL OUT {visit.seat} ends a slot that waits for nobody.",
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
    return tuple(f"The player of {seat} has resigned; its standing orders play it." for seat in gone)
