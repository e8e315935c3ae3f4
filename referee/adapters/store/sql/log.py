"""The log of a match: read in order, appended to, never changed; its end alone is withdrawn for a longer one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sqlalchemy import ColumnElement, Executable, bindparam, delete, literal_column, or_, select

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, fields, values
from referee.core.record import Entry, Forwarded, Happened, Record, Renewed, Rewound, word_of

_T = TABLES["entry"]
_OF_MATCH = select(*fields(_T, Entry)).where(_T.c.match == bindparam("match"))
_SINCE = _OF_MATCH.where(_T.c.seq >= bindparam("since")).order_by(_T.c.seq)


def _is_of(*kinds: type[Record]) -> ColumnElement[bool]:
    """Of these kinds, or one that changes which entries count."""
    return _T.c.kind.in_([literal_column(f"'{word_of(kind)}'") for kind in (*kinds, Rewound, Renewed, Forwarded)])


@cache
def _of_kinds(*kinds: type[Record]) -> Executable:
    return _OF_MATCH.where(_is_of(*kinds)).order_by(_T.c.seq)


_PIECE = 500
_STRETCH = _SINCE.where(_T.c.seq <= bindparam("until"), or_(_T.c.seq == bindparam("first"), _is_of(Happened))).limit(
    _PIECE
)
_WITHDRAW = delete(_T).where(_T.c.match == bindparam("match"), _T.c.seq >= bindparam("since"))
_LAST = _OF_MATCH.order_by(_T.c.seq.desc()).limit(1)


class Log(Part):
    """The logs of all matches, entry by entry."""

    def entries(self, match: str, since: int = 0) -> list[Entry]:
        """Entries with seq >= since, in order."""
        return self._all(Entry, _SINCE, match=match, since=since)

    def entries_of(self, match: str, *kinds: type[Record]) -> list[Entry]:
        """Entries of these kinds and all that change which entries count, in order."""
        return self._all(Entry, _of_kinds(*kinds), match=match)

    def happenings(self, match: str, since: int, until: int) -> Iterator[Entry]:
        """The first of a stretch of entries that stands in the log, and after it all that are events or change which count.

        They are read piece by piece: those of a long match are many, and little is made of each.
        """
        begin = since
        while piece := self._all(Entry, _STRETCH, match=match, since=begin, first=since, until=until):
            yield from piece
            begin = piece[-1].seq + 1
            if len(piece) < _PIECE:
                break

    def last_entry(self, match: str) -> Entry | None:
        """The head of the log."""
        return self._once("last entry", match, lambda: self._one(Entry, _LAST, match=match))

    def append(self, entries: Sequence[Entry]) -> None:
        """Append to the log. Raises Conflict when a (match, seq) is taken."""
        for entry in entries:
            self._forget("last entry", entry.match)
            self._touch(entry.match)
        self._insert("entry", [values(entry) for entry in entries])
        for entry in entries:
            self._keep("last entry", entry.match, entry)

    def withdraw(self, match: str, since: int) -> None:
        """Take the entries with seq >= since out: they are of a course that another house has played on from before them."""
        self._forget("last entry", match)
        self._touch(match)
        self._run(_WITHDRAW, {"match": match, "since": since})
