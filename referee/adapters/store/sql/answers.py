"""Answers that count against somebody's purse, and letters that were not answered because it was empty."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, func, insert, select

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, values
from referee.service.base.ports import Spent

_T = TABLES["answer"]
_FORGOTTEN = timedelta(days=3)
_PUT = insert(_T)
_OLD = delete(_T).where(_T.c.at < bindparam("before"))
_SPENT = select(func.count(), func.coalesce(func.sum(_T.c.size), 0)).where(
    _T.c.purse == bindparam("purse"), _T.c.at > bindparam("since")
)
_OF_ADDRESS = _SPENT.where(_T.c.address == bindparam("address"))
_OF_DOMAIN = _SPENT.where(_T.c.domain == bindparam("domain"))
_OF_ALL = _SPENT.where(_T.c.domain != "")
_UNSPEND = delete(_T).where(_T.c.letter == bindparam("of"), _T.c.purse != "kept")
_KEPT_SINCE = (
    select(_T.c.address, func.count())
    .where(_T.c.purse == "kept", _T.c.at > bindparam("since"))
    .group_by(_T.c.address)
    .order_by(func.count().desc(), _T.c.address)
)


class Answers(Part):
    """What was answered lately, whose purse paid for it, and what was kept back."""

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
        """What was answered to this letter counts no more."""
        self._run(_UNSPEND, {"of": letter})

    def kept(self, letter: int) -> bool:
        """Whether in this step the answer to this letter was kept back."""
        return bool(self._known("kept", letter))

    def kept_since(self, since: datetime) -> list[tuple[str, int]]:
        """The addresses whose letters were not answered since then, and how many those were, the most first."""
        return [(address, int(count)) for address, count in self._rows(_KEPT_SINCE, {"since": since})]
