"""Giving a seat to another person."""

from __future__ import annotations

import msgspec

from referee.service.advance import (
    owner_of,
)
from referee.service.frames import frame
from referee.service.letters import Notice
from referee.service.office import Office
from referee.service.overrides import Deed, Denied, log, notify
from referee.service.playing import Playing
from referee.service.ports import Conflict, Member, Player, Step
from referee.service.post import post

__all__ = ["replace_player"]


def replace_player(
    office: Office, step: Step, playing: Playing, by: str, reason: str, seat: str, address: str
) -> Deed | Denied:
    """Give a seat to another person; the old reply addresses of the seat die at once."""
    found = owner_of(step, playing.row.name, seat)
    if found is None:
        return Denied(f"{seat} is no seat of {playing.row.name}; the seats are {', '.join(playing.created.seats)}.")
    old_member, old_player = found
    newcomer = step.player_at(address) or _stranger(step, address)
    if newcomer is None:
        return Denied(f"{address} is not an e-mail address; write REPLACE {seat} BY name@host.")
    if newcomer.id == old_player.id:
        return Denied(f"{address} plays {seat} already.")
    other = [m.seat for m in step.members(playing.row.name) if m.player == newcomer.id and m.status == "playing"]
    if other:
        return Denied(f"{address} plays {other[0]} in {playing.row.name}; a person plays one seat of a match.")
    step.save_member(msgspec.structs.replace(old_member, status="replaced"))
    step.save_member(Member(0, playing.row.name, newcomer.id, "player", "playing", seat, (), old_member.number))
    step.retire_tokens(playing.row.name, 1_000_000_000, seat)
    playing = log(office, step, playing, f"REPLACE {seat}", by, reason)
    sentences = (f"{seat} is now played by {newcomer.name}.",)
    notify(office, step, playing, f"{seat} has a new player", sentences, by, reason, forms=True)
    _take_leave(office, step, playing, old_member, old_player, seat, by, reason)
    return Deed(playing, sentences)


def _stranger(step: Step, address: str) -> Player | None:
    local, at, host = address.partition("@")
    if not (local and at and host) or " " in address:
        return None
    try:
        return step.save_player(Player(0, local, (address.lower(),)))
    except Conflict:
        return None


def _take_leave(
    office: Office, step: Step, playing: Playing, member: Member, player: Player, seat: str, by: str, reason: str
) -> None:
    gone = msgspec.structs.replace(member, status="replaced")
    framed = frame(office, step, playing, gone, player)
    letter = Notice(framed, "you are replaced", (f"{seat} is played by somebody else from now on.",), reason, by)
    post(office, step, player, "notice", "you are replaced", letter, f"{playing.head.seq}.leave", playing, gone)
