"""Matches that have not begun: how many somebody may have open or have joined, and the end of those nobody writes about."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.kit.wording import in_a_row
from referee.service.clock.slot_life import AlarmKind
from referee.service.letters import RefusalLetter
from referee.service.lobby.leaving import call_off
from referee.service.match.house_rules import house_rules, unlisted_matches
from referee.service.office import Office
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


def refuse_another_match(office: Office, step: Step, player: Player) -> str:
    """Why somebody may open no further match; "" where he may.

    One that he called off counts for a day, or who calls off what he opens could open any number.
    """
    limits, since = office.limits, office.clock.now() - _DAY
    mine = [
        row.name
        for row in step.matches("forming")
        if (row.created_at > since or not _called_off(step, row.name)) and _opened_by(step, row.name) == player.id
    ]
    if player.id and len(mine) >= limits.forming_matches:
        return (
            f"You have opened {in_a_row(mine)}, and one address may have {limits.forming_matches} matches open that have "
            "not begun; START or TERMINATE one, and write again a day after it was opened."
        )
    if len(_forming(step)) >= limits.forming_in_all:
        return (
            f"{limits.forming_in_all} matches are forming here, as many as may at a time; JOIN one of them (GAMES lists "
            "them), or write again when some have begun."
        )
    return ""


def _opened_by(step: Step, match: str) -> int:
    """Who opened a match: its first member."""
    first = min(step.members(match), key=lambda member: member.id, default=None)
    return first.player if first else 0


def refuse_another_seat(office: Office, step: Step, player: Player, match: str) -> str:
    """Why somebody may wait for the beginning of no further match; "" where he may."""
    rows = (step.match(m.match) for m in step.memberships(player.id) if m.status == "applied") if player.id else ()
    mine = sorted({row.name for row in rows if row and row.status == "forming"} - {match})
    if len(mine) < office.limits.joined_matches:
        return ""
    return (
        f"You have joined {in_a_row(mine)}, which have not begun, and one address may wait for "
        f"{office.limits.joined_matches}; RESIGN {mine[0]} makes room."
    )


# ---------------------------------------------------------------- given up


def keep_open(office: Office, step: Step, match: str) -> None:
    """Somebody wrote about a match; if it has not begun, its time begins anew."""
    row = step.match(match)
    if row is None or row.status != "forming" or not office.limits.forming_days:
        return
    whole = timedelta(days=office.limits.forming_days)
    if not _called_off(step, match):
        step.set_alarm(Alarm(match, AlarmKind.FORMING, "warn", office.clock.now() + whole - _warned(whole)))
    step.clear_alarms(match, AlarmKind.FORMING, "end")


def lapses_at(office: Office, step: Step, match: str) -> datetime | None:
    """When a match that has not begun is called off if nobody writes about it any more; None for never."""
    due = {alarm.key: alarm.due_at for alarm in step.alarms(match) if alarm.kind == AlarmKind.FORMING}
    warned = _warned(timedelta(days=office.limits.forming_days))
    return due["end"] if "end" in due else due["warn"] + warned if "warn" in due else None


def _warned(whole: timedelta) -> timedelta:
    return min(_WARNED, whole / 2)


def warn_or_give_up(office: Office, step: Step, row: MatchRow, alarm: Alarm) -> None:
    """Nobody has written about a match for long: its game masters are told, and a week later it is called off."""
    if alarm.kind != AlarmKind.FORMING or _called_off(step, row.name):
        return
    days = f"{office.limits.forming_days} days"
    if alarm.key == "end":
        why = f"{row.name} had not begun, and nobody wrote about it for {days}, so it is called off; nothing is owed."
        call_off(office, step, row, why)
        return
    ends = office.clock.now() + _warned(timedelta(days=office.limits.forming_days))
    step.set_alarm(Alarm(row.name, AlarmKind.FORMING, "end", ends))
    for member in step.members(row.name):
        player = step.player(member.player)
        if member.role == "gm" and member.status == "watching" and player and player.addresses:
            _warn(office, step, row, player, stamp(ends, player.zone), alarm)


def _warn(office: Office, step: Step, row: MatchRow, player: Player, ends: str, alarm: Alarm) -> None:
    sentence = f"{row.name} has not begun, and nobody has written about it for long. It is called off at {ends}."
    instead = (
        f"To keep it open, answer this letter with WHO {row.name}; you will see who has joined.",
        f"START {row.name} begins it, TERMINATE {row.name} calls it off now.",
    )
    body = RefusalLetter("A match is about to be called off", sentence, instead, None, row.name, player.name)
    token, unique = reply_token(office, step, row.name, row.turn, 0, player, ""), f"forming.{alarm.due_at.isoformat()}"
    post(office, step, player, Mail("muster", f"{row.name} will be called off", body, unique), About(row, token=token))
