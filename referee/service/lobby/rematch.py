"""REMATCH: when a match is over, another one of the same game, options and clock, to which everybody is asked."""

from __future__ import annotations

import re

import msgspec

from referee.service import notes
from referee.service.letters import Notice
from referee.service.lobby.creating import create
from referee.service.lobby.entering import join
from referee.service.lobby.lapsing import refuse_another_match, refuse_another_seat
from referee.service.match.house_rules import house_rules, keep_house_rules
from referee.service.match.members import everybody
from referee.service.match.playing import Playing
from referee.service.match.result import Denied, Done, Result
from referee.service.office import Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.people.admission import refuse_entry
from referee.service.ports import Member, Player, Step
from referee.service.settings import settings_of


def rematch(office: Office, step: Step, playing: Playing, member: Member, player: Player) -> Result:
    """The first who asks opens the match and is its game master; who asks later joins it. Players wish for their old seats."""
    old = playing.row
    if old.status != "over":
        return Denied(f"{old.name} is not over yet; REMATCH asks for another match when it is.")
    name = notes.REMATCH.of(old.name).read(step)
    row = step.match(name) if name else None
    if name is None or row is None or house_rules(step, name).called_off:
        return _opened(office, step, playing, member, player)
    if row.status != "forming":
        return Denied(f"{name} is {row.status} and takes no more players; OBSERVE {name} lets you watch it.")
    return _joined(office, step, member, player, name)


def _opened(office: Office, step: Step, playing: Playing, member: Member, player: Player) -> Result:
    old = playing.row
    if unwanted := refuse_entry(office, step, "", player.addresses) or refuse_another_match(office, step, player):
        return unwanted
    name = _free_name(step, old.name)
    options = ", ".join(f"{option} {value}" for option, value in old.options.items())
    opened = create(office, step, player, old.game, name, options, settings_of(old.settings))
    if isinstance(opened, Denied):
        return opened
    rules = house_rules(step, old.name)
    keep_house_rules(step, name, rules)
    notes.REMATCH.of(old.name).keep(step, name)
    asked = _ask(office, step, playing, player, name)
    joined = _joined(office, step, member, player, name) if member.seat else Done(())
    if isinstance(joined, Denied):
        return joined
    return Done((*opened.sentences, *joined.sentences, f"{asked} of {old.name} were asked to join."))


def _joined(office: Office, step: Step, member: Member, player: Player, name: str) -> Result:
    wishes = (member.seat,) if member.seat else ()
    return refuse_another_seat(office, step, player, name) or join(office, step, player, name, wishes)


def _free_name(step: Step, old: str) -> str:
    """The name of the old match with the next number that is free."""
    stem, number = re.sub(r"-\d+$", "", old)[:20], 2
    while step.match(f"{stem}-{number}") is not None:
        number += 1
    return f"{stem}-{number}"


def _ask(office: Office, step: Step, playing: Playing, by: Player, name: str) -> int:
    """Everybody else of the old match is asked; how many."""
    asked = 0
    for member, player in everybody(step, playing.row.name):
        if player.id == by.id or not player.addresses:
            continue
        sentences = (
            f"{by.name} has opened {name}: {playing.game.title} again, with the same rules and the same clock.",
            f"Reply REMATCH to join it, or write JOIN {name} to {office.address}. Who does nothing is not in it.",
        )
        framed = msgspec.structs.replace(frame(office, step, playing, member, player), owes="", commitment="")
        letter = Notice(framed, "another match", sentences, "", by.name, lines=("REMATCH",))
        mail = Mail("notice", f"another match? {name} waits for you", letter, f"rematch.{name}")
        post(office, step, player, mail, About(playing, member))
        asked += 1
    return asked
