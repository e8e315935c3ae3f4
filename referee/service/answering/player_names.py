"""Players named in orders: a line that names one where a side is meant is told which side he plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.order import Invalid
from referee.orders import Mistake
from referee.service.match.anonymity import hides_names
from referee.service.overrides.hand import Hand


def by_seats(hand: Hand, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """Lines with a word that is not known and is a player's name, told so with the line as it would be; others as they are."""
    if hides_names(hand.playing) or not any(map(_names_somebody, mistakes)):
        return tuple(mistakes)
    seats = _seats(hand)
    return tuple(_told(mistake, seats.get(_word(mistake).casefold(), "")) for mistake in mistakes)


def _names_somebody(mistake: Mistake) -> bool:
    return isinstance(mistake.refusal, Invalid) and mistake.column > 0


def _word(mistake: Mistake) -> str:
    return mistake.source[mistake.column : mistake.column + mistake.width].strip('"')


def _told(mistake: Mistake, seat: str) -> Mistake:
    if not seat or not _names_somebody(mistake):
        return mistake
    line = mistake.source[: mistake.column] + seat + mistake.source[mistake.column + mistake.width :]
    sentence = f"{_word(mistake)} plays {seat}; orders name the side."
    return replace(mistake, refusal=replace(mistake.refusal, sentence=sentence, instead=(line,)))


def _seats(hand: Hand) -> Mapping[str, str]:
    """The seats of players whose names nobody else has, by their names."""
    playing = [member for member in hand.step.members(hand.match) if member.seat and member.status == "playing"]
    known = [(hand.step.player(member.player), member.seat) for member in playing]
    named = [(player.name.casefold(), seat) for player, seat in known if player is not None]
    often = Counter(name for name, _ in named)
    return {name: seat for name, seat in named if often[name] == 1}
