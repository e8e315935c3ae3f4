"""Matches that have not begun: how many somebody may have open or have joined, and the end of those nobody writes about."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.kit.wording import in_a_row
from referee.service.clock.slot_life import AlarmKind
from referee.service.letters import RefusalLetter
from referee.service.lobby.leaving import call_off
from referee.service.match.house_rules import house_rules, unlisted_matches
from referee.service.office import At
from referee.service.outgoing.post import About, Mail, post, reply_token
from referee.service.ports import Alarm, MatchRow, Player, Step
from referee.service.times import stamp

_DAY = timedelta(days=1)
_WARNED = timedelta(days=7)
"""How long before its end the game master of a match is told, or half its time where it has less than twice that."""


def _called_off(step: Step, match: str) -> bool:
    return match in unlisted_matches(step) and house_rules(step, match).called_off


def _forming(step: Step) -> list[MatchRow]:
    return [row for row in step.matches("forming") if not _called_off(step, row.name)]


def refuse_another_match(at: At, player: Player) -> str:
    """Why somebody may open no further match; "" where he may.

    One that he called off counts for a day, or who calls off what he opens could open any number.
    """
    limits, since = at.office.limits, at.now - _DAY
    mine = [
        row.name
        for row in at.step.matches("forming")
        if (row.created_at > since or not _called_off(at.step, row.name)) and _opened_by(at.step, row.name) == player.id
    ]
    if player.id and len(mine) >= limits.forming_matches:
        return (
            f"You have opened {in_a_row(mine)}, and one address may have {limits.forming_matches} matches open that have "
            "not begun; START or TERMINATE one, and write again a day after it was opened."
        )
    if len(_forming(at.step)) >= limits.forming_in_all:
        return (
            f"{limits.forming_in_all} matches are forming here, as many as may at a time; JOIN one of them (GAMES lists "
            "them), or write again when some have begun."
        )
    return ""


def _opened_by(step: Step, match: str) -> int:
    """Who opened a match: its first member."""
    first = min(step.members(match), key=lambda member: member.id, default=None)
    return first.player if first else 0


def refuse_another_seat(at: At, player: Player, match: str) -> str:
    """Why somebody may wait for the beginning of no further match; "" where he may."""
    rows = (
        (at.step.match(m.match) for m in at.step.memberships(player.id) if m.status == "applied") if player.id else ()
    )
    mine = sorted({row.name for row in rows if row and row.status == "forming"} - {match})
    if len(mine) < at.office.limits.joined_matches:
        return ""
    return (
        f"You have joined {in_a_row(mine)}, which have not begun, and one address may wait for "
        f"{at.office.limits.joined_matches}; RESIGN {mine[0]} makes room."
    )


# ---------------------------------------------------------------- given up


def keep_open(at: At, match: str) -> None:
    """Somebody wrote about a match; if it has not begun, its time begins anew."""
    row = at.step.match(match)
    if row is None or row.status != "forming" or not at.office.limits.forming_days:
        return
    whole = timedelta(days=at.office.limits.forming_days)
    if not _called_off(at.step, match):
        at.step.set_alarm(Alarm(match, AlarmKind.FORMING, "warn", at.now + whole - _warned(whole)))
    at.step.clear_alarms(match, AlarmKind.FORMING, "end")


def lapses_at(at: At, match: str) -> datetime | None:
    """When a match that has not begun is called off if nobody writes about it any more; None for never."""
    due = {alarm.key: alarm.due_at for alarm in at.step.alarms(match) if alarm.kind == AlarmKind.FORMING}
    warned = _warned(timedelta(days=at.office.limits.forming_days))
    return due["end"] if "end" in due else due["warn"] + warned if "warn" in due else None


def _warned(whole: timedelta) -> timedelta:
    return min(_WARNED, whole / 2)


def warn_or_give_up(at: At, row: MatchRow, alarm: Alarm) -> None:
    """Nobody has written about a match for long: its game masters are told, and a week later it is called off."""
    if alarm.kind != AlarmKind.FORMING or _called_off(at.step, row.name):
        return
    days = f"{at.office.limits.forming_days} days"
    if alarm.key == "end":
        why = f"{row.name} had not begun, and nobody wrote about it for {days}, so it is called off; nothing is owed."
        call_off(at, row, why)
        return
    ends = at.now + _warned(timedelta(days=at.office.limits.forming_days))
    at.step.set_alarm(Alarm(row.name, AlarmKind.FORMING, "end", ends))
    for member in at.step.members(row.name):
        player = at.step.player(member.player)
        if member.role == "gm" and member.status == "watching" and player and player.addresses:
            _warn(at, row, player, stamp(ends, player.zone), alarm)


def _warn(at: At, row: MatchRow, player: Player, ends: str, alarm: Alarm) -> None:
    sentence = f"{row.name} has not begun, and nobody has written about it for long. It is called off at {ends}."
    instead = (
        f"To keep it open, answer this letter with WHO {row.name}; you will see who has joined.",
        f"START {row.name} begins it, TERMINATE {row.name} calls it off now.",
    )
    body = RefusalLetter("A match is about to be called off", sentence, instead, None, row.name, player.name)
    token, unique = reply_token(at, row.name, row.turn, 0, player, ""), f"forming.{alarm.due_at.isoformat()}"
    post(at, player, Mail("muster", f"{row.name} will be called off", body, unique), About(row, token=token))
