"""How far the matches of a database have come, read without changing it, whatever the revision of its tables."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from referee.adapters.backup.manifest import MatchHead
from referee.adapters.store.sql.statements import TABLES

_M, _E = TABLES["match"].c, TABLES["entry"].c
_LAST = select(_E.match, func.max(_E.seq).label("seq")).group_by(_E.match).subquery()
_HEADS = (
    select(_M.name, _M.game, _M.status, _M.turn, func.coalesce(_LAST.c.seq + 1, 0), func.coalesce(_E.hash, ""))
    .select_from(TABLES["match"])
    .outerjoin(_LAST, _LAST.c.match == _M.name)
    .outerjoin(TABLES["entry"], (_E.match == _LAST.c.match) & (_E.seq == _LAST.c.seq))
    .order_by(_M.name)
)


def heads_in(db: Connection) -> tuple[MatchHead, ...]:
    """Every match, by its name."""
    return tuple(MatchHead(*row) for row in db.execute(_HEADS))
