"""How much of everything there is, for whoever watches over the service."""

from __future__ import annotations

from sqlalchemy import case, func, literal_column, select

from referee.adapters.store.sql.part import TABLES, Part
from referee.service.base.ports import Tally

_I, _O, _M = TABLES["letter_in"], TABLES["letter_out"], TABLES["match"]
_CAME = select(_I.c.status, func.count()).group_by(_I.c.status)
_WENT = select(_O.c.kind, _O.c.status, func.count()).group_by(_O.c.kind, _O.c.status)
_MATCHES = select(_M.c.status, func.count()).group_by(_M.c.status)
_FIRST_IN = (
    select(_I.c.received_at)
    .where(_I.c.status.in_([literal_column(f"'{status}'") for status in ("new", "held", "shunted")]))
    .where(_I.c.status == literal_column("'new'"))
    .order_by(_I.c.id)
    .limit(1)
)
_QUEUED = select(
    func.min(_O.c.created_at), func.min(_O.c.due_at), func.coalesce(func.sum(case((_O.c.attempts > 0, 1), else_=0)), 0)
).where(_O.c.status == literal_column("'queued'"))
"""As the indexes say it that hold what waits alone."""


class Tallies(Part):
    """Counts of what the others keep."""

    def tally(self) -> Tally:
        """How much of everything there is. It looks at every letter that ever came or went, so not to be asked all the time."""
        out: dict[str, dict[str, int]] = {}
        for kind, status, count in self._rows(_WENT, {}):
            out.setdefault(kind, {})[status] = count
        ((first_out, due_out, failed),) = self._rows(_QUEUED, {})
        return Tally(
            {status: count for status, count in self._rows(_CAME, {})},
            out,
            {status: count for status, count in self._rows(_MATCHES, {})},
            self._value(_FIRST_IN),
            first_out,
            due_out,
            int(failed),
        )
