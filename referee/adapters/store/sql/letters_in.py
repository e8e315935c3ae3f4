"""Letters in: stored raw before they are acknowledged, handled once, never lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Executable, and_, bindparam, delete, exists, func, literal_column, select, update

from referee.adapters.store.sql.statements import TABLES, Part, insert_or_skip, values
from referee.service.base.ports import Conflict, LetterIn, Pending, Spare

_T = TABLES["letter_in"]
_BODY = TABLES["letter_body"]
_RAW = LetterIn.__struct_fields__.index("raw")
_LETTER = select(*(_T.c["body" if name == "raw" else name] for name in LetterIn.__struct_fields__))
"""A letter with the digest of its bytes in their place."""
_BYTES = select(_BODY.c.raw).where(_BODY.c.digest == bindparam("digest"))
_BY_ID = _LETTER.where(_T.c.id == bindparam("id"))
_BY_LOGICAL = _LETTER.where(_T.c.logical == bindparam("logical"))
_BY_STATUS = _LETTER.where(_T.c.status == bindparam("status")).order_by(_T.c.id).limit(bindparam("limit"))
_WAIT = ("new", "held", "shunted")
_WAITS = _T.c.status.in_([literal_column(f"'{status}'") for status in _WAIT])
"""As the index says it that holds these alone: it is not used where a parameter says the same."""
_OF_WAITING = _BY_STATUS.where(_WAITS)
_PENDING = (
    select(
        *(
            func.coalesce(func.length(_BODY.c.raw), 0) if name == "size" else _T.c[name]
            for name in Pending.__struct_fields__
        )
    )
    .outerjoin_from(_T, _BODY, _BODY.c.digest == _T.c.body)
    .where(_WAITS)
    .order_by(_T.c.id)
    .limit(bindparam("limit"))
)
_WAITING = _PENDING.where(_T.c.status == "new")
_AT_ONCE = 16
_NAMES = tuple(f"id{place}" for place in range(_AT_ONCE))
_IS_NEW = and_(_WAITS, _T.c.status == "new", _T.c.id.in_([bindparam(name) for name in _NAMES]))
_NEW = _LETTER.where(_IS_NEW).order_by(_T.c.id)
_STILL_NEW = select(_T.c.id).where(_IS_NEW).with_for_update(skip_locked=True)
_OTHER = _T.alias("other")
_FINISH = (
    update(_T)
    .where(
        _T.c.id == bindparam("letter"),
        _T.c.status == bindparam("was"),
        ~exists().where(_OTHER.c.logical == bindparam("logical"), _OTHER.c.id != bindparam("letter")),
    )
    .values({name: bindparam(name) for name in ("status", "verdict", "match", "logical")})
    .returning(_T.c.id)
)
_MARK = update(_T).where(_T.c.id == bindparam("letter")).values(spare=bindparam("is_spare", type_=_T.c.spare.type))
_SPARE = (
    select(_T.c.id, _T.c.received_at, _T.c.body, func.length(_BODY.c.raw))
    .join_from(_T, _BODY, _BODY.c.digest == _T.c.body)
    .where(_T.c.spare)
    .order_by(_T.c.id.desc())
)
_DROP = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values(body=None, spare=False, verdict=_T.c.verdict + bindparam("said", type_=_T.c.verdict.type))
)
_DROP_BODY = delete(_BODY).where(
    _BODY.c.digest == bindparam("dropped"), ~exists().where(_T.c.body == bindparam("dropped"))
)
_ARRIVED = select(_T.c.transport).where(_T.c.transport == bindparam("transport"))
_RETRY = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values(attempts=_T.c.attempts + 1, verdict=bindparam("verdict"))
    .returning(_T.c.attempts)
)


class LettersIn(Part):
    """The inbox: every letter that came, its bytes until they may go, and what became of it."""

    def receive(self, letters: Sequence[LetterIn]) -> list[int]:
        """Store letters; the ids of those whose transport key was new, 0 for the others."""
        if not letters:
            return []
        digests = {raw: sha256(raw).hexdigest() for raw in {letter.raw for letter in letters}}
        # In one order for everybody, so that two who store the same letters cannot wait for each other.
        bodies = [{"digest": digest, "raw": raw} for raw, digest in sorted(digests.items(), key=lambda body: body[1])]
        self._run_each(insert_or_skip(self._dialect, "letter_body", "digest"), bodies)
        rows = [{**values(letter, "id", "raw"), "body": digests[letter.raw], "spare": False} for letter in letters]
        stored = self._rows_each(insert_or_skip(self._dialect, "letter_in", "transport"), rows)
        self._ring("")
        return [int(new[0][0]) if new else 0 for new in stored]

    def waiting(self, limit: int) -> list[Pending]:
        """Letters that are new, oldest first."""
        return self._all(Pending, _WAITING, limit=limit)

    def still_new(self, ids: Sequence[int]) -> list[LetterIn]:
        """Those of these letters that are new, the oldest first."""
        return list(self._with_bytes(row for some in _together(ids) for row in self._rows(_NEW, some)))

    def claim_new(self, ids: Sequence[int]) -> set[int]:
        """Those of these letters that are still new, held against everybody else until the step ends.

        Letters that somebody else holds are left out, and not waited for. PostgreSQL locks these alone: between them lie those of
        other desks, who would wait for it or have to reckon anew.
        """
        return {row[0] for some in _together(ids) for row in self._rows(_STILL_NEW, some)}

    def letter(self, id: int) -> LetterIn | None:
        """The letter with this id."""
        return next(self._letters(_BY_ID, id=id), None)

    def letters(self, status: str, limit: int = 100) -> list[LetterIn]:
        """So many letters of a status, oldest first."""
        statement = _OF_WAITING if status in _WAIT else _BY_STATUS
        return list(self._letters(statement, status=status, limit=limit))

    def pending(self, limit: int = 1000) -> list[Pending]:
        """Letters that are new or wait for their match or a person, oldest first; their bytes are not even fetched."""
        return self._all(Pending, _PENDING, limit=limit)

    def arrived(self, transports: Sequence[str]) -> set[str]:
        """Those of these transport keys whose letters are here already."""
        found = self._rows_each(_ARRIVED, [{"transport": transport} for transport in transports])
        return {row[0] for rows in found for row in rows}

    def finish_letter(
        self, id: int, status: str, verdict: str, match: str = "", logical: str | None = None, was: str = "new"
    ) -> None:
        """Mark a letter handled. Raises Conflict when its status is `was` no longer, so that none is handled twice, or when
        another handled letter has its logical key."""
        row = {"letter": id, "was": was, "status": status, "verdict": verdict, "match": match, "logical": logical}
        self._forget("handled")
        if not self._rows(_FINISH, row):
            raise Conflict(f"letter {id} is {was} no longer, or another one has its key")

    def spare_letter(self, id: int, is_spare: bool = True) -> None:
        """Mark a letter as one whose bytes may be dropped in time, or as one that is kept for ever after all."""
        self._run(_MARK, {"letter": id, "is_spare": is_spare})

    def spare_letters(self) -> list[Spare]:
        """The letters whose bytes may be dropped and are still there, the newest first."""
        return self._all(Spare, _SPARE)

    def drop_bytes(self, id: int, digest: str, said: str) -> None:
        """Drop the bytes of a letter, unless another one has the same; `said` is added to its verdict."""
        self._run(_DROP, {"letter": id, "said": said})
        self._run(_DROP_BODY, {"dropped": digest})

    def retry_letter(self, id: int, verdict: str) -> int:
        """Count a failed attempt; the number of attempts so far. Raises LookupError when there is no such letter."""
        attempts = self._value(_RETRY, letter=id, verdict=verdict)
        if attempts is None:
            raise LookupError(f"no letter {id}")
        return int(attempts)

    def handled(self, logical: str) -> LetterIn | None:
        """The handled letter with this logical key."""
        return self._once("handled", logical, lambda: next(self._letters(_BY_LOGICAL, logical=logical), None))

    def _letters(self, statement: Executable, /, **parameters: Any) -> Iterator[LetterIn]:
        """Letters with their bytes."""
        return self._with_bytes(self._rows(statement, parameters))

    def _with_bytes(self, rows: Iterable[Sequence[Any]]) -> Iterator[LetterIn]:
        """Letters with their bytes, b"" where they were dropped; letters that share theirs in the table do so here."""
        known: dict[str | None, bytes] = {None: b""}
        for row in rows:
            fields = list(row)
            digest = fields[_RAW]
            if digest not in known:
                known[digest] = self._value(_BYTES, digest=digest)
            fields[_RAW] = known[digest]
            yield LetterIn(*fields)


def _together(ids: Sequence[int]) -> Iterator[dict[str, int]]:
    """So many ids at a time, in their order, as one statement takes them; the last one stands for what is missing."""
    ranked = sorted(ids)
    for begin in range(0, len(ranked), _AT_ONCE):
        some = ranked[begin : begin + _AT_ONCE]
        yield dict(zip(_NAMES, some + some[-1:] * (_AT_ONCE - len(some)), strict=True))
