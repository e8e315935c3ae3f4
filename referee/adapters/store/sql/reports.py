"""What is kept beside the log: reports as they were sent, and small facts."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import LargeBinary, bindparam, case, delete, func, select, type_coerce

from referee.adapters.store.columns import unpacked
from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, fields, upsert, values
from referee.service.base.ports import Listed, Report

_R = TABLES["report"]
_REPORTS = select(*fields(_R, Report)).where(_R.c.match == bindparam("match"))
_OF_TURN = _REPORTS.where(_R.c.turn == bindparam("turn"), _R.c.reader == bindparam("reader"))
_OF_EPOCH = _OF_TURN.where(_R.c.epoch == bindparam("epoch"))
_LATEST = _OF_TURN.order_by(_R.c.epoch.desc()).limit(1)
_IN_ORDER = _R.c.seq, _R.c.turn, _R.c.epoch, _R.c.reader
_ALL = _REPORTS.order_by(*_IN_ORDER)
_LISTED = (
    select(
        *(_R.c[name] for name in ("turn", "epoch", "title", "at", "seq", "head")),
        type_coerce(_R.c.page, LargeBinary),
        _R.c.chart.is_not(None),
    )
    .where(_R.c.match == bindparam("match"), _R.c.reader == "")
    .order_by(*_IN_ORDER)
)
"""A page stays packed until its turn comes: those of a long match are many, and maps are much longer than what is said."""


class _Summed(msgspec.Struct):
    """What is read of a page to list it."""

    summary: str


_N = TABLES["note"]
_NOTES = select(_N.c.seat, _N.c.value).where(_N.c.match == bindparam("match"), _N.c.name == bindparam("name"))
_NOTE = _NOTES.where(_N.c.seat == bindparam("seat"))
_LONG = 2_000
_OF_PLACE = select(_N.c.name, case((func.length(_N.c.value) <= _LONG, _N.c.value))).where(
    _N.c.match == bindparam("match"), _N.c.seat == bindparam("seat")
)
"""Of a long value only that it is there."""
_BY_SEAT = _NOTES.order_by(_N.c.seat)
_REMOVE = delete(_N).where(
    _N.c.match == bindparam("in_match"), _N.c.seat == bindparam("of_seat"), _N.c.name == bindparam("of_name")
)


class Reports(Part):
    """The archive of reports, as they were sent."""

    def keep_report(self, report: Report) -> None:
        """Keep it for ever. Raises Conflict when this reader's report of that turn and epoch is kept already."""
        self._touch(report.match)
        self._ring(report.match)
        self._insert("report", [values(report)])

    def report(self, match: str, turn: int, reader: str, epoch: int | None = None) -> Report | None:
        """The one of that turn for that reader, of this epoch or else of the highest."""
        if epoch is None:
            return self._one(Report, _LATEST, match=match, turn=turn, reader=reader)
        return self._one(Report, _OF_EPOCH, match=match, turn=turn, reader=reader, epoch=epoch)

    def listed_reports(self, match: str) -> list[Listed]:
        """The reports that everybody may read, in the order of the log."""
        return self._all(_listed, _LISTED, match=match)

    def reports(self, match: str) -> list[Report]:
        """All reports of a match, in the order of the log."""
        return self._all(Report, _ALL, match=match)


def _listed(turn: int, epoch: int, title: str, at: datetime, seq: int, head: str, page: bytes, drawn: int) -> Listed:
    said = msgspec.json.decode(unpacked(page), type=_Summed).summary
    return Listed(turn, epoch, title, at, seq, head, said, bool(drawn))


class Notes(Part):
    """Small facts beside the log, each of a place: a match and a seat."""

    def note(self, match: str, seat: str, name: str) -> str | None:
        """A small fact, such as pending corrections; None where there is none."""
        return self._once("note", (match, seat, name), lambda: self._note(match, seat, name))

    def _note(self, match: str, seat: str, name: str) -> str | None:
        """Read with all short ones that lie in the same place: whoever asks for one of a seat asks for others of it.

        What belongs to no match is read alone: others may write there at any time.
        """
        if not match:
            found = self._rows(_NOTE, {"match": match, "seat": seat, "name": name})
            return str(found[0][1]) if found else None
        place = self._once("place", (match, seat), lambda: self._place(match, seat))
        if name in place and place[name] is None:
            return str(self._rows(_NOTE, {"match": match, "seat": seat, "name": name})[0][1])
        return place.get(name)

    def _place(self, match: str, seat: str) -> dict[str, str | None]:
        """The notes of one place by name."""
        return {name: value for name, value in self._rows(_OF_PLACE, {"match": match, "seat": seat})}

    def put_note(self, match: str, seat: str, name: str, value: str | None) -> None:
        """Keep a small fact; None removes it."""
        if self._stands("note", (match, seat, name), value):
            return
        self._keep("note", (match, seat, name), value)
        self._forget("notes", (match, name))
        self._touch(match)
        if value is None:
            self._run(_REMOVE, {"in_match": match, "of_seat": seat, "of_name": name})
        else:
            row = {"match": match, "seat": seat, "name": name, "value": value}
            self._run(upsert(self._dialect, "note"), row)

    def notes(self, match: str, name: str) -> dict[str, str]:
        """The fact of that name of every seat."""
        return dict(self._once("notes", (match, name), lambda: self._by_seat(match, name)))

    def _by_seat(self, match: str, name: str) -> dict[str, str]:
        return {seat: value for seat, value in self._rows(_BY_SEAT, {"match": match, "name": name})}
