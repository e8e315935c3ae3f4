"""One transaction, with every verb of the store."""

from __future__ import annotations

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


class Step(LettersIn, LettersOut, Answers, People, Matches, Log, Tokens, Alarms, Reports, Notes, Tallies, Forgetting):
    """Everything in it is written together or not at all. It runs on one connection; whoever opened the transaction ends it."""
