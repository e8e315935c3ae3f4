"""The log of a match: read in order, appended to, never changed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, literal_column, or_, select

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, fields, values
from referee.core.record import Entry

_T = TABLES["entry"]
_OF_MATCH = select(*fields(_T, Entry)).where(_T.c.match == bindparam("match"))
_SINCE = _OF_MATCH.where(_T.c.seq >= bindparam("since")).order_by(_T.c.seq)
_HAPPENED = _T.c.kind.in_([literal_column(f"'{kind}'") for kind in ("event", "rewound", "renewed", "forwarded")])
_STRETCH = _SINCE.where(_T.c.seq <= bindparam("until"), or_(_T.c.seq == bindparam("first"), _HAPPENED))
_LAST = _OF_MATCH.order_by(_T.c.seq.desc()).limit(1)


class Log(Part):
    """The log."""

    def entries(self, match: str, since: int = 0) -> list[Entry]:
        """Entries with seq >= since, in order."""
        return self._all(Entry, _SINCE, match=match, since=since)

    def happenings(self, match: str, since: int, until: int) -> list[Entry]:
        """The first of a stretch of entries that stands in the log, and after it all that are events or change which count."""
        return self._all(Entry, _STRETCH, match=match, since=since, first=since, until=until)

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
