"""Indexes hold what waits and forget what is done; PostgreSQL looks after the tables that change all the time early."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_WAITING = sa.text("status IN ('new', 'held', 'shunted')")
_QUEUED = sa.text("status = 'queued'")

_EARLY = (
    "autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02"
)
_HOT: Mapping[str, int] = {
    "alarm": 100,
    "answer": 100,
    "letter_in": 100,
    "letter_out": 90,
    "match": 80,
    "member": 90,
    "note": 80,
    "token": 90,
}
"""How full a page may be: where columns change that no index has, room on the page spares the indexes a new entry."""


def upgrade() -> None:
    """Put the new indexes in the place of those that grew with every letter ever written."""
    op.drop_index(op.f("ix_letter_in_status_id"), "letter_in")
    op.create_index(
        "ix_letter_in_waiting", "letter_in", ["status", "id"], sqlite_where=_WAITING, postgresql_where=_WAITING
    )
    op.drop_index(op.f("ix_letter_out_status_due_at"), "letter_out")
    op.create_index(
        "ix_letter_out_queued", "letter_out", ["due_at", "id"], sqlite_where=_QUEUED, postgresql_where=_QUEUED
    )
    if op.get_bind().dialect.name == "postgresql":
        for table, full in _HOT.items():
            op.execute(f'ALTER TABLE "{table}" SET ({_EARLY}, fillfactor = {full})')
