"""Reports keep the map that goes with them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; reports kept before have no map."""
    op.add_column("report", sa.Column("chart", sa.LargeBinary(), nullable=True))
