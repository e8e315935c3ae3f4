"""Players named in orders: a line that names one where a side is meant is told which side he plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from referee.core.order import Invalid
from referee.orders import Mistake
from referee.service.match.anonymity import hides_names
from referee.service.sheets.visit import Visit


def by_seats(visit: Visit, mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """Lines with a word that is not known and is a player's name, told so with the line as it would be; others as they are."""
    if hides_names(visit.playing) or not any(map(_names_somebody, mistakes)):
        return tuple(mistakes)
    seats = _seats(visit)
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


def _seats(visit: Visit) -> Mapping[str, str]:
    """The seats of players whose names nobody else has, by their names."""
    playing = [member for member in visit.step.members(visit.match) if member.seat and member.status == "playing"]
    known = [(visit.step.player(member.player), member.seat) for member in playing]
    named = [(player.name.casefold(), seat) for player, seat in known if player is not None]
    often = Counter(name for name, _ in named)
    return {name: seat for name, seat in named if often[name] == 1}
