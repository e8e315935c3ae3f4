"""What is kept beside the log: reports as they were sent, and small facts."""

from __future__ import annotations

from sqlalchemy import bindparam, case, delete, func, select

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, fields, upsert, values
from referee.service.ports import Report

_R = TABLES["report"]
_REPORTS = select(*fields(_R, Report)).where(_R.c.match == bindparam("match"))
_LATEST = (
    _REPORTS.where(_R.c.turn == bindparam("turn"), _R.c.reader == bindparam("reader"))
    .order_by(_R.c.epoch.desc())
    .limit(1)
)
_ALL = _REPORTS.order_by(_R.c.seq, _R.c.turn, _R.c.epoch, _R.c.reader)

_PUBLIC = _ALL.where(_R.c.reader == "")

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
    """The archive of reports."""

    def keep_report(self, report: Report) -> None:
        """Keep it for ever. Raises Conflict when this reader's report of that turn and epoch is kept already."""
        self._touch(report.match)
        self._ring(report.match)
        self._insert("report", [values(report)])

    def report(self, match: str, turn: int, reader: str) -> Report | None:
        """The latest one (highest epoch) of that turn for that reader."""
        return self._one(Report, _LATEST, match=match, turn=turn, reader=reader)

    def public_reports(self, match: str) -> list[Report]:
        """The reports that everybody may read, in the order of the log."""
        return self._all(Report, _PUBLIC, match=match)

    def reports(self, match: str) -> list[Report]:
        """All reports of a match, in the order of the log."""
        return self._all(Report, _ALL, match=match)


class Notes(Part):
    """Small facts beside the log."""

    def note(self, match: str, seat: str, name: str) -> str | None:
        """A small fact, or None."""
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
