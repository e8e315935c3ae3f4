"""What is taken out of the store for good: the words of somebody's letters, and of letters that are kept no longer."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, bindparam, delete, exists, func, literal_column, or_, select, update

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES
from referee.service.base.ports import Spare

_I, _BODY = TABLES["letter_in"], TABLES["letter_body"]
_O, _RAW = TABLES["letter_out"], TABLES["letter_out_raw"]
_A, _M, _E = TABLES["answer"], TABLES["match"], TABLES["entry"]

_FROM = select(_I.c.id).where(func.lower(_I.c.sender) == bindparam("address")).order_by(_I.c.id)
_IN_MATCH = select(_I.c.id).where(_I.c.match == bindparam("match"), _I.c.body.is_not(None)).order_by(_I.c.id)
_TO = select(_O.c.id).where(func.lower(_O.c.recipient) == bindparam("address")).order_by(_O.c.id)
_BODY_OF = select(_I.c.body).where(_I.c.id == bindparam("letter"))
_WIPE_IN = (
    update(_I)
    .where(_I.c.id == bindparam("letter"))
    .values(sender="", recipient="", verdict=bindparam("said"), logical=None, body=None, spare=False)
)
_DROP_BODY = delete(_BODY).where(
    _BODY.c.digest == bindparam("dropped"), ~exists().where(_I.c.body == bindparam("dropped"))
)
_QUEUED = and_(_O.c.id == bindparam("letter"), _O.c.status == "queued")
_CANCEL = update(_O).where(_QUEUED).values(status="failed")
_WIPE_OUT = (
    update(_O)
    .where(_O.c.id == bindparam("letter"))
    .values(recipient="", error="", message_id=bindparam("instead"), leased_until=None)
)
_DROP_OUT = update(_RAW).where(_RAW.c.letter == bindparam("of")).values(raw=b"", source=b"", said=None)
_COUNT_ANSWERS = select(func.count()).select_from(_A).where(_A.c.address == bindparam("address"))
_FORGET_ANSWERS = delete(_A).where(_A.c.address == bindparam("address"))

_WAITS = _I.c.status.in_([literal_column(f"'{status}'") for status in ("new", "held", "shunted")])
_ENDED = select(_E.c.at).where(_E.c.match == _M.c.name).order_by(_E.c.seq.desc()).limit(
    1
).scalar_subquery() < bindparam("before")
_OLD_IN = (
    select(_I.c.id, _I.c.received_at, _I.c.body, func.length(_BODY.c.raw))
    .join_from(_I, _BODY, _BODY.c.digest == _I.c.body)
    .join(_M, _M.c.name == _I.c.match)
    .where(_M.c.status == "over", ~_WAITS, _ENDED)
    .order_by(_I.c.id)
    .limit(bindparam("limit"))
)
_HAS_WORDS = or_(func.length(_RAW.c.raw) > 0, func.length(_RAW.c.source) > 0, _RAW.c.said.is_not(None))
_OLD_OUT = (
    select(_O.c.id)
    .join(_RAW, _RAW.c.letter == _O.c.id)
    .join(_M, _M.c.name == _O.c.match)
    .where(_M.c.status == "over", _O.c.status != "queued", _HAS_WORDS, _ENDED)
    .order_by(_O.c.id)
    .limit(bindparam("limit"))
)


class Forgetting(Part):
    """What goes, row by row: the rows stay, with what became of them."""

    def letters_from(self, address: str) -> list[int]:
        """The letters in whose envelope names this sender."""
        return [row[0] for row in self._rows(_FROM, {"address": address.lower()})]

    def letters_of_match(self, match: str) -> list[int]:
        """The letters in of a match whose bytes are there."""
        return [row[0] for row in self._rows(_IN_MATCH, {"match": match})]

    def letters_to(self, address: str) -> list[int]:
        """The letters out to this address."""
        return [row[0] for row in self._rows(_TO, {"address": address.lower()})]

    def forget_letters_in(self, ids: Sequence[int], said: str) -> None:
        """Nothing stays of letters in but that they came, and when; `said` stands in the place of their verdict."""
        for id in ids:
            digest = self._value(_BODY_OF, letter=id)
            self._run(_WIPE_IN, {"letter": id, "said": said})
            if digest is not None:
                self._run(_DROP_BODY, {"dropped": digest})

    def forget_letters_out(self, ids: Sequence[int], host: str) -> None:
        """Nothing stays of letters out but that they went, and when; one that waits is sent no more."""
        self._run_each(_CANCEL, [{"letter": id} for id in ids])
        self._run_each(_WIPE_OUT, [{"letter": id, "instead": f"<forgotten.{id}@{host}>"} for id in ids])
        self.drop_words(ids)

    def answers_to(self, address: str) -> int:
        """How many answers are counted for an address."""
        return int(self._value(_COUNT_ANSWERS, address=address.lower()) or 0)

    def forget_answers(self, address: str) -> None:
        """No answer is counted for an address any more."""
        self._run(_FORGET_ANSWERS, {"address": address.lower()})

    def old_letters_in(self, before: str, limit: int) -> list[Spare]:
        """Letters in of matches that ended before a moment, in ISO 8601, and whose bytes are there."""
        return self._all(Spare, _OLD_IN, before=before, limit=limit)

    def old_letters_out(self, before: str, limit: int) -> list[int]:
        """Letters out of such matches that say something still."""
        return [row[0] for row in self._rows(_OLD_OUT, {"before": before, "limit": limit})]

    def drop_words(self, ids: Sequence[int]) -> None:
        """Drop what letters out say; that they went stays."""
        self._run_each(_DROP_OUT, [{"of": id} for id in ids])
