"""Letters that did nothing and do not show who wrote them are marked, so that their bytes can be dropped."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the mark; letters that came before are kept for ever."""
    op.add_column("letter_in", sa.Column("spare", sa.Boolean(), nullable=False, server_default=sa.false()))
    spare = sa.text("spare")
    op.create_index("ix_letter_in_spare", "letter_in", ["id"], sqlite_where=spare, postgresql_where=spare)
