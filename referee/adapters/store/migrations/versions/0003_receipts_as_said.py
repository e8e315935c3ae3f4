"""Receipts wait in the outbox as what they say."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; letters queued before have their bytes."""
    op.add_column("letter_out_raw", sa.Column("said", sa.LargeBinary(), nullable=True))
