"""Entering a match: JOIN for a seat, OBSERVE to be sent its reports."""

from __future__ import annotations

from referee.kit.missing import why_missing
from referee.kit.wording import are
from referee.service.clock.clock_words import timetable_told
from referee.service.lobby.who import no_match
from referee.service.match.house_rules import house_rules
from referee.service.match.result import Denial, Told, heed, need
from referee.service.office import At
from referee.service.people.admission import refuse_entry, refuse_unreliable
from referee.service.people.seat_wishes import read_wishes
from referee.service.ports import MatchRow, Member, Player
from referee.service.settings import settings_of
from referee.service.times import zone_sentence


def join(at: At, player: Player, name: str, wishes: tuple[str, ...]) -> Told:
    """Apply for a seat."""
    row = at.step.match(name)
    if row is None or house_rules(at.step, name).called_off:
        raise Denial(no_match(at.step, name))
    need_forming(row)
    heed(refuse_entry(at, name, player.addresses) or refuse_unreliable(at, name, player))
    why = why_missing(at.office.games[row.game])
    need(not why, f"{why}.")
    members = at.step.members(name)
    mine = next((m for m in members if m.player == player.id and m.role == "player"), None)
    seats = at.office.games[row.game].seat_names(row.options)
    others = [m for m in members if m.role == "player" and m.status == "applied" and m is not mine]
    full = f"{name} is full: {len(others)} players have joined. STANDBY {name} notes you for a seat that falls free."
    need(len(others) < len(seats), full)
    meant, unmeant = read_wishes(seats, wishes, f"JOIN {name} AS")
    told = zone_told(at, player)
    number = mine.number if mine else 1 + max((m.number for m in members), default=0)
    at.step.save_member(Member(mine.id if mine else 0, name, player.id, "player", "applied", "", meant, number))
    wished = f" You wished for {', '.join(meant)}." if meant else ""
    by_itself = settings_of(row.settings).starts_full
    starts = "the match starts by itself when all are taken" if by_itself else "the game master starts the match"
    so_far = f"{len(others) + 1} of {len(seats)} seats {are(len(others) + 1)} taken; {starts}."
    then = (
        "When it begins a letter brings your seat, how the game goes, and your first order sheet. "
        f"GUIDE {row.game} tells before how it is played, STATUS who is there; RESIGN {name} takes you off the list."
    )
    return (f"You are in {name}.{wished} {so_far}", *unmeant, *timetable_told(settings_of(row.settings)), then, *told)


def need_forming(row: MatchRow) -> None:
    """Raises Denial for a match that has begun."""
    begun = f"{row.name} is {row.status} and takes no more players; OBSERVE {row.name} lets you watch it."
    need(row.status == "forming", begun)


def zone_told(at: At, player: Player) -> tuple[str, ...]:
    """Once to each, with his first match: in which zone his letters give times, for it was guessed."""
    return () if at.step.memberships(player.id) else (zone_sentence(player.zone, at.now),)


def observe(at: At, player: Player, name: str) -> Told:
    """Be sent every public report."""
    row = at.step.match(name)
    if row is None or house_rules(at.step, name).called_off:
        raise Denial(no_match(at.step, name))
    mine = [
        m for m in at.step.members(name) if m.player == player.id and m.status in ("playing", "watching", "applied")
    ]
    need(not mine, f"You take part in {name} already.")
    heed(refuse_entry(at, name, player.addresses))
    zone = zone_told(at, player)
    at.step.save_member(Member(0, name, player.id, "observer", "watching"))
    leave = "UNSUBSCRIBE in a reply to any letter of it ends them"
    return (
        f"You watch {name}: every public report is sent to you; {leave}. SEND report TURN 1 fetches an old one.",
        *zone,
    )
