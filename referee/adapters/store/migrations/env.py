"""Run by Alembic, on the connection and inside the transaction that `upgrade` opened."""

from __future__ import annotations

from alembic import context

from referee.adapters.store.tables import complete, metadata

__all__: list[str] = []

complete()
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
