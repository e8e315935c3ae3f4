"""Before a match starts: a player takes his application back, its game master sets its clock or calls the match off."""

from __future__ import annotations

import msgspec

from referee.service.clock.clock_words import clock_sentences, read_clock
from referee.service.letters import RefusalLetter
from referee.service.match.hidden_lateness import refuse_hiding
from referee.service.match.house_rules import house_rules, keep_house_rules, refuse_beacon
from referee.service.match.result import Denial, Told, heed
from referee.service.office import At
from referee.service.outgoing.post import About, Mail, post
from referee.service.overrides.set_clock import pieces_of
from referee.service.ports import MatchRow, Member, Player, Step
from referee.service.settings import ClockSettings, settings_of
from referee.service.times import iso


def leave(step: Step, player: Player, name: str) -> Told:
    """Take back an application; without a name, the only one there is."""
    mine = application(step, player, name)
    if mine is None:
        names = ", ".join(sorted(m.match for m in _applications(step, player))) or "none"
        raise Denial(f"Say which match that has not begun: RESIGN {name or 'nw1'}. You wait in: {names}.")
    step.save_member(msgspec.structs.replace(mine, status="left"))
    return (f"You are no longer on the list of {mine.match}; JOIN {mine.match} puts you there again.",)


def application(step: Step, player: Player, name: str) -> Member | None:
    """How somebody waits for a seat of a match; without a name, of the only one he waits for."""
    mine = {m.match: m for m in _applications(step, player)}
    return mine.get(name) if name else next(iter(mine.values())) if len(mine) == 1 else None


def _applications(step: Step, player: Player) -> list[Member]:
    return [m for m in step.memberships(player.id) if m.status in ("applied", "standby")]


def call_off(at: At, row: MatchRow, why: str, by: Player | None = None) -> int:
    """End a match before it began. Nobody can join it any more; everybody else who had is told why, and is counted."""
    told = 0
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.status == "left":
            continue
        at.step.save_member(msgspec.structs.replace(member, status="left"))
        if player and player.addresses and not (by and player.id == by.id):
            _tell(at, row, player, why)
            told += 1
    rules = msgspec.structs.replace(house_rules(at.step, row.name), called_off=True)
    keep_house_rules(at.step, row.name, rules)
    at.step.clear_alarms(row.name)
    return told


def call_off_by(at: At, row: MatchRow, by: Player, reason: str) -> Told:
    """Its game master ends a match before it began."""
    given = f" The reason given: {reason}." if reason else ""
    why = f"{row.name} is called off by its game master before it began; nothing is owed.{given}"
    told = call_off(at, row, why, by)
    return (f"{row.name} is called off; {told} who had joined or waited were told.",)


def set_clock_before(at: At, row: MatchRow, by: Player, written: str) -> Told:
    """Change the clock and the manners of a match; who has joined is told what they will be."""
    now = settings_of(row.settings)
    settings = read_clock(now, pieces_of(written), by.zone, at.now)
    heed(refuse_hiding(at.office.games[row.game], settings) or refuse_beacon(at.office, settings, now))
    at.step.save_match(msgspec.structs.replace(row, settings=msgspec.to_builtins(settings)))
    before = (*clock_sentences(now), _starts(row, now))
    said = tuple(s for s in (*clock_sentences(settings), _starts(row, settings)) if s not in before)
    if not said:
        return (f"The clock of {row.name} was set so already.",)
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.status == "applied" and player and player.addresses and player.id != by.id:
            body = RefusalLetter(
                "The clock of a match is set", f"From now on: {' '.join(said)}", (), None, row.name, player.name
            )
            unique = f"clock.{iso(at.now)}"
            post(at, player, Mail("muster", f"the clock of {row.name} is set", body, unique), About(row))
    return (*said, *settings.slots.odd_ends(at.now))


def _starts(row: MatchRow, settings: ClockSettings) -> str:
    if settings.starts_full:
        return f"{row.name} starts by itself when its last seat is taken."
    return f"{row.name} starts when its game master writes START."


def _tell(at: At, row: MatchRow, player: Player, why: str) -> None:
    body = RefusalLetter("A match is called off", why, ("GAMES lists the others.",), None, row.name, player.name)
    unique = f"called-off.{iso(at.now)}"
    post(at, player, Mail("muster", f"{row.name} is called off", body, unique), About(row))
