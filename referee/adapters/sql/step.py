"""One transaction with every verb of the store."""

from __future__ import annotations

from referee.adapters.sql.alarms import Alarms, Tokens
from referee.adapters.sql.answers import Answers
from referee.adapters.sql.letters_in import LettersIn
from referee.adapters.sql.letters_out import LettersOut
from referee.adapters.sql.log import Log
from referee.adapters.sql.matches import Matches
from referee.adapters.sql.people import People
from referee.adapters.sql.reports import Notes, Reports


class SqlStep(LettersIn, LettersOut, Answers, People, Matches, Log, Tokens, Alarms, Reports, Notes):
    """A step of service.ports on one connection; whoever opened the transaction ends it."""
