"""REMATCH: when a match is over, another one of the same game, options and clock, to which everybody is asked."""

from __future__ import annotations

import re

import msgspec

from referee.service import notes
from referee.service.letters import Notice
from referee.service.lobby.creating import create
from referee.service.lobby.entering import join, need_forming
from referee.service.lobby.lapsing import refuse_another_match, refuse_another_seat
from referee.service.match.hand import BareHand
from referee.service.match.house_rules import house_rules, keep_house_rules
from referee.service.match.members import everybody
from referee.service.match.playing import Playing
from referee.service.match.result import Told, heed, need
from referee.service.office import At
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.people.admission import refuse_entry
from referee.service.ports import Member, Player, Step
from referee.service.settings import settings_of


def rematch(at: At, playing: Playing, member: Member, player: Player) -> Told:
    """The first who asks opens the match and is its game master; who asks later joins it. Players wish for their old seats."""
    old = playing.row
    need(old.status == "over", f"{old.name} is not over yet; REMATCH asks for another match when it is.")
    name = notes.REMATCH.of(old.name).read(at.step)
    row = at.step.match(name) if name else None
    if name is None or row is None or house_rules(at.step, name).called_off:
        return _opened(at, playing, member, player)
    need_forming(row)
    return _joined(at, member, player, name)


def _opened(at: At, playing: Playing, member: Member, player: Player) -> Told:
    old = playing.row
    heed(refuse_entry(at, "", player.addresses) or refuse_another_match(at, player))
    name = _free_name(at.step, old.name)
    options = ", ".join(f"{option} {value}" for option, value in old.options.items())
    opened = create(at, player, old.game, name, options, settings_of(old.settings))
    keep_house_rules(at.step, name, house_rules(at.step, old.name))
    notes.REMATCH.of(old.name).keep(at.step, name)
    asked = _ask(at, playing, player, name)
    joined = _joined(at, member, player, name) if member.seat else ()
    return (*opened, *joined, f"{asked} of {old.name} were asked to join.")


def _joined(at: At, member: Member, player: Player, name: str) -> Told:
    wishes = (member.seat,) if member.seat else ()
    heed(refuse_another_seat(at, player, name))
    return join(at, player, name, wishes)


def _free_name(step: Step, old: str) -> str:
    """The name of the old match with the next number that is free."""
    stem, number = re.sub(r"-\d+$", "", old)[:20], 2
    while step.match(f"{stem}-{number}") is not None:
        number += 1
    return f"{stem}-{number}"


def _ask(at: At, playing: Playing, by: Player, name: str) -> int:
    """Everybody else of the old match is asked; how many."""
    asked = 0
    for member, player in everybody(at.step, playing.row.name):
        if player.id == by.id or not player.addresses:
            continue
        sentences = (
            f"{by.name} has opened {name}: {playing.game.title} again, with the same rules and the same clock.",
            f"Reply REMATCH to join it, or write JOIN {name} to {at.office.address}. Who does nothing is not in it.",
        )
        framed = msgspec.structs.replace(
            frame(BareHand(at.office, at.step, playing), member, player), owes="", commitment=""
        )
        letter = Notice(framed, "another match", sentences, "", by.name, lines=("REMATCH",))
        mail = Mail("notice", f"another match? {name} waits for you", letter, f"rematch.{name}")
        post(at, player, mail, About(playing, member))
        asked += 1
    return asked
