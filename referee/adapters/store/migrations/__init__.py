"""Alembic's folder: the changes of the tables from the first on, in `versions`; `upgrade` beside it runs them."""
