"""Who is named how: in an anonymous match a seat stands for its player until the match is over."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.ports import Player, Step


def hides_names(playing: Playing) -> bool:
    """Whether nobody but the game master may learn now who plays which seat."""
    return playing.settings.manners.anonymous and playing.row.status != "over" and not playing.outcome.over


def called(playing: Playing, player: Player, seat: str) -> str:
    """How a member is named to all: a player of an anonymous match by his seat, everybody else by his name."""
    return seat if seat and playing.settings.manners.anonymous else player.name


def cause_of(playing: Playing, letter: str) -> str:
    """How the public log names a letter. A Message-ID tells of its writer's mail server: where names are hidden, its digest."""
    if not playing.settings.manners.anonymous:
        return f"letter {letter}"
    return f"letter with the SHA-256 {hashlib.sha256(letter.encode()).hexdigest()[:16]}"


def _says(text: str, word: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def gives_away(text: str, player: Player) -> str:
    """What in a text tells who a player is: his name or one of his addresses; "" for nothing."""
    return next((word for word in (*player.addresses, player.name) if _says(text, word)), "")


def named_in(hand: BareHand, texts: Iterable[str]) -> str:
    """The name or address in texts for everybody that tells who plays in an anonymous match; "" for none."""
    if not hides_names(hand.playing):
        return ""
    whole = "\n".join(texts)
    members = (m for m in hand.step.members(hand.match) if m.role == "player")
    players = (hand.step.player(member.player) for member in members)
    return next((found for player in players if player and (found := gives_away(whole, player))), "")


def who_played(step: Step, match: str) -> tuple[tuple[str, str], ...]:
    """Seats and the names of those who played them, in the order of joining; a seat played by several has several rows.

    For somebody who was forgotten stands his seat.
    """
    members = sorted((m for m in step.members(match) if m.role == "player" and m.seat), key=lambda m: (m.number, m.id))
    return tuple((m.seat, player.name or m.seat) for m in members if (player := step.player(m.player)))


def without_addresses(playing: Playing, text: str) -> str:
    """A text for everybody; where names are hidden, "somebody" stands for every address in it."""
    return re.sub(r"[^\s<>\"]+@[^\s<>\"]+", "somebody", text) if hides_names(playing) else text
