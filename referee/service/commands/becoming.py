"""BECOME: a game master writes for a player, who is told at once what was written; everybody is told that it was done."""

from __future__ import annotations

import re

from referee.service.letters import Notice
from referee.service.match.members import everybody, owner_of
from referee.service.outgoing.frames import drawers_of, frame
from referee.service.outgoing.post import post
from referee.service.overrides.base import log
from referee.service.overrides.twokeys import plays_too
from referee.service.sheets.visit import Visit

_LINE = re.compile(r'^[ \t]*BECOME[ \t]+(?P<seat>.+?)(?:[ \t]+BECAUSE[ \t]+"?(?P<why>[^"\n]*)"?)?[ \t.]*$', re.I | re.M)


def writes_for_another(text: str) -> bool:
    """Whether a letter's BECOME makes it another player's."""
    return _LINE.search(text) is not None


def become(visit: Visit, text: str) -> str:
    """Take the seat that a letter's BECOME names; the text without that line, "" where it is refused."""
    found = _LINE.search(text) if visit.game_master else None
    if found is None:
        return text
    wanted = found["seat"].strip(' ."').casefold()
    seat = next((s for s in visit.playing.created.seats if s.casefold() == wanted), "")
    owner = owner_of(visit.step, visit.match, seat) if seat else None
    if plays_too(visit.step, visit.match, visit.player):
        visit.deny(found[0], "You play in this match yourself, so you cannot write for another player.")
    elif owner is None:
        visit.deny(found[0], f"{found['seat']} is no seat that a person plays; write BECOME and the name of a seat.")
    elif visit.playing.row.status not in ("running", "paused"):
        visit.deny(found[0], f"{visit.match} is {visit.playing.row.status}; nobody owes anything in it.")
    else:
        why = (found["why"] or "").strip()
        visit.playing = log(visit.office, visit.step, visit.playing, f"BECOME {seat}", visit.player.name, why)
        visit.became, visit.member = why or "none was given", owner[0]
        visit.done.append(f"You wrote for {seat}, whose player is told so with your words.")
        return text[: found.start()] + text[found.end() :]
    return ""


def tell_of_becoming(visit: Visit, text: str) -> None:
    """Tell the player what was written in his name, and the others that something was."""
    seat, title = visit.seat, f"the game master wrote for {visit.seat}"
    lines = tuple(f"> {line.strip()}" for line in text.splitlines() if line.strip())
    for member, player in everybody(visit.step, visit.match):
        if player.id == visit.player.id:
            continue
        said: tuple[str, ...] = (f"The game master {visit.player.name} wrote a letter for {seat}.",)
        if member.seat == seat and member.status == "playing":
            on_file = [line.text for drawer in drawers_of(visit.playing, seat) for line in drawer.lines]
            said = (*said, "These were the words:", *lines)
            said += (f"On file for you now: {'; '.join(on_file) or 'nothing'}. A letter of yours replaces it.",)
        framed = frame(visit.office, visit.step, visit.playing, member, player)
        notice = Notice(
            framed, title, said, "" if visit.became == "none was given" else visit.became, visit.player.name
        )
        unique = f"{visit.playing.head.seq}.became"
        post(visit.office, visit.step, player, "notice", title, notice, unique, visit.playing, member)
