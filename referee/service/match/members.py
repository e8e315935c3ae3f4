"""Who is written to, who plays a seat and who did before, and in which part somebody writes."""

from __future__ import annotations

from referee.service import notes
from referee.service.ports import Member, Player, Step, Token
from referee.service.remembered import Tenure


def everybody(step: Step, match: str) -> list[tuple[Member, Player]]:
    """Everybody who is written to, once each: players, game masters, observers."""
    found: dict[int, tuple[Member, Player]] = {}
    rank = {"playing": 0, "out": 1}
    members = sorted(step.members(match), key=lambda m: (rank.get(m.status, 2), m.role != "gm", m.number))
    for member in members:
        player = step.player(member.player)
        if (
            player
            and player.addresses
            and player.id not in found
            and member.status in ("playing", "out", "watching", "applied")
        ):
            found[player.id] = (member, player)
    return list(found.values())


def owner_of(step: Step, match: str, seat: str) -> tuple[Member, Player] | None:
    """Who plays a seat now."""
    for member in step.members(match):
        if member.seat == seat and member.status == "playing":
            player = step.player(member.player)
            return (member, player) if player else None
    return None


def end_tenure(step: Step, match: str, seat: str, player: int, head: int) -> None:
    """A person has the seat no longer from after an entry of the log on; 0 for a dummy.

    Kept beside the log, for a seat's orders count for the record of whoever held it.
    """
    before = notes.TENURES.of(match, seat).read(step) or []
    notes.TENURES.of(match, seat).keep(step, [*before, Tenure(player, head)])


def holders(step: Step, match: str, seat: str) -> tuple[tuple[int, int], ...]:
    """Those who played a seat before its present player: each with the last entry in his time."""
    return tuple((tenure.player, tenure.until) for tenure in notes.TENURES.of(match, seat).read(step) or [])


def member_of(step: Step, token: Token) -> Member | None:
    """In which part the bearer of a token writes: the seat it was made for, else one that he plays, else any part he still has.

    A game master who plays thus orders for his seat in reply to any letter; what he may do as the game master he may always.
    """
    mine = [m for m in step.members(token.match) if m.player == token.player and m.status in ("playing", "watching")]
    playing = [member for member in mine if member.status == "playing"]
    exact = [member for member in playing if member.seat == token.seat]
    return next(iter(exact or playing or mine), None)
