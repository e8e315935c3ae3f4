"""What came of a wish: it was done, as sentences say, or it was denied, and one sentence says why and what would be right."""

from __future__ import annotations

import msgspec

from referee.service.match.playing import Playing


class Done(msgspec.Struct, frozen=True):
    """What was done, in sentences for who wished it, and the match after it where it changed."""

    sentences: tuple[str, ...] = ()
    playing: Playing | None = None

    def after(self, before: Playing) -> Playing:
        """The match as it is now."""
        return self.playing or before


class Denied(msgspec.Struct, frozen=True):
    """What cannot be: what is wrong and what would be right, and the rule that says so."""

    sentence: str
    rule: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentence, as what was done is told."""
        return (self.sentence,)


Result = Done | Denied
