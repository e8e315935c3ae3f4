"""Letters in share their bytes, which may be dropped from letters that did nothing."""

from __future__ import annotations

from hashlib import sha256

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take the bytes out of their letters into a table of their own."""
    op.create_table(
        "letter_body",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_letter_body"),
    )
    op.add_column("letter_in", sa.Column("body", sa.String(), nullable=True))
    _take_out()
    with op.batch_alter_table("letter_in") as letter_in:
        letter_in.drop_column("raw")
        letter_in.create_foreign_key(
            "fk_letter_in_body", "letter_body", ["body"], ["digest"], deferrable=True, initially="DEFERRED"
        )
        letter_in.create_index("ix_letter_in_body", ["body"])


def _take_out() -> None:
    db = op.get_bind()
    letters = sa.table("letter_in", sa.column("id"), sa.column("raw"), sa.column("body"))
    bodies = sa.table("letter_body", sa.column("digest"), sa.column("raw"))
    known: set[str] = set()
    for number in db.execute(sa.select(letters.c.id)).scalars().all():
        raw = db.execute(sa.select(letters.c.raw).where(letters.c.id == number)).scalar_one()
        digest = sha256(raw).hexdigest()
        if digest not in known:
            db.execute(sa.insert(bodies).values(digest=digest, raw=raw))
            known.add(digest)
        db.execute(sa.update(letters).where(letters.c.id == number).values(body=digest))
