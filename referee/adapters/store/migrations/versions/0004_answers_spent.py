"""Answers by reader, so that nobody can have the referee write without end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and take out the index by which refusals were counted; what was answered before is not counted."""
    op.create_table(
        "answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("purse", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("domain", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("letter", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for columns in (["address", "purse", "at"], ["domain", "purse", "at"], ["purse", "at"], ["letter"], ["at"]):
        op.create_index(op.f(f"ix_answer_{'_'.join(columns)}"), "answer", columns)
    op.drop_index(op.f("ix_letter_out_recipient_kind_created_at"), "letter_out")
