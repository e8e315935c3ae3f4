"""PREVIEW TURN: what the turn would give with the orders on file, for a game master who does not play.

Nothing is stored or published. The dice are not those of the match but others, from a secret of their own: who saw the
real ones before the turn is published could use them, by a ruling or a word to a friend, and nobody could tell.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.names import Role
from referee.core.page import Bullets, Heading, Page, Paragraph
from referee.core.record import Opened, Record, Sealed
from referee.core.stage import Ended, resume
from referee.kit.wording import in_a_row
from referee.service.match.drafts import closing, draft_of
from referee.service.match.playing import Playing
from referee.service.match.result import Denial

_DICE = (
    "The dice here are not the match's: they are thrown for this preview alone, and the turn itself will throw others. "
    "Nothing of this is stored, and nobody else was told."
)
_SOON = 1
"""Answers that have a time end the seal before them, as they will in the turn: none of its dice is thrown here."""

_ROUNDS = 500


def foresee(playing: Playing) -> Page:
    """The report of the phase that waits, as if every slot were closed now with what is on file."""
    if playing.outcome.phase is None or playing.row.status == "over":
        raise Denial(f"{playing.row.name} is over, so no turn is ahead.")
    ended, automatic = _played(playing)
    if ended is None:
        raise Denial("The turn asks for more decisions than a preview follows.")
    page = playing.game.report(ended.before, ended.events, ended.after, Role.REFEREE)
    on_file = sorted({q.seat for q in playing.outcome.open if q.wants_orders and draft_of(playing, q) is not None})
    nothing = sorted({q.seat for q in playing.outcome.open if q.wants_orders} - set(on_file))
    facts = [
        f"On file: {in_a_row(on_file) or 'nothing'}. Nothing on file: {in_a_row(nothing) or 'nobody'}.",
        *automatic,
    ]
    head = (Paragraph(_DICE), Bullets(tuple(facts)), Heading("The report as it would be"))
    return Page(f"Preview of {ended.phase.title}", page.summary, (*head, *page.blocks))


def _played(playing: Playing) -> tuple[Ended[Any] | None, list[str]]:
    """The phase that waits, run to its end in memory, and which answers nobody gave."""
    codec, position, tail = playing.codec, playing.position, list(playing.tail)
    dice, outcome = _Foreseen(playing), playing.outcome
    automatic: list[str] = []
    known = {q.key for q in playing.outcome.open}
    for _ in range(_ROUNDS):
        inputs = [replace(closing(playing, question, True, 0), at=_SOON) for question in outcome.open]
        automatic += [f"{a.seat}: {a.source.value}." for a in inputs if a.key in known and a.source.value != "player"]
        outcome = resume(playing.game, codec, position, tail, inputs, dice, lambda _: True, 1)
        if outcome.ended:
            return outcome.ended[0], automatic
        tail += outcome.written
    return None, automatic


class _Foreseen:
    """The match's own dice where they are thrown and published already, others from there on (core.stage.Dice)."""

    def __init__(self, playing: Playing) -> None:
        self._keys, self._secret = playing.seals.keys, playing.row.secret
        self._others = Keyed(hmac.digest(playing.row.secret, b"preview", hashlib.sha256))

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed:
        """A seal that is no number of the log's."""
        return Sealed(-1, hidden=hidden)

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance | None:
        """Dice of the match under a seal of its log, others under any other."""
        key = self._keys.get(seal.number) if seal is not None else None
        return key.chance(self._secret) if key is not None and not key.waits else self._others
