"""The digests of what letters said of a turn, laid down when they are sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Reports of before have none."""
    op.add_column("report", sa.Column("told", sa.String(), nullable=False, server_default=sa.text("''")))
