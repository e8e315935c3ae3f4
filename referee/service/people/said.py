"""The answer to a request made before a match or at its door."""

from __future__ import annotations

import msgspec

from referee.service.match.playing import Playing


class Said(msgspec.Struct, frozen=True):
    """What came of a request: whether it was granted, and the sentences that say so."""

    granted: bool
    sentences: tuple[str, ...]
    playing: Playing | None = None


def no(sentence: str) -> Said:
    """A refusal in one sentence."""
    return Said(False, (sentence,))
