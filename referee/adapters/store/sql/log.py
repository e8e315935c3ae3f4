"""The log of a match, its alarms and tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from operator import attrgetter

from sqlalchemy import ColumnElement, Executable, bindparam, delete, func, literal_column, or_, select, update

from referee.adapters.store.sql.statements import TABLES, Part, fields, upsert, values
from referee.core.record import Entry, Forwarded, Happened, Record, Renewed, Rewound, word_of
from referee.service.base.ports import Alarm, Token

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
            self._keep("grown", entry.match, True)

    @property
    def grown(self) -> tuple[str, ...]:
        """The matches to whose logs this step has appended."""
        return tuple(str(match) for match in self._read.get("grown", ()))

    def withdraw(self, match: str, since: int) -> None:
        """Take the entries with seq >= since out: they are of a course that another house has played on from before them."""
        self._forget("last entry", match)
        self._touch(match)
        self._run(_WITHDRAW, {"match": match, "since": since})


# ---------------------------------------------------------------- alarms
# Deadlines with their times, and the reply tokens that die when their turn runs.


_A = TABLES["alarm"]
_ALARMS = select(*fields(_A, Alarm)).order_by(_A.c.due_at, _A.c.match, _A.c.kind, _A.c.key)
_ALARMS_OF_MATCH = _ALARMS.where(_A.c.match == bindparam("match"))
_DUE = _ALARMS.where(_A.c.due_at <= bindparam("now")).limit(bindparam("limit"))
_DUE_OF_KIND = _DUE.where(_A.c.kind == bindparam("kind"))
_NEXT = select(func.min(_A.c.due_at))
_OVERDUE = select(func.count(), func.min(_A.c.due_at)).where(_A.c.due_at <= bindparam("until"))
_CLEAR = delete(_A).where(
    _A.c.match == bindparam("in_match"),
    or_(bindparam("of_kind") == "", _A.c.kind == bindparam("of_kind")),
    or_(bindparam("of_key") == "", _A.c.key == bindparam("of_key")),
)
_TAKE = (
    delete(_A)
    .where(*(_A.c[name] == bindparam(f"its_{name}") for name in Alarm.__struct_fields__))
    .returning(_A.c.match)
)

_TOKEN = TABLES["token"]
_BY_DIGEST = select(*fields(_TOKEN, Token)).where(_TOKEN.c.digest == bindparam("digest"))
_RETIRE = (
    update(_TOKEN)
    .where(
        _TOKEN.c.match == bindparam("in_match"),
        _TOKEN.c.turn < bindparam("before"),
        or_(bindparam("of_seat") == "", _TOKEN.c.seat == bindparam("of_seat")),
    )
    .values(alive=False)
)


class Alarms(Part):
    """Alarms are rows; a scan finds every one that is due, however long nobody looked."""

    def set_alarm(self, alarm: Alarm) -> None:
        """Insert or replace by (match, kind, key)."""
        self._now_are(alarm.match, lambda other: (other.kind, other.key) != (alarm.kind, alarm.key), alarm)
        self._touch(alarm.match)
        self._run(upsert(self._dialect, "alarm"), values(alarm))

    def _now_are(self, match: str, stays: Callable[[Alarm], bool], *fresh: Alarm) -> None:
        """This step's knowledge of a match's alarms, where it has read them: they are asked for again and again."""
        known = self._known("alarms", match)
        if known is not None:
            order = attrgetter("due_at", "match", "kind", "key")
            self._keep("alarms", match, sorted((*filter(stays, known), *fresh), key=order))

    def clear_alarms(self, match: str, kind: str = "", key: str = "") -> None:
        """Remove a match's alarms: all, of a kind, or one."""
        known = self._known("alarms", match)
        if known is not None and not any(kind in ("", a.kind) and key in ("", a.key) for a in known):
            return
        self._now_are(match, lambda alarm: not (kind in ("", alarm.kind) and key in ("", alarm.key)))
        self._touch(match)
        self._run(_CLEAR, {"in_match": match, "of_kind": kind, "of_key": key})

    def take_alarm(self, alarm: Alarm) -> bool:
        """Remove exactly this alarm; False when it stands no longer, or somebody else took it first."""
        if alarm not in self.alarms(alarm.match):
            return False
        self._touch(alarm.match)
        self._now_are(alarm.match, lambda other: other != alarm)
        return self._value(_TAKE, **{f"its_{name}": value for name, value in values(alarm).items()}) is not None

    def alarms(self, match: str) -> list[Alarm]:
        """A match's alarms, the next first."""
        return list(self._once("alarms", match, lambda: self._all(Alarm, _ALARMS_OF_MATCH, match=match)))

    def due_alarms(self, now: datetime, limit: int, kind: str = "") -> list[Alarm]:
        """Alarms due by now (of one kind), the oldest first."""
        if kind:
            return self._all(Alarm, _DUE_OF_KIND, now=now, limit=limit, kind=kind)
        return self._all(Alarm, _DUE, now=now, limit=limit)

    def next_alarm(self) -> datetime | None:
        """When the next alarm is due."""
        due: datetime | None = self._value(_NEXT)
        return due

    def overdue(self, until: datetime) -> tuple[int, datetime | None]:
        """How many alarms were due by then, and when the first of them was."""
        ((count, first),) = self._rows(_OVERDUE, {"until": until})
        return int(count), first


class Tokens(Part):
    """Reply tokens by their digest."""

    def save_token(self, token: Token) -> None:
        """Insert or replace by digest."""
        self._keep("token", token.digest, token)
        self._touch(token.match)
        self._run(upsert(self._dialect, "token"), values(token))

    def token(self, digest: str) -> Token | None:
        """The token with this digest, alive or not."""
        return self._once("token", digest, lambda: self._one(Token, _BY_DIGEST, digest=digest))

    def retire_tokens(self, match: str, before_turn: int, seat: str = "") -> None:
        """Tokens of turns before this one (of one seat, or all) are dead."""
        self._forget("token")
        self._touch(match)
        self._run(_RETIRE, {"in_match": match, "before": before_turn, "of_seat": seat})
