"""Letters in: stored raw before they are acknowledged, handled once, never lost."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, func, or_, select, update

from referee.adapters.sql.part import Part
from referee.adapters.sql.statements import TABLES, fields, insert_or_skip_returning, values
from referee.service.ports import Conflict, LetterIn, Pending

__all__ = ["LettersIn"]

_T = TABLES["letter_in"]
_LETTER = select(*fields(_T, LetterIn))
_BY_ID = _LETTER.where(_T.c.id == bindparam("id"))
_BY_LOGICAL = _LETTER.where(_T.c.logical == bindparam("logical"))
_BY_STATUS = _LETTER.where(_T.c.status == bindparam("status")).order_by(_T.c.id).limit(bindparam("limit"))
_PENDING = (
    select(*(func.length(_T.c.raw) if name == "size" else _T.c[name] for name in Pending.__struct_fields__))
    .where(or_(_T.c.status == "new", _T.c.status == "shunted"))
    .order_by(_T.c.id)
    .limit(bindparam("limit"))
)
_STILL_NEW = (
    select(_T.c.id)
    .where(_T.c.status == "new", _T.c.id.between(bindparam("first"), bindparam("last")))
    .with_for_update(skip_locked=True)
)
_FINISH = (
    update(_T)
    .where(_T.c.id == bindparam("letter"), _T.c.status == bindparam("was"))
    .values({name: bindparam(name) for name in ("status", "verdict", "match", "logical")})
    .returning(_T.c.id)
)
_RETRY = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values(attempts=_T.c.attempts + 1, verdict=bindparam("verdict"))
    .returning(_T.c.attempts)
)


class LettersIn(Part):
    """The inbox."""

    def receive(self, letters: Sequence[LetterIn]) -> list[int]:
        """Store letters; the ids of those whose transport key was new, 0 for the others."""
        if not letters:
            return []
        statement = insert_or_skip_returning(self._dialect, "letter_in", "transport")
        stored = self._db.execute(statement, [values(letter, "id") for letter in letters])
        fresh = {row.transport: row.id for row in stored}
        return [fresh.pop(letter.transport, 0) for letter in letters]

    def new_letters(self, limit: int) -> list[LetterIn]:
        """Unhandled letters, oldest first."""
        return self._all(LetterIn, _BY_STATUS, status="new", limit=limit)

    def claim_new(self, ids: Sequence[int]) -> set[int]:
        """Those of these letters that are still new; PostgreSQL locks them, and leaves out what another has locked.

        One statement for a heap: its letters lie side by side, and a new one between them is held without harm.
        """
        rows = self._rows(_STILL_NEW, {"first": min(ids), "last": max(ids)})
        return {row[0] for row in rows}.intersection(ids)

    def letter(self, id: int) -> LetterIn | None:
        """The letter with this id."""
        return self._one(LetterIn, _BY_ID, id=id)

    def letters(self, status: str, limit: int = 100) -> list[LetterIn]:
        """Letters of a status, oldest first."""
        return self._all(LetterIn, _BY_STATUS, status=status, limit=limit)

    def pending(self, limit: int = 1000) -> list[Pending]:
        """Letters that are new or wait for a person, oldest first; their bytes are not even fetched."""
        return self._all(Pending, _PENDING, limit=limit)

    def finish_letter(
        self, id: int, status: str, verdict: str, match: str = "", logical: str | None = None, was: str = "new"
    ) -> None:
        """Mark a letter handled. Raises Conflict when it is `was` no longer, or its logical key is another's."""
        row = {"letter": id, "was": was, "status": status, "verdict": verdict, "match": match, "logical": logical}
        self._forget("handled")
        with self._unless_taken():
            if self._value(_FINISH, **row) is None:
                raise Conflict(f"letter {id} is {was} no longer")

    def retry_letter(self, id: int, verdict: str) -> int:
        """Count a failed attempt; the number of attempts so far. Raises LookupError when there is no such letter."""
        attempts = self._value(_RETRY, letter=id, verdict=verdict)
        if attempts is None:
            raise LookupError(f"no letter {id}")
        return int(attempts)

    def handled(self, logical: str) -> LetterIn | None:
        """The handled letter with this logical key."""
        return self._once("handled", logical, lambda: self._one(LetterIn, _BY_LOGICAL, logical=logical))
