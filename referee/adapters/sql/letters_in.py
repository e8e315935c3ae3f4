"""Letters in: stored raw before they are acknowledged, handled once, never lost."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select, update

from referee.adapters.sql.part import Part
from referee.adapters.sql.statements import TABLES, fields, insert_or_skip_returning, values
from referee.service.ports import LetterIn

__all__ = ["LettersIn"]

_T = TABLES["letter_in"]
_LETTER = select(*fields(_T, LetterIn))
_BY_ID = _LETTER.where(_T.c.id == bindparam("id"))
_BY_LOGICAL = _LETTER.where(_T.c.logical == bindparam("logical"))
_BY_STATUS = _LETTER.where(_T.c.status == bindparam("status")).order_by(_T.c.id).limit(bindparam("limit"))
_TO_HANDLE = _BY_STATUS.with_for_update(skip_locked=True)
_FINISH = (
    update(_T)
    .where(_T.c.id == bindparam("letter"))
    .values({name: bindparam(name) for name in ("status", "verdict", "match", "logical")})
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
        """Unhandled letters, oldest first; a write step leaves out those that another worker has locked."""
        return self._all(LetterIn, _BY_STATUS if self._reading else _TO_HANDLE, status="new", limit=limit)

    def letter(self, id: int) -> LetterIn | None:
        """The letter with this id."""
        return self._one(LetterIn, _BY_ID, id=id)

    def letters(self, status: str, limit: int = 100) -> list[LetterIn]:
        """Letters of a status, oldest first."""
        return self._all(LetterIn, _BY_STATUS, status=status, limit=limit)

    def finish_letter(self, id: int, status: str, verdict: str, match: str = "", logical: str | None = None) -> None:
        """Mark a letter handled. Raises Conflict when another handled letter has the same logical key."""
        row = {"letter": id, "status": status, "verdict": verdict, "match": match, "logical": logical}
        self._forget("handled")
        self._write(_FINISH, [row])

    def retry_letter(self, id: int, verdict: str) -> int:
        """Count a failed attempt; the number of attempts so far. Raises LookupError when there is no such letter."""
        attempts = self._value(_RETRY, letter=id, verdict=verdict)
        if attempts is None:
            raise LookupError(f"no letter {id}")
        return int(attempts)

    def handled(self, logical: str) -> LetterIn | None:
        """The handled letter with this logical key."""
        return self._once("handled", logical, lambda: self._one(LetterIn, _BY_LOGICAL, logical=logical))
