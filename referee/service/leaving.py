"""Before a match starts: a player takes his application back, or its game master calls the match off."""

from __future__ import annotations

import msgspec

from referee.service.houserules import house_rules, keep_house_rules
from referee.service.letters import RefusalLetter
from referee.service.lobby import Said
from referee.service.office import Office
from referee.service.ports import MatchRow, Player, Step
from referee.service.post import post
from referee.service.times import iso

__all__ = ["call_off", "leave"]


def leave(step: Step, player: Player, name: str) -> Said:
    """Take back an application; without a name, the only one there is."""
    mine = {m.match: m for m in step.memberships(player.id) if m.status in ("applied", "standby")}
    wanted = name or (next(iter(mine)) if len(mine) == 1 else "")
    if wanted not in mine:
        names = ", ".join(sorted(mine)) or "none"
        return Said(False, (f"Say which match that has not begun: RESIGN {wanted or 'nw1'}. You wait in: {names}.",))
    step.save_member(msgspec.structs.replace(mine[wanted], status="left"))
    return Said(True, (f"You are no longer on the list of {wanted}; JOIN {wanted} puts you there again.",))


def call_off(office: Office, step: Step, row: MatchRow, by: Player, reason: str) -> Said:
    """End a match before it began. Nobody can join it any more; everybody who had is told."""
    told = []
    for member in step.members(row.name):
        player = step.player(member.player)
        if member.status == "left":
            continue
        step.save_member(msgspec.structs.replace(member, status="left"))
        if player and player.addresses and player.id != by.id:
            _tell(office, step, row, player, reason)
            told.append(player.name)
    rules = msgspec.structs.replace(house_rules(step, row.name), called_off=True)
    keep_house_rules(step, row.name, rules)
    return Said(True, (f"{row.name} is called off; {len(told)} who had joined or waited were told.",))


def _tell(office: Office, step: Step, row: MatchRow, player: Player, reason: str) -> None:
    why = f" The reason given: {reason}." if reason else ""
    sentence = f"{row.name} is called off by its game master before it began; nothing is owed.{why}"
    body = RefusalLetter("A match is called off", sentence, ("GAMES lists the others.",), None, row.name, player.name)
    unique = f"called-off.{iso(office.clock.now())}"
    post(office, step, player, "muster", f"{row.name} is called off", body, unique, row=row)
