"""One transaction with every verb of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from referee.adapters.store.sql.alarms import Alarms, Tokens
from referee.adapters.store.sql.answers import Answers
from referee.adapters.store.sql.forgetting import Forgetting
from referee.adapters.store.sql.letters_in import LettersIn
from referee.adapters.store.sql.letters_out import LettersOut
from referee.adapters.store.sql.log import Log
from referee.adapters.store.sql.matches import Matches
from referee.adapters.store.sql.people import People
from referee.adapters.store.sql.reports import Notes, Reports
from referee.adapters.store.sql.tallies import Tallies


class SqlStep(
    LettersIn, LettersOut, Answers, People, Matches, Log, Tokens, Alarms, Reports, Notes, Tallies, Forgetting
):
    """A step of service.ports on one connection; whoever opened the transaction ends it."""


@contextmanager
def writing_step(db: Connection) -> Iterator[SqlStep]:
    """A step that writes. At its end everything has arrived; raises what the step met and did not heed."""
    step = SqlStep(db)
    with step.under_way():
        yield step
