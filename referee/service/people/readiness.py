"""Are you still there? Asked of everybody who joined before a match starts, where its game master wants that."""

from __future__ import annotations

from collections.abc import Sequence

from referee.service import notes
from referee.service.letters import RefusalLetter
from referee.service.match.house_rules import house_rules
from referee.service.office import At
from referee.service.outgoing.post import About, Mail, post, reply_token
from referee.service.ports import MatchRow, Member, Player, Step


def muster(at: At, row: MatchRow, by: Player, applicants: Sequence[Member]) -> list[str]:
    """Ask those who have not answered yet; their names. Nobody, where the match does not muster its players."""
    if not house_rules(at.step, row.name).muster:
        return []
    notes.MUSTER.of(row.name).keep(at.step, by.id)
    missing = [player for member in applicants if (player := _unheard(at.step, row.name, member))]
    for player in missing:
        _ask(at, row, player)
    return [player.name for player in missing]


def _unheard(step: Step, match: str, member: Member) -> Player | None:
    player = step.player(member.player)
    if player is None or not player.addresses or notes.HERE.of(match, player.id).read(step):
        return None
    return player


def _ask(at: At, row: MatchRow, player: Player) -> None:
    sentence = f"{row.name} is about to start, and you asked for a seat. Are you still there?"
    how = ("Reply I AM HERE to this letter and you play; who does not answer may be left out.",)
    token = reply_token(at, row.name, row.turn, 0, player, "")
    body = RefusalLetter("Are you still there?", sentence, how, None, row.name, player.name, lines=("I AM HERE",))
    unique = f"muster.{at.now:%Y-%m-%dT%H:%M}"
    post(at, player, Mail("muster", "are you still there?", body, unique), About(row, token=token))


def answer_muster(step: Step, match: str, player: Player) -> Player | None:
    """Somebody is there; who wanted to start the match, if now all are there and he did."""
    notes.HERE.of(match, player.id).keep(step, True)
    began = notes.MUSTER.of(match).read(step)
    waiting = [m for m in step.members(match) if m.status == "applied" and _unheard(step, match, m)]
    if began is None or waiting:
        return None
    return step.player(began) or Player(0, "the keeper", ())
