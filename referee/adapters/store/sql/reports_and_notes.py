"""Reports as they were sent, and what is forgotten of a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy import (
    LargeBinary,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    type_coerce,
    update,
)

from referee.adapters.store.sql.statements import TABLES, Part, fields, upsert, values
from referee.adapters.store.tables import unpacked
from referee.service.base.ports import Listed, Report, Spare

_R = TABLES["report"]
_REPORTS = select(*fields(_R, Report)).where(_R.c.match == bindparam("match"))
_OF_TURN = _REPORTS.where(_R.c.turn == bindparam("turn"), _R.c.reader == bindparam("reader"))
_OF_EPOCH = _OF_TURN.where(_R.c.epoch == bindparam("epoch"))
_LATEST = _OF_TURN.order_by(_R.c.epoch.desc()).limit(1)
_IN_ORDER = _R.c.seq, _R.c.turn, _R.c.epoch, _R.c.reader
_ALL = _REPORTS.order_by(*_IN_ORDER)
_LAID = select(_R.c.reader, _R.c.told).where(
    _R.c.match == bindparam("match"), _R.c.turn == bindparam("turn"), _R.c.epoch == bindparam("epoch")
)
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
    """The columns of a page that are read to list it."""

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

    def laid_down(self, match: str, turn: int, epoch: int) -> dict[str, str]:
        """By their readers the digests of what letters told of a turn."""
        return {
            reader: told for reader, told in self._rows(_LAID, {"match": match, "turn": turn, "epoch": epoch}) if told
        }

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

        Reports of no match are read alone: others may write there at any time.
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


# ---------------------------------------------------------------- what is taken out of the store for good
# The words of somebody's letters, and of letters that are kept no longer.


_I, _BODY = TABLES["letter_in"], TABLES["letter_body"]
_O, _RAW = TABLES["letter_out"], TABLES["letter_out_raw"]
_A, _M, _E = TABLES["answer"], TABLES["match"], TABLES["entry"]

_FROM = select(_I.c.id).where(func.lower(_I.c.sender) == bindparam("address")).order_by(_I.c.id)
_IN_MATCH = select(_I.c.id).where(_I.c.match == bindparam("match"), _I.c.body.is_not(None)).order_by(_I.c.id)
_TO = select(_O.c.id).where(func.lower(_O.c.recipient) == bindparam("address")).order_by(_O.c.id)
_BODY_OF = select(_I.c.body).where(_I.c.id == bindparam("letter"))
_WIPE_IN = (
    update(_I)
    .where(_I.c.id == bindparam("letter"))
    .values(sender="", recipient="", verdict=bindparam("said"), logical=None, body=None, spare=False)
)
_DROP_BODY = delete(_BODY).where(
    _BODY.c.digest == bindparam("dropped"), ~exists().where(_I.c.body == bindparam("dropped"))
)
_QUEUED = and_(_O.c.id == bindparam("letter"), _O.c.status == "queued")
_CANCEL = update(_O).where(_QUEUED).values(status="failed")
_WIPE_OUT = (
    update(_O)
    .where(_O.c.id == bindparam("letter"))
    .values(recipient="", error="", message_id=bindparam("instead"), leased_until=None)
)
_DROP_OUT = update(_RAW).where(_RAW.c.letter == bindparam("of")).values(raw=b"", source=b"", said=None)
_COUNT_ANSWERS = select(func.count()).select_from(_A).where(_A.c.address == bindparam("address"))
_FORGET_ANSWERS = delete(_A).where(_A.c.address == bindparam("address"))

_WAITS = _I.c.status.in_([literal_column(f"'{status}'") for status in ("new", "held", "shunted")])
_ENDED = select(_E.c.at).where(_E.c.match == _M.c.name).order_by(_E.c.seq.desc()).limit(
    1
).scalar_subquery() < bindparam("before")
_OLD_IN = (
    select(_I.c.id, _I.c.received_at, _I.c.body, func.length(_BODY.c.raw))
    .join_from(_I, _BODY, _BODY.c.digest == _I.c.body)
    .join(_M, _M.c.name == _I.c.match)
    .where(_M.c.status == "over", ~_WAITS, _ENDED)
    .order_by(_I.c.id)
    .limit(bindparam("limit"))
)
_HAS_WORDS = or_(func.length(_RAW.c.raw) > 0, func.length(_RAW.c.source) > 0, _RAW.c.said.is_not(None))
_OLD_OUT = (
    select(_O.c.id)
    .join(_RAW, _RAW.c.letter == _O.c.id)
    .join(_M, _M.c.name == _O.c.match)
    .where(_M.c.status == "over", _O.c.status != "queued", _HAS_WORDS, _ENDED)
    .order_by(_O.c.id)
    .limit(bindparam("limit"))
)


class Forgetting(Part):
    """The forgetting of letters, row by row: the rows stay, with their outcomes."""

    def letters_from(self, address: str) -> list[int]:
        """The letters in whose envelope names this sender."""
        return [row[0] for row in self._rows(_FROM, {"address": address.lower()})]

    def letters_of_match(self, match: str) -> list[int]:
        """The letters in of a match whose bytes are there."""
        return [row[0] for row in self._rows(_IN_MATCH, {"match": match})]

    def letters_to(self, address: str) -> list[int]:
        """The letters out to this address."""
        return [row[0] for row in self._rows(_TO, {"address": address.lower()})]

    def forget_letters_in(self, ids: Sequence[int], said: str) -> None:
        """Nothing stays of letters in but that they came, and when; `said` stands in the place of their verdict."""
        for id in ids:
            digest = self._value(_BODY_OF, letter=id)
            self._run(_WIPE_IN, {"letter": id, "said": said})
            if digest is not None:
                self._run(_DROP_BODY, {"dropped": digest})

    def forget_letters_out(self, ids: Sequence[int], host: str) -> None:
        """Nothing stays of letters out but that they went, and when; one that waits is sent no more."""
        self._run_each(_CANCEL, [{"letter": id} for id in ids])
        self._run_each(_WIPE_OUT, [{"letter": id, "instead": f"<forgotten.{id}@{host}>"} for id in ids])
        self.drop_words(ids)

    def answers_to(self, address: str) -> int:
        """How many answers are counted for an address."""
        return int(self._value(_COUNT_ANSWERS, address=address.lower()) or 0)

    def forget_answers(self, address: str) -> None:
        """No answer is counted for an address any more."""
        self._run(_FORGET_ANSWERS, {"address": address.lower()})

    def old_letters_in(self, before: str, limit: int) -> list[Spare]:
        """Letters in of matches that ended before a moment, in ISO 8601, and whose bytes are there."""
        return self._all(Spare, _OLD_IN, before=before, limit=limit)

    def old_letters_out(self, before: str, limit: int) -> list[int]:
        """Letters out of such matches that say something still."""
        return [row[0] for row in self._rows(_OLD_OUT, {"before": before, "limit": limit})]

    def drop_words(self, ids: Sequence[int]) -> None:
        """Drop what letters out say; that they went stays."""
        self._run_each(_DROP_OUT, [{"of": id} for id in ids])
