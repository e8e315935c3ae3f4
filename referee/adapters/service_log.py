"""The service's words on its standard error when something goes wrong: lines for people, or an object a line for programs.

Neither has words of a letter. An error is told by its kind and by where it happened; what it says besides only where the
system or a database said it, for a fault may quote the letter over which it came. The store keeps what it said (referee desk list).
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import sys
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy.exc import SQLAlchemyError

from referee.adapters.files import Unusable
from referee.service.base.office import QUOTE_NOTHING

_QUOTE_NOTHING = (*QUOTE_NOTHING, sqlite3.Error, SQLAlchemyError, Unusable)
_DEEPEST = 10
_BEFORE = "\n\nThis came of the error above:\n"


class _Lines(logging.Formatter):
    """For people: a line, and below it where an error happened."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%SZ")
        self.converter = time.gmtime

    def formatException(self, ei: Any) -> str:
        return where(ei[1])


class _Objects(logging.Formatter):
    """For programs: an object of one line."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": os.getpid(),
            "by": record.name,
            "said": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1]:
            said["error"] = where(record.exc_info[1])
        return json.dumps(said, ensure_ascii=False)


def where(error: BaseException) -> str:
    """Kind and place of an error, after those that it came of."""
    return _BEFORE.join(map(_one, [*_chain(error)][::-1]))


def _one(error: BaseException) -> str:
    said = f": {error}" if isinstance(error, _QUOTE_NOTHING) else ""
    return f"{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}{said}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, what it came of, and so on."""
    found: BaseException | None = error
    for _ in range(_DEEPEST):
        if found is None:
            return
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def write_log(form: Literal["lines", "json"]) -> None:
    """From now on what goes wrong in this process is written in this form."""
    written = logging.StreamHandler(sys.stderr)
    written.setLevel(logging.WARNING)  # some that are calmed down on the way come as less than that
    written.setFormatter(_Objects() if form == "json" else _Lines())
    logging.basicConfig(handlers=[written], level=logging.WARNING, force=True)
