"""Matches afoot: played on by bots, in memory, to where a test wants them, and seen as the service would load them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from referee.core.chance import Chance, Keyed
from referee.core.hash_tree import Tree
from referee.core.names import Role, Seat
from referee.core.order import Intent
from referee.core.page import Bullets, Page, Paragraph
from referee.core.position import knowledge
from referee.core.record import kind_of, seal
from referee.core.stage import Outcome, Unsealed
from referee.games import GAMES
from referee.service.base.ports import MatchRow
from referee.service.match.playing import Playing
from referee.service.match.sealing import Seals
from referee.service.turn.preview import preview_page
from tests.match import Match, create, secret_of, sheet_of

_NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
_MOST = 20_000


def playing_of(match: Match, secret: bytes = b"s" * 32) -> Playing:
    """A match as the service has it loaded."""
    row = MatchRow("m1", match.game.name, "running", secret, dict(match.created.options), {}, _NOON)
    head = seal(secret, "m1", None, "", kind_of(match.created), match.codec.dump(match.created), "")
    tail = tuple(match.records[match.position.count :])
    shared = (match.game, match.codec, match.created, match.position, tail, head)
    is_open = all(event.told_to(Role.OBSERVER) is event for event in match.events)
    return Playing(row, *shared, is_open, Seals(), 0, head, head, Tree(), Tree(), match.outcome)


def afoot(
    name: str,
    players: int,
    stop: Callable[[Outcome[Any]], bool],
    options: Mapping[str, str] | None = None,
    seed: int = 1,
    otherwise: str = "",
) -> Match:
    """A match of a game that bots played until somebody owes orders and `stop` says so.

    Dice whose purpose has the words `otherwise` in it fall otherwise than in the match without.
    """
    game = next(game for game in GAMES if game.name == name)
    pick = random.Random(seed).randrange
    secret = secret_of(f"afoot {seed}")
    dice: Chance = _Otherwise(secret, otherwise) if otherwise else Keyed(secret, 0)
    match = Match(game, create(game, players, options or {}, secret), secret, dice=Unsealed(dice))
    for _ in range(_MOST):
        out = match.outcome
        if any(question.wants_orders for question in out.open) and stop(out):
            return match
        match.answer(out.open[0], out.open[0].menu.sample(pick))
    raise AssertionError("the match never came to where it was to stop")


class _Otherwise:
    """Dice as keyed, but some purposes as keyed with another secret."""

    def __init__(self, secret: bytes, words: str) -> None:
        self._dice, self._others, self._words = Keyed(secret, 0), Keyed(secret_of("otherwise"), 0), words

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        """A face from 1 to `sides`."""
        return (self._others if self._words in purpose else self._dice).face(purpose, index, sides, hidden)


def suggested(match: Match, seed: int = 1) -> tuple[Seat, tuple[Intent, ...]]:
    """The seat that owes orders first, and a sheet that a bot would write for it."""
    question = next(q for q in match.outcome.open if q.wants_orders)
    return question.seat, question.menu.sample(random.Random(seed).randrange)


def previewed(match: Match, seat: Seat, sheet: Sequence[Intent], secret: bytes = b"s" * 32) -> Page:
    """The page that PREVIEW of these orders gives."""
    playing = playing_of(match, secret)
    known = knowledge(match.game, match.created.seats, match.created.options, match.events, seat)
    return preview_page(playing, seat, sheet_of(match.codec, *sheet), known, not playing.open_information)


def lines_of(page: Page) -> list[str]:
    """Everything that a page says, line by line."""
    found: list[str] = []
    for block in page.blocks:
        found += block.items if isinstance(block, Bullets) else [block.text] if isinstance(block, Paragraph) else []
    return found
