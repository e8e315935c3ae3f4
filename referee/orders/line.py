"""A line as one verb sees it: its parts, where its prepositions stand, where a name may end."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.normal import fold
from referee.core.vocabulary import Noun
from referee.orders.kinds import unquote
from referee.orders.lexicon import Lexicon, Names, Usage
from referee.orders.misread import number_part
from referee.orders.shape import Part, Sort

JOINTS = frozenset({Sort.COMMA, Sort.AND})
"""What stands between the things of a list."""

_BY_LOOKS = frozenset({Sort.QUOTED, Sort.SPAN, Sort.MOMENT, Sort.DATE, Sort.HEX, Sort.ADDRESS})


class Line:
    """The parts of a line from the verb on. `at` is the part to be read next; `source` the line as typed.

    `curt`: for what is not understood nothing is looked for that may have been meant.
    """

    def __init__(
        self, parts: Sequence[Part], at: int, usage: Usage, lexicon: Lexicon, source: str, curt: bool = False
    ) -> None:
        self.parts = list(parts)
        self.at = at
        self.usage = usage
        self.lexicon = lexicon
        self.source = source
        self.curt = curt
        self._folded = [part.folded for part in parts]
        self._prepositions: dict[int, tuple[str, int] | None] = {}
        self._loud = bool(parts) and parts[0].text.isupper()

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def done(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.parts)

    def folded(self, start: int, end: int) -> str:
        """Parts as one folded text."""
        return " ".join(self._folded[start:end])

    def preposition(self, i: int) -> tuple[str, int] | None:
        """The preposition that begins at part i and how many parts it takes; an arrow is TO."""
        if i not in self._prepositions:
            self._prepositions[i] = self._preposition(i)
        return self._prepositions[i]

    def _preposition(self, i: int) -> tuple[str, int] | None:
        if i >= len(self.parts):
            return None
        if self.parts[i].sort is Sort.ARROW:
            return self.usage.prepositions.get("to", "TO"), 1
        for size in range(min(self.usage.longest, len(self.parts) - i), 0, -1):
            found = self.usage.prepositions.get(self.folded(i, i + size))
            if found is not None:
                return found, size
        return None

    def clear_preposition(self, i: int) -> bool:
        """Whether a preposition stands at part i even amid free words: it is written as loud as the verb."""
        part = self.parts[i]
        return part.sort is Sort.WORD and (part.text.isupper() or not self._loud) and self.preposition(i) is not None

    def has_looks(self, i: int) -> bool:
        """Whether part i is known by its looks and needs no comma before it."""
        return self.parts[i].sort in _BY_LOOKS

    def ends(self, i: int) -> bool:
        """Whether a name may end before part i."""
        done = i >= len(self.parts) or self.parts[i].sort in JOINTS
        return done or self.has_looks(i) or self.preposition(i) is not None

    def run(self, i: int) -> int:
        """Where the words that begin at part i end."""
        end = i + 1
        while not self.ends(end):
            end += 1
        return end

    def exact(self, names: Names, i: int) -> tuple[tuple[Noun, ...], int] | None:
        """The longest exact name at part i and where it ends; it may hold "and" or a preposition."""
        if i >= len(self.parts):
            return None
        if self.parts[i].sort is Sort.QUOTED:
            quoted = names.exact(fold(unquote(self.parts[i].text)))
            return (quoted, i + 1) if quoted else None
        if not names.begins(self._folded[i]):
            return None
        for size in range(min(names.longest, len(self.parts) - i), 0, -1):
            found = names.exact(self.folded(i, i + size))
            if found and self.ends(i + size):
                return found, i + size
        return None

    def part_hex(self, at: int) -> None:
        """Read the 12,7 that stands there as two numbers."""
        part = self.parts[at]
        left, right = part.text.split(",")
        comma = part.column + len(left)
        apart = [
            number_part(left, part.column),
            Part(Sort.COMMA, ",", ",", comma, comma + 1),
            number_part(right, comma + 1),
        ]
        self.parts[at : at + 1] = apart
        self._folded[at : at + 1] = [part.folded for part in apart]
        self._prepositions.clear()
