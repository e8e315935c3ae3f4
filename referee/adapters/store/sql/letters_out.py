"""Letters out, and the answers that count against a purse."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, exists, func, insert, literal_column, or_, select, update

from referee.adapters.store.sql.statements import TABLES, Part, fields, insert_or_skip, values
from referee.service.base.ports import TRIED_OFTEN, LetterOut, Spent, Unsent

_T = TABLES["letter_out"]
_RAW = TABLES["letter_out_raw"]
_PUT_RAW = insert(_RAW)
_BULKY = ("raw", "source", "said")


def _letters() -> Select[Any]:
    columns = [(_RAW if name in _BULKY else _T).c[name] for name in LetterOut.__struct_fields__]
    return select(*columns).join(_RAW, _RAW.c.letter == _T.c.id)


_QUEUED = _T.c.status == literal_column("'queued'")
"""As the index says it that holds these alone: it is not used where a parameter says the same."""
_FREE = or_(_T.c.leased_until.is_(None), _T.c.leased_until <= bindparam("now"))
_BEFORE = _T.alias("before")
_COMES_LATER = exists().where(
    _BEFORE.c.status == literal_column("'queued'"),
    _BEFORE.c.recipient == _T.c.recipient,
    _BEFORE.c.id < _T.c.id,
    or_(
        _BEFORE.c.leased_until > bindparam("now"),
        and_(_BEFORE.c.due_at > bindparam("now"), _BEFORE.c.attempts.between(1, TRIED_OFTEN - 1)),
    ),
)
"""Whether an earlier letter to the same reader is being sent, or is to be tried again first."""
_ONE_AT_A_TIME = select(func.pg_advisory_xact_lock(7203))
"""Two who claim at once would see nothing of each other's leases, and take letters of one reader."""
_CLAIM = (
    _letters()
    .where(_QUEUED, _T.c.due_at <= bindparam("now"), _FREE, ~_COMES_LATER)
    .order_by(_T.c.due_at, _T.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True, of=_T)
)
_LEASE = update(_T).where(_T.c.id == bindparam("letter")).values(leased_until=bindparam("until"))
_LET_GO = update(_T).where(_QUEUED, _T.c.leased_until.is_not(None)).values(leased_until=None)
_SENT = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values(status="sent", sent_at=bindparam("at"), leased_until=None, error="")
)
_NOT_SENT = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values(
        status=bindparam("new_status"),
        error=bindparam("why"),
        due_at=func.coalesce(bindparam("again", type_=_T.c.due_at.type), _T.c.due_at),
        attempts=_T.c.attempts + 1,
        leased_until=None,
    )
)
_KEEP_BYTES = update(_RAW).where(_RAW.c.letter == bindparam("of")).values(raw=bindparam("bytes"))
_HASTEN = update(_T).where(_QUEUED, _T.c.attempts > 0, _T.c.due_at > bindparam("now")).values(due_at=bindparam("now"))
_GIVEN_UP = and_(_T.c.status == "failed", _T.c.created_at > bindparam("since", type_=_T.c.created_at.type))
_UNSENT = (
    select(*fields(_T, Unsent))
    .where(or_(_GIVEN_UP, and_(_QUEUED, _T.c.attempts >= bindparam("tries"))))
    .order_by(_T.c.id)
)
_BY_ID = _letters().where(_T.c.id == bindparam("id"))
_LATEST = (
    select(_T.c.id, _T.c.message_id, _T.c.recipient)
    .where(_T.c.match == bindparam("match"))
    .order_by(_T.c.id.desc())
    .limit(bindparam("most"))
)
_OF_MATCH = _letters().where(_T.c.match == bindparam("match")).order_by(_T.c.id)


class LettersOut(Part):
    """The outbox: every letter that goes or went, and what it says."""

    def post(self, letter: LetterOut) -> bool:
        """Queue a letter; False when its Message-ID is already there (then nothing changes)."""
        statement = insert_or_skip(self._dialect, "letter_out", "message_id")
        id = self._value(statement, **values(letter, "id", *_BULKY))
        if id is None:
            return False
        self._run(_PUT_RAW, {"letter": id, "raw": letter.raw, "source": letter.source, "said": letter.said})
        return True

    def claim_outgoing(self, now: datetime, limit: int, lease_seconds: int) -> list[LetterOut]:
        """Take queued letters that are due, leased so that nobody else takes them meanwhile.

        Those to one reader in the order queued: a later one waits for one that is tried again, unless that was tried often.
        """
        if self._dialect == "postgresql":
            self._rows(_ONE_AT_A_TIME, {})
        claimed = self._all(LetterOut, _CLAIM, now=now, limit=limit)
        self.keep_claimed((letter.id for letter in claimed), now + timedelta(seconds=lease_seconds))
        return claimed

    def keep_claimed(self, ids: Iterable[int], until: datetime) -> None:
        """Hold claimed letters until then: their postman is alive and has not come to them yet."""
        self._run_each(_LEASE, [{"letter": letter, "until": until} for letter in ids])

    def let_go(self) -> None:
        """All that is queued is free: whoever held a letter lives no more."""
        self._run(_LET_GO, {})

    def sent(self, id: int, at: datetime) -> None:
        """Record that the letter was handed on."""
        self._run(_SENT, {"letter": id, "at": at})

    def not_sent(self, id: int, error: str, again_at: datetime | None) -> None:
        """Record a failure; None gives up visibly (status failed)."""
        status = "failed" if again_at is None else "queued"
        self._run(_NOT_SENT, {"letter": id, "why": error, "again": again_at, "new_status": status})

    def keep_bytes(self, id: int, raw: bytes) -> None:
        """Every attempt from now on sends these bytes: somebody may have them already."""
        self._run(_KEEP_BYTES, {"of": id, "bytes": raw})

    def hasten(self, now: datetime) -> None:
        """Queued letters that failed before are due now, since what kept them is over; one being sent is left to its postman."""
        self._run(_HASTEN, {"now": now})

    def posted(self, id: int) -> LetterOut | None:
        """The letter with this id."""
        return self._one(LetterOut, _BY_ID, id=id)

    def outgoing(self, match: str) -> list[LetterOut]:
        """All letters of a match, in the order queued."""
        return self._all(LetterOut, _OF_MATCH, match=match)

    def latest_out(self, match: str, most: int) -> list[tuple[int, str, str]]:
        """Id, Message-ID and recipient of the last letters of a match, the newest first."""
        return [(row[0], row[1], row[2]) for row in self._rows(_LATEST, {"match": match, "most": most})]

    def unsent(self, since: datetime, tries: int) -> list[Unsent]:
        """Letters that were queued since then and are given up, and those still queued after so many tries, in the order queued."""
        return self._all(Unsent, _UNSENT, since=since, tries=tries)


# ---------------------------------------------------------------- answers
# Answers that count against somebody's purse, and letters that were not answered because it was empty.


_ANSWERS = TABLES["answer"]
_FORGOTTEN = timedelta(days=3)
_PUT = insert(_ANSWERS)
_OLD = delete(_ANSWERS).where(_ANSWERS.c.at < bindparam("before"))
_SPENT = select(func.count(), func.coalesce(func.sum(_ANSWERS.c.size), 0)).where(
    _ANSWERS.c.purse == bindparam("purse"), _ANSWERS.c.at > bindparam("since")
)
_OF_ADDRESS = _SPENT.where(_ANSWERS.c.address == bindparam("address"))
_OF_DOMAIN = _SPENT.where(_ANSWERS.c.domain == bindparam("domain"))
_OF_ALL = _SPENT.where(_ANSWERS.c.domain != "")
_UNSPEND = delete(_ANSWERS).where(_ANSWERS.c.letter == bindparam("of"), _ANSWERS.c.purse != "kept")
_KEPT_SINCE = (
    select(_ANSWERS.c.address, func.count())
    .where(_ANSWERS.c.purse == "kept", _ANSWERS.c.at > bindparam("since"))
    .group_by(_ANSWERS.c.address)
    .order_by(func.count().desc(), _ANSWERS.c.address)
)


class Answers(Part):
    """Recent answers, the purses that paid for them, and the letters kept back."""

    def spend(self, spent: Spent) -> None:
        """Note an answer, and forget those that are so old that they count nowhere."""
        self._run(_OLD, {"before": spent.at - _FORGOTTEN})
        self._run(_PUT, values(spent))
        if spent.purse == "kept":
            self._keep("kept", spent.letter, True)

    def spent(self, purse: str, since: datetime, address: str = "", domain: str = "") -> tuple[int, int]:
        """How many answers a purse has paid for since then, and their bytes: of an address, of a domain, of all domains."""
        given = {"purse": purse, "since": since}
        if address:
            ((count, size),) = self._rows(_OF_ADDRESS, {**given, "address": address})
        elif domain:
            ((count, size),) = self._rows(_OF_DOMAIN, {**given, "domain": domain})
        else:
            ((count, size),) = self._rows(_OF_ALL, given)
        return int(count), int(size)

    def unspend(self, letter: int) -> None:
        """The answers to this letter count no more."""
        self._run(_UNSPEND, {"of": letter})

    def kept(self, letter: int) -> bool:
        """Whether in this step the answer to this letter was kept back."""
        return bool(self._known("kept", letter))

    def kept_since(self, since: datetime) -> list[tuple[str, int]]:
        """The addresses whose letters were not answered since then, and how many those were, the most first."""
        return [(address, int(count)) for address, count in self._rows(_KEPT_SINCE, {"since": since})]
